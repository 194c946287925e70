import { afterEach, describe, expect, it } from "@jest/globals";
import type { Row } from "../../../src/feed/decode";
import type { List } from "../../../src/feed/pages";
import type { Query } from "../../../src/feed/query-cache";
import { awaitAnswer, type FeedOnServer, listen, startFeedOn } from "../../support/feed";
import type { Answering, Received } from "../../support/http-server";

const ROOT = "/asia/industry-taxonomies/v1";
const LIST = { country: "JPN", companyType: "ALL" };
const TREE = [
  null,
  { sectorId: "T", sectorName: "Tech", subSectors: [{ subSectorId: "C", industries: [{ industryId: "Chip" }] }, null] },
  { sectorId: "X", sectorName: null, subSectors: null },
];
const entry = (industryId: string, isPrimaryIndustry = true) => ({
  sectorId: "T",
  subSectorId: "C",
  industryId,
  isPrimaryIndustry,
});
const companies = Array.from({ length: 12 }, (_, index) => ({ companyId: `c${index}`, taxonomy: [entry("Chip")] }));
const idsOf = ({ rows }: List) => rows.map(({ companyId }) => companyId);

let running: FeedOnServer;
afterEach(() => running.close());

interface Script {
  record?: unknown;
  list?: readonly Row[];
}

/** A provider of a tree, one record and one list, which it serves in pages of at most `cap`. */
async function start({ record, list = companies }: Script = {}, cap = 1_000) {
  running = await startFeedOn(({ path, query }: Received): Answering | undefined => {
    if (!path.startsWith(ROOT)) return undefined;
    if (path === `${ROOT}/tree`) return { json: TREE };
    if (path.startsWith(`${ROOT}/companies/`)) return { json: record };
    const size = Math.min(Number(query.get("page_size") ?? 25), cap);
    const from = (Number(query.get("page")) - 1) * size;
    return { json: { data: list.slice(from, from + size), page: 1, pageSize: size, total: list.length } };
  });
}
const load = <T>(query: Query<T>) => awaitAnswer(running.feed, query);
const paths = () => running.requests().map(({ path }) => path.replace(`${ROOT}/`, ""));
const pageSizes = () => running.requests().map(({ query }) => query.get("page_size"));
/** Subscribes to a list; gives the number of its rows each time it is shown. */
const listenTo = (query: Query<List>) => {
  const { answers } = listen(running.feed, query);
  return () => answers().map(({ value }) => value.rows.length);
};

describe("the constituents of a node", () => {
  const queryOf = (text: string, withAllIndustries = false, wanted: number | "all" = "all") =>
    running.feed.taxonomies.queryConstituentsOf(text, LIST, withAllIndustries, wanted);
  const wafer = (company: Row) => ({ ...company, taxonomy: [entry("Wafer", false)] });

  it("read the tree once for ten formulas, and equal lists once however the node is written", async () => {
    await start();
    const texts = ["T", "t", "sector:T", "X", "x", "C", "c", "Chip", "chip", "industry:Chip"];
    await Promise.all(texts.map((text) => load(queryOf(text))));
    const lists = ["industries/Chip", "sectors/T", "sectors/X", "sub-sectors/C"].map((list) => `${list}/companies`);
    expect(paths().sort()).toEqual([...lists, "tree"]);
  });

  it("refetch tree and list once at a refresh", async () => {
    await start();
    const queries = ["T", "sector:T", "Chip"].map((text) => queryOf(text));
    for (const query of queries) listenTo(query);
    await Promise.all(queries.map(load));
    const before = paths().sort();
    running.server.requests.length = 0;
    expect((await running.feed.queryCache.refresh()).failures).toEqual([]);
    expect(paths().sort()).toEqual(before);
  });

  it("say after each page how many companies have come, of how many", async () => {
    await start({}, 5);
    const query = queryOf("T");
    const { states } = listen(running.feed, query);
    await load(query);
    const counts = states.map((state) =>
      state.status === "pending" ? [state.progress?.rows.length, state.progress?.expected] : state.status,
    );
    expect(counts).toEqual([[5, 12], [10, 12], "answered"]);
  });

  it("have each company once if the provider lists each classification, as many as wanted", async () => {
    await start({ list: companies.flatMap((company) => [company, wafer(company)]) });
    const first = await load(queryOf("T", true, 4));
    expect(idsOf(first)).toEqual(["c0", "c1", "c2", "c3"]);
    expect(first.rows[3]?.taxonomy).toEqual([entry("Chip"), entry("Wafer", false)]);
    expect(pageSizes()).toEqual([null, "29"]);
    expect(await load(queryOf("T", true))).toMatchObject({ expected: 12 });
    expect(running.requests()).toHaveLength(3);
  });

  it("are read once if a company's rows lie on two pages", async () => {
    const list = companies.flatMap((company) => [company, wafer(company)]);
    await start({ list }, 7);
    expect(idsOf(await load(queryOf("T", true)))).toHaveLength(12);
    expect(paths()).toHaveLength(1 + Math.ceil(list.length / 7));
  });

  it("have all rows of a company that repeats later, by one more reading of the list", async () => {
    const [first, last] = [wafer(companies[0] as Row), { companyId: "c0", taxonomy: [entry("Chip")] }];
    await start({ list: [first, ...companies.slice(1), last] });
    const { rows } = await load(queryOf("T", true, 1));
    expect(rows).toEqual([{ companyId: "c0", taxonomy: [entry("Wafer", false), entry("Chip")] }]);
    expect(paths()).toHaveLength(2);
  });

  it("are read to the end of the list once a page shows a company twice", async () => {
    const list = Array.from({ length: 100 }, (_, index) => ({ companyId: `c${index}`, taxonomy: [entry("Chip")] }));
    await start({ list: list.flatMap((company) => [company, wafer(company)]) }, 10);
    const query = queryOf("T", true, 50);
    const seen = listenTo(query);
    expect(idsOf(await load(query))).toHaveLength(50);
    expect(paths()).toHaveLength(1 + 1 + 20 + 1); // the tree, the first page, all pages and what follows a full one
    expect(seen()).toEqual([50]);
  });
});

describe("the peers of a company", () => {
  const self = { companyId: "C3", taxonomy: [entry("Wafer", false), entry("Chip")] };
  const queryPeers = (wanted: number | "all" = "all") =>
    running.feed.taxonomies.queryPeers({ companyId: "c3" }, "industry", LIST, false, wanted);
  const loadPeers = async (script: Script, wanted: number | "all" = "all") => {
    await start({ record: self, ...script });
    return load(queryPeers(wanted));
  };
  const others = companies.map(({ companyId }) => companyId).filter((id) => id !== "c3");

  it.each([1, 2, 3, 4, 5, 11, 12])("are as many as wanted, wherever the company stands: %d", async (wanted) => {
    const list = await loadPeers({}, wanted);
    expect(idsOf(list)).toEqual(others.slice(0, wanted));
    expect(list.expected).toBe(list.rows.length);
    expect(pageSizes()).toEqual([null, String(wanted + 25)]);
  });

  it.each([4, "all"] as const)("are as many as wanted if the list lacks the company: %s", async (wanted) => {
    const list = companies.filter(({ companyId }) => companyId !== "c3");
    expect(idsOf(await loadPeers({ list }, wanted))).toEqual(wanted === "all" ? others : others.slice(0, wanted));
  });

  it("are not reported empty while the first page has the company alone", async () => {
    const list = [companies[3] as Row, ...companies.filter(({ companyId }) => companyId !== "c3")];
    await start({ record: self, list }, 1);
    expect(idsOf(await load(queryPeers(3)))).toEqual(others.slice(0, 3));
  });

  it("share the company's record, and are refetched with it at a refresh", async () => {
    await start({ record: self });
    const { taxonomies, queryCache } = running.feed;
    const levels = ["industry", "subSector", "sector"] as const;
    const queries = levels.map((level) => taxonomies.queryPeers({ companyId: "c3" }, level, LIST, false, "all"));
    for (const query of queries) listenTo(query);
    await Promise.all(queries.map(load));
    await load(taxonomies.query({ companyId: "C3" }));
    expect(paths()).toHaveLength(4);
    running.server.requests.length = 0;
    await queryCache.refresh();
    expect(paths().filter((path) => path.startsWith("companies/"))).toHaveLength(1);
    expect(paths()).toHaveLength(4);
  });
});
