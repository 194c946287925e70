import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import fastify from "fastify";
import { NO_FIRM } from "../../src/companion/configuration/firm";
import { serveMetrics } from "../../src/companion/reporting/metrics";
import { HELD } from "../../src/contract/companion-api";
import { findPort } from "../support/free-port.mjs";
import { type PairedCompanion, startPaired } from "./paired-companion";
import { createProviderServer, type ProviderServer } from "./provider-server";
import { sendRaw } from "./raw-request";
import { createConfiguration } from "./test-configuration";

const TREE = "/asia/industry-taxonomies/v1/tree";
const RANKING = "/japan/ranking/v1/industries";
const FORM = { "content-type": "application/x-www-form-urlencoded" };

const STANDINGS = ["alone", "joining", "shared", "apart"];

let provider: ProviderServer;
let companion: PairedCompanion;
let metricsPort: number;

const startWatched = (port: number) => {
  const firm = { ...NO_FIRM, metrics: { host: "127.0.0.1", port } };
  const baseUrl = `http://127.0.0.1:${provider.port}/base`;
  return startPaired({ configuration: createConfiguration(baseUrl, { mode: "relay", firm }) });
};

beforeEach(async () => {
  provider = await createProviderServer((request, response) => {
    if (request.url?.endsWith("/token")) return response.end('{"access_token":"token","expires_in":300}');
    if (request.url?.includes("/ranking/")) return response.writeHead(429, { "retry-after": "60" }).end();
    return response.end('{"data":[]}');
  });
  metricsPort = await findPort();
  companion = await startWatched(metricsPort);
  companion.paired.authorization = `Bearer ${HELD}`;
  await companion.send("POST", "/companion/relay/token", FORM, `client_assertion=${HELD}`);
});
afterEach(async () => {
  await companion.app.close();
  await provider.close();
});

const read = (path: string, more: Record<string, string> = {}) =>
  companion.send("GET", `/companion/relay${path}`, more);

/** The metrics by name and labels. */
async function readFigures(): Promise<Record<string, number>> {
  const { status, body } = await sendRaw(metricsPort, "GET", "/metrics");
  expect(status).toBe(200);
  const lines = body.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return Object.fromEntries(lines.map((line) => [line.replace(/ \S+$/, ""), Number(line.split(" ").at(-1))]));
}

describe("the metrics", () => {
  it("are answered with 500 if one cannot be read, and the program continues", async () => {
    const alone = fastify();
    const port = await findPort();
    const read = () => Promise.reject(new Error("no figure"));
    serveMetrics(alone, { read, close: () => {} }, { host: "127.0.0.1", port });
    await alone.ready();
    for (const expected of [500, 500]) expect((await sendRaw(port, "GET", "/metrics")).status).toBe(expected);
    await alone.close();
  });

  it("count reads by family and status class, provider requests by outcome, and pairings", async () => {
    expect((await read(TREE)).status).toBe(200);
    expect((await read(RANKING)).status).toBe(429);
    expect((await read(`${TREE}?colour=red`)).status).toBe(400);
    expect((await read(TREE, { "feed-pairing": "guessed" })).status).toBe(401);
    const figures = await readFigures();
    expect(figures).toMatchObject({
      'feed_read_seconds_count{family="taxonomies",status="2xx"}': 1,
      'feed_read_seconds_count{family="taxonomies",status="4xx"}': 2,
      'feed_read_seconds_count{family="rankings",status="4xx"}': 1,
      'feed_refused_total{code="FEED_REQUEST_INVALID"}': 1,
      'feed_refused_total{code="FEED_SIGNER_REFUSED"}': 1,
      'feed_provider_requests_total{outcome="2xx"}': 2,
      'feed_provider_requests_total{outcome="429"}': 1,
      'feed_provider_pause_seconds{family="rankings"}': expect.closeTo(60, -1),
      'feed_provider_pause_seconds{family="taxonomies"}': 0,
      'feed_asked_total{family="taxonomies"}': 1,
      'feed_known_total{family="taxonomies"}': 0,
      feed_people_active: 1,
      process_resident_memory_bytes: expect.any(Number),
    });
    // Whatever store the tests use, an instance has exactly one standing.
    expect(STANDINGS.map((standing) => figures[`feed_store{standing="${standing}"}`]).sort()).toEqual([0, 0, 0, 1]);
  });

  it("count a request that was never answered", async () => {
    await provider.close();
    expect((await read(TREE)).status).toBe(502);
    expect(await readFigures()).toMatchObject({
      'feed_provider_requests_total{outcome="failed"}': 1,
      'feed_read_seconds_count{family="taxonomies",status="5xx"}': 1,
    });
  });

  it("contain no person, company or query", async () => {
    await read("/asia/private-markets/v1/companies/some-company");
    await read("/asia/private-markets/v1/companies?country=JPN");
    await read("/asia/private-markets/v1/companies?colour=red");
    const { body } = await sendRaw(metricsPort, "GET", "/metrics");
    const labels = new Set(
      [...body.matchAll(/^feed_\w+\{([^}]*)\}/gm)].flatMap(([, text = ""]) => text.match(/\w+(?==)/g)),
    );
    const names = "code family le level node outcome result standing status version";
    expect([...labels].sort()).toEqual(names.split(" "));
    expect(body).not.toMatch(/some-company|JPN/);
  });

  it("are at their own address alone, without anything else", async () => {
    expect((await sendRaw(companion.port, "GET", "/metrics")).status).toBe(404);
    for (const path of ["/", "/companion/config", "/metrics/x"])
      expect((await sendRaw(metricsPort, "GET", path)).status).toBe(404);
    expect((await sendRaw(metricsPort, "POST", "/metrics")).status).toBe(404);
  });

  it("end with the companion", async () => {
    await companion.app.close();
    await expect(sendRaw(metricsPort, "GET", "/metrics")).rejects.toThrow("ECONNREFUSED");
  });

  it("prevent a start if their address is taken", async () => {
    await expect(startWatched(metricsPort)).rejects.toThrow(
      `FEED_METRICS: figures cannot be served at 127.0.0.1, port ${metricsPort} (EADDRINUSE). Choose another one.`,
    );
  });
});
