import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { MAIN, openHome, toHome } from "../companion/programs";
import { toEnvironment } from "../refresh/command-surroundings";
import { readValues, toFormulaCell, toRow } from "../refresh/workbooks";
import { startServer } from "../support/http-server";
import { readTestKey } from "../support/keys";
import { until } from "../support/until";
import { toFile, toParts, toSheet } from "../xlsx/files";
import { type OwnProvider, startOwnProvider, toId, toRevenue } from "./provider";

const home = openHome();
const root = mkdtempSync(join(tmpdir(), "feed-agents-"));
const [folder, own] = [join(root, "allowed"), join(root, "own")];
const book = join(folder, "Model.xlsx");
const MODEL = toFile(
  toParts(toSheet(toRow(1, toFormulaCell("A1", `_xldudf_FEED_FINANCIAL("${toId(1)}",2023,"Revenue")`, 1)))),
);

let provider: OwnProvider;
let client: Client;

/** Starts the built command with the folder allowed, as an assistant does. */
async function start(environment: NodeJS.ProcessEnv): Promise<Client> {
  const env = { ...toHome(own), ...environment } as Record<string, string>;
  const words = [MAIN, "mcp", "--folder", folder];
  const started = new Client({ name: "test", version: "1" });
  await started.connect(new StdioClientTransport({ command: process.execPath, args: words, env, stderr: "pipe" }));
  return started;
}

interface Content {
  rows: unknown[][];
  notes: string[];
  asOf: string | null;
  error?: { code: string; sentence: string; cure: string };
}

async function refresh(given: { workbook: string; write?: boolean }): Promise<Content> {
  const answer = await client.callTool({ name: "refresh_workbook", arguments: given });
  return (answer as CallToolResult).structuredContent as unknown as Content;
}

beforeAll(async () => {
  for (const each of [folder, own]) mkdirSync(each);
  provider = await startOwnProvider();
  client = await start(toEnvironment(provider as never));
});
beforeEach(() => writeFileSync(book, MODEL));
afterAll(async () => {
  await client.close();
  await provider.close();
  rmSync(root, { recursive: true });
});

describe("refresh_workbook", () => {
  it("tells the cost first, and asks for no figure and writes nothing for it", async () => {
    const { error, rows, notes } = await refresh({ workbook: "Model.xlsx" });
    expect([error, rows, notes]).toEqual([undefined, [], [expect.stringMatching(/1 request/)]]);
    const paths = provider.requests.map(({ path }) => path);
    expect([paths.filter((path) => path !== "/token"), readFileSync(book).equals(MODEL)]).toEqual([[], true]);
  });

  it("writes the file, and answers what changed", async () => {
    const { error, rows, notes, asOf } = await refresh({ workbook: book, write: true });
    const revenue = toRevenue(1, 2023);
    expect([error, rows]).toEqual([
      undefined,
      [["Sheet1", "A1", expect.stringContaining("2023 Revenue"), 1, revenue, null]],
    ]);
    expect([notes.join(), asOf]).toEqual([expect.stringContaining("changed"), expect.stringMatching(/^\d{4}-.*Z$/)]);
    expect([readValues(book).A1, readdirSync(folder)]).toEqual([revenue, ["Model.xlsx"]]);
  });

  it("shows no contact data of persons that it has written", async () => {
    const cell = toFormulaCell("A1", `_xldudf_FEED_COMPANY("${toId(1)}","representatives.email")`, 1);
    writeFileSync(book, toFile(toParts(toSheet(toRow(1, cell)))));
    const { rows } = await refresh({ workbook: book, write: true });
    expect(rows).toEqual([["Sheet1", "A1", "data of a person, not shown to assistants", null, null, null]]);
    expect(readValues(book).A1).toMatch(/@/);
  });

  it("refuses a file that is not below an allowed folder, and leaves it as it is", async () => {
    const outside = join(root, "Outside.xlsx");
    writeFileSync(outside, MODEL);
    const { error } = await refresh({ workbook: outside, write: true });
    expect(error?.code).toBe("FEED_ARGUMENT_INVALID");
    expect(readFileSync(outside).equals(MODEL)).toBe(true);
  });

  it("refuses a workbook that is open in Excel by a sentence", async () => {
    const lock = join(folder, "~$Model.xlsx");
    writeFileSync(lock, "");
    const { error } = await refresh({ workbook: book, write: true });
    rmSync(lock);
    expect(error).toMatchObject({
      code: "FEED_NOT_REFRESHED",
      sentence: expect.stringMatching(/Model\.xlsx is open in Excel\. Close it there/),
    });
    expect(readFileSync(book).equals(MODEL)).toBe(true);
  });

  it("ends the refresh's process when the call is cancelled, and leaves the old file", async () => {
    const silent = await startServer(() => ({ raw: () => {} }));
    const { privateKey } = readTestKey("provider");
    const settings = { baseUrl: silent.url, clientId: "client", kid: "key", privateKey };
    const waiting = await start(toEnvironment(settings as never));
    const stopped = new AbortController();
    const call = waiting.callTool({ name: "refresh_workbook", arguments: { workbook: book, write: true } }, undefined, {
      signal: stopped.signal,
    });
    const ended = expect(call).rejects.toThrow("enough");
    await until(() => silent.requests.length > 0);
    stopped.abort("enough");
    await ended;
    await until(() => silent.requests.every(({ isAborted }) => isAborted()));
    expect([readdirSync(folder), readFileSync(book).equals(MODEL)]).toEqual([["Model.xlsx"], true]);
    await waiting.close();
    await silent.close();
  });

  it("stands with the other tools in a list of at most 8 KB", async () => {
    const list = await client.listTools();
    expect(list.tools.map(({ name }) => name)).toContain("refresh_workbook");
    expect(Buffer.byteLength(JSON.stringify(list))).toBeLessThanOrEqual(8_192);
  });

  it.each([
    ["a folder that is there", join(root, "missing")],
    ["a folder that has a name", ""],
  ])("needs %s", async (_what, path) => {
    const { code, errors } = await home.run(["mcp", "--folder", path]);
    expect([code, errors]).toEqual([1, expect.stringContaining(`"${path}" is no folder. Give one with --folder.`)]);
  });
});
