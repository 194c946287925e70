import "fake-indexeddb/auto";
import { beforeEach, describe, expect, it } from "@jest/globals";
import type { Query, State } from "../../src/feed/query-cache";
import { toHash } from "../../src/feed/query-cache/sources";
import type { Schedule } from "../../src/session/schedule";
import { keepFreshStorage, readPersisted } from "../feed/persisted-cache-storage";
import { startCompanion } from "../support/companion";
import { awaitAnswer } from "../support/feed";
import { until } from "../support/until";
import { createCall, keepPage } from "./scripted-session";

const CONFIRM = "FEED_CONFIRM_NEEDED";
const OTHER = "https://api.example.com";

const page = keepPage(() => startCompanion({ companies: 50 }));
keepFreshStorage();
const open = () => page.open({ startMs: Date.now() });
beforeEach(() => {
  page.server.controls.reset();
  open();
});

/** Data requests, without tokens. */
const countData = () => page.server.controls.count() - page.server.controls.count("createToken");
const waiting = () => page.session.confirmation.waiting();

function enter(top: number) {
  const query: Query<unknown> = page.toRanking(top);
  const states: State<unknown>[] = [];
  const status = () => states.at(-1)?.status ?? "pending";
  const call = createCall(query, () => (status() === "answered" ? [["value"]] : null));
  page.session.calls.add(call);
  const stop = page.session.feed.queryCache.observe(query, (state) => {
    states.push(state);
    page.session.calls.notify();
  });
  const leave = () => {
    stop();
    page.session.calls.remove(call);
  };
  const toCode = (state: State<unknown>) =>
    state.status === "pending" ? null : ((state.error as { code?: string } | null)?.code ?? null);
  return { states, codes: () => states.map(toCode), status, leave };
}
type Cell = ReturnType<typeof enter>;

async function enterAll(...tops: number[]): Promise<Cell[]> {
  const cells = tops.map(enter);
  await until(() => cells.every((cell) => cell.status() !== "pending"));
  return cells;
}
const untilAnswered = (cells: Cell[]) => until(() => cells.every((cell) => cell.status() === "answered"));
const statuses = (cells: Cell[]) => new Set(cells.map((cell) => cell.status()));
const leaveAll = (cells: Cell[]) => {
  for (const { leave } of cells) leave();
};

describe("a request over the budget", () => {
  it("waits for a person, who can decline it and confirm it later", async () => {
    page.session.change({ requestLimit: 3 });
    expect(waiting()).toBeNull();
    const cells = await enterAll(1, 2, 3, 4, 5);
    const first = waiting();
    expect(first).toEqual({ reason: "requests", requests: 5, isDeclined: false });
    expect(waiting()).toBe(first);
    page.session.confirmation.decline();
    expect(waiting()).toMatchObject({ requests: 5, isDeclined: true });
    expect(countData()).toBe(0);
    page.session.confirmation.confirm();
    await untilAnswered(cells);
    expect([waiting(), countData()]).toEqual([null, 5]);
  });

  it("is withdrawn when its cells are deleted, and confirmed again when more cells add requests", async () => {
    page.session.change({ requestLimit: 3 });
    const cells = await enterAll(1, 2, 3, 4, 5);
    page.session.confirmation.decline();
    const more = await enterAll(11, 12, 13, 14);
    expect(waiting()).toEqual({ reason: "requests", requests: 9, isDeclined: false });
    leaveAll(cells);
    expect(waiting()).toMatchObject({ requests: 4 });
    leaveAll(more);
    expect(waiting()).toBeNull();
  });

  it("is allowed up to the number of requests the person confirmed", async () => {
    page.session.change({ requestLimit: 3 });
    leaveAll(await enterAll(1, 2, 3, 4));
    const told = await enterAll(11, 12, 13, 14);
    expect(waiting()).toMatchObject({ requests: 4 });
    const untold = await enterAll(21, 22, 23, 24);
    page.session.confirmation.confirm();
    await untilAnswered(told);
    const back = await enterAll(1, 2, 3, 4);
    expect([statuses(untold), statuses(back)]).toEqual([new Set(["failed"]), new Set(["failed"])]);
    expect([countData(), waiting()]).toMatchObject([4, { requests: 8, isDeclined: false }]);
  });

  it("is forgotten when it has no subscriber", async () => {
    page.session.change({ requestLimit: 3 });
    leaveAll(await enterAll(1, 2, 3, 4));
    expect(page.session.feed.budget.unconfirmed()).toHaveLength(1);
    await page.clock.advance(1_500); // a query outlives its cells by this long
    expect(page.session.feed.queryCache.size()).toBe(0);
    expect([waiting(), page.session.feed.budget.unconfirmed()]).toEqual([null, []]);
  });

  it("holds back a whole refresh until it is confirmed", async () => {
    const { refreshing, changes } = page.session;
    const cells = await enterAll(1, 2, 3, 4, 5);
    const before = [refreshing.state(), changes.state()];
    page.session.change({ requestLimit: 3 });
    const { refetched, failures, isCancelled } = await page.session.refresh();
    expect([refetched, failures, isCancelled]).toEqual([0, [expect.objectContaining({ code: CONFIRM })], false]);
    expect([refreshing.state(), changes.state()]).toEqual(before);
    expect(cells.flatMap(({ codes }) => codes())).not.toContain(CONFIRM);
    expect([countData(), waiting()]).toEqual([5, { reason: "requests", requests: 5, isDeclined: false }]);
    page.session.confirmation.confirm();
    await until(() => refreshing.state().last !== null);
    expect(refreshing.state().last).toMatchObject({ refetched: 5, failures: [] });
    expect([countData(), waiting(), statuses(cells)]).toEqual([10, null, new Set(["answered"])]);
  });

  it("prompts once for scheduled refreshes, and again for a refresh by hand", async () => {
    await enterAll(1, 2, 3, 4, 5);
    page.session.change({ requestLimit: 3 });
    await (page.session.schedule as Schedule).refresh();
    page.session.confirmation.decline();
    await (page.session.schedule as Schedule).refresh();
    expect(waiting()).toMatchObject({ requests: 5, isDeclined: true });
    await page.session.refresh();
    expect(waiting()).toMatchObject({ requests: 5, isDeclined: false });
    page.session.change({ requestLimit: 5 });
    await page.session.refresh();
    expect([waiting(), countData()]).toEqual([null, 10]);
  });
});

describe("a workbook with another provider's values", () => {
  it("shows no cached answer and sends no request until a person confirms the new provider", async () => {
    await awaitAnswer(page.session.feed, page.toRanking(31));
    await until(() => countData() === 1);
    const hash = toHash(page.toRanking(31).key);
    await until(async () => [...(await readPersisted()).answers.keys()].some((key) => key.endsWith(hash)));
    await page.close();
    open();
    page.session.adopt({ provider: OTHER });
    const [cell] = (await enterAll(31)) as [Cell];
    expect(cell.states.at(-1)).toMatchObject({
      status: "failed",
      error: {
        code: CONFIRM,
        message: `this workbook's figures are from api.example.com; confirm in the FEED pane to fill it from sample data`,
      },
    });
    expect(waiting()).toEqual({ reason: "provider", from: OTHER, to: "sample", isDeclined: false });
    page.session.confirmation.decline();
    expect(waiting()).toMatchObject({ isDeclined: true });
    page.session.confirmation.confirm();
    await untilAnswered([cell]);
    expect(cell.states.at(-1)).toMatchObject({ answer: { persisted: expect.anything() } });
    expect([page.session.settings.provider, waiting(), countData()]).toEqual(["sample", null, 1]);
  });

  it("withdraws values shown before its provider was known", async () => {
    await page.session.connect();
    const [cell] = await enterAll(1);
    expect(cell?.codes()).toEqual([null]);
    page.session.adopt({ provider: OTHER });
    await until(() => cell?.codes().at(-1) === CONFIRM);
    expect(waiting()).toMatchObject({ reason: "provider" });
  });

  it("needs no confirmation if it has no values; the first answer's provider is saved", async () => {
    page.session.adopt({});
    await page.session.connect();
    expect(page.session.settings.provider).toBeNull();
    await enterAll(1);
    await until(() => page.session.settings.provider !== null);
    expect([page.session.settings.provider, waiting()]).toEqual(["sample", null]);
    page.session.feed.queryCache.reset();
    expect(statuses(await enterAll(1))).toEqual(new Set(["answered"]));
  });
});
