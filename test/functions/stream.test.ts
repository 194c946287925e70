import { describe, expect, it } from "@jest/globals";
import { ArgumentError, NoValueError } from "../../src/client/errors";
import type { Query } from "../../src/feed/query-cache";
import { lazily, stream } from "../../src/functions/stream";
import type { View } from "../../src/functions/view-observer";
import { createCalls } from "../../src/session/calls";
import { createClock } from "../support/clock";
import { until } from "../support/until";
import { answer, createInvocation, createQuery, keepStreams, settle, toValue, viewOf } from "./streamed-queries";

const page = keepStreams();

const errorText = (value: unknown) => (value as Error).message;

describe("a stream", () => {
  it("shows its first answer, then each different one", async () => {
    const { loads, shown } = await page.enter();
    expect(shown).toEqual([]);
    await answer(loads, 1);
    for (const value of [1, 2, 2, 3]) await page.refresh(loads, value);
    expect(loads).toHaveLength(5);
    expect(shown).toEqual([[[1]], [[2]], [[3]]]);
  });

  it("shows a list once it is whole, since a total over a part would look final", async () => {
    const { loads, shown } = await page.enter();
    loads[0]?.context.advance?.({ rows: ["first row"], expected: 2 });
    await settle();
    expect(shown).toEqual([]);
    await answer(loads, "all");
    expect(shown).toEqual([[["all"]]]);
  });

  it("shows a cached answer synchronously", async () => {
    const { query, loads } = await page.enter();
    await answer(loads, 1);
    expect(page.open(() => viewOf(query)).shown).toEqual([[[1]]]);
    expect(loads).toHaveLength(1);
  });

  it("lays its table out once for the origins of all its cells", async () => {
    let layouts = 0;
    const show: View["show"] = () => {
      layouts++;
      return { rows: [["a", "b"]], readOrigin: (_, column) => ({ field: `field ${column}` }) };
    };
    await answer((await page.enter((query) => ({ ...viewOf(query), show }))).loads, 1);
    const [call] = page.session.calls.list();
    const before = layouts;
    const findOrigin = call?.readOrigins();
    expect([findOrigin?.(0, 0).field, findOrigin?.(0, 1).field]).toEqual(["field 0", "field 1"]);
    expect(layouts).toBe(before + 1);
  });

  const INTERNAL = (what: string) =>
    `FEED_INTERNAL: FEED for Excel failed on its own: ${what}; copy the text for support in the pane and report it to us`;
  it.each([
    ["a known error", new ArgumentError("give a year"), "FEED_ARGUMENT_INVALID: give a year"],
    ["an unforeseen one", new TypeError("x"), INTERNAL("x")],
    ["no Error at all", "oops", INTERNAL("oops")],
  ])("shows an error thrown while reading its arguments: %s", (_, thrown, text) => {
    const { shown } = page.open(() => {
      throw thrown;
    });
    expect(shown.map(errorText)).toEqual([text]);
  });

  it("reports a missing answer 30 s after its last rows, and shows a later one", async () => {
    const clock = createClock({});
    page.start(clock.ports);
    const { query, loads } = createQuery("a");
    const late = page.open(() => viewOf(query));
    const left = page.open(() => viewOf(query));
    left.onCanceled();
    await clock.advance(29_000);
    loads[0]?.context.advance?.({ rows: ["row"], expected: 2 });
    await clock.advance(29_999);
    expect(late.shown).toEqual([]);
    await clock.advance(1);
    expect(late.shown.map(errorText)).toEqual([
      expect.stringMatching(/^FEED_TIMED_OUT: no answer within 30 seconds; /),
    ]);
    await answer(loads, "whole");
    expect([late.shown[1], left.shown]).toEqual([[["whole"]], []]);
  });

  const foretell = ({ expected }: { expected: number }) => ({ rows: [["x".repeat(1000)]], expected });

  it("refetches a too large result at a refresh", async () => {
    const { loads, shown } = await page.enter((query) => ({ ...viewOf(query), foretell }));
    loads[0]?.context.advance?.({ rows: ["row"], expected: 1_000_000 });
    await settle();
    void page.session.refresh();
    await settle();
    await answer(loads, "all");
    expect(shown.slice(1)).toEqual([[["all"]]]);
  });

  it("requests no further pages of a too large result", async () => {
    const { loads, shown } = await page.enter((query) => ({ ...viewOf(query), foretell }));
    for (const expected of [1_000, 1_000_000]) loads[0]?.context.advance?.({ rows: ["row"], expected });
    await settle();
    expect(shown.map(errorText)).toEqual([expect.stringMatching(/^FEED_RESULT_TOO_LARGE: /)]);
    await answer(loads, "all");
    expect(shown).toHaveLength(1);
  });

  it("shows what is wrong with a list's first rows at once, and the list where the others mend it", async () => {
    const wrong = () => {
      throw new ArgumentError('there is no field "foo"');
    };
    const { loads, shown } = await page.enter((query) => ({ ...viewOf(query), foretell: wrong }));
    loads[0]?.context.advance?.({ rows: ["row"], expected: 2 });
    await settle();
    expect(shown.map(errorText)).toEqual(['FEED_ARGUMENT_INVALID: there is no field "foo"']);
    await answer(loads, "all");
    expect(shown[1]).toEqual([["all"]]);
  });

  it("waits longer each time recalculations enter it anew, until its requests need a confirmation (office-js #4635)", async () => {
    const clock = createClock({});
    page.start(clock.ports);
    page.session.change({ requestLimit: 6 });
    const loaded: number[] = [];
    const shown: unknown[] = [];
    let leave = () => {};
    for (let second = 0; second < 190; second++) {
      const query = { key: ["rankCompanies", second], load: async () => loaded.push(second) };
      const invocation = {
        ...createInvocation(),
        address: "Sheet1!B2",
        setResult: (value: unknown) => shown.push(value),
      };
      stream(page.session, invocation as never, "RANKING", { start: 45_000 + second }, () => viewOf(query));
      leave();
      leave = () => invocation.onCanceled();
      await clock.advance(1_000);
    }
    expect(loaded).toEqual([...Array(13).keys(), 32, 52, 72, 92]); // the last six by a formula that is known to drift
    expect(errorText(shown.at(-1))).toBe("FEED_CONFIRM_NEEDED: this takes about 7 requests; confirm in the FEED pane");
    expect(page.session.calls.list().map(({ drift }) => drift)).toEqual([189]);
    leave();
  });

  it("shows known values alone in a value preview", async () => {
    const { query, loads } = createQuery("a");
    const { shown } = page.open(() => viewOf(query), { isInValuePreview: true });
    await settle();
    expect(loads).toEqual([]);
    expect(shown.map(errorText)).toEqual(["FEED_NO_VALUE: not read yet; press Enter to read it"]);
  });

  it("rereads its arguments at a refresh only if they depend on today", async () => {
    const reads = { relative: 0, fixed: 0 };
    const read = (name: keyof typeof reads, rereadsOnRefresh: boolean) => () => {
      reads[name]++;
      return { ...viewOf(), rereadsOnRefresh };
    };
    const relative = page.open(read("relative", true));
    page.open(read("fixed", false));
    await page.session.refresh();
    expect(reads).toEqual({ relative: 2, fixed: 1 });
    relative.onCanceled();
    await page.session.refresh();
    expect(reads).toEqual({ relative: 2, fixed: 1 });
  });

  it("rereads its arguments when settings change, and shows known values without a request", async () => {
    const toView = (query: Query<unknown>): View => {
      const { dateSystem } = page.session.settings;
      return { ...viewOf(query), show: ([settled]) => ({ rows: [[toValue(settled), dateSystem]], expected: 1 }) };
    };
    const { query, loads, shown } = await page.enter(toView);
    const left = page.open(() => toView(query));
    await answer(loads, 1);
    left.onCanceled();
    page.session.change({ dateSystem: 1904 });
    page.session.change({ timeZone: "Europe/Paris" });
    expect([shown, left.shown]).toEqual([[[[1, 1900]], [[1, 1904]]], [[[1, 1900]]]]);
    await settle();
    expect([loads.length, page.session.feed.queryCache.size()]).toEqual([1, 1]);
  });

  it("loads the new query alone when the day has changed, and keeps the old value until then", async () => {
    const days = [createQuery("monday"), createQuery("tuesday")];
    let day = 0;
    const { shown } = page.open(() => ({ ...viewOf(days[day]?.query as Query<unknown>), rereadsOnRefresh: true }));
    await settle();
    days[0]?.loads[0]?.answer("Mon");
    await settle();
    day = 1;
    const refreshed = page.session.refresh();
    await settle();
    expect(shown).toEqual([[["Mon"]]]);
    for (const { loads } of days) for (const load of loads) load.answer("Tue");
    await refreshed;
    await settle();
    expect(shown).toEqual([[["Mon"]], [["Tue"]]]);
    expect(days.map(({ loads }) => loads.length)).toEqual([1, 1]);
  });
});

describe("a formula whose view has a script of its own", () => {
  it("shows its answer once script and answer are there, and loads the script once for all cells", async () => {
    const { query, loads } = createQuery("a");
    let scripts = 0;
    const read = lazily(async () => {
      scripts++;
      return () => viewOf(query);
    });
    const first = page.open(read);
    await settle();
    await answer(loads, 1);
    const second = page.open(read);
    await settle();
    expect([first.shown, second.shown, scripts, loads.length]).toEqual([[[[1]]], [[[1]]], 1, 1]);
  });

  it("says that its script was not reached, and loads it again at a refresh", async () => {
    const { query, loads } = createQuery("a");
    let isThere = false;
    const { shown } = page.open(
      lazily(async () => {
        if (!isThere) throw new Error("the script did not come");
        return () => viewOf(query);
      }),
    );
    await settle();
    expect(String(shown[0])).toMatch(/FEED_NETWORK_FAILED: a script of this add-in was not reached/);
    isThere = true;
    await page.refresh(loads, 1);
    expect(shown.slice(1)).toEqual([[[1]]]);
  });

  it("observes nothing when its cell was emptied before the script came", async () => {
    const { query } = createQuery("a");
    let give = (_open: () => View) => {};
    const invocation = page.open(lazily(() => new Promise<() => View>((resolve) => (give = resolve))));
    await settle();
    invocation.onCanceled();
    give(() => viewOf(query));
    await settle();
    expect([page.session.feed.queryCache.size(), invocation.shown]).toEqual([0, []]);
  });
});

describe("a streaming formula among the live ones", () => {
  const list = () => page.session.calls.list();

  it("is live from entry to cancel, with its address and queries", () => {
    const { query } = createQuery("a");
    const invocation = page.open(() => viewOf(query), { address: "Sheet1!B3" });
    expect(list()).toMatchObject([{ name: "TEST", address: "Sheet1!B3", queries: [query], error: null }]);
    invocation.onCanceled();
    expect(list()).toEqual([]);
    page.open(() => viewOf(query)); // a host may give no address
    expect(list()[0]?.address).toBeNull();
  });

  it("reports why its arguments are invalid, and has its new query once they are valid", () => {
    const { query } = createQuery("a");
    let error: Error | null = new ArgumentError("year is missing; give a year");
    page.open(() => {
      if (error !== null) throw error;
      return viewOf(query);
    });
    expect(list()[0]).toMatchObject({ error, queries: [] });
    error = null;
    page.session.change({ country: "SGP" });
    expect(list()[0]).toMatchObject({ error: null, queries: [query] });
  });

  it("reports why its single value is missing, but not one value among others", async () => {
    const nothing = new NoValueError("FEED_NO_VALUE", "no such metric");
    let rows: unknown[][] = [[nothing]];
    const { loads } = await page.enter((query) => ({ ...viewOf(query), show: () => ({ rows, expected: 1 }) }));
    await answer(loads, 1);
    expect(list()[0]?.error).toBe(nothing);
    rows = [[nothing, 2]];
    await page.refresh(loads, 2);
    expect(list()[0]?.error).toBeNull();
  });

  it("is not live in a value preview; a call by the pane is listed separately", () => {
    const calls = createCalls();
    page.open(() => viewOf(createQuery("a").query), { isInValuePreview: true });
    page.open(() => viewOf(createQuery("b").query), { calls });
    expect(list()).toEqual([]);
    expect(calls.list()).toHaveLength(1);
  });

  it("rereads today's date when it is refreshed, and other formulas do not", async () => {
    const opened: string[] = [];
    const loadsOf = ["selected", "other"].map((name) => {
      const { query, loads } = createQuery(name);
      page.open((): View => {
        opened.push(name);
        return { ...viewOf(query), rereadsOnRefresh: true };
      });
      return loads;
    });
    await until(() => loadsOf.every(({ length }) => length === 1));
    for (const loads of loadsOf) loads[0]?.answer(1);
    await settle();
    opened.length = 0;
    void page.session.refresh(list().slice(0, 1));
    await until(() => loadsOf[0]?.length === 2);
    await settle();
    expect(opened).toEqual(["selected"]);
    expect(loadsOf.map((loads) => loads.length)).toEqual([2, 1]);
  });

  it("notifies of every change of its output", async () => {
    const { loads } = await page.enter();
    let notifications = 0;
    page.session.calls.onChange(() => notifications++);
    await answer(loads, 1);
    expect([notifications, list()[0]?.shown]).toEqual([1, [[1]]]);
    await page.refresh(loads, 2);
    expect([notifications, list()[0]?.shown]).toEqual([2, [[2]]]);
  });

  it("is added and removed among 14,000 others at constant cost", async () => {
    let notifications = 0;
    page.session.calls.onChange(() => notifications++);
    const { query } = createQuery("a");
    const entered = Array.from({ length: 14_000 }, () => page.open(() => viewOf(query)));
    await until(() => list().length === 14_000);
    expect(notifications).toBe(28_000); // one for its entry, one for its arguments
    for (const invocation of entered) invocation.onCanceled();
    expect(list()).toEqual([]);
    expect(notifications).toBe(42_000);
  });
});
