import type { ServerResponse } from "node:http";
import { afterEach, beforeEach } from "@jest/globals";
import type { Provider } from "../../../src/companion/provider";
import { Refusal } from "../../../src/companion/refusal";
import { createSharedReads, type Reader, type SharedReads, type Wanted } from "../../../src/firm/reads/shared-reads";
import type { ProviderClient } from "../../../src/firm/relay/provider-client";
import type { AnswerCache, CacheEntry } from "../../../src/firm/stores";
import { createMemoryAnswers } from "../../../src/firm/stores/memory";
import { createProviderServer, type ProviderServer, type Seen } from "../../companion/provider-server";
import { createProvider } from "../../companion/test-configuration";

export const MANY = "/asia/private-markets/v1/financials";
export const ONE = "/asia/private-markets/v1/financials/companies";
export const COMPANIES = "/asia/private-markets/v1/companies";
export const TREE = "/asia/industry-taxonomies/v1/tree";

export const id = (nth: number): string => `${nth.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`;
export const ids = (count: number, from = 0): string[] => Array.from({ length: count }, (_, nth) => id(from + nth));

export interface ProviderAnswer {
  status?: number;
  body: string;
  headers?: Record<string, string>;
}

/** A company's element, written differently from JSON.stringify. */
export const toElement = (companyId: string, year?: number): string =>
  `{"companyId": "${companyId}", "years": [{"year": ${year ?? 2020}, "revenue": 1.50e3}, {"year": 2019}]}`;

export function readRequested({ url, body }: Seen): { companyIds: string[]; year?: number } {
  if (body !== "") return JSON.parse(body);
  const { pathname, searchParams } = new URL(url, "http://provider");
  const year = searchParams.get("year");
  return { companyIds: [pathname.split("/").at(-1)!], year: year === null ? undefined : Number(year) };
}

/** Answers a request completely, as the API document says. */
export function answerFinancials(
  seen: Seen,
  cut = Number.POSITIVE_INFINITY,
  toTotal = (all: number, _came: number) => all,
): ProviderAnswer {
  if (seen.url === TREE) return { body: '[{"sectorId": 1.0}]' };
  const { companyIds, year } = readRequested(seen);
  if (seen.method === "GET") return { body: toElement(companyIds[0]!, year) };
  const known = companyIds.filter((each) => !each.startsWith("f"));
  const came = known.slice(0, cut).map((each) => toElement(each, year));
  const total = toTotal(known.length, came.length);
  return { body: `{"data":[${came.join(",")}],"page":1,"pageSize":25,"total":${total}}` };
}

type Say = (seen: Seen) => ProviderAnswer | undefined | Promise<ProviderAnswer | undefined>;

interface Options {
  answers?: AnswerCache;
  provider?: () => Provider;
  /** Default more than any test requests. */
  perMinute?: number;
  patienceMs?: number;
}

/** Opens a provider for each test of a file or describe, and closes it afterwards. */
export function openBench() {
  let provider: ProviderServer;
  let setAnswer: Say;
  let nowMs: number;
  const answer = async (seen: Seen, response: ServerResponse) => {
    const said = await setAnswer(seen);
    if (said === undefined) return void response.destroy();
    const { status = 200, body, headers = {} } = said;
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
  };
  beforeEach(async () => {
    setAnswer = (seen) => answerFinancials(seen);
    nowMs = Date.UTC(2025, 0, 1);
    provider = await createProviderServer((_request, response) => void answer(provider.seen.at(-1)!, response));
  });
  afterEach(() => provider.close());
  return {
    get provider() {
      return provider;
    },
    countRequests: () => provider.seen.length,
    listRequestedIds: () => provider.seen.map((seen) => readRequested(seen).companyIds),
    /** Sets the provider's answers from now on; without one it breaks the connection. */
    setAnswer(next: Say) {
      setAnswer = next;
    },
    createInstance: ({ answers = createMemoryAnswers(), provider: whose, ...limits }: Options) =>
      createSharedReads({
        createClient: () => createPlainReads(provider.port),
        stores: { answers, ownAnswers: createMemoryAnswers() },
        provider: whose ?? (() => createProvider(`http://127.0.0.1:${provider.port}`)),
        refreshMs: 15_000,
        perMinute: 60_000,
        ...limits,
        nowMs: () => nowMs,
      }),
    pass(ms: number) {
      nowMs += ms;
    },
    nowMs: () => nowMs,
  };
}

/** Reads without a token. */
function createPlainReads(port: number): ProviderClient {
  return {
    async load({ method, path, body }) {
      try {
        const init = { method, body: body && new Uint8Array(body) };
        const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
        const { status, headers } = response;
        return { status, headers: Object.fromEntries(headers), body: Buffer.from(await response.arrayBuffer()) };
      } catch {
        throw new Refusal(502, "The provider could not be reached.", "FEED_NETWORK_FAILED");
      }
    },
  };
}

/** Answers that record what is stored. */
export function createWatchedAnswers(): AnswerCache & { entries: CacheEntry[] } {
  const answers = createMemoryAnswers();
  const entries: CacheEntry[] = [];
  return {
    entries,
    read: answers.read,
    bytes: answers.bytes,
    async store(cached) {
      entries.push(...cached);
      await answers.store(cached);
    },
  };
}

/** @param admit Called for loads alone; default admits all. */
export const createReader = (who = "ann", className = "all", admit: Reader["admit"] = () => undefined): Reader => ({
  who,
  className,
  admit: (loads) => (loads === 0 ? undefined : admit(loads)),
  charge: () => {},
});

/** Requests the financials of several companies. */
export async function readMany(
  reads: SharedReads,
  companyIds: readonly string[],
  reader = createReader(),
  { year, wanted }: { year?: number; wanted?: Wanted } = {},
) {
  const body = Buffer.from(JSON.stringify({ companyIds, year }));
  return reads.read("getFinancialsOfMany", { method: "POST", path: MANY, body }, reader, wanted);
}

export const readOne = (reads: SharedReads, companyId: string, reader = createReader(), wanted?: Wanted) =>
  reads.read("getCompanyFinancials", { method: "GET", path: `${ONE}/${companyId}` }, reader, wanted);

export const readTree = (reads: SharedReads, reader = createReader()) =>
  reads.read("getTaxonomyTree", { method: "GET", path: TREE }, reader);

export const listIds = ({ body }: { body: Buffer }): string[] =>
  JSON.parse(body.toString()).data.map(({ companyId }: { companyId: string }) => companyId);

/** A promise that a test fulfils. */
export function createGate(): { opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
