import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { createMcpServer } from "../../src/mcp/server";
import { FORMULAS } from "../../src/reference/formulas";
import { createFiles, readGenerated } from "../reference/generated";

const webFolder = mkdtempSync(join(tmpdir(), "feed-resources-"));
const client = new Client({ name: "test", version: "1" });

beforeAll(async () => {
  for (const [path, text] of Object.entries(createFiles(await readGenerated()))) {
    mkdirSync(dirname(join(webFolder, path)), { recursive: true });
    writeFileSync(join(webFolder, path), text);
  }
  const [own, theirs] = InMemoryTransport.createLinkedPair();
  const open = () => Promise.reject(new Error("resources need no provider"));
  await createMcpServer({ open, webFolder }).connect(theirs);
  await client.connect(own);
});
afterAll(async () => {
  await client.close();
  rmSync(webFolder, { recursive: true });
});

const read = async (uri: string) => {
  const [content] = (await client.readResource({ uri })).contents;
  return (content as { text: string } | undefined)?.text ?? "";
};

describe("the resources", () => {
  it("are a list of the formulas, the skill, and a short page for each formula", async () => {
    const { resources } = await client.listResources();
    const uris = [...FORMULAS.keys()].map((id) => `feed://formulas/${id}`);
    expect(resources.map(({ uri }) => uri)).toEqual(["feed://formulas", "feed://skill", ...uris]);
    expect(JSON.stringify(resources).length).toBeLessThan(4_000);
    for (const uri of uris) {
      const text = await read(uri);
      expect([uri, text.startsWith(`# FEED.${uri.slice(16)}\n`)]).toEqual([uri, true]);
      expect([uri, text.length < 8_000]).toEqual([uri, true]);
    }
    expect(await read("feed://formulas")).toContain("[FEED.PEERS](feed://formulas/PEERS): A company's peers");
    expect(await read("feed://skill")).toContain("# FEED for Excel");
  });

  it("are in Japanese by their template", async () => {
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(["feed://formulas/ja/{name}"]);
    expect(await read("feed://formulas/ja/PEERS")).toContain("## 引数");
  });

  it.each([
    "feed://formulas/NOBODY",
    "feed://formulas/..%2Fskill",
    "feed://formulas/../skill",
    "file:///etc/passwd",
    "feed://formulas/ja/ja/PEERS",
  ])("are no other files: %s", async (uri) => {
    await expect(read(uri)).rejects.toMatchObject({ code: -32_002 });
  });
});
