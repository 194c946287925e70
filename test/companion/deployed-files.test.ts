import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Configuration, readConfiguration } from "../../src/companion/configuration";
import { toManifest } from "../../src/companion/manifest";
import { type PairedCompanion, startPaired } from "./paired-companion";
import { sendRaw } from "./raw-request";
import { createConfiguration } from "./test-configuration";

const ORIGIN = "https://feed.example.com";
const BUILT = readFileSync(join(__dirname, "../../manifest.xml"), "utf8");

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
