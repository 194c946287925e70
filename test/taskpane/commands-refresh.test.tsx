/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { cleanup, configure, fireEvent, screen, waitFor, within } from "@testing-library/react/pure";
import type { FeedCell } from "../../src/contract/workbook";
import { createPorts, type Ports } from "../../src/feed/ports";
import { createSession, type Session } from "../../src/session/session";
import { findCalls } from "../../src/taskpane/commands/refresh";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createGate } from "./gate";
import { enterFormula, openWholePane, toCell } from "./open-whole-pane";

const RANGE = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };
const ALWAYS = Number.POSITIVE_INFINITY;

let companion: RunningCompanion;
let session: Session;

beforeAll(async () => {
  configure({ asyncUtilTimeout: 10_000 }); // an exchange may take a busy machine longer than the default second
  companion = await startCompanion({ companies: 100 });
});
beforeEach(() => {
  companion.controls.reset();
  begin();
});
afterEach(() => {
  cleanup();
  session.feed.watch.close();
  localStorage.clear();
});
afterAll(() => companion.close());

function begin(ports: Ports = createPorts()) {
  session = createSession({ ports, companionUrl: companion.origin });
}

const ask = (top: number) => session.feed.rankings.askCompanies(RANGE, top);
const enter = (address: string, top: number) => enterFormula(session, address, ask(top));
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }));
const said = () =>
  screen
    .getAllByRole("status")
    .map(({ textContent }) => textContent)
    .join("\n");
const hear = (text: string | RegExp) => waitFor(() => expect(said()).toMatch(text));
/** Without those by which the pane finds out what the client may read, which are of another range. */
const countRankings = () => companion.controls.requests.filter(({ url }) => url.includes("2024-01-31")).length;

describe("Refresh all", () => {
  it("connects a pane that is not connected yet, asks again and says how much", async () => {
    const { press: pressRibbon } = openWholePane(session);
    const entered = Promise.all([enter("Sheet1!A1", 5), enter("Sheet1!B1", 6)]);
    pressRibbon("refreshAll");
    await entered;
    await hear("2 questions asked again.");
    expect(session.state().status).toBe("connected");
  });

  it("says that there is nothing to refresh", async () => {
    openWholePane(session).press("refreshAll");
    await hear("No cell asks for anything yet");
  });

  it("shows how far it has come in a bar, beside a sentence that is read out once", async () => {
    const gate = createGate("/ranking/v1/companies", 3); // the cells', and the one that shows what the client may read
    begin(gate.ports);
    const { press: pressRibbon } = openWholePane(session);
    await Promise.all([enter("Sheet1!A1", 5), enter("Sheet1!B1", 6)]);
    pressRibbon("refreshAll");
    await gate.reached;
    await hear("Asking 2 questions again");
    const bar = screen.getByRole("progressbar", { name: "Questions answered" });
    expect([bar.getAttribute("aria-valuenow"), bar.getAttribute("aria-valuemax")]).toEqual(["0", "2"]);
    gate.open();
    await hear("2 questions asked again.");
  });

  it("tells why questions failed and what to do, and that cells keep their values", async () => {
    const { press: pressRibbon } = openWholePane(session);
    await Promise.all([enter("Sheet1!A1", 5), enter("Sheet1!B1", 6)]);
    companion.controls.answers.rankCompanies = { status: 403, times: 1 };
    pressRibbon("refreshAll");
    await hear("1 of 2 questions failed; cells keep the last value they had.");
    expect(said()).toContain("What to do");
    expect(said()).toContain("FEED_SCOPE_MISSING");
  });

  it("asks nothing before the person knows that Excel calculates by hand only", async () => {
    const { press: pressRibbon } = openWholePane(session, { workbook: { isManual: async () => true } });
    await enter("Sheet1!A1", 5);
    pressRibbon("refreshAll");
    await hear("Excel calculates by hand only");
    expect(countRankings()).toBe(1);
    press("Refresh anyway");
    await hear("1 question asked again.");
    expect(countRankings()).toBe(2);
  });

  it("does not connect again by itself whoever disconnected, but offers it", async () => {
    const { press: pressRibbon } = openWholePane(session);
    await enter("Sheet1!A1", 5);
    session.disconnect();
    pressRibbon("refreshAll");
    await hear("Disconnected, so nothing can be asked.");
    expect(session.state().status).toBe("disconnected");
    press("Connect and refresh");
    await hear("1 question asked again.");
  });

  it("says nothing of success to whoever disconnects meanwhile", async () => {
    const gate = createGate("/ranking/v1/companies", 2);
    begin(gate.ports);
    const { press: pressRibbon } = openWholePane(session);
    await enter("Sheet1!A1", 5);
    pressRibbon("refreshAll");
    await gate.reached;
    session.disconnect();
    gate.open();
    await waitFor(() => expect(screen.getAllByRole("status")[0]?.textContent).toMatch(/^Disconnected\. Cells keep/));
  });

  it("leads to what keeps it from connecting", async () => {
    companion.controls.answers.createToken = { status: 401, times: ALWAYS };
    const { press: pressRibbon } = openWholePane(session);
    fireEvent.click(screen.getByRole("tab", { name: "Find" }));
    pressRibbon("refreshAll");
    await hear("Not connected, so nothing was asked. The Connect tab tells why.");
    press("Show Connect");
    expect(screen.getByRole("tab", { name: "Connect" }).getAttribute("aria-selected")).toBe("true");
  });
});

describe("Refresh selection", () => {
  it("asks again for the selected cells alone", async () => {
    const { press: pressRibbon } = openWholePane(session, { cells: [toCell("A1")] });
    await Promise.all([enter("Sheet1!A1", 5), enter("Sheet1!B1", 6)]);
    pressRibbon("refreshSelection");
    await hear("1 question asked again.");
    expect(countRankings()).toBe(3);
  });

  it("says of which cells it is not known what they asked", async () => {
    const { press: pressRibbon } = openWholePane(session, { cells: [toCell("A1"), toCell("A2"), toCell("A3")] });
    await enter("Sheet1!A1", 5);
    pressRibbon("refreshSelection");
    await hear(/1 question asked again\. Of 2 cells it is not known/);
  });

  it("offers to refresh all where it is known of none", async () => {
    const { press: pressRibbon } = openWholePane(session, { cells: [toCell("C9")] });
    await enter("Sheet1!A1", 5);
    pressRibbon("refreshSelection");
    await hear("It is not known what 1 cell asked for");
    expect(countRankings()).toBe(1);
    fireEvent.click(
      within(screen.getAllByRole("status")[0] as HTMLElement).getByRole("button", { name: "Refresh all" }),
    );
    await hear("1 question asked again.");
  });

  it("says so where nothing of ours is selected", async () => {
    openWholePane(session).press("refreshSelection");
    await hear("The selection holds no FEED formula.");
  });

  it("knows a cell however the host writes its address", () => {
    const live = ["'Sales 2024'!$B$3", "Sales 2024!B3", "'It''s'!C4", null].map((address) => ({
      ...{
        name: "RANKING",
        given: {},
        address,
        questions: [],
        error: null,
        shown: null,
        findOrigin: () => ({ error: null, places: [] }),
        reread() {},
      },
    }));
    const found = (cell: FeedCell) => findCalls(live, [cell]).calls.map(({ address }) => address);
    expect(found(toCell("B3", 1, "Sales 2024"))).toEqual(["'Sales 2024'!$B$3", "Sales 2024!B3"]);
    expect(found(toCell("C4", 1, "It's"))).toEqual(["'It''s'!C4"]);
    expect(findCalls(live, [toCell("C4", 1, "Sales 2024")])).toEqual({ calls: [], unknown: 1 });
  });
});
