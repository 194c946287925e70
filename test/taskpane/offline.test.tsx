/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react/pure";
import { createPorts, type Ports } from "../../src/client/ports";
import { toPolicies } from "../../src/session/settings";
import { checkPage } from "./access";
import { createHurriedPorts } from "./gate";
import { enterFormula, openSettings, openWholePane } from "./open-whole-pane";
import { begin, companion, receive, said, serveSessions, session } from "./pane-sessions";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const RANGE = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };
const PARTS = ["Find", "Build", "Sheets", "This cell", "Changes"];

let isThere: boolean;
let look: () => void;
let nowMs: number;
/** The sent requests, by method and path. */
let sent: string[];

serveSessions();
beforeEach(() => {
  [isThere, sent, nowMs] = [true, [], new Date("2026-11-20T14:05:00").getTime()];
  openPage();
});
afterEach(() => session.disconnect());

/** A page whose network a test cuts: the browser's state, and the outcome of requests. */
function openPage(): void {
  const real = createHurriedPorts();
  const ports: Ports = {
    ...real,
    nowMs: () => nowMs,
    network: { isThere: () => isThere, watch: (listener) => (look = listener) },
    fetch: (input, init) => {
      sent.push(`${init?.method} ${new URL(String(input)).pathname}`);
      return isThere ? real.fetch(input, init) : Promise.reject(new TypeError("Failed to fetch"));
    },
  };
  begin(ports);
}
const setOnline = (is: boolean) =>
  act(async () => {
    isThere = is;
    look();
  });
const queryTop = (top: number) => session.feed.rankings.queryCompanies(RANGE, top);

describe("without a network", () => {
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
});

describe("the refresh schedule", () => {
  it("waits until the network is back", async () => {
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

describe("a query that failed without a network", () => {
  it("is refetched once when it is back, and no other query is", async () => {
    await session.connect();
    const answered = enterFormula(session, "Sheet1!A1", queryTop(5));
    await answered;
    await setOnline(false);
    await enterFormula(session, "Sheet1!B1", queryTop(6));
    expect(session.feed.queryCache.peek(queryTop(6))).toMatchObject({ error: { code: "FEED_SIGNER_UNREACHABLE" } });
    companion.controls.reset();
    await setOnline(true);
    await setOnline(true);
    await waitFor(() => expect(session.feed.queryCache.peek(queryTop(6)).status).toBe("answered"));
    await session.connect();
    expect(companion.controls.requests.filter(({ url }) => url.includes("2024-01-31"))).toHaveLength(1);
  });
});
