import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createPairings } from "../../src/companion/api/pairing";
import { createFilePairings } from "../../src/companion/api/pairing-state";
import { runCommand } from "../../src/companion/command";
import { UsageError } from "../../src/companion/commands/exit-codes";
import { toFolder } from "../../src/companion/folder";
import { openFor } from "./test-configuration";

const NOW_MS = Date.UTC(2026, 0, 2, 3, 4, 5);
const ORIGIN = "https://localhost:3000";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pair-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function run(...words: string[]): Promise<string[]> {
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  await runCommand(words, { environment: {}, webFolder: "", print, folder, nowMs: () => NOW_MS });
  return lines;
}

/** The pairings of a companion in the same folder. */
const openPairings = () => openFor(createPairings(createFilePairings(toFolder(folder).pairings), () => NOW_MS));
const readCode = (lines: string[]) => /[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}/.exec(lines.join("\n"))![0];
/** Requests a code as a page does, and creates it by the command. */
async function makeCode() {
  const { name, secret } = await openPairings().createRequest(ORIGIN);
  const lines = await run("pair", name);
  return { name, lines, sent: `${readCode(lines)}.${secret}` };
}
const pair = async () => openPairings().pair((await makeCode()).sent, ORIGIN);

describe("the command pair", () => {
  it("prints a valid code and how to use it", async () => {
    const { name, lines, sent } = await makeCode();
    expect(lines).toEqual([
      `Pairing code: ${readCode(lines)}. Enter it within five minutes in the FEED pane that shows ${name}; it pairs that page alone, and five wrong tries end it.`,
    ]);
    await expect(openPairings().pair(sent, ORIGIN)).resolves.toBeDefined();
  });

  it("needs no page name if one page waits, and says what to do if none does", async () => {
    await expect(run("pair")).rejects.toThrow(
      "No FEED pane asks for a code. Open the pane: it shows the command for its own.",
    );
    const { name } = await openPairings().createRequest(ORIGIN);
    expect((await run("pair")).join()).toContain(`in the FEED pane that shows ${name}`);
    await expect(run("pair", name, "--list")).rejects.toThrow(UsageError);
  });

  it("lists the pairings without creating a code", async () => {
    expect(await run("pair", "--list")).toEqual(["Nobody is paired. For a code, run: npm run companion -- pair"]);
    const { id, bearer } = await pair();
    const waiting = await makeCode();
    const lines = await run("pair", "--list");
    expect(lines).toEqual([`${id}  ${ORIGIN}  for https://feed.example.com/base  since 2026-01-02 03:04 UTC`]);
    expect(lines.join()).not.toContain(bearer);
    await expect(openPairings().pair(waiting.sent, ORIGIN)).resolves.toBeDefined();
  });
});

describe("the list of pairings", () => {
  const signedIn = { person: { id: "https://login.example.com ada", roles: [] }, endsAtMs: NOW_MS + 3_600_000 };
  const toLine = (id: string, whose: string) =>
    `${id}  ${ORIGIN}  for https://feed.example.com/base  since 2026-01-02 03:04 UTC until 2026-01-02 04:04 UTC  ${whose}`;

  it("names people who signed in, and until when", async () => {
    const named = { ...signedIn, person: { ...signedIn.person, name: "ada@example.com" } };
    const first = await openPairings().pairPerson(named, ORIGIN);
    const second = await openPairings().pairPerson(signedIn, ORIGIN);
    expect(await run("pair", "--list")).toEqual([
      toLine(first.id, "ada@example.com"),
      toLine(second.id, "https://login.example.com ada"),
    ]);
  });

  it("omits people whose sign-in has ended", async () => {
    await openPairings().pairPerson({ ...signedIn, endsAtMs: NOW_MS }, ORIGIN);
    expect(await run("pair", "--list")).toEqual(["Nobody is paired. For a code, run: npm run companion -- pair"]);
  });
});

describe("the command unpair", () => {
  it("ends all pairings and a pending code", async () => {
    await pair();
    const { sent } = await makeCode();
    expect(await run("unpair", "--all")).toEqual(["Ended: 1 pairing, and the code if one waited."]);
    expect(await openPairings().list()).toEqual([]);
    await expect(openPairings().pair(sent, ORIGIN)).rejects.toThrow("not the pairing code");
  });

  it("lists the pairings and explains its use without an argument", async () => {
    const { id } = await pair();
    expect(await run("unpair")).toEqual([
      `${id}  ${ORIGIN}  for https://feed.example.com/base  since 2026-01-02 03:04 UTC`,
      "To end one, run: npm run companion -- unpair ID; for all of them: npm run companion -- unpair --all",
    ]);
    expect(await openPairings().list()).toHaveLength(1);
  });

  it("ends the named pairing, and fails for an unknown id", async () => {
    const ended = await pair();
    expect(await run("unpair", ended.id)).toEqual([`Ended: the pairing ${ended.id}.`]);
    await pair();
    const sentence = 'No pairing has the id "x". For the list, run: npm run companion -- pair --list';
    await expect(run("unpair", "x")).rejects.toThrow(sentence);
    expect(await openPairings().list()).toHaveLength(1);
  });

  it("accepts either an id or --all", async () => {
    const { id } = await pair();
    await expect(run("unpair", id, "--all")).rejects.toThrow(UsageError);
    expect(await openPairings().list()).toHaveLength(1);
  });
});
