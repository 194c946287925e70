import { afterEach, describe, expect, it } from "@jest/globals";
import type { Row } from "../../../src/feed/decode";
import type { List } from "../../../src/feed/pages";
import { awaitAnswer, type FeedOnServer, settle, startFeedOn } from "../../support/feed";
import type { Answering, Received } from "../../support/http-server";

const ROOT = "/asia/industry-taxonomies/v1";
const LIST = { country: "JPN", companyType: "ALL" };
const TREE = [
  null,
  { sectorId: "T", sectorName: "Tech", subSectors: [{ subSectorId: "C", industries: [{ industryId: "Chip" }] }, null] },
  { sectorId: "X", sectorName: null, subSectors: null },
  { sectorId: "Both", subSectors: [{ subSectorId: "Both" }] },
];
const entry = (industryId: string, isPrimaryIndustry = true) => ({
  sectorId: "T",
  subSectorId: "C",
  industryId,
  isPrimaryIndustry,
});
const companies = Array.from({ length: 12 }, (_, index) => ({ companyId: `c${index}`, taxonomy: [entry("Chip")] }));
const idsOf = ({ rows }: List) => rows.map(({ companyId }) => companyId);

const SEARCH = "/asia/private-markets/v1/companies";

let running: FeedOnServer;
/** The search answer for a registration number. */
let search: Answering | undefined;
/** A test may start several, one after the other. */
const started: FeedOnServer[] = [];
afterEach(async () => {
  search = undefined;
  await Promise.all(started.splice(0).map((each) => each.close()));
});

interface Script {
  tree?: unknown;
  record?: unknown;
  list?: readonly Row[];
  isBare?: boolean;
}

/** A provider of a tree, one record and one list, which it serves in pages of at most `cap`. */
async function start({ tree = TREE, record, list = companies, isBare = false }: Script = {}, cap = 1_000) {
  const answer = ({ path, query }: Received): Answering | undefined => {
    if (path === SEARCH) return search;
    if (!path.startsWith(ROOT)) return undefined;
    if (path === `${ROOT}/tree`) return { json: tree };
    if (path.startsWith(`${ROOT}/companies/`))
      return record === undefined ? { status: 404, json: {} } : { json: record };
    const size = Math.min(Number(query.get("page_size") ?? 25), cap);
    const from = (Number(query.get("page")) - 1) * size;
    const data = list.slice(from, from + size);
    return { json: isBare ? data : { data, page: 1, pageSize: size, total: list.length } };
  };
  running = await startFeedOn(answer);
  started.push(running);
  return running.feed.taxonomies;
}
const paths = () => running.requests().map(({ path }) => path.replace(`${ROOT}/`, ""));
const pageSizes = () => running.requests().map(({ query }) => query.get("page_size"));

describe("the constituents of a node", () => {
  it.each([
    ["chip", "industries/Chip/companies"],
    ["c", "sub-sectors/C/companies"],
    ["T", "sectors/T/companies"],
  ])("of %s cost the tree and the list of its level, with the id as in the tree", async (text, path) => {
    const taxonomies = await start();
    const list = await awaitAnswer(running.feed, taxonomies.queryConstituentsOf(text, LIST, false, "all"));
    expect(list).toEqual({ rows: companies, expected: 12 });
    expect(paths()).toEqual(["tree", path]);
  });

  it("read the tree once for ten formulas, and equal lists once however the node is written", async () => {
    const taxonomies = await start();
    const texts = ["T", "t", "sector:T", "X", "x", "C", "c", "Chip", "chip", "industry:Chip"];
    await Promise.all(
      texts.map((text) => awaitAnswer(running.feed, taxonomies.queryConstituentsOf(text, LIST, false, "all"))),
    );
    expect(paths().filter((path) => path === "tree")).toHaveLength(1);
    expect(paths().sort()).toEqual([
      "industries/Chip/companies",
      "sectors/T/companies",
      "sectors/X/companies",
      "sub-sectors/C/companies",
      "tree",
    ]);
  });

  it("refetch tree and list once at a refresh", async () => {
    const taxonomies = await start();
    const stops = ["T", "sector:T", "Chip"].map((text) => {
      const query = taxonomies.queryConstituentsOf(text, LIST, false, "all");
      return [running.feed.queryCache.observe(query, () => {}), awaitAnswer(running.feed, query)] as const;
    });
    await Promise.all(stops.map(([, answer]) => answer));
    const before = paths().sort();
    running.server.requests.length = 0;
    expect((await running.feed.queryCache.refresh()).failures).toEqual([]);
    expect(paths().sort()).toEqual(before);
    for (const [stop] of stops) stop();
  });

  it("show each page as it arrives", async () => {
    const taxonomies = await start({}, 5);
    const seen: [number, number][] = [];
    const query = taxonomies.queryConstituentsOf("T", LIST, false, "all");
    const stop = running.feed.queryCache.observe(query, (state) => {
      if (state.status === "answered") seen.push([state.answer.value.rows.length, state.answer.value.expected]);
    });
    await awaitAnswer(running.feed, query);
    expect(seen).toEqual([
      [5, 12],
      [10, 12],
      [12, 12],
    ]);
    stop();
  });

  it("have each company once if the provider lists each classification, as many as wanted", async () => {
    const list = companies.flatMap((company) => [
      { ...company, taxonomy: [entry("Chip")] },
      { ...company, taxonomy: [entry("Wafer", false)] },
    ]);
    const taxonomies = await start({ list });
    const first = await awaitAnswer(running.feed, taxonomies.queryConstituentsOf("T", LIST, true, 4));
    expect(idsOf(first)).toEqual(["c0", "c1", "c2", "c3"]);
    expect(first.rows[3]?.taxonomy).toEqual([entry("Chip"), entry("Wafer", false)]);
    expect(pageSizes()).toEqual([null, "29"]);
    const all = await awaitAnswer(running.feed, taxonomies.queryConstituentsOf("T", LIST, true, "all"));
    expect(all).toMatchObject({ expected: 12 });
    expect(running.requests()).toHaveLength(3);
  });

  it("are read once if a company's rows lie on two pages", async () => {
    const list = companies.flatMap((company) => [company, { ...company, taxonomy: [entry("Wafer", false)] }]);
    const taxonomies = await start({ list }, 7);
    expect(idsOf(await awaitAnswer(running.feed, taxonomies.queryConstituentsOf("T", LIST, true, "all")))).toHaveLength(
      12,
    );
    expect(paths()).toHaveLength(1 + Math.ceil(list.length / 7));
  });

  it("of a node missing from the tree or at two levels are an error without a list request", async () => {
    const taxonomies = await start();
    const texts = ["Tech", "both"];
    const answers = texts.map((text) =>
      awaitAnswer(running.feed, taxonomies.queryConstituentsOf(text, LIST, false, "all")),
    );
    expect(await settle(answers)).toEqual(["FEED_NOT_FOUND", "FEED_AMBIGUOUS"]);
    expect(paths()).toEqual(["tree"]);
  });

  it("are an error if the tree is malformed", async () => {
    const taxonomies = await start({ tree: { sectors: [] } });
    const answers = [awaitAnswer(running.feed, taxonomies.queryConstituentsOf("T", LIST, false, "all"))];
    expect(await settle(answers)).toEqual(["FEED_RESPONSE_MALFORMED"]);
  });
});

describe("the peers of a company", () => {
  const self = { companyId: "C3", taxonomy: [entry("Wafer", false), entry("Chip")] };
  const loadPeers = async (script: Script, wanted: number | "all" = "all", cap = 1_000) => {
    const taxonomies = await start({ record: self, ...script }, cap);
    return awaitAnswer(running.feed, taxonomies.queryPeers({ companyId: "c3" }, "industry", LIST, false, wanted));
  };
  const others = companies.map(({ companyId }) => companyId).filter((id) => id !== "c3");

  it("cost its record and the list, and exclude the company in any letter case", async () => {
    const list = await loadPeers({});
    expect(idsOf(list)).toEqual(others);
    expect(list.expected).toBe(11);
    expect(paths()).toEqual(["companies/c3", "industries/Chip/companies"]);
  });

  it("are as many as wanted, wherever the company stands", async () => {
    for (const wanted of [1, 2, 3, 4, 5, 11, 12]) {
      const list = await loadPeers({}, wanted);
      expect(idsOf(list)).toEqual(others.slice(0, wanted));
      expect(list.expected).toBe(list.rows.length);
      expect(pageSizes()).toEqual([null, String(wanted + 25)]);
      await running.close();
    }
  });

  it("are as many as wanted if the list lacks the company", async () => {
    const list = companies.filter(({ companyId }) => companyId !== "c3");
    expect(idsOf(await loadPeers({ list }, 4))).toEqual(others.slice(0, 4));
    expect(idsOf(await loadPeers({ list }))).toEqual(others);
  });

  it("are not reported empty while the first page has the company alone", async () => {
    const list = [companies[3] as Row, ...companies.filter(({ companyId }) => companyId !== "c3")];
    const taxonomies = await start({ record: self, list }, 1);
    const query = taxonomies.queryPeers({ companyId: "c3" }, "industry", LIST, false, 3);
    const seen: number[] = [];
    const stop = running.feed.queryCache.observe(query, (state) => {
      if (state.status === "answered") seen.push(state.answer.value.rows.length);
    });
    await awaitAnswer(running.feed, query);
    expect(seen.slice(0, 3)).toEqual([1, 2, 3]);
    stop();
  });

  it("share the company's record, and are refetched with it at a refresh", async () => {
    const taxonomies = await start({ record: self });
    const levels = ["industry", "subSector", "sector"] as const;
    const queries = levels.map((level) => taxonomies.queryPeers({ companyId: "c3" }, level, LIST, false, "all"));
    const stops = queries.map((query) => running.feed.queryCache.observe(query, () => {}));
    await Promise.all([...queries.map((each) => awaitAnswer(running.feed, each))]);
    await awaitAnswer(running.feed, taxonomies.query({ companyId: "C3" }));
    expect(paths()).toHaveLength(4);
    running.server.requests.length = 0;
    await running.feed.queryCache.refresh();
    expect(paths().filter((path) => path.startsWith("companies/"))).toHaveLength(1);
    expect(paths()).toHaveLength(4);
    for (const stop of stops) stop();
  });

  it.each([
    ["without a primary classification", [entry("Chip", false)], "FEED_NO_VALUE"],
    ["with two of them", [entry("Chip"), entry("Wafer")], "FEED_AMBIGUOUS"],
    ["without any", null, "FEED_NO_VALUE"],
  ])("of a company %s are an error without a list request", async (_, taxonomy, code) => {
    await expect(loadPeers({ record: { companyId: "c3", taxonomy } })).rejects.toMatchObject({ code });
    expect(paths()).toEqual(["companies/c3"]);
  });

  it("of a company given by registration number cost one more request", async () => {
    const number = "1234567890123";
    const taxonomies = await start({ record: self });
    search = { json: { data: [{ id: "c3", registrationNumber: number }], page: 1, pageSize: 100, total: 1 } };
    const query = taxonomies.queryPeers({ registrationNumber: number }, "industry", LIST, false, "all");
    expect(idsOf(await awaitAnswer(running.feed, query))).toEqual(others);
    expect(paths()).toEqual([SEARCH, "companies/c3", "industries/Chip/companies"]);
    await awaitAnswer(running.feed, taxonomies.query({ registrationNumber: number }));
    expect(paths()).toHaveLength(3);
  });

  it.each([
    ["another company's", "c4"],
    ["without an id", undefined],
  ])("and the classification of a company are malformed if the record is %s", async (_, companyId) => {
    const taxonomies = await start({ record: { ...self, companyId } });
    const queries = [
      taxonomies.queryPeers({ companyId: "c3" }, "industry", LIST, false, "all"),
      taxonomies.query({ companyId: "c3" }),
    ];
    const answers = await settle<unknown>(queries.map((query) => awaitAnswer<unknown>(running.feed, query)));
    expect(answers).toEqual(["FEED_RESPONSE_MALFORMED", "FEED_RESPONSE_MALFORMED"]);
    expect(paths()).toEqual(["companies/c3"]);
  });

  it("of a node with an impossible id are an error that does not blame the argument", async () => {
    const record = { companyId: "c3", taxonomy: [entry("A/1")] };
    await expect(loadPeers({ record })).rejects.toMatchObject({
      code: "FEED_NO_VALUE",
      message: 'the id "A/1" of the provider cannot be asked for; use another',
    });
  });

  it("of a registration number missing from the taxonomy are not found, with the number's meaning", async () => {
    const taxonomies = await start();
    search = { json: { data: [{ id: "c3", registrationNumber: "77" }], page: 1, pageSize: 100, total: 1 } };
    await expect(awaitAnswer(running.feed, taxonomies.query({ registrationNumber: "77" }))).rejects.toMatchObject({
      code: "FEED_NOT_FOUND",
      message: 'the taxonomy has no company c3, which "77" means; give the id that it has there',
    });
  });

  it("of an unclassified company are not found", async () => {
    await expect(loadPeers({ record: undefined })).rejects.toMatchObject({ code: "FEED_NOT_FOUND" });
  });
});
