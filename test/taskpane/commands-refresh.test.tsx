/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { isDeepStrictEqual } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { cleanup, configure, fireEvent, screen, waitFor, within } from "@testing-library/react/pure";
import axe from "axe-core";
import { METRICS } from "../../src/contract/constants";
import type { CompanyPage } from "../../src/contract/types";
import type { FeedCell, Workbook } from "../../src/contract/workbook";
import { createPorts, type Ports } from "../../src/feed/ports";
import type { Call } from "../../src/session/calls";
import { createSession, type Session } from "../../src/session/session";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading } from "../support/direct-reading";
import { createGate } from "./gate";
import { enterFormula, openWholePane, toCell } from "./open-whole-pane";

const RANGE = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };
const METRIC_NAMES = Object.values(METRICS).flat().slice(0, 14);
const DAY_MS = 24 * 60 * 60_000;
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
const enter = (address: string, top: number, more: Partial<Call> = {}) =>
  enterFormula(session, address, ask(top), { given: { start: "2024-01-01", end: "2024-01-31", top }, ...more });
/** A cell that asks for so many of the ranking. */
const cellOf = (address: string, top: number): FeedCell => ({
  ...toCell(address),
  formula: `=FEED.RANKING("2024-01-01","2024-01-31",${top})`,
});
/** Connects, and waits for what tells what the client may read: those requests are not a refresh's. */
async function connect() {
  await session.connect();
  await waitFor(() =>
    expect(Object.values(session.access.state()).map(({ status }) => status)).not.toContain("asking"),
  );
}

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

  it("shows how far it has come, beside a sentence that is read out once", async () => {
    const gate = createGate("/ranking/v1/companies", 3); // the cells', and the one that shows what the client may read
    begin(gate.ports);
    const { press: pressRibbon } = openWholePane(session);
    await connect();
    await Promise.all([enter("Sheet1!A1", 5), enter("Sheet1!B1", 6)]);
    pressRibbon("refreshAll");
    await gate.reached;
    await hear("Asking again; cells show their values meanwhile.");
    const count = await screen.findByText("Refreshed 0 of 2 questions · 2 requests");
    expect(count.getAttribute("aria-hidden")).toBe("true");
    const bar = screen.getByRole("progressbar", { name: "Questions answered" });
    expect(bar.getAttribute("aria-valuenow")).toBeNull(); // moves by itself until the first answer
    expect((await axe.run(document.body, { rules: { region: { enabled: false } } })).violations).toEqual([]);
    gate.open();
    await hear("2 questions asked again.");
  });

  it("is called off by its own button: what has come stays, and the rest is as before", async () => {
    const gate = createGate("/ranking/v1/companies", 4);
    begin(gate.ports);
    const { press: pressRibbon } = openWholePane(session);
    await connect();
    await Promise.all([enter("Sheet1!A1", 5), enter("Sheet1!B1", 6)]);
    const before = [ask(5), ask(6)].map((question) => session.feed.watch.peek(question));
    pressRibbon("refreshAll");
    await gate.reached;
    await screen.findByText(/^Refreshed 1 of 2 questions/);
    const bar = screen.getByRole("progressbar", { name: "Questions answered" });
    expect([bar.getAttribute("aria-valuenow"), bar.getAttribute("aria-valuemax")]).toEqual(["1", "2"]);
    press("Cancel");
    await hear("Cancelled after 1 of 2 questions; the others keep their values. No cell changed.");
    const after = [ask(5), ask(6)].map((question) => session.feed.watch.peek(question));
    expect(after.map(({ status }) => status)).toEqual(["answered", "answered"]);
    expect(after.filter((state, index) => !isDeepStrictEqual(state, before[index]))).toHaveLength(1);
    gate.open();
  });

  it("joins the one that is under way, and shows how far both have come", async () => {
    const gate = createGate("/ranking/v1/companies", 3);
    begin(gate.ports);
    const { press: pressRibbon } = openWholePane(session, { cells: [cellOf("A1", 5)] });
    await connect();
    await Promise.all([enter("Sheet1!A1", 5), enter("Sheet1!B1", 6)]);
    pressRibbon("refreshSelection");
    await gate.reached;
    await screen.findByText("Refreshed 0 of 1 question · 1 request");
    pressRibbon("refreshAll");
    await screen.findByText(/^Refreshed 0 of 3 questions/);
    gate.open();
    await hear("3 questions asked again.");
    expect(countRankings()).toBe(4);
  });

  it("that nobody asked for only draws a line below the tabs, and More calls it off", async () => {
    const gate = createGate("/ranking/v1/companies", 2);
    begin(gate.ports);
    openWholePane(session);
    await connect();
    await enter("Sheet1!A1", 5);
    const refreshed = session.refresh();
    await gate.reached;
    await screen.findByRole("progressbar", { name: "Refreshing: 0%" });
    expect(screen.queryByText(/Asking again/)).toBeNull();
    press("More");
    press("Cancel refresh");
    expect((await refreshed).isCancelled).toBe(true);
    await waitFor(() => expect(screen.queryByRole("progressbar")).toBeNull());
    press("More");
    expect(screen.queryByRole("button", { name: "Cancel refresh" })).toBeNull();
    gate.open();
  });

  it("says how many cells changed, those too that take their value later, and leads to which", async () => {
    const { press: pressRibbon } = openWholePane(session);
    await enter("Sheet1!A1", 5, { shown: [[1]] });
    pressRibbon("refreshAll");
    await hear("1 question asked again. No cell changed.");
    Object.assign(session.calls.list()[0] as Call, { shown: [[2]] });
    session.calls.tell();
    await hear("1 question asked again. 1 cell changed.");
    press("What changed");
    expect(screen.getByRole("tab", { name: "Activity" }).getAttribute("aria-selected")).toBe("true");
    expect(said()).not.toContain("asked again");
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

  it("delivers once into a workbook that is calculated by hand, and tells why it could not", async () => {
    const delivered: string[] = [];
    const deliver: Workbook["deliver"] = async (push) => {
      delivered.push("automatic");
      const pushed = await push();
      delivered.push(`by hand, ${countRankings()} asked`);
      if (delivered.length > 2) throw Object.assign(new Error("busy"), { fault: "editing" });
      return pushed;
    };
    const { press: pressRibbon } = openWholePane(session, { workbook: { isManual: async () => true, deliver } });
    await enter("Sheet1!A1", 5);
    pressRibbon("refreshAll");
    await hear("Excel calculates by hand only");
    press("Deliver once");
    await hear("1 question asked again.");
    expect(delivered).toEqual(["automatic", "by hand, 2 asked"]);
    pressRibbon("refreshAll");
    await hear("Excel calculates by hand only");
    press("Deliver once");
    await hear("A cell is being edited.");
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
  it("asks again for the selected cells alone, wherever they have been moved to", async () => {
    const { press: pressRibbon } = openWholePane(session, { cells: [cellOf("A9", 5)] });
    await Promise.all([enter("Sheet1!A1", 5), enter("Sheet1!A9", 6)]);
    pressRibbon("refreshSelection");
    await hear("1 question asked again.");
    expect(countRankings()).toBe(3);
    expect(companion.controls.requests.at(-1)?.url).toContain("page_size=5");
  });

  it("asks one request for a company's 140 cells", async () => {
    await session.connect();
    const read = await createDirectReading(companion.origin);
    const page = await read<CompanyPage>("/asia/private-markets/v1/companies?country=ALL&page_size=2");
    const [company = "", other = ""] = page.data.map(({ id }) => id);
    const years = Array.from({ length: 10 }, (_, index) => 2014 + index);
    const enterGrid = (companyId: string) =>
      years.flatMap((year) =>
        METRIC_NAMES.map((metric) =>
          enterFormula(session, "Sheet1!A1", session.feed.financials.ask({ companyId }, { year }), {
            name: "FINANCIAL",
            given: { company: [[companyId]], year: [[year]], metric: [[metric]], basis: null, unit: null },
          }),
        ),
      );
    await Promise.all([...enterGrid(company), ...enterGrid(other)]);
    const cells = years.flatMap((year, row) =>
      METRIC_NAMES.map((metric, column) => {
        const address = `${String.fromCharCode(66 + column)}${row + 2}`;
        return { ...toCell(address), formula: `=FEED.FINANCIAL("${company}",${year},"${metric}")` };
      }),
    );
    const { press: pressRibbon } = openWholePane(session, { cells });
    const countFinancials = () => companion.controls.requests.filter(({ url }) => /financials\//.test(url)).length;
    const before = countFinancials();
    pressRibbon("refreshSelection");
    await hear("10 questions asked again.");
    expect(cells.length).toBe(140);
    expect(countFinancials() - before).toBe(1);
  });

  it("says of how many cells it is not known what they hold", async () => {
    const { press: pressRibbon } = openWholePane(session, {
      cells: [cellOf("A1", 5), cellOf("A2", 7), cellOf("A3", 8)],
    });
    await enter("Sheet1!A1", 5);
    pressRibbon("refreshSelection");
    await hear("1 question asked again. Of 2 cells it is not known which live formulas they hold;");
  });

  it("offers what needs no cell where it is known of none", async () => {
    const { press: pressRibbon } = openWholePane(session, { cells: [cellOf("A1", 7)] });
    await enter("Sheet1!A1", 5);
    pressRibbon("refreshSelection");
    await hear("It is not known which live formulas 1 cell hold");
    expect(countRankings()).toBe(1);
    const notice = within(screen.getAllByRole("status").find(({ textContent }) => textContent !== "") as HTMLElement);
    expect(notice.getAllByRole("button").map(({ textContent }) => textContent)).toEqual([
      "✕",
      "Refresh all",
      "Refresh stale",
      "Refresh errors",
    ]);
    fireEvent.click(notice.getByRole("button", { name: "Refresh all" }));
    await hear("1 question asked again.");
  });

  it("says so where nothing of ours is selected, or what is asks for nothing", async () => {
    openWholePane(session).press("refreshSelection");
    await hear("The selection holds no FEED formula.");
    cleanup();
    const status = { name: "STATUS", given: { what: null }, questions: [] };
    void enterFormula(session, "Sheet1!A1", ask(5), status);
    const cells = [{ ...toCell("A1"), formula: "=FEED.STATUS()" }];
    openWholePane(session, { cells }).press("refreshSelection");
    await hear("This FEED formula asks the provider for nothing");
    press("Show Activity");
    expect(screen.getByRole("tab", { name: "Activity" }).getAttribute("aria-selected")).toBe("true");
  });

  it("says that it is looking where that takes long", async () => {
    let found: (cells: FeedCell[]) => void = () => {};
    const listFeedCells = () => new Promise<FeedCell[]>((resolve) => (found = resolve));
    openWholePane(session, { workbook: { listFeedCells } }).press("refreshSheet");
    await hear("Looking for FEED formulas…");
    found([]);
    await hear("This sheet holds no FEED formula.");
  });
});

describe("Refresh stale", () => {
  it("asks again for what is older than the workbook wants it, and what the last refresh could not get", async () => {
    let nowMs = Date.now();
    begin({ ...createPorts(), nowMs: () => nowMs });
    const { press: pressRibbon } = openWholePane(session);
    await enter("Sheet1!A1", 5);
    pressRibbon("refreshStale");
    await hear("Nothing is stale: every answer is as fresh as this workbook wants it.");
    expect(countRankings()).toBe(1);
    nowMs += 100 * DAY_MS; // what is over is kept for 90
    await enter("Sheet1!B1", 6);
    pressRibbon("refreshStale");
    await hear("1 question asked again.");
    expect(companion.controls.requests.at(-1)?.url).toContain("page_size=5");
    companion.controls.answers.rankCompanies = { status: 403, times: 1 };
    pressRibbon("refreshAll");
    await hear("1 of 2 questions failed");
    const before = countRankings();
    pressRibbon("refreshStale");
    await hear("1 question asked again.");
    expect(countRankings()).toBe(before + 1);
  });
});

describe("Refresh errors", () => {
  it("asks again for what shows an error, alone or in one cell of a table", async () => {
    const { press: pressRibbon } = openWholePane(session);
    await enter("Sheet1!A1", 5, { shown: [[1], [2]] });
    pressRibbon("refreshErrors");
    await hear("No FEED formula shows an error.");
    await enter("Sheet1!B1", 6, { shown: [[1, 2], [3, { code: "#N/A" }]] });
    await enter("Sheet1!C1", 7, { shown: { code: "#N/A", message: "no value" } });
    const before = countRankings();
    pressRibbon("refreshErrors");
    await hear("2 questions asked again.");
    expect(countRankings()).toBe(before + 2);
  });

  it("says where an error can be read that no refresh mends", async () => {
    void enterFormula(session, "Sheet1!A1", ask(5), {
      questions: [],
      error: new Error("year"),
      shown: { code: "#VALUE!" },
    });
    openWholePane(session).press("refreshErrors");
    await hear("Where one shows an error, Activity says why.");
  });
});
