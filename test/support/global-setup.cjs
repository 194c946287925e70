const { mkdtempSync, rmSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { prepareFluent } = require("./fluent-bundle.cjs");

/** What a run of the tests has in common: the time zone, a folder for keys, the bundle of Fluent UI, a browser. */
module.exports = async () => {
  process.env.TZ = "UTC"; // dates in tests mean the same everywhere
  process.env.TEST_KEYS = mkdtempSync(join(tmpdir(), "feed-test-keys-"));
  process.on("exit", () => rmSync(process.env.TEST_KEYS, { recursive: true, force: true }));
  await prepareFluent();
  const { startBrowserServer } = await import("./browser-server.mjs");
  globalThis.browserServer = await startBrowserServer();
  process.env.TEST_BROWSER = globalThis.browserServer?.wsEndpoint() ?? "";
};
