/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it } from "@jest/globals";
import { fireEvent, screen, waitFor } from "@testing-library/react/pure";
import type { FeedCell } from "../../src/contract/workbook";
import type { Call } from "../../src/session/calls";
import { useInsert } from "../../src/taskpane/insert";
import { openPart } from "./open-pane";
import { enterFormula, openTab, openWholePane, toCell } from "./open-whole-pane";
import { receive, said } from "./pane-sessions";
import { cellOf, companion, enter, press, queryTop, serveSessions, session } from "./refresh-page";

serveSessions();

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
    companion.controls.answers.createToken = { status: 401, times: Number.POSITIVE_INFINITY };
    openWholePane(session).press("refreshAll");
    await receive("Not connected, so nothing was refreshed.");
    companion.controls.reset();
    await session.connect();
    await leaves(/nothing was refreshed/);
  });

  it("of unconfirmed requests leaves once they are confirmed", async () => {
    const { press: pressRibbon } = openWholePane(session);
    await Promise.all([enter("Sheet1!A1", 5), enter("Sheet1!B1", 6)]);
    session.change({ requestLimit: 1 });
    pressRibbon("refreshAll");
    await receive("Nothing has been asked yet: confirm it above.");
    fireEvent.click(await screen.findByRole("button", { name: "Send about 2 requests" }));
    await leaves(/Nothing has been asked yet/);
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
    await Promise.all([enter("Sheet1!A1", 5, { shown: [[1]] }), enter("Sheet1!B1", 6, { shown: [[1]] })]);
    const { ArgumentError } = await import("../../src/client/errors");
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
