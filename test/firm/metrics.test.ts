import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import fastify from "fastify";
import pkg from "../../package.json";
import { HELD } from "../../src/contract/companion-api";
import { serveMetrics } from "../../src/firm/reporting/metrics";
import { type PairedCompanion, startPaired } from "../companion/paired-companion";
import { createProviderServer, type ProviderServer } from "../companion/provider-server";
import { sendAndLeave, sendRaw } from "../companion/raw-request";
import { createConfiguration, withFirm } from "../companion/test-configuration";
import { findPort } from "../support/free-port.mjs";
import { until } from "../support/until";
import FIGURES from "./metrics-figures.json";
import { createGate } from "./shared/shared-reads-world";
import { type CodeIssuer, startCodeIssuer } from "./sign-in/code-issuer";
import { createSignIn, HOST, ORIGIN } from "./sign-in/firm";

const TREE = "/asia/industry-taxonomies/v1/tree";
const RANKING = "/japan/ranking/v1/industries";
const COMPANY = "/asia/private-markets/v1/companies/3f0c6f52-6f3e-4f0e-9a56-0f6d5a1f0001";
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const JSON_TYPE = { "content-type": "application/json" };
const STANDINGS = ["alone", "joining", "shared", "apart"];

let provider: ProviderServer;
let issuer: CodeIssuer;
let companion: PairedCompanion;
let metricsPort: number;
let headers: Record<string, string>;
let hold: Promise<void> | undefined;
let isClientRefused: boolean;

/** Starts a firm's companion whose figures are at a port. */
async function start(port: number): Promise<PairedCompanion> {
  const features = withFirm({ signIn: createSignIn(issuer.url), metrics: { host: "127.0.0.1", port } });
  const settings = { mode: "relay", origins: [ORIGIN], features } as const;
  return startPaired({ configuration: createConfiguration(`http://127.0.0.1:${provider.port}`, settings) });
}

beforeEach(async () => {
  hold = undefined;
  isClientRefused = false;
  provider = await createProviderServer(async ({ url = "" }, response) => {
    if (isClientRefused) return response.writeHead(url.endsWith("/token") ? 400 : 401).end("{}");
    if (url.endsWith("/token")) return response.end('{"access_token":"token","expires_in":300}');
    if (url.includes("/ranking/")) return response.writeHead(429, { "retry-after": "60" }).end();
    await hold;
    return response.end(url.includes("/companies/") ? `{"id":"${url.split("/").at(-1)}"}` : '{"data":[{"id":"x"}]}');
  });
  issuer = await startCodeIssuer();
  metricsPort = await findPort();
  companion = await start(metricsPort);
  const person = { id: "issuer ada", roles: [] };
  const { bearer } = await companion.pairings.pairPerson({ person, endsAtMs: Date.now() + 60_000 }, ORIGIN);
  headers = { host: HOST, "feed-client": "excel", "feed-pairing": bearer, authorization: `Bearer ${HELD}` };
});
afterEach(async () => {
  await companion.app.close();
  await provider.close();
  await issuer.close();
});

const read = (path: string, more: Record<string, string> = {}) =>
  sendRaw(companion.port, "GET", `/companion/relay${path}`, { ...headers, ...more });
const post = (path: string, body: string, more: Record<string, string>) =>
  sendRaw(companion.port, "POST", path, { ...headers, ...more }, body);

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
    await post("/companion/relay/token", `client_assertion=${HELD}`, FORM);
    expect((await read(TREE)).status).toBe(200);
    expect((await read(RANKING)).status).toBe(429);
    expect((await read(`${TREE}?colour=red`)).status).toBe(400);
    expect((await read(TREE, { "feed-pairing": "guessed" })).status).toBe(401);
    const figures = await readFigures();
    expect(figures).toMatchObject({
      ...FIGURES.afterReads,
      'feed_provider_pause_seconds{family="rankings"}': expect.closeTo(60, -1),
      process_resident_memory_bytes: expect.any(Number),
    });
    // Whatever store the tests use, an instance has exactly one standing.
    expect(STANDINGS.map((standing) => figures[`feed_store{standing="${standing}"}`]).sort()).toEqual([0, 0, 0, 1]);
  });

  it("count refusals of the firm's client, of its assertion and of its token, apart from others", async () => {
    await post("/companion/relay/token", `client_assertion=${HELD}`, FORM);
    isClientRefused = true;
    expect((await read(TREE)).status).toBe(401);
    expect(await readFigures()).toMatchObject({
      'feed_provider_seconds_count{outcome="refused"}': 2,
      'feed_provider_seconds_count{outcome="4xx"}': 0,
    });
  });

  it("count a request that was never answered", async () => {
    await post("/companion/relay/token", `client_assertion=${HELD}`, FORM);
    await provider.close();
    expect((await read(TREE)).status).toBe(502);
    expect(await readFigures()).toMatchObject({
      'feed_provider_seconds_count{outcome="failed"}': 1,
      'feed_read_seconds_count{family="taxonomies",status="5xx"}': 1,
    });
  });

  it("contain no person, company or query", async () => {
    await post("/companion/relay/token", `client_assertion=${HELD}`, FORM);
    await read("/asia/private-markets/v1/companies/some-company");
    await read("/asia/private-markets/v1/companies?country=JPN");
    await read("/asia/private-markets/v1/companies?colour=red");
    const { body } = await sendRaw(metricsPort, "GET", "/metrics");
    const labels = new Set(
      [...body.matchAll(/^feed_\w+\{([^}]*)\}/gm)].flatMap(([, text = ""]) => text.match(/\w+(?==)/g)),
    );
    const names = "code family le node outcome result standing status version";
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
    await expect(start(metricsPort)).rejects.toThrow(
      `FEED_METRICS: figures cannot be served at 127.0.0.1, port ${metricsPort} (EADDRINUSE). Choose another one.`,
    );
  });
});

it("the metrics of a companion that has just started have every counter at 0, so that an alert sees its first step, and no end of a token or certificate", async () => {
  const figures = await readFigures();
  const build = `feed_build_info{version="${pkg.version}",node="${process.versions.node}"}`;
  expect(figures).toMatchObject({ ...FIGURES.atStart, [build]: 1 });
  expect(Object.keys(figures).filter((name) => name.includes("left_seconds"))).toEqual([]);
});

describe("the metrics of a companion at work", () => {
  it("count reads that wait, and how long the oldest has", async () => {
    const { opened, open: release } = createGate();
    hold = opened;
    const pending = [read(TREE), read(COMPANY)];
    await until(() => provider.seen.filter(({ url }) => !url.endsWith("/token")).length === 2);
    const figures = await readFigures();
    expect(figures.feed_reads_waiting).toBe(2);
    expect(figures.feed_reads_oldest_seconds).toBeGreaterThan(0);
    release();
    await Promise.all(pending);
    expect(await readFigures()).toMatchObject({ feed_reads_waiting: 0, feed_reads_oldest_seconds: 0 });
  });

  it("no longer count a read as waiting when its caller leaves, and count it once it is over", async () => {
    const { opened, open: release } = createGate();
    hold = opened;
    const leave = sendAndLeave(companion.port, "GET", `/companion/relay${TREE}`, headers);
    await until(() => provider.seen.some(({ url }) => !url.endsWith("/token")));
    expect((await readFigures()).feed_reads_waiting).toBe(1);
    leave();
    await until(async () => (await readFigures()).feed_reads_waiting === 0);
    const name = 'feed_read_seconds_count{family="taxonomies",status="4xx"}';
    expect((await readFigures())[name]).toBe(0);
    release();
    await until(async () => (await readFigures())[name] !== 0);
    expect(await readFigures()).toMatchObject({ [name]: 1, feed_reads_waiting: 0, feed_reads_oldest_seconds: 0 });
  });

  it("time the provider", async () => {
    await post("/companion/relay/token", `client_assertion=${HELD}`, FORM);
    await read(TREE);
    const figures = await readFigures();
    expect(figures['feed_provider_seconds_count{outcome="2xx"}']).toBe(2);
    expect(figures['feed_provider_seconds_sum{outcome="2xx"}']).toBeGreaterThan(0);
  });

  it("tell the size of the answers in memory, those with contact data too", async () => {
    const sizes = [];
    for (const path of [TREE, COMPANY]) {
      expect((await read(path)).status).toBe(200);
      sizes.push((await readFigures()).feed_cache_bytes!);
    }
    expect(sizes[0]).toBeGreaterThan(0);
    expect(sizes[1]).toBeGreaterThan(sizes[0]!);
  });

  it("count sign-ins by their result", async () => {
    const send = (token: string) => post("/companion/sign-in", JSON.stringify({ token }), JSON_TYPE);
    await send(await issuer.issue("ada"));
    await send("no token");
    await sendRaw(companion.port, "GET", "/sign-in/callback?state=x", { host: HOST });
    expect(await readFigures()).toMatchObject({
      'feed_sign_ins_total{result="admitted"}': 1,
      'feed_sign_ins_total{result="unfit"}': 1,
      'feed_sign_ins_total{result="ended"}': 1,
    });
  });
});
