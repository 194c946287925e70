/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react/pure";
import { createPorts, type Ports } from "../../src/client/ports";
import type { Query } from "../../src/feed/query-cache";
import type { Shown } from "../../src/session/calls";
import { toPolicies } from "../../src/session/settings";
import { Paused, usePauses } from "../../src/taskpane/pane/Warnings";
import { toTexts } from "../../src/taskpane/texts";
import { type Clock, createClock } from "../support/clock";
import { until } from "../support/until";
import { checkPage } from "./access";
import { toCall } from "./call";
import { createHurriedPorts } from "./gate";
import { openPart } from "./open-pane";
import { enterFormula, openSettings, openWholePane } from "./open-whole-pane";
import { begin, companion, receive, said, serveSessions, session } from "./pane-sessions";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const RANGE = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };
const PARTS = ["Find", "Build", "Sheets", "This cell", "Changes"];

let clock: Clock;
let isThere: boolean;
let look: () => void;

serveSessions(60);
beforeEach(() => {
  isThere = true;
});

/** A browser's state that a test changes. */
const network = { isThere: () => isThere, watch: (listener: () => void) => (look = listener) };
const setOnline = (is: boolean) =>
  act(async () => {
    isThere = is;
    look();
  });
const queryTop = (top: number) => session.feed.rankings.queryCompanies(RANGE, top);

/** Gives each test of a block a connected session with a clock of its own, no timer of which outlives the session. */
function serveTimes(): void {
  beforeEach(async () => {
    clock = createClock({ hurryMs: 900, network, startMs: Date.now() }); // retries pass by themselves, seconds do not
    begin(clock.ports);
    await session.connect();
    companion.controls.reset();
  });
  afterEach(() => {
    cleanup();
    session.feed.queryCache.close();
    expect(clock.timers()).toBe(0);
    session.disconnect();
  });
}

const load = (query: Query<unknown>) =>
  act(async () => {
    session.feed.queryCache.observe(query, () => {});
    await until(() => session.feed.queryCache.peek(query).status !== "pending");
  });
const loadRanking = (top = 5) => load(queryTop(top));
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
const lines = () => screen.queryAllByRole("status").flatMap(({ textContent }) => textContent || []);
const advance = (ms: number) => act(() => clock.advance(ms));
/** Lets the time pass that the line of an ended pause stays. */
const untilGone = () =>
  until(async () => {
    await advance(500);
    return lines().length === 0;
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
  serveTimes();

  it("is shown with its data family, and counted down each second until values come", async () => {
    show();
    expect(lines()).toEqual([]);
    refuse(429, 1, 86);
    await loadRanking();
    await advance(1_000);
    expect(lines()).toEqual([
      "Rankings: the provider has asked for a pause. Cells keep the values they have. Goes on by itself in 1:25.",
    ]);
    expect(tryNow()).toBeNull();
    await advance(1_000);
    expect(screen.getByRole("timer").textContent).toBe("Goes on by itself in 1:24.");
    await advance(84_000);
    await act(() => until(() => session.pauses.list().length === 0));
    expect(lines()).toEqual([]);
  });

  it("is shown in Japanese, in one line for all families with the same reason and end", async () => {
    show("ja-JP");
    refuse(429, 1, 3_600);
    companion.controls.answers.getTaxonomyTree = { status: 429, retryAfter: 60 };
    await loadRanking();
    await load(session.feed.taxonomies.queryTree());
    expect(lines()).toEqual([
      "ランキング、産業分類: データ提供元から待機を求められています。セルの値はそのまま残ります。1:00:00 以内にすべて自動的に再開します。",
    ]);
  });

  it("is not shown if it is very short, to avoid flicker", async () => {
    show();
    refuse(429, 1, 1);
    const query = queryTop(5);
    session.feed.queryCache.observe(query, () => {});
    await act(() => until(() => session.pauses.list().length === 1));
    expect(lines()).toEqual([]);
    await advance(1_000);
    await act(() => until(() => session.feed.queryCache.peek(query).status === "answered"));
    expect(lines()).toEqual([]);
  });
});

describe("a pause after repeated failures", () => {
  serveTimes();

  it("says that cells keep their values, and can be ended by a person", async () => {
    show();
    await breakRankings();
    expect(lines()).toEqual([
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
    expect(lines()).toEqual([
      "Rankings: the provider keeps failing. Cells keep the values they have. Trying now…Try now",
    ]);
    await act(() => until(() => session.pauses.list().some(({ untilMs }) => untilMs > clock.nowMs())));
    expect(screen.getByRole("timer").textContent).toMatch(/^Goes on by itself in 0:0[5-8]\.$/);
    expect(tryNow()).not.toBeNull();
  });

  it("shows the number of cells without a value", async () => {
    const [shared, alone] = [queryTop(5), queryTop(6)];
    const failed = { code: "#N/A", message: "FEED_SERVER_FAILED: the provider failed with 503; refresh later" };
    for (let cell = 0; cell < 3; cell++) enterCall(failed, shared);
    enterCall([["A", failed, { code: "#N/A", message: "FEED_NOT_FOUND: no such record" }]], shared, alone);
    enterCall([["A", 1]], alone); // its old value
    enterCall(failed, session.feed.taxonomies.queryTree());
    show();
    await breakRankings();
    expect(lines()).toEqual([
      "Rankings: the provider keeps failing. 4 cells show #N/A for that; the others keep their values. Goes on by itself in 0:03.Try now",
    ]);
  });

  it("is shown after a single failure too, which is retried automatically", async () => {
    show();
    refuse(503, 3);
    await loadRanking();
    await advance(0);
    expect(lines()).toEqual([
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
    await setOnline(false);
    expect(lines()).toEqual([]);
  });
});

let nowMs: number;
/** The sent requests, by method and path. */
let sent: string[];

/** A page whose requests fail while a test has cut its network. */
function openPage(): void {
  const real = createHurriedPorts();
  const ports: Ports = {
    ...real,
    nowMs: () => nowMs,
    network,
    fetch: (input, init) => {
      sent.push(`${init?.method} ${new URL(String(input)).pathname}`);
      return isThere ? real.fetch(input, init) : Promise.reject(new TypeError("Failed to fetch"));
    },
  };
  begin(ports);
}

/** Gives each test of a block such a page. */
function servePages(): void {
  beforeEach(() => {
    [sent, nowMs] = [[], new Date("2026-11-20T14:05:00").getTime()];
    openPage();
  });
  afterEach(() => session.disconnect());
}

describe("without a network", () => {
  servePages();

  it("the pane says so with the time, in one line on every tab, until it is back", async () => {
    await session.connect();
    openWholePane(session);
    expect(said()).not.toContain("Offline");
    await setOnline(false);
    for (const name of PARTS) {
      fireEvent.click(screen.getByRole("tab", { name }));
      expect(said()).toContain(
        "Offline since 14:05. Cells show what came before; they go on when the network is back.",
      );
    }
    await checkPage("region");
    await setOnline(true);
    expect(said()).not.toContain("Offline");
  });

  it("it says so in Japanese, with the day if that differs", async () => {
    await setOnline(false);
    nowMs += DAY_MS;
    openWholePane(session, { language: "ja-JP" });
    await receive("11月20日 14:05 からオフラインです。");
  });

  it("a reopened pane still marks sample data as such, and no other", async () => {
    await session.connect();
    session.disconnect();
    isThere = false;
    openPage();
    openWholePane(session);
    await act(() => session.connect());
    expect(session.state()).toMatchObject({ status: "failed", configuration: null });
    expect(screen.getByRole("button", { name: /sample data$/ }).title).toContain("nothing here is real");
    cleanup();
    localStorage.setItem("feed.owner", "https://provider.example client");
    openPage();
    openWholePane(session);
    await act(() => session.connect());
    expect(screen.queryByText("sample data")).toBeNull();
  });

  it("Connect reports no fault, and connects when the network is back", async () => {
    isThere = false;
    openPage();
    openWholePane(session);
    await act(() => session.connect());
    expect(session.state()).toMatchObject({ status: "failed", error: { code: "FEED_SIGNER_UNREACHABLE" } });
    openSettings();
    await receive("Not connected, since there is no network. The pane connects by itself when it is back.");
    expect(document.body.textContent).not.toMatch(/npm start|does not answer/);
    await setOnline(true);
    await receive(/^Connected/m);
  });

  it("a refresh asks the provider for nothing, says why, and works once the network is back", async () => {
    await session.connect();
    const { press: pressRibbon } = openWholePane(session);
    await Promise.all([
      enterFormula(session, "Sheet1!A1", queryTop(5)),
      enterFormula(session, "Sheet1!B1", queryTop(6)),
    ]);
    await setOnline(false);
    sent = [];
    pressRibbon("refreshAll");
    await receive("There is no network, so nothing was asked. Cells keep their values.");
    expect(new Set(sent)).toEqual(new Set(["GET /companion/config"]));
    await setOnline(true);
    await waitFor(() => expect(session.state().status).toBe("connected"));
    await waitFor(() => expect(screen.queryByText(/There is no network/)).toBeNull());
    pressRibbon("refreshAll");
    await receive("2 formulas refreshed.");
  });

  it("a refresh works if the companion still answers", async () => {
    await session.connect();
    const { press: pressRibbon } = openWholePane(session);
    await enterFormula(session, "Sheet1!A1", queryTop(5));
    const { fetch } = createPorts();
    session.ports.fetch = fetch; // as on the person's own machine
    await setOnline(false);
    nowMs += 1000;
    pressRibbon("refreshAll");
    await receive("1 formula refreshed.");
    expect(said()).not.toContain("Offline");
  });

  it("the refresh schedule waits until the network is back", async () => {
    await session.connect();
    session.change({ refresh: toPolicies("every-5") });
    const dueAtMs = nowMs + 5 * MINUTE_MS;
    expect(session.schedule.nextAtMs()).toBe(dueAtMs);
    await setOnline(false);
    expect(session.schedule.nextAtMs()).toBeNull();
    await setOnline(true);
    expect(session.schedule.nextAtMs()).toBe(dueAtMs);
  });
});
