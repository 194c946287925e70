import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Certificate, ensureCertificate } from "../../src/companion/certificate";
import { createCompanion } from "../../src/companion/companion";
import { createPages } from "./pages-folder";
import { createProviderServer } from "./provider-server";
import { readPort } from "./raw-request";
import { createConfiguration, createTestPairings, createTestStores, pairHeaders } from "./test-configuration";

const folder = mkdtempSync(join(tmpdir(), "feed-certificate-"));
let certificate: Certificate;

beforeAll(async () => {
  ({ certificate } = await ensureCertificate(folder, Date.now()));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Relays a read to a provider through a companion with its own certificate. */
async function readThrough(baseUrl: string): Promise<{ status?: number; body: string }> {
  const pairings = createTestPairings();
  const configuration = createConfiguration(baseUrl);
  const app = await createCompanion({
    configuration,
    webFolder: createPages(),
    certificate,
    stores: createTestStores(pairings),
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const port = readPort(app);
  const headers = await pairHeaders(pairings, `https://localhost:${port}`);
  const path = "/companion/relay/asia/industry-taxonomies/v1/tree";
  const answer = await new Promise<{ status?: number; body: string }>((resolve, reject) => {
    const sent = request({ host: "localhost", port, path, headers, ca: certificate.authority }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => resolve({ status: response.statusCode, body: Buffer.concat(parts).toString() }));
    });
    sent.on("error", reject).end();
  });
  await app.close();
  return answer;
}

describe("the companion's own certificate authority", () => {
  it("is not trusted for a provider, not even on the same machine", async () => {
    const provider = await createProviderServer((_request, response) => response.end("{}"), certificate);
    const { status, body } = await readThrough(`https://localhost:${provider.port}`);
    expect([status, JSON.parse(body).error.code]).toEqual([502, "FEED_NETWORK_FAILED"]);
    expect(provider.seen).toEqual([]);
    await provider.close();
  });

  it("does not affect a provider with an IPv6 address", async () => {
    const provider = createServer((_request, response) => response.end('{"data":[]}'));
    await new Promise<void>((resolve) => provider.listen(0, "::1", resolve));
    const { port } = provider.address() as AddressInfo;
    expect(await readThrough(`http://[::1]:${port}`)).toEqual({ status: 200, body: '{"data":[]}' });
    await new Promise((resolve) => {
      provider.close(resolve);
      provider.closeAllConnections();
    });
  });
});
