import "fake-indexeddb/auto";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createPorts } from "../../src/client/ports";
import type { Query, State } from "../../src/feed/query-cache";
import { toHash } from "../../src/feed/query-cache/sources";
import type { Call } from "../../src/session/calls";
import type { Schedule } from "../../src/session/schedule";
import { createSession, type Session } from "../../src/session/session";
import { readPersisted } from "../feed/persisted-cache-storage";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { awaitAnswer } from "../support/feed";
import { createStorage } from "../support/storage";
import { until } from "../support/until";

const RANGE = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };
const CONFIRM = "FEED_CONFIRM_NEEDED";
const OTHER = "https://api.example.com";

let companion: RunningCompanion;
let session: Session;

beforeEach(async () => {
  companion = await startCompanion({ companies: 50 });
  open();
});
afterEach(async () => {
  session.feed.queryCache.close();
  await companion.close();
});

const storage = createStorage();
function open(): void {
  session = createSession({ ports: { ...createPorts(), storage }, companionUrl: companion.origin });
}
/** Data requests, without tokens. */
const countData = () => companion.controls.count() - companion.controls.count("createToken");

/** A formula in a cell. */
function enter(query: Query<unknown>) {
  const states: State<unknown>[] = [];
  const call: Call = {
    name: "RANKING",
    given: {},
    address: null,
    queries: [query],
    error: null,
    get shown() {
      return states.at(-1)?.status === "answered" ? [["value"]] : null;
    },
    findOrigin: () => ({ error: null, places: [] }),
    reread: () => {},
  };
  session.calls.add(call);
  const stop = session.feed.queryCache.observe(query, (state) => {
    states.push(state);
    session.calls.notify();
  });
  const codes = () =>
    states.map((state) =>
      state.status === "pending" ? null : ((state.error as { code?: string } | null)?.code ?? null),
    );
  return {
    states,
    codes,
    isSettled: () => states.at(-1) !== undefined && states.at(-1)?.status !== "pending",
    leave() {
      stop();
      session.calls.remove(call);
    },
  };
}
const queryTop = (top: number) => session.feed.rankings.queryCompanies(RANGE, top);
async function enterAll(count: number) {
  const cells = Array.from({ length: count }, (_, index) => enter(queryTop(index + 1)));
  await until(() => cells.every((cell) => cell.isSettled()));
  return cells;
}
const statuses = (cells: Awaited<ReturnType<typeof enterAll>>) =>
  new Set(cells.map(({ states }) => states.at(-1)?.status));

describe("a request over the budget", () => {
  it("waits for a person, who can decline it and confirm it later", async () => {
    session.change({ requestLimit: 3 });
    expect(session.confirmation.waiting()).toBeNull();
    const cells = await enterAll(5);
    const waiting = session.confirmation.waiting();
    expect(waiting).toEqual({ reason: "requests", requests: 5, isDeclined: false });
    expect(session.confirmation.waiting()).toBe(waiting);
    session.confirmation.decline();
    expect(session.confirmation.waiting()).toMatchObject({ requests: 5, isDeclined: true });
    expect(countData()).toBe(0);
    session.confirmation.confirm();
    await until(() => cells.every(({ states }) => states.at(-1)?.status === "answered"));
    expect([session.confirmation.waiting(), countData()]).toEqual([null, 5]);
  });

  it("is withdrawn when its cells are deleted, and confirmed again when more cells add requests", async () => {
    session.change({ requestLimit: 3 });
    const cells = await enterAll(5);
    session.confirmation.decline();
    const more = [11, 12, 13, 14].map((top) => enter(queryTop(top)));
    await until(() => more.every((cell) => cell.isSettled()));
    expect(session.confirmation.waiting()).toEqual({ reason: "requests", requests: 9, isDeclined: false });
    for (const { leave } of cells) leave();
    expect(session.confirmation.waiting()).toMatchObject({ requests: 4 });
    for (const { leave } of more) leave();
    expect(session.confirmation.waiting()).toBeNull();
  });

  it("is allowed up to the number of requests the person confirmed", async () => {
    session.change({ requestLimit: 3 });
    const gone = await enterAll(4);
    for (const { leave } of gone) leave();
    const queries = [11, 12, 13, 14].map((top) => enter(queryTop(top)));
    await until(() => queries.every((cell) => cell.isSettled()));
    expect(session.confirmation.waiting()).toMatchObject({ requests: 4 });
    const untold = [21, 22, 23, 24].map((top) => enter(queryTop(top)));
    await until(() => untold.every((cell) => cell.isSettled()));
    session.confirmation.confirm();
    await until(() => queries.every(({ states }) => states.at(-1)?.status === "answered"));
    const back = await enterAll(4);
    expect([statuses(untold), statuses(back)]).toEqual([new Set(["failed"]), new Set(["failed"])]);
    expect([countData(), session.confirmation.waiting()]).toMatchObject([4, { requests: 8, isDeclined: false }]);
  });

  it("is forgotten when it has no subscriber", async () => {
    session.change({ requestLimit: 3 });
    for (const { leave } of await enterAll(4)) leave();
    expect(session.feed.budget.unconfirmed()).toHaveLength(1);
    await until(() => session.feed.queryCache.size() === 0);
    expect([session.confirmation.waiting(), session.feed.budget.unconfirmed()]).toEqual([null, []]);
  });

  it("holds back a whole refresh until it is confirmed", async () => {
    const cells = await enterAll(5);
    const before = [session.refreshing.state(), session.changes.state()];
    session.change({ requestLimit: 3 });
    const { refetched, failures, isCancelled } = await session.refresh();
    expect([refetched, failures, isCancelled]).toEqual([0, [expect.objectContaining({ code: CONFIRM })], false]);
    expect([session.refreshing.state(), session.changes.state()]).toEqual(before);
    expect(cells.flatMap(({ codes }) => codes())).not.toContain(CONFIRM);
    expect([countData(), session.confirmation.waiting()]).toEqual([
      5,
      { reason: "requests", requests: 5, isDeclined: false },
    ]);
    session.confirmation.confirm();
    await until(() => session.refreshing.state().last !== null);
    expect(session.refreshing.state().last).toMatchObject({ refetched: 5, failures: [] });
    expect([countData(), session.confirmation.waiting(), statuses(cells)]).toEqual([10, null, new Set(["answered"])]);
  });

  it("prompts once for scheduled refreshes, and again for a refresh by hand", async () => {
    await enterAll(5);
    session.change({ requestLimit: 3 });
    await (session.schedule as Schedule).refresh();
    session.confirmation.decline();
    await (session.schedule as Schedule).refresh();
    expect(session.confirmation.waiting()).toMatchObject({ requests: 5, isDeclined: true });
    await session.refresh();
    expect(session.confirmation.waiting()).toMatchObject({ requests: 5, isDeclined: false });
    session.change({ requestLimit: 5 });
    await session.refresh();
    expect([session.confirmation.waiting(), countData()]).toEqual([null, 10]);
  });
});

describe("a workbook with another provider's values", () => {
  it("shows no cached answer and sends no request until a person confirms the new provider", async () => {
    await awaitAnswer(session.feed, queryTop(31));
    await until(() => countData() === 1);
    const hash = toHash(queryTop(31).key);
    await until(async () => [...(await readPersisted()).answers.keys()].some((key) => key.endsWith(hash)));
    session.feed.queryCache.close();
    open();
    session.adopt({ provider: OTHER });
    const cell = enter(queryTop(31));
    await until(cell.isSettled);
    expect(cell.states.at(-1)).toMatchObject({
      status: "failed",
      error: {
        code: CONFIRM,
        message: `this workbook's figures are from api.example.com; confirm in the FEED pane to fill it from sample data`,
      },
    });
    expect(session.confirmation.waiting()).toEqual({
      reason: "provider",
      from: OTHER,
      to: "sample",
      isDeclined: false,
    });
    session.confirmation.decline();
    expect(session.confirmation.waiting()).toMatchObject({ isDeclined: true });
    session.confirmation.confirm();
    await until(() => cell.states.at(-1)?.status === "answered");
    expect(cell.states.at(-1)).toMatchObject({ answer: { persisted: expect.anything() } });
    expect([session.settings.provider, session.confirmation.waiting(), countData()]).toEqual(["sample", null, 1]);
  });

  it("withdraws values shown before its provider was known", async () => {
    await session.connect();
    const [cell] = await enterAll(1);
    expect(cell?.codes()).toEqual([null]);
    session.adopt({ provider: OTHER });
    await until(() => cell?.codes().at(-1) === CONFIRM);
    expect(session.confirmation.waiting()).toMatchObject({ reason: "provider" });
  });

  it("needs no confirmation if it has no values; the first answer's provider is saved", async () => {
    session.adopt({});
    await session.connect();
    expect(session.settings.provider).toBeNull();
    await enterAll(1);
    await until(() => session.settings.provider !== null);
    expect([session.settings.provider, session.confirmation.waiting()]).toEqual(["sample", null]);
    session.feed.queryCache.reset();
    expect(statuses(await enterAll(1))).toEqual(new Set(["answered"]));
  });
});
