import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Mode } from "../../src/companion/configuration";
import { type PairedCompanion, startPaired } from "./paired-companion";
import { createProviderServer, type ProviderServer } from "./provider-server";
import { sendRaw } from "./raw-request";
import { createConfiguration } from "./test-configuration";

const TREE = "/companion/relay/asia/industry-taxonomies/v1/tree";
const FORM = { "content-type": "application/x-www-form-urlencoded" };

describe.each<Mode>(["sign", "relay"])("in the mode %s", (mode) => {
  let companion: PairedCompanion;
  let provider: ProviderServer;

  beforeAll(async () => {
    provider = await createProviderServer((request, response) => {
      response.writeHead(request.url === "/token" ? 401 : 200, { "content-type": "text/html" });
      response.end("<script>document.title = localStorage.getItem('feed.pairing')</script>");
    });
    const configuration = createConfiguration(`http://127.0.0.1:${provider.port}`, { mode });
    companion = await startPaired({ configuration });
  });
  afterAll(async () => {
    await companion.app.close();
    await provider.close();
  });

  it("no answer of the companion API can be opened as a page, whatever content type the provider sends", async () => {
    for (const path of [TREE, "/companion/config", "/companion/absent"]) {
      const { headers } = await companion.send("GET", path, { authorization: "Bearer t-1" });
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["content-security-policy"]).toBe("default-src 'none'; frame-ancestors 'none'; sandbox");
      expect(headers["cache-control"]).toBe("no-store");
    }
  });

  it("a provider's page cannot be opened by its URL", async () => {
    const { status, body } = await sendRaw(companion.port, "GET", TREE, { "sec-fetch-site": "none" });
    expect([status, body.includes("<script>")]).toEqual([403, false]);
  });

  it("exchanges are limited to 60 a minute, whatever the provider answers", async () => {
    const send = async () => (await companion.send("POST", "/companion/relay/token", FORM)).status;
    for (let count = 0; count < 60; count++) expect(await send()).toBe(401);
    const seen = provider.seen.length;
    expect(await send()).toBe(429);
    expect(provider.seen).toHaveLength(seen);
  });
});
