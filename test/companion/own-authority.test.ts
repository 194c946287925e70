import { createServer } from "node:http";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Certificate } from "../../src/companion/certificate";
import { readTestCertificate } from "../support/certificate";
import { startPaired } from "./paired-companion";
import { createProviderServer } from "./provider-server";
import { createConfiguration } from "./test-configuration";

let certificate: Certificate;

beforeAll(async () => {
  certificate = await readTestCertificate();
});

/** Relays a read to a provider through a companion with its own certificate. */
async function readThrough(baseUrl: string): Promise<{ status?: number; body: string }> {
  const {
    app,
    port,
    paired: headers,
  } = await startPaired({ configuration: createConfiguration(baseUrl), certificate });
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
