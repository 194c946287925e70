/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { act, cleanup, fireEvent, screen } from "@testing-library/react/pure";
import type { Query } from "../../src/feed/query-cache";
import type { Shown } from "../../src/session/calls";
import { createSession, type Session } from "../../src/session/session";
import { Paused, usePauses } from "../../src/taskpane/pane/Paused";
import { toTexts } from "../../src/taskpane/texts";
import { type Clock, createClock } from "../support/clock";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { until } from "../support/until";
import { checkPage } from "./access";
import { toCall } from "./call";
import { openPart } from "./open-pane";

const RANGE = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };

let companion: RunningCompanion;
let session: Session;
let clock: Clock;
let isThere: boolean;
let look: () => void;

beforeAll(async () => {
  companion = await startCompanion({ companies: 60 });
});
beforeEach(async () => {
  isThere = true;
  const network = { isThere: () => isThere, watch: (listener: () => void) => (look = listener) };
  clock = createClock({ hurryMs: 900, network, startMs: Date.now() }); // retries pass by themselves, seconds do not
  session = createSession({ ports: clock.ports, companionUrl: companion.origin });
  await session.connect();
  companion.controls.reset();
});
afterEach(() => {
  cleanup();
  session.feed.queryCache.close();
  expect(clock.timers()).toBe(0);
  session.disconnect();
});
afterAll(() => companion.close());

const load = (query: Query<unknown>) =>
  act(async () => {
    session.feed.queryCache.observe(query, () => {});
    await until(() => session.feed.queryCache.peek(query).status !== "pending");
  });
const loadRanking = (top = 5) => load(session.feed.rankings.queryCompanies(RANGE, top));
const refuse = (status: number, times: number, retryAfter?: number) => {
  companion.controls.answers.rankCompanies = { status, times, ...(retryAfter !== undefined && { retryAfter }) };
};
const show = (language = "en-US") => {
  const elsewhere = (
    <button key="elsewhere" type="button">
      elsewhere
    </button>
  );
  openPart(session, [elsewhere, <Pauses key="pauses" />], { texts: toTexts(language) });
};
const Pauses = () => <Paused pauses={usePauses(session)} />;
const said = () => screen.queryAllByRole("status").flatMap(({ textContent }) => textContent || []);
const advance = (ms: number) => act(() => clock.advance(ms));
/** Lets the time pass that the line of an ended pause stays. */
const untilGone = () =>
  until(async () => {
    await advance(500);
    return said().length === 0;
  });
const tryNow = () => screen.queryByRole("button", { name: "Try now" });

/** Two requests with all their retries, and the first attempt after the short pause that follows. */
async function breakRankings(times = 7): Promise<void> {
  refuse(503, times);
  await loadRanking(5);
  await loadRanking(6);
  await advance(2_000);
  await act(() => until(() => session.pauses.list().some(({ untilMs }) => untilMs > clock.nowMs() + 1_500)));
  await advance(0);
}

/** Enters a formula with a result, as its cell does. */
const enterCall = (shown: Shown, ...queries: Query<unknown>[]) => session.calls.add(toCall({ queries, shown }));

describe("a pause demanded by the provider", () => {
  it("is shown with its data family, and counted down each second until values come", async () => {
    show();
    expect(said()).toEqual([]);
    refuse(429, 1, 86);
    await loadRanking();
    await advance(1_000);
    expect(said()).toEqual([
      "Rankings: the provider has asked for a pause. Cells keep the values they have. Goes on by itself in 1:25.",
    ]);
    expect(tryNow()).toBeNull();
    await advance(1_000);
    expect(screen.getByRole("timer").textContent).toBe("Goes on by itself in 1:24.");
    await advance(84_000);
    await act(() => until(() => session.pauses.list().length === 0));
    expect(said()).toEqual([]);
  });

  it("is shown in Japanese, in one line for all families with the same reason and end", async () => {
    show("ja-JP");
    refuse(429, 1, 3_600);
    companion.controls.answers.getTaxonomyTree = { status: 429, retryAfter: 60 };
    await loadRanking();
    await load(session.feed.taxonomies.queryTree());
    expect(said()).toEqual([
      "ランキング、産業分類: データ提供元から待機を求められています。セルの値はそのまま残ります。1:00:00 以内にすべて自動的に再開します。",
    ]);
  });

  it("is not shown if it is very short, to avoid flicker", async () => {
    show();
    refuse(429, 1, 1);
    const query = session.feed.rankings.queryCompanies(RANGE, 5);
    session.feed.queryCache.observe(query, () => {});
    await act(() => until(() => session.pauses.list().length === 1));
    expect(said()).toEqual([]);
    await advance(1_000);
    await act(() => until(() => session.feed.queryCache.peek(query).status === "answered"));
    expect(said()).toEqual([]);
  });
});

describe("a pause after repeated failures", () => {
  it("says that cells keep their values, and can be ended by a person", async () => {
    show();
    await breakRankings();
    expect(said()).toEqual([
      "Rankings: the provider keeps failing. Cells keep the values they have. Goes on by itself in 0:03.Try now",
    ]);
    await checkPage("region");
    screen.getByRole("button", { name: "elsewhere" }).focus();
    tryNow()?.focus();
    fireEvent.click(tryNow() as HTMLElement);
    expect(screen.getByRole("timer").textContent).toBe("Trying now…");
    expect(document.activeElement).toBe(tryNow());
    expect(tryNow()?.getAttribute("aria-disabled")).toBe("true");
    await act(() =>
      until(() => companion.controls.count("rankCompanies") === 9 && session.feed.activity.pending() === 0),
    );
    await untilGone();
    expect(document.activeElement?.textContent).toBe("elsewhere"); // where it was before
  });

  it("shows that it is probing, and lasts longer if that fails", async () => {
    show();
    await breakRankings(8);
    companion.controls.latencyMs = 50;
    await advance(4_000);
    await act(() => until(() => companion.controls.count("rankCompanies") === 8));
    expect(said()).toEqual([
      "Rankings: the provider keeps failing. Cells keep the values they have. Trying now…Try now",
    ]);
    await act(() => until(() => session.pauses.list().some(({ untilMs }) => untilMs > clock.nowMs())));
    expect(screen.getByRole("timer").textContent).toMatch(/^Goes on by itself in 0:0[5-8]\.$/);
    expect(tryNow()).not.toBeNull();
  });

  it("shows the number of cells without a value", async () => {
    const [shared, alone] = [5, 6].map((top) => session.feed.rankings.queryCompanies(RANGE, top)) as [
      Query<unknown>,
      Query<unknown>,
    ];
    const failed = { code: "#N/A", message: "FEED_SERVER_FAILED: the provider failed with 503; refresh later" };
    for (let cell = 0; cell < 3; cell++) enterCall(failed, shared);
    enterCall([["A", failed, { code: "#N/A", message: "FEED_NOT_FOUND: no such record" }]], shared, alone);
    enterCall([["A", 1]], alone); // its old value
    enterCall(failed, session.feed.taxonomies.queryTree());
    show();
    await breakRankings();
    expect(said()).toEqual([
      "Rankings: the provider keeps failing. 4 cells show #N/A for that; the others keep their values. Goes on by itself in 0:03.Try now",
    ]);
    cleanup();
    show("ja-JP");
    expect(said()[0]).toContain("4 個のセルに #N/A が表示され、ほかのセルの値はそのまま残ります。");
  });

  it("is shown after a single failure too, which is retried automatically", async () => {
    show();
    refuse(503, 3);
    await loadRanking();
    await advance(0);
    expect(said()).toEqual([
      "Rankings: the provider keeps failing. Cells keep the values they have. Goes on by itself in 0:03.Try now",
    ]);
    fireEvent.click(tryNow() as HTMLElement);
    const isOver = () => companion.controls.count("rankCompanies") === 4 && session.pauses.list().length === 0;
    await act(() => until(isOver));
    await untilGone();
  });

  it("is not shown offline, which another line reports", async () => {
    show();
    await breakRankings();
    await act(async () => {
      isThere = false;
      look();
    });
    expect(said()).toEqual([]);
  });
});
