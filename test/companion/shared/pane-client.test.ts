import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { FastifyInstance } from "fastify";
import { loadAssertion } from "../../../src/client/auth/assertion";
import { createToken } from "../../../src/client/auth/token";
import { NO_LESSONS, type Outcomes, toGroups } from "../../../src/client/batch/planner";
import { createHttp } from "../../../src/client/http";
import { createProvider, type Provider } from "../../../src/client/provider";
import { createCompanion } from "../../../src/companion/companion";
import type { Mode } from "../../../src/companion/configuration";
import { NO_FIRM } from "../../../src/companion/configuration/firm";
import type { Financials } from "../../../src/feed/decode";
import { loadChunk } from "../../../src/feed/financials/batch";
import { createClock } from "../../support/clock";
import { createPages } from "../pages-folder";
import { createProviderServer, type ProviderServer } from "../provider-server";
import { readPort } from "../raw-request";
import {
  createClient,
  createConfiguration,
  createTestPairings,
  createTestStores,
  pairHeaders,
} from "../test-configuration";
import { answerFinancials, ids, type ProviderAnswer, readRequested } from "./shared-reads-bench";

const COMPANIES = 60;
/** Requests a minute: the provider's usual limit would space those of single companies over many seconds. */
const FASTEST = 1_000_000;
const UNKNOWN = ["ffffffff-0000-4000-8000-000000000000", "fffffffe-0000-4000-8000-000000000000"];

const pages = createPages();

let provider: ProviderServer;
let say: typeof answerFinancials;
const apps: FastifyInstance[] = [];

/** The pane's own client at its own companion. */
async function openPane(mode: Mode): Promise<Provider> {
  const firm = { ...NO_FIRM, providerPerMinute: FASTEST };
  const configuration = createConfiguration(`http://127.0.0.1:${provider.port}`, { mode, firm });
  const pairings = createTestPairings();
  const stores = createTestStores(pairings);
  const sample = { client: createClient() }; // no key is created then
  const app = await createCompanion({ configuration, webFolder: pages, stores, sample });
  apps.push(app);
  await app.listen({ host: "127.0.0.1", port: 0 });
  const base = `http://127.0.0.1:${readPort(app)}`;
  const paired = await pairHeaders(pairings, base);
  const fetchPaired: typeof fetch = (url, init) =>
    fetch(url, { ...init, headers: { ...(init?.headers as Record<string, string>), ...paired } });
  const { ports } = createClock({ startMs: Date.now(), hurryMs: 1000, fetch: fetchPaired });
  const http = createHttp(ports, 6);
  const relay = `${base}/companion/relay`;
  const connection = async () => ({ baseUrl: relay, tokenUrl: `${relay}/token`, isRelayed: true });
  const token = createToken({ ports, http, connection, sign: (refused) => loadAssertion(http, base, refused) });
  return createProvider({ ports, http, token, connection });
}

async function readAll(
  pane: Provider,
  companyIds: readonly string[],
  year: number | null,
): Promise<Outcomes<Financials>> {
  const chunk = { provider: pane, memory: { lessons: NO_LESSONS }, year, options: {} };
  const chunks = await Promise.all(toGroups(companyIds, 25).map((group) => loadChunk(chunk, group)));
  return new Map(chunks.flatMap((each) => [...each]).sort(([one], [other]) => one.localeCompare(other)));
}

beforeEach(async () => {
  say = answerFinancials;
  provider = await createProviderServer((request, response) => {
    if (request.url === "/token") return response.end('{"access_token":"token-1","expires_in":300}');
    const seen = provider.seen.at(-1)!;
    const { companyIds } = readRequested(seen);
    const isUnknown = request.method === "GET" && companyIds[0]!.startsWith("f");
    const { status = 200, body } = isUnknown ? { status: 404, body: "{}" } : say(seen);
    return response.writeHead(status, { "content-type": "application/json" }).end(body);
  });
});
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
  await provider.close();
});

const rewrite =
  (change: (body: string) => string) =>
  (seen: Parameters<typeof answerFinancials>[0]): ProviderAnswer => ({
    body: change(answerFinancials(seen).body),
  });
const reverse = (body: string) => {
  const answer = JSON.parse(body);
  return Array.isArray(answer.data) ? JSON.stringify({ ...answer, data: answer.data.reverse() }) : body;
};
/** An element for each year. */
const toPieces = (body: string) => {
  const { data } = JSON.parse(body);
  if (data === undefined) return body;
  const pieces = data.flatMap(({ companyId, years }: { companyId: string; years: object[] }) =>
    years.map((year) => ({ companyId, years: [year] })),
  );
  return JSON.stringify({ data: pieces, page: 1, pageSize: 25, total: pieces.length });
};

const PROVIDERS: readonly [what: string, say: typeof answerFinancials][] = [
  ["answers as the API document has it", answerFinancials],
  ["cuts after ten and says so", (seen) => answerFinancials(seen, 10)],
  ["cuts after ten and does not say so", (seen) => answerFinancials(seen, 10, (_all, came) => came)],
  ["cuts after ten and says nothing of a total", (seen) => answerFinancials(seen, 10, () => null as never)],
  ["writes numbers that are none", rewrite((body) => body.replace(/(00000003-.*?)1\.50e3/, "$1NaN"))],
  ["has fields that nobody knows", rewrite((body) => body.replaceAll('"years"', '"more": {"data": ["]}"]}, "years"'))],
  ["gives elements in another order", rewrite(reverse)],
  ["writes ids in capitals", rewrite((body) => body.replaceAll(/[0-9a-f-]{36}/g, (each) => each.toUpperCase()))],
  ["gives an element for each year", rewrite(toPieces)],
  ["spoils a company", rewrite((body) => body.replace(/"00000003-[^"]*", "years"/, '7, "years"'))],
  [
    "refuses all for one",
    (seen) =>
      readRequested(seen).companyIds.includes(ids(1, 3)[0]!) ? { status: 400, body: "{}" } : answerFinancials(seen),
  ],
];

describe.each(PROVIDERS)("the pane's own client, if the provider %s", (_what, says) => {
  it.each([null, 2020])(
    "reads the same values from shared answers as from the provider, for the year %s",
    async (year) => {
      say = says;
      const [plain, shared] = await Promise.all([openPane("sign"), openPane("relay")]);
      const all = [...ids(COMPANIES), ...UNKNOWN];
      const expected = await readAll(plain, all, year);
      const parts = [all, all.slice(10), all.slice(20, 50), [...all].reverse()];
      const read = await Promise.all(parts.map((part) => readAll(shared, part, year)));
      const known = await readAll(shared, all, year);
      expect(known).toEqual(expected);
      for (const [nth, part] of parts.entries()) {
        expect(read[nth]).toEqual(new Map([...expected].filter(([id]) => part.includes(id))));
      }
    },
  );
});
