import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { runCommand } from "../../src/companion/command";
import { UsageError } from "../../src/companion/commands/exit-codes";
import { type Configuration, readConfiguration } from "../../src/companion/configuration";
import { toManifest } from "../../src/companion/manifest";
import { createPages } from "./pages-folder";
import { type PairedCompanion, startPaired } from "./paired-companion";
import { sendRaw } from "./raw-request";
import { createConfiguration } from "./test-configuration";

const BUILT = readFileSync(join(__dirname, "../../manifest.xml"), "utf8");
const ELSEWHERE = ["--origin", "https://feed.example.com", "--namespace", "ACME"];

function createWeb(manifest = BUILT): string {
  const webFolder = createPages();
  writeFileSync(join(webFolder, "manifest.xml"), manifest);
  return webFolder;
}

async function run(words: string[], webFolder = createWeb()): Promise<string> {
  const lines: string[] = [];
  await runCommand(["manifest", ...words], { environment: {}, webFolder, print: (line) => lines.push(line) });
  return lines.join("\n");
}

const readId = (manifest: string) => /<Id>([^<]+)/.exec(manifest)?.[1];

describe("the command manifest", () => {
  it("prints the built manifest for its own origin and namespace", async () => {
    expect(await run(["--origin", "https://localhost:3000"])).toBe(BUILT.trimEnd());
  });

  it("changes every URL to another origin, and every name to another namespace", async () => {
    const manifest = await run(ELSEWHERE);
    expect(manifest).not.toMatch(/localhost|FEED/);
    expect(manifest).toContain(
      '<SourceLocation DefaultValue="https://feed.example.com/taskpane.html?namespace=ACME"/>',
    );
    expect(manifest).toContain('<bt:String id="Functions.Namespace" DefaultValue="ACME"/>');
  });

  it("gives one id for the same deployment, and another for any other", async () => {
    const ids = await Promise.all(
      [
        ELSEWHERE,
        ["--origin", "https://feed.example.com/", "--namespace", "ACME"],
        ["--origin", "https://feed.example.com"],
        ["--origin", "https://localhost:3000", "--namespace", "ACME"],
      ].map(async (words) => readId(await run(words))),
    );
    expect(ids[0]).toBe("89099b07-2da7-5650-bdfd-eaf8c2cd3ba9");
    expect(ids[1]).toBe(ids[0]);
    expect(new Set([...ids, readId(BUILT)]).size).toBe(4);
  });

  it("starts from any built manifest: a round trip restores the original", async () => {
    const there = createWeb(await run(ELSEWHERE));
    expect(await run(ELSEWHERE, there)).toBe(readFileSync(join(there, "manifest.xml"), "utf8"));
    expect(await run(["--origin", "https://localhost:3000"], there)).toBe(BUILT.trimEnd());
  });

  it("writes a file, and explains its use", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "feed-manifest-")), "acme.xml");
    const said = await run([...ELSEWHERE, "--out", file]);
    expect(said).toBe(`${file} installs the add-in from https://feed.example.com, its formulas as ACME.`);
    expect(readFileSync(file, "utf8").trimEnd()).toBe(await run(ELSEWHERE));
  });

  it.each([
    "http://feed.example.com",
    "feed.example.com",
    "https://feed.example.com/excel",
    "https://feed.example.com/?a=1",
    "https://someone@feed.example.com",
    "",
  ])("refuses the origin %j, with an example", async (origin) => {
    const outcome = await run(["--origin", origin]).catch((error: Error) => error);
    expect(outcome).toBeInstanceOf(UsageError);
    expect(String(outcome)).toContain(
      `Option '--origin <origin>' argument '${origin}' is invalid. Give https, a host and perhaps a port`,
    );
  });

  it("requires an origin", async () => {
    await expect(run([])).rejects.toThrow(
      new UsageError("Required option '--origin <origin>' not specified. Try: npm run companion -- manifest --help"),
    );
  });

  it.each(["acme", "A", "A_B", "9FEED", "ACME.CORP", "株式", "A".repeat(21), ""])(
    "refuses the namespace %j, and writes nothing",
    async (namespace) => {
      const file = join(mkdtempSync(join(tmpdir(), "feed-manifest-")), "acme.xml");
      const words = ["--origin", "https://feed.example.com", "--namespace", namespace, "--out", file];
      const outcome = await run(words).catch((error: Error) => error);
      expect(outcome).toBeInstanceOf(UsageError);
      expect(String(outcome)).toContain("2 to 20 capitals and digits");
      expect(existsSync(file)).toBe(false);
    },
  );

  it("reports a missing build", async () => {
    await expect(run(ELSEWHERE, join(createPages(), "reference"))).rejects.toThrow(
      "The add-in is not built. Run: npm run build",
    );
  });
});

const ORIGIN = "https://feed.example.com";

/** Gives the tests of a group a companion that people reach by these addresses. */
function serveAt(origins: readonly string[], settings: Partial<Configuration> = {}) {
  let companion: PairedCompanion;
  beforeAll(async () => {
    companion = await startPaired({ configuration: createConfiguration(undefined, { origins, ...settings }) });
  });
  afterAll(() => companion.app.close());
  return (path: string) => sendRaw(companion.port, "GET", path, { origin: "https://excel.cloud.microsoft" });
}

describe("a firm's companion", () => {
  const get = serveAt([ORIGIN, "https://other.example.com"]);

  it("serves the manifest that the command makes for its first address", async () => {
    const { body, headers } = await get("/manifest.xml");
    expect(body).toBe(toManifest(BUILT, { origin: ORIGIN, namespace: "FEED" }));
    expect(body).not.toContain("localhost");
    expect(headers).toMatchObject({ "content-type": "application/xml; charset=utf-8", "cache-control": "no-cache" });
  });

  it.each(["/functions.json", "/functions-ja.json"])(
    "links the formulas' help at its first address: %s",
    async (path) => {
      const { headers, body } = await get(path);
      expect(JSON.parse(body).functions).toEqual([{ helpUrl: `${ORIGIN}/reference/STATUS.html` }]);
      expect(headers).toMatchObject({
        "content-type": "application/json; charset=utf-8",
        "access-control-allow-origin": "*",
        "x-content-type-options": "nosniff",
      });
    },
  );
});

describe("a companion with a firm's own pages", () => {
  const { firmPages } = readConfiguration({ PRIVACY_URL: "https://example.com/privacy" });
  const get = serveAt([ORIGIN], { firmPages });

  it.each(["/reference/privacy.html", "/reference/ja/privacy.html"])("leads from %s to it", async (path) => {
    const { status, headers } = await get(path);
    expect([status, headers.location]).toEqual([302, "https://example.com/privacy"]);
  });

  it("serves its own page where the firm has none", async () => {
    expect((await get("/reference/support.html")).status).toBe(200);
  });
});

describe("a companion of one person", () => {
  const get = serveAt([]);

  it("serves the files as they were built", async () => {
    expect((await get("/manifest.xml")).body).toBe(BUILT);
    expect((await get("/functions.json")).body).toContain("https://localhost:3000/reference/");
  });
});
