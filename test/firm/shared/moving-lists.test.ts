import { beforeEach, describe, expect, it } from "@jest/globals";
import { RequestError } from "../../../src/client/errors";
import { type Provider, toUrl } from "../../../src/client/provider";
import { NO_READING } from "../../../src/contract/companion-api";
import { createCompanies } from "../../../src/feed/companies";
import { createPageLimits, type List } from "../../../src/feed/pages";
import type { Query } from "../../../src/feed/query-cache";
import { createRankings } from "../../../src/feed/rankings";
import { checkPageSize } from "../../../src/firm/reads/quota";
import type { SharedReads } from "../../../src/firm/reads/shared-reads";
import { createMemoryAnswers } from "../../../src/firm/stores/memory";
import { startLoading } from "../../support/feed";
import { createReader, openBench, type ProviderAnswer } from "./shared-reads-world";

const MINUTE_MS = 60_000;
const ROWS = 4000;
/** How many rows enter at the top of the list and push as many out. */
const MOVED = 20;

const bench = openBench();
/** How often the provider's list has changed. */
let edition: number;

/** The current ids of the provider's list, in order. */
const listNow = () => Array.from({ length: ROWS }, (_, rank) => `row ${rank - edition * MOVED}`);

function sayList(url: string): ProviderAnswer {
  const { searchParams } = new URL(url, "http://provider");
  const page = Number(searchParams.get("page") ?? 1);
  const pageSize = Math.min(1000, Number(searchParams.get("page_size") ?? 25));
  const ids = listNow().slice((page - 1) * pageSize, page * pageSize);
  const data = ids.map((id) => ({ id, companyId: id, industryId: id, companyName: id, tickerSymbol: id }));
  return { body: JSON.stringify({ data, page, pageSize, total: ROWS }) };
}

/** As the companion API does. */
function refuseLarge(path: string): void {
  try {
    checkPageSize(path);
  } catch (refusal) {
    throw new RequestError("FEED_REQUEST_INVALID", String(refusal), { status: 400 });
  }
}

/** A pane's client whose requests rotate over the instances, with the reading headers of the companion API. */
function createPane(instances: readonly SharedReads[]): Provider {
  let step = 0;
  return {
    async load(call) {
      const { pathname, search } = new URL(toUrl("http://provider", call));
      const query = { method: "GET", path: pathname + search } as const;
      refuseLarge(query.path);
      const wanted = call.reading === undefined ? {} : { reading: call.reading };
      step += 1;
      const reads = instances[step % instances.length]!;
      const { status, body, reading = NO_READING } = await reads.read(call.operation, query, createReader(), wanted);
      expect(status).toBe(200);
      return { body: JSON.parse(body.toString()), reading };
    },
  };
}

const RANGE = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };

/** Two lists, by the formula that reads each with its row count. */
const LISTS: readonly [string, (provider: Provider, wanted: number | "all") => Query<List>][] = [
  ["RANKING", (provider, wanted) => createRankings(provider, createPageLimits()).queryCompanies(RANGE, wanted)],
  [
    "COMPANIES",
    (provider, wanted) =>
      createCompanies(provider, { limits: createPageLimits() } as never).querySearch({ country: "JPN" }, wanted),
  ],
];

async function read(query: Query<List>): Promise<unknown[]> {
  const { rows } = await query.load({ ...startLoading(), expect: () => {} });
  return rows.map(({ companyName }) => companyName);
}

beforeEach(() => {
  edition = 0;
  bench.setAnswer(({ url }) => sayList(url));
});
describe.each([1, 2])("a list that changes between two readings, at %i instances without affinity", (count) => {
  let instances: SharedReads[];
  beforeEach(() => {
    const answers = createMemoryAnswers();
    instances = Array.from({ length: count }, () => bench.createInstance({ answers }));
  });

  it.each(LISTS)("has each row once and in order, in %s", async (_formula, loadList) => {
    expect(await read(loadList(createPane(instances), 1000))).toEqual(listNow().slice(0, 1000));
    for (let person = 0; person < 3; person += 1) {
      bench.pass(2 * MINUTE_MS);
      edition += 1;
      const shown = await read(loadList(createPane(instances), "all"));
      const moments = Array.from({ length: edition + 1 }, (_, at) => `row ${-at * MOVED}`);
      expect(moments).toContain(shown[0]);
      const from = Number(String(shown[0]).slice(4));
      expect(shown).toEqual(Array.from({ length: ROWS }, (_, rank) => `row ${from + rank}`));
    }
  });

  it("is read by many people for few requests of an instance", async () => {
    instances = instances.slice(0, 1);
    const [, loadList] = LISTS[0]!;
    await read(loadList(createPane(instances), 1000));
    bench.pass(2 * MINUTE_MS);
    edition = 1;
    for (let person = 0; person < 10; person += 1) await read(loadList(createPane(instances), "all"));
    // One page; all others at a time, which show that the reading cannot continue; that person's list afresh; and one
    // reading for all others. Each has the empty page past its end.
    expect(bench.provider.seen).toHaveLength(1 + 4 + 5 + 5);
  });
});
