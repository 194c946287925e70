import { afterEach, describe, expect, it } from "@jest/globals";
import type { Row } from "../../../src/feed/decode";
import type { List } from "../../../src/feed/pages";
import { awaitAnswer, type FeedOnServer, settle, startFeedOn } from "../../support/feed";

const ROOT = "/asia/industry-taxonomies/v1";
const LIST = { country: "JPN", companyType: "ALL" };
const TREE = [{ sectorId: "T" }, { sectorId: "Both", subSectors: [{ subSectorId: "Both" }] }];
const entry = (industryId: string, isPrimaryIndustry = true) => ({ industryId, isPrimaryIndustry });
const companies = Array.from({ length: 12 }, (_, index) => ({ companyId: `c${index}`, taxonomy: [entry("Chip")] }));
const idsOf = ({ rows }: List) => rows.map(({ companyId }) => companyId);

let running: FeedOnServer;
afterEach(() => running.close());

interface Script {
  tree?: unknown;
  list?: readonly Row[];
}

/** A provider of a tree and one list, which it serves in pages of at most `cap`. */
async function start({ tree = TREE, list = companies }: Script = {}, cap = 1_000) {
  running = await startFeedOn(({ path, query }) => {
    if (!path.startsWith(ROOT)) return undefined;
    if (path === `${ROOT}/tree`) return { json: tree };
    const size = Math.min(Number(query.get("page_size")), cap);
    const from = (Number(query.get("page")) - 1) * size;
    return { json: { data: list.slice(from, from + size), page: 1, pageSize: size, total: list.length } };
  });
  return running.feed.taxonomies;
}
const paths = () => running.requests().map(({ path }) => path.replace(`${ROOT}/`, ""));

describe("the constituents of a node", () => {
  it("have all rows of a company that repeats later, by one more reading of the list", async () => {
    const list = [
      { companyId: "c0", taxonomy: [entry("Chip", false)] },
      ...companies.slice(1),
      { companyId: "c0", taxonomy: [entry("Wafer")] },
    ];
    const taxonomies = await start({ list });
    const { rows } = await awaitAnswer(running.feed, taxonomies.queryConstituentsOf("T", LIST, true, 1));
    expect(rows).toEqual([{ companyId: "c0", taxonomy: [entry("Chip", false), entry("Wafer")] }]);
    expect(paths()).toHaveLength(2);
  });

  it("are read to the end of the list once a page shows a company twice", async () => {
    const list = Array.from({ length: 100 }, (_, index) => [
      { companyId: `c${index}`, taxonomy: [entry("Chip")] },
      { companyId: `c${index}`, taxonomy: [entry("Wafer", false)] },
    ]).flat();
    const taxonomies = await start({ list }, 10);
    const seen: number[] = [];
    const query = taxonomies.queryConstituentsOf("T", LIST, true, 50);
    const stop = running.feed.queryCache.observe(query, (state) => {
      if (state.status === "answered") seen.push(state.answer.value.rows.length);
    });
    expect(idsOf(await awaitAnswer(running.feed, query))).toHaveLength(50);
    expect(paths()).toHaveLength(1 + 1 + list.length / 10 + 1); // the tree, the first page, all pages and what follows a full one
    expect(seen).toEqual([50]);
    stop();
  });

  it("need no tree if the level is given, unless the id as written has none", async () => {
    const taxonomies = await start({ tree: null });
    const list = await awaitAnswer(running.feed, taxonomies.queryConstituentsOf("sub-sector:c", LIST, false, "all"));
    expect(list).toEqual({ rows: companies, expected: 12 });
    expect(paths()).toEqual(["sub-sectors/c/companies"]);
  });

  it.each([404, 200])(
    "of a level and an id in other letter case use the tree after a %d without rows",
    async (status) => {
      running = await startFeedOn(({ path }) => {
        if (path === `${ROOT}/tree`) return { json: TREE };
        if (path === `${ROOT}/sectors/Both/companies`) return { json: companies };
        return path.startsWith(ROOT) ? { status, json: [] } : undefined;
      });
      const { taxonomies } = running.feed;
      expect(
        idsOf(await awaitAnswer(running.feed, taxonomies.queryConstituentsOf("sector:both", LIST, false, 3))),
      ).toHaveLength(3);
      const others = ["sector:T", "sector:Bot"].map((text) => taxonomies.queryConstituentsOf(text, LIST, false, 3));
      const answers = await settle(others.map((query) => awaitAnswer(running.feed, query)));
      expect(answers).toEqual([status === 404 ? "FEED_NOT_FOUND" : { rows: [], expected: 0 }, "FEED_NOT_FOUND"]);
    },
  );
});
