import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { HELD } from "../../src/contract/companion-api";
import type { AnswerCache } from "../../src/firm/stores";
import { type PairedCompanion, startPaired } from "../companion/paired-companion";
import { createProviderServer, type ProviderServer } from "../companion/provider-server";
import { type RawAnswer, sendRaw } from "../companion/raw-request";
import { createConfiguration, createTestPairings, createTestStores, withFirm } from "../companion/test-configuration";
import { until } from "../support/until";
import { createCollector, findAll, listAbove, readSpans, type Span, toFacts } from "./collector";
import { answerFinancials, createGate, ids } from "./shared/shared-reads-world";
import { createSignIn, HOST, ORIGIN } from "./sign-in/firm";

const FINANCIALS = "/companion/relay/asia/private-markets/v1/financials";
const TREE = "/companion/relay/asia/industry-taxonomies/v1/tree";
const [ONE, OTHER, THIRD] = ids(3) as [string, string, string];
const TOKEN = "token-that-is-secret";
const ROLES = { "Analyst Secret": { families: ["financials", "taxonomies"], countries: "ALL" } } as const;

let collector: ProviderServer;
let provider: ProviderServer;
let hold: Promise<void>;
let status: number;
let accepts: boolean;
/** Look-ups in the cache that were answered. */
let lookedUp: number;
let companion: PairedCompanion;
let people: Record<string, string>[];

beforeEach(async () => {
  [hold, status, accepts, lookedUp] = [Promise.resolve(), 200, true, 0];
  collector = await createCollector(() => (accepts ? 200 : 400));
  provider = await createProviderServer(async (request, response) => {
    if (request.url === "/token") return response.end(`{"access_token":"${TOKEN}","expires_in":300}`);
    const seen = provider.seen.at(-1)!;
    await hold;
    const body = request.method === "POST" ? answerFinancials(seen).body : '[{"sectorId":1}]';
    return response.writeHead(status, { "content-type": "application/json" }).end(body);
  });
});
afterEach(async () => {
  await companion.app.close();
  await Promise.all([provider.close(), collector.close()]);
});

async function start(traces: string | undefined): Promise<void> {
  const pairings = createTestPairings();
  const stores = createTestStores(pairings);
  const read: AnswerCache["read"] = async (keys) => {
    const found = await stores.answers.read(keys);
    lookedUp += 1;
    return found;
  };
  const counted = { ...stores, answers: { ...stores.answers, read } };
  const features = withFirm({ signIn: createSignIn("https://login.example.com"), roles: ROLES, traces });
  const settings = { mode: "relay", origins: [ORIGIN], logLevel: "warn", features } as const;
  companion = await startPaired({
    configuration: createConfiguration(`http://127.0.0.1:${provider.port}`, settings),
    pairings,
    stores: counted,
  });
  const pair = async (name: string) => {
    const person = { id: `https://login.example.com ${name}`, name, roles: Object.keys(ROLES) };
    const { bearer } = await pairings.pairPerson({ person, endsAtMs: Date.now() + 60_000 }, ORIGIN);
    return { host: HOST, "feed-client": "excel", "feed-pairing": bearer, authorization: `Bearer ${HELD}` };
  };
  people = await Promise.all(["ada.lovelace", "grace.hopper"].map(pair));
}

const startTracing = () => start(`http://127.0.0.1:${collector.port}/v1/traces`);
const get = (path: string, who: number): Promise<RawAnswer> => sendRaw(companion.port, "GET", path, people[who]!);
const post = (companyIds: readonly string[], who: number): Promise<RawAnswer> => {
  const headers = { ...people[who]!, "content-type": "application/json" };
  return sendRaw(companion.port, "POST", FINANCIALS, headers, JSON.stringify({ companyIds }));
};

/** Ends the companion, and gives the spans that were received. */
async function endAndRead(): Promise<Span[]> {
  await companion.app.close();
  return readSpans(collector);
}

describe("a traced read", () => {
  it("is one trace from the pane's request id to the provider's request", async () => {
    await startTracing();
    const { headers } = await post([ONE], 0);
    const spans = await endAndRead();
    expect(collector.seen.map(({ method, url }) => `${method} ${url}`)).toEqual(["POST /v1/traces"]);
    const [read] = findAll(spans, "feed.read") as [Span];
    expect(toFacts(read)).toEqual({
      "feed.request_id": headers["feed-request"],
      "feed.operation": "getFinancialsOfMany",
      "http.response.status_code": 200,
      "feed.requested": 1,
      "feed.known": 0,
    });
    const [request] = findAll(spans, "feed.request") as [Span];
    expect(toFacts(request)).toEqual({ "http.response.status_code": 200 });
    expect(listAbove(spans, request)).toEqual(["feed.request", "feed.batch", "feed.read"]);
    expect([...new Set(spans.map(({ traceId }) => traceId))]).toEqual([read.traceId]);
    const own = spans.filter(({ parentSpanId }) => parentSpanId === read.spanId).map(({ name }) => name);
    expect(own).toEqual(expect.arrayContaining(["feed.authorise", "feed.cache", "feed.batch"]));
    const isWithin = ({ startTimeUnixNano: from, endTimeUnixNano: to }: Span) =>
      BigInt(from) >= BigInt(read.startTimeUnixNano) && BigInt(to) <= BigInt(read.endTimeUnixNano);
    expect(listAbove(spans, findAll(spans, "feed.turn")[0])).toEqual(["feed.turn", "feed.batch", "feed.read"]);
    expect(isWithin(request)).toBe(true);
  });

  it("ends at the cache where that has the answer", async () => {
    await startTracing();
    await post([ONE], 0);
    const { headers } = await post([ONE], 1);
    const spans = await endAndRead();
    const read = findAll(spans, "feed.read").find(
      (span) => toFacts(span)["feed.request_id"] === headers["feed-request"],
    );
    const own = spans.filter(({ traceId, spanId }) => traceId === read?.traceId && spanId !== read.spanId);
    expect(own.map(({ name }) => name).sort()).toEqual(["feed.authorise", "feed.cache"]);
    const cache = findAll(own, "feed.cache").map(toFacts);
    expect(cache).toEqual([{ "feed.cache.hits": 1, "feed.cache.misses": 0 }]);
  });

  it("has the status of the provider's refusal, and an error's code without its sentence", async () => {
    await startTracing();
    status = 404;
    await get(TREE, 0);
    await provider.close();
    await post([ONE], 0);
    const spans = await endAndRead();
    const [refused, failed] = findAll(spans, "feed.read").map(toFacts);
    expect(refused).toMatchObject({ "feed.operation": "getTaxonomyTree", "http.response.status_code": 404 });
    expect(failed).toMatchObject({ "error.type": "FEED_NETWORK_FAILED", "http.response.status_code": 502 });
    expect(spans.filter(({ status: { message } }) => message !== undefined)).toEqual([]);
  });
});

describe("a request that serves several readers", () => {
  const linkedIds = (span: Span | undefined) => span?.links.map(({ spanId }) => spanId).sort();
  const readIds = (spans: readonly Span[]) =>
    findAll(spans, "feed.read")
      .map(({ spanId }) => spanId)
      .sort();
  const countQueries = () => provider.seen.filter(({ url }) => url !== "/token").length;

  it("has links from its batch to each of them", async () => {
    await startTracing();
    await Promise.all([post([ONE, THIRD], 0), post([OTHER, THIRD], 1)]);
    const spans = await endAndRead();
    const batches = findAll(spans, "feed.batch");
    expect(batches.map(toFacts)).toEqual([{ "feed.companies": 3 }]);
    expect(linkedIds(batches[0])).toEqual(readIds(spans));
    expect(readIds(spans)).toHaveLength(2);
    expect(countQueries()).toBe(1);
  });

  it("has a link to a reader who joins while it is under way", async () => {
    await startTracing();
    const { opened, open: release } = createGate();
    hold = opened;
    const first = [post([ONE], 0), get(TREE, 0)];
    await until(() => countQueries() === 2);
    const before = lookedUp;
    const joined = [post([ONE], 1), get(TREE, 1)];
    // Three look-ups of the company, and two of the tree, after which each has joined.
    await until(() => lookedUp === before + 5);
    await new Promise((resolve) => setImmediate(resolve));
    release();
    await Promise.all([...first, ...joined]);
    const spans = await endAndRead();
    const ofOperation = (operation: string) =>
      findAll(spans, "feed.read").filter((span) => toFacts(span)["feed.operation"] === operation);
    expect(linkedIds(findAll(spans, "feed.batch")[0])).toEqual(readIds(ofOperation("getFinancialsOfMany")));
    expect(linkedIds(findAll(spans, "feed.query")[0])).toEqual(readIds(ofOperation("getTaxonomyTree")));
    expect(countQueries()).toBe(2);
  });
});

describe("what is traced", () => {
  it("holds no key, token, bearer, person, role or company", async () => {
    await startTracing();
    await Promise.all([post([ONE, OTHER], 0), get(TREE, 1)]);
    await endAndRead();
    const sent = collector.seen.map(({ body, headers }) => body + JSON.stringify(headers)).join("");
    const secrets = people.map((headers) => headers["feed-pairing"]!);
    const words = [...secrets, TOKEN, HELD, "client-1", "kid-1", ONE, OTHER, "lovelace", "hopper", "Secret", "login."];
    expect(words.filter((word) => sent.includes(word))).toEqual([]);
    expect(sent).toContain("feed.request_id");
  });

  it("is nothing without an address to send it to", async () => {
    await start(undefined);
    await post([ONE], 0);
    expect(await endAndRead()).toEqual([]);
  });

  it("is lost with one warning where nobody accepts it, and costs no reader an answer", async () => {
    accepts = false;
    await startTracing();
    expect((await post([ONE], 0)).status).toBe(200);
    await companion.app.close();
    expect(companion.lines.filter((line) => line.includes("traces are lost"))).toHaveLength(1);
  });
});
