/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it } from "@jest/globals";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react/pure";
import { ArgumentError } from "../../src/client/errors";
import { METRICS } from "../../src/contract/constants";
import type { CompanyPage } from "../../src/contract/types";
import type { FeedCell } from "../../src/contract/workbook";
import type { Call } from "../../src/session/calls";
import { useInsert } from "../../src/taskpane/insert";
import { createDirectReading } from "../support/direct-reading";
import { createHurriedPorts } from "./gate";
import { openPart } from "./open-pane";
import { enterFormula, openTab, openWholePane, toCell } from "./open-whole-pane";
import { ALWAYS, begin, companion, press, receive, said, serveSessions, session } from "./pane-sessions";
import { cellOf, countRankings, enter, enterTwo, listRankings, queryTop } from "./refresh-page";

const METRIC_NAMES = Object.values(METRICS).flat().slice(0, 14);
const DAY_MS = 24 * 60 * 60_000;

serveSessions();

describe("Refresh selection", () => {
  it("refetches the selected cells alone, wherever they have moved", async () => {
    const { press: pressRibbon } = openWholePane(session, { cells: [cellOf("A9", 5)] });
    await Promise.all([enter("Sheet1!A1", 5), enter("Sheet1!A9", 6)]);
    pressRibbon("refreshSelection");
    await receive("1 formula refreshed.");
    expect(countRankings()).toBe(3);
    expect(listRankings().at(-1)).toContain("page_size=5");
  });

  it("sends one request for a company's 140 cells", async () => {
    await session.connect();
    const read = await createDirectReading(companion.origin);
    const page = await read<CompanyPage>("/asia/private-markets/v1/companies?country=ALL&page_size=2");
    const [company = "", other = ""] = page.data.map(({ id }) => id);
    const years = Array.from({ length: 10 }, (_, index) => 2014 + index);
    const enterGrid = (companyId: string) =>
      years.flatMap((year) =>
        METRIC_NAMES.map((metric) =>
          enterFormula(session, "Sheet1!A1", session.feed.financials.query({ companyId }, { year }), {
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
    await receive("140 formulas refreshed.");
    expect(cells.length).toBe(140);
    expect(countFinancials() - before).toBe(1);
  });

  it("reports the number of cells with unknown formulas", async () => {
    const { press: pressRibbon } = openWholePane(session, {
      cells: [cellOf("A1", 5), cellOf("A2", 7), cellOf("A3", 8)],
    });
    await enter("Sheet1!A1", 5);
    pressRibbon("refreshSelection");
    await receive("1 formula refreshed. Of 2 cells it is not known which live formulas they hold;");
  });

  it("offers a refresh of everything if no selected formula is known", async () => {
    const { press: pressRibbon } = openWholePane(session, { cells: [cellOf("A1", 7)] });
    await enter("Sheet1!A1", 5);
    pressRibbon("refreshSelection");
    await receive("It is not known which live formulas 1 cell hold");
    expect(countRankings()).toBe(1);
    const notice = within(screen.getByText(/^It is not known which/).closest("[role=status]") as HTMLElement);
    expect(notice.getAllByRole("button").map(({ textContent }) => textContent)).toEqual([
      "✕",
      "Refresh all",
      "Refresh stale",
      "Refresh errors",
    ]);
    fireEvent.click(notice.getByRole("button", { name: "Refresh all" }));
    await receive("1 formula refreshed.");
  });

  it("reports a selection without our formulas or queries", async () => {
    openWholePane(session).press("refreshSelection");
    await receive("The selection holds no FEED formula.");
    cleanup();
    const status = { name: "STATUS", given: { what: null }, queries: [] };
    void enterFormula(session, "Sheet1!A1", queryTop(5), status);
    const cells = [{ ...toCell("A1"), formula: "=FEED.STATUS()" }];
    openWholePane(session, { cells }).press("refreshSelection");
    await receive("This FEED formula needs nothing of the provider");
    press("Show formulas");
    expect(screen.getByRole("tab", { name: "Changes" }).getAttribute("aria-selected")).toBe("true");
  });

  it("shows that it is searching if that takes long", async () => {
    let found: (cells: FeedCell[]) => void = () => {};
    const listFeedCells = () => new Promise<FeedCell[]>((resolve) => (found = resolve));
    openWholePane(session, { workbook: { listFeedCells } }).press("refreshSheet");
    await receive("Looking for FEED formulas…");
    found([]);
    await receive("This sheet holds no FEED formula.");
  });
});

describe("Refresh stale", () => {
  it("refetches answers older than the workbook's policy and those that failed last", async () => {
    let nowMs = Date.now();
    begin({ ...createHurriedPorts(), nowMs: () => nowMs });
    const { press: pressRibbon } = openWholePane(session);
    await enter("Sheet1!A1", 5);
    pressRibbon("refreshStale");
    await receive("Nothing is stale: every answer is as fresh as this workbook wants it.");
    expect(countRankings()).toBe(1);
    nowMs += 100 * DAY_MS; // past periods are fresh for 90
    await enter("Sheet1!B1", 6);
    pressRibbon("refreshStale");
    await receive("1 formula refreshed.");
    expect(listRankings().at(-1)).toContain("page_size=5");
    companion.controls.answers.rankCompanies = { status: 403, times: 1 };
    pressRibbon("refreshAll");
    await receive("1 of 2 formulas could not be refreshed");
    const before = countRankings();
    pressRibbon("refreshStale");
    await receive("1 formula refreshed.");
    expect(countRankings()).toBe(before + 1);
  });
});

describe("Refresh errors", () => {
  it("refetches errors, of a single cell or inside a table", async () => {
    const { press: pressRibbon } = openWholePane(session);
    await enter("Sheet1!A1", 5, { shown: [[1], [2]] });
    pressRibbon("refreshErrors");
    await receive("No FEED formula shows an error.");
    await enter("Sheet1!B1", 6, {
      shown: [
        [1, 2],
        [3, { code: "#N/A" }],
      ],
    });
    await enter("Sheet1!C1", 7, { shown: { code: "#N/A", message: "no value" } });
    const before = countRankings();
    pressRibbon("refreshErrors");
    await receive("2 formulas refreshed.");
    expect(countRankings()).toBe(before + 2);
  });

  it("reports an error that no refresh fixes, with its place", async () => {
    void enterFormula(session, "Sheet1!A1", queryTop(5), {
      queries: [],
      error: new Error("year"),
      shown: { code: "#VALUE!" },
    });
    openWholePane(session).press("refreshErrors");
    await receive("Where one shows an error, Changes says why.");
  });
});

const leaves = (text: RegExp) => waitFor(() => expect(said()).not.toMatch(text));

describe("a notice", () => {
  it("of a refresh leaves when the refresh is undone", async () => {
    const { press: pressRibbon } = openWholePane(session);
    await enter("Sheet1!A1", 5, { shown: [[1]] });
    openTab("Changes");
    pressRibbon("refreshAll");
    await receive("1 formula refreshed.");
    Object.assign(session.calls.list()[0] as Call, { shown: [[2]] });
    session.calls.notify();
    await receive("1 cell changed.");
    fireEvent.click(await screen.findByRole("button", { name: "Undo" }));
    await leaves(/1 formula refreshed/);
  });

  it("of a refresh leaves when another one begins by itself", async () => {
    const { press: pressRibbon } = openWholePane(session);
    await enter("Sheet1!A1", 5);
    pressRibbon("refreshAll");
    await receive("1 formula refreshed.");
    await session.refresh();
    await leaves(/1 formula refreshed/);
  });

  it("of a missing connection leaves on connecting", async () => {
    companion.controls.answers.createToken = { status: 401, times: ALWAYS };
    openWholePane(session).press("refreshAll");
    await receive("Not connected, so nothing was refreshed.");
    companion.controls.reset();
    await session.connect();
    await leaves(/nothing was refreshed/);
  });

  it("of frozen formulas leaves when formulas are back", async () => {
    const cells: FeedCell[] = [toCell("A1"), toCell("A2")];
    openWholePane(session, { cells }).press("freezeWorkbook");
    await receive("2 FEED formulas");
    press("Freeze 2 FEED formulas");
    await receive("2 formulas are values now.");
    void enterFormula(session, "Sheet1!A1", queryTop(5));
    await leaves(/are values now/);
  });

  it("of inserted cells leaves when they are emptied", async () => {
    const Insert = () => {
      const insert = useInsert();
      return (
        <button type="button" onClick={() => void insert({ cells: [[1, 2]] })}>
          Insert
        </button>
      );
    };
    const { workbook } = openPart(session, <Insert />);
    press("Insert");
    await receive("Inserted at Sheet1!A1");
    workbook.select({ sheet: "Sheet1", address: "C3" });
    await receive("Inserted at Sheet1!A1");
    workbook.cells.clear();
    workbook.select({ sheet: "Sheet1", address: "C4" });
    await leaves(/Inserted at/);
  });
});

describe("a refresh's result", () => {
  it("names the cells that failed, leads there, and counts no formula to correct among them", async () => {
    const { fake, press: pressRibbon } = openWholePane(session, { cells: [cellOf("A1", 5), cellOf("B7", 6)] });
    await enterTwo({ shown: [[1]] });
    const error = new ArgumentError("start is missing");
    const shown = { code: "#VALUE!" };
    void enterFormula(session, "Sheet1!C1", queryTop(5), { given: {}, queries: [], error, shown });
    companion.controls.answers.rankCompanies = { status: 403, times: 2 };
    pressRibbon("refreshAll");
    await receive("2 of 2 formulas could not be refreshed; cells that had a value keep it: Sheet1!A1, Sheet1!B7");
    expect(said()).toContain("1 formula needs your attention.");
    fake.cells.set("Sheet1!B7", { formula: cellOf("B7", 6).formula });
    press("Sheet1!B7");
    await waitFor(async () => expect(await fake.readSelection()).toMatchObject({ address: "B7" }));
  });
});
