import { afterEach, describe, expect, it } from "@jest/globals";
import type { NamesState } from "../../src/feed/names/entries";
import type { State } from "../../src/feed/query-cache";
import { awaitAnswer, listen, settle } from "../support/feed";
import type { Answering } from "../support/http-server";
import { until } from "../support/until";
import { type FeedOnLists, type Lists, startLists, toId } from "./names/lists";
import LOTUS_7 from "./names/lotus-7.json";

let running: FeedOnLists;

afterEach(() => running.close());

const start = async (lists?: Partial<Lists>) => {
  running = await startLists(lists);
  return running.feed.nameIndexes;
};
const find = (text: string, country = "JPN", wanted: number | "all" = "all") =>
  awaitAnswer(running.feed, running.feed.names.query(text, country, wanted));
const fail = (text: string, country?: string) => find(text, country).then(String, (error) => error.message as string);
/** Does something at pages of the classified companies, or answers them. */
const at = (act: (page: number) => Answering | undefined) => {
  running.lists.instead = (_, family, page) => (family === "taxonomy" ? act(page) : undefined);
};
const REFUSED = { status: 403, json: {} };

describe("a name query", () => {
  it("reads both lists once and answers all others from them", async () => {
    await start();
    const [found, other] = await Promise.all([find("lotus 7"), find("lotus", "JPN", 3)]);
    expect(found.rows.slice(0, 1)).toEqual([LOTUS_7]);
    expect(other).toMatchObject({ expected: 3 });
    const requests = running.count();
    expect((await find("LOTUS")).rows).toHaveLength(30);
    expect(running.count()).toBe(requests);
    expect(running.count()).toBeLessThanOrEqual(7);
  });

  it("sends two requests if the lists are long, and reports the number a build takes", async () => {
    await start({ classified: 1_001, privates: 500 });
    const sentence = "the index of names for JPN is not built: about 152 requests; build it in the FEED pane";
    expect(await Promise.all([fail("lotus"), fail("other"), fail("third")])).toEqual([sentence, sentence, sentence]);
    expect(running.count()).toBe(2);
    expect(await settle([find("later")])).toEqual(["FEED_INDEX_NOT_READY"]);
    expect(running.count()).toBe(2);
  });

  it("sends at most 20 requests, even if the lists understate their length", async () => {
    await start({ classified: 10_000, privates: 5, cap: 25 });
    running.lists.instead = (request, family, page) => {
      if (family === "private") return undefined;
      const data = Array.from({ length: 25 }, (_, index) => ({ companyId: toId(page * 25 + index) }));
      return { json: { data, page, pageSize: 25, total: 26, request: request.path } };
    };
    expect(await fail("lotus")).toMatch(/not built: many requests/);
    expect(running.count()).toBe(20);
  });

  it("omits a forbidden family, and says so when nothing is found", async () => {
    await start();
    running.lists.instead = (_, family) => (family === "private" ? REFUSED : undefined);
    expect((await find("lotus 7")).rows[0]).toMatchObject({ families: "taxonomy" });
    expect(await fail("nobody")).toContain("(without private-market companies, which this client may not read)");
    expect(running.feed.nameIndexes.state("JPN").facts?.missing).toEqual(["private"]);
  });

  it("fails if both families are forbidden, and retries at the next query", async () => {
    await start({ instead: () => REFUSED });
    expect(await settle([find("lotus")])).toEqual(["FEED_SCOPE_MISSING"]);
    running.lists.instead = () => undefined;
    expect((await find("lotus 7")).rows[0]).toMatchObject({ companyId: toId(7) });
  });
});

/** Further pages that are asked for beside the one whose turn it is; an end loses them. */
const UNDER_WAY = 3;

describe("an index build", () => {
  it("fills the formulas that name a company", async () => {
    const indexes = await start({ classified: 1_001, privates: 500 });
    const query = running.feed.companies.queryId({ name: "Lotus 1001", country: "JPN" });
    expect(await settle([awaitAnswer(running.feed, query)])).toEqual(["FEED_INDEX_NOT_READY"]);
    const { answers } = listen(running.feed, query);
    await indexes.build("JPN");
    await until(() => answers().length > 0);
    expect(answers()[0]?.value).toBe(toId(1_001));
  });

  it("reads everything with progress, however small the pages, and answers waiting queries", async () => {
    const indexes = await start({ classified: 1_001, privates: 500, cap: 25 });
    expect(await settle([find("lotus")])).toEqual(["FEED_INDEX_NOT_READY"]);
    const seen: NamesState[] = [];
    indexes.subscribe(() => seen.push(indexes.state("JPN")));
    const { states } = listen(running.feed, running.feed.names.query("lotus 1001", "JPN", 1));
    await indexes.build("JPN");
    await until(() => states.at(-1)?.status === "answered");
    const facts = { companies: 1_001, missing: [] };
    expect(indexes.state("JPN")).toMatchObject({ status: "built", facts, error: null });
    expect(running.count()).toBe(41 + 21);
    const rows = seen.filter(({ status }) => status === "building").map(({ progress }) => progress?.rows ?? 0);
    expect(rows).toEqual([...rows].sort((one, other) => one - other));
    expect(seen.at(-1)?.progress).toEqual({ rows: 1_501, expected: 1_501, requests: 62, expectedRequests: 62 });
  });

  it.each<[string, (page: number) => Answering | undefined, string | null, number]>([
    ["fails", (page) => (page === 20 ? { status: 400, json: {} } : undefined), "FEED_REQUEST_INVALID", 19],
    ["loses its connection", (page) => (page >= 10 ? { status: 401, json: {} } : undefined), "FEED_UNAUTHORISED", 9],
    ["is cancelled", (page) => void (page === 20 && running.feed.nameIndexes.cancel("JPN")), null, 19],
  ])("that %s reports why and keeps its pages: the next build reads only the rest", async (_, act, code, kept) => {
    const indexes = await start({ classified: 400, privates: 5 });
    at(act);
    await indexes.build("JPN");
    expect(indexes.state("JPN")).toMatchObject({ status: "none", error: code && { code } });
    const before = running.count();
    running.lists.instead = () => undefined;
    await indexes.build("JPN");
    expect(indexes.state("JPN")).toMatchObject({ status: "built", error: null, facts: { companies: 400 } });
    const rest = running.count() - before;
    expect([rest >= 41 - kept, rest <= 41 - kept + UNDER_WAY]).toEqual([true, true]);
  });

  it("that fails in one list reads no more of the other", async () => {
    const indexes = await start({ classified: 400, privates: 400 });
    at((page) => (page === 5 ? { status: 400, json: {} } : undefined));
    await indexes.build("JPN");
    expect(indexes.state("JPN")).toMatchObject({ status: "none", error: { code: "FEED_REQUEST_INVALID" } });
    expect(running.count()).toBeLessThan(40); // of 80
  });

  it("that resumes later rereads its last page, and every page of a changed list", async () => {
    const indexes = await start({ classified: 200, privates: 5 });
    at((page) => (page === 9 ? { status: 400, json: {} } : undefined));
    await indexes.build("JPN");
    await running.clock.advance(60 * 60_000);
    // Meanwhile company 5 has gone and another entered at the end: the same count, but all behind it moved up.
    running.lists.gone = 5;
    running.lists.instead = () => undefined;
    await indexes.build("JPN");
    expect(indexes.state("JPN")).toMatchObject({ status: "built", facts: { companies: 200 } });
    expect((await find("lotus 81")).rows[0]).toMatchObject({ companyId: toId(81) });
    expect((await find("lotus 5")).rows.map(({ companyId }) => companyId)).not.toContain(toId(5));
  });

  it("that is cancelled reports a missing index in cells, without a request", async () => {
    const indexes = await start({ classified: 400, privates: 5 });
    let states: State<unknown>[] = [];
    at((page) => {
      if (page === 10) ({ states } = listen<unknown>(running.feed, running.feed.names.query("lotus", "JPN", 1)));
      if (page === 20) indexes.cancel("JPN");
      return undefined;
    });
    const said = () => states.flatMap((state) => (state.status === "failed" ? (state.error as Error).message : []));
    await indexes.build("JPN");
    const before = running.count();
    await until(() => said().length === 2);
    expect(said()).toEqual([
      expect.stringMatching(/is being built: \d+ of about \d+ requests; this shows when it is built$/),
      "the index of names for JPN is not built: about 42 requests; build it in the FEED pane",
    ]);
    expect(running.count()).toBe(before);
    const { status, progress } = indexes.state("JPN");
    expect([status, (progress?.requests ?? 0) <= 20 + UNDER_WAY]).toEqual(["none", true]);
  });

  it("keeps the old index in use until it is done", async () => {
    const indexes = await start();
    await find("lotus 7");
    running.lists.classified = 31;
    running.lists.instead = () => {
      expect(indexes.state("JPN")).toMatchObject({ status: "building", facts: { companies: 30 } });
      return undefined;
    };
    const { answers } = listen(running.feed, running.feed.names.query("lotus", "JPN", "all"));
    const counts = () => answers().map(({ value }) => value.rows.length);
    await indexes.build("JPN");
    await until(() => counts().at(-1) === 31);
    expect(new Set(counts())).toEqual(new Set([30, 31]));
  });

  it("rereads a list that shifts while it is read", async () => {
    const indexes = await start({ classified: 35, privates: 5 });
    let reads = 0;
    running.lists.instead = (_, family, page) => {
      if (family !== "taxonomy" || page !== 2 || reads++ > 0) return undefined;
      return { json: { data: [{ companyId: toId(1) }], page, pageSize: 10, total: 34 } };
    };
    await indexes.build("JPN");
    expect(indexes.state("JPN").facts?.companies).toBe(35);
  });

  it("runs beside another country's; a second start changes nothing", async () => {
    const indexes = await start({ classified: 400, privates: 5 });
    await Promise.all([indexes.build("JPN"), indexes.build("JPN"), indexes.build("SGP")]);
    expect(running.count()).toBe(2 * 42);
    expect([indexes.state("JPN").status, indexes.state("SGP").status]).toEqual(["built", "built"]);
  });

  it("ends when the client changes", async () => {
    const indexes = await start({ classified: 400, privates: 5 });
    at((page) => void (page === 10 && running.feed.reset()));
    await indexes.build("JPN");
    expect(running.count()).toBeLessThanOrEqual(12);
    expect(indexes.state("JPN")).toEqual({ status: "unknown", facts: null, progress: null, error: null });
  });
});
