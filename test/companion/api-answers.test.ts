import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { FastifyInstance } from "fastify";
import { createCompanion } from "../../src/companion/companion";
import type { Mode } from "../../src/companion/configuration";
import { createPages } from "./pages-folder";
import { createProviderServer, type ProviderServer } from "./provider-server";
import { readPort, sendRaw } from "./raw-request";
import { createConfiguration, createTestPairings, createTestStores, pairHeaders } from "./test-configuration";

const TREE = "/companion/relay/asia/industry-taxonomies/v1/tree";
const FORM = { "content-type": "application/x-www-form-urlencoded" };

describe.each<Mode>(["sign", "relay"])("in the mode %s", (mode) => {
  let app: FastifyInstance;
  let provider: ProviderServer;
  let paired: Record<string, string>;

  beforeAll(async () => {
    provider = await createProviderServer((request, response) => {
      response.writeHead(request.url === "/token" ? 401 : 200, { "content-type": "text/html" });
      response.end("<script>document.title = localStorage.getItem('feed.pairing')</script>");
    });
    const pairings = createTestPairings();
    const configuration = createConfiguration(`http://127.0.0.1:${provider.port}`, { mode });
    app = await createCompanion({ configuration, webFolder: createPages(), stores: createTestStores(pairings) });
    await app.listen({ host: "127.0.0.1", port: 0 });
    paired = await pairHeaders(pairings, `http://localhost:${readPort(app)}`);
  });
  afterAll(async () => {
    await app.close();
    await provider.close();
  });

  it("no answer of the companion API can be opened as a page, whatever content type the provider sends", async () => {
    for (const path of [TREE, "/companion/config", "/companion/absent"]) {
      const { headers } = await sendRaw(readPort(app), "GET", path, { ...paired, authorization: "Bearer t-1" });
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["content-security-policy"]).toBe("default-src 'none'; frame-ancestors 'none'; sandbox");
      expect(headers["cache-control"]).toBe("no-store");
    }
  });

  it("a provider's page cannot be opened by its URL", async () => {
    const { status, body } = await sendRaw(readPort(app), "GET", TREE, { "sec-fetch-site": "none" });
    expect([status, body.includes("<script>")]).toEqual([403, false]);
  });

  it("exchanges are limited to 60 a minute, whatever the provider answers", async () => {
    const send = async () =>
      (await sendRaw(readPort(app), "POST", "/companion/relay/token", { ...paired, ...FORM }, "")).status;
    for (let count = 0; count < 60; count++) expect(await send()).toBe(401);
    const seen = provider.seen.length;
    expect(await send()).toBe(429);
    expect(provider.seen).toHaveLength(seen);
  });
});
