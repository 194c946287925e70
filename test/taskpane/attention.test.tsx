/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { fireEvent, screen, waitFor, within } from "@testing-library/react/pure";
import { ArgumentError, NoValueError, RequestError } from "../../src/client/errors";
import type { CellValue, FeedCell } from "../../src/contract/workbook";
import type { Call } from "../../src/session/calls";
import { Changes } from "../../src/taskpane/Changes";
import { toTexts } from "../../src/taskpane/texts";
import { checkPart } from "./access";
import { toCall } from "./call";
import { enter } from "./changes-page";
import { createFakeWorkbook } from "./fake-workbook";
import { openPart } from "./open-pane";
import { companion, findHidden, serveSessions, session } from "./pane-sessions";

beforeAll(findHidden);
serveSessions();

let cells: FeedCell[];

/** Shows the part on a workbook that holds the given cells. */
function show(language = "en-US") {
  const fake = createFakeWorkbook();
  const workbook = { ...fake, listFeedCells: async () => cells };
  return { fake, ...openPart(session, <Changes />, { workbook, texts: toTexts(language) }) };
}

const cellOf = (address: string, formula: string, value: CellValue): FeedCell => ({
  sheet: "Model",
  address,
  formula,
  value,
});

/** Adds a formula without queries that has ended in an error. */
const fail = (address: string, name: string, given: Call["given"], error: unknown) =>
  session.calls.add(
    toCall({
      name,
      given,
      address: `Model!${address}`,
      error,
      shown: { code: "#VALUE!" },
      findOrigin: () => ({ error, places: [] }),
    }),
  );

const list = () => screen.findByRole("group", { name: /^Needs your attention/ });
const findLine = async (cell: string) => {
  const line = within(await list())
    .getAllByRole("listitem")
    .find((each) => within(each).queryByRole("button", { name: cell }) !== null);
  return within(line as HTMLElement);
};

describe("the formulas that need a person's attention", () => {
  it("stand in a list of their own, each with its cell, reason and fix, and are not counted as failed", async () => {
    await session.connect();
    await enter("Model!A1", "05", { given: { start: "2024-01-05" } });
    await enter("Model!A9", "06", { given: { start: "2024-01-06" }, shown: [["Rank"], [1], [2]] });
    fail("B1", "RANKING", { start: "2024-02-30" }, new ArgumentError('"2024-02-30" is not a calendar date'));
    const named = { name: "JPN:Sakura", country: "JPN" };
    fail("B2", "COMPANY.ID", { text: "JPN:Sakura" }, new NoValueError("FEED_AMBIGUOUS", "several", { named }));
    fail("B3", "COMPANY", { company: [[{ type: "Error", basicValue: "#VALUE!" }]], field: null }, new Error("passed"));
    cells = [
      cellOf("A1", '=FEED.RANKING("2024-01-05")', 1),
      cellOf("A9", '=FEED.RANKING("2024-01-06")', "#SPILL!"),
      cellOf("B1", '=FEED.RANKING("2024-02-30")', "#VALUE!"),
      cellOf("B2", '=FEED.COMPANY.ID("JPN:Sakura")', "#VALUE!"),
      cellOf("B3", "=FEED.COMPANY(B2)", "#VALUE!"),
    ];
    const { fake, opened } = show();
    fake.cells.set("Model!A11", "mine");
    fake.cells.set("Model!B2", "#VALUE!");
    await screen.findByText("5 formulas: 1 answered, 4 to correct.");
    expect(screen.getByRole("heading", { name: "Needs your attention: 4 formulas" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: /failed formula/ })).toBeNull();
    await checkPart();
    expect((await findLine("Model!B1")).getByText('"2024-02-30" is not a calendar date')).toBeTruthy();

    const blocked = await findLine("Model!A9");
    expect(blocked.getByText("#SPILL!")).toBeTruthy();
    fireEvent.click(blocked.getByRole("button", { name: "Show what is in the way" }));
    await waitFor(async () => expect(await fake.readSelection()).toMatchObject({ sheet: "Model", address: "A11" }));

    fireEvent.click((await findLine("Model!B2")).getByRole("button", { name: "Choose the company in Find" }));
    expect(opened).toEqual([["find", { name: "JPN:Sakura", named }]]);

    const dependent = await findLine("Model!B3");
    expect(dependent.getByText("It depends on Model!B2, which shows an error. Correct that cell first.")).toBeTruthy();
    fireEvent.click(dependent.getByRole("button", { name: "Go to Model!B2" }));
    await waitFor(async () => expect(await fake.readSelection()).toMatchObject({ address: "B2" }));
  });

  it("with a misspelt name are to be corrected too, and their formula is corrected by a press", async () => {
    await session.connect();
    const facts = { named: { name: "Sakra", country: "JPN" }, closest: "Sakura Foods" };
    fail("B2", "COMPANY.ID", { text: "Sakra" }, new NoValueError("FEED_NO_VALUE", "no company is called so", facts));
    fail("B3", "COMPANY.ID", { text: "Sakra" }, new NoValueError("FEED_NO_VALUE", "no company is called so", facts));
    fail("B4", "FINANCIAL", { metric: "EBITDA" }, new NoValueError("FEED_NO_VALUE", "no such metric"));
    const formula = '=FEED.COMPANY.ID("Sakra")';
    cells = [
      cellOf("B2", formula, "#N/A"),
      cellOf("B3", "=FEED.COMPANY.ID(A3)", "#N/A"),
      cellOf("B4", '=FEED.FINANCIAL("a", 2023, "EBITDA")', "#N/A"),
    ];
    const { fake } = show();
    fake.cells.set("Model!B2", { formula });
    await screen.findByText("3 formulas: 1 failed, 2 to correct.");
    await checkPart();
    const byCell = await findLine("Model!B3"); // the name stands in another cell
    expect(byCell.queryByRole("button", { name: "Correct the formula" })).toBeNull();
    expect(byCell.getByRole("button", { name: "Choose the company in Find" })).toBeTruthy();
    const line = await findLine("Model!B2");
    fireEvent.click(await line.findByRole("button", { name: "Correct the formula" }));
    await waitFor(() => expect(fake.cells.get("Model!B2")).toEqual({ formula: '=FEED.COMPANY.ID("Sakura Foods")' }));
  });

  it("leave it once their cell shows the value", async () => {
    await session.connect();
    await enter("Model!A1", "05", { given: { start: "2024-01-05" } });
    cells = [cellOf("A1", '=FEED.RANKING("2024-01-05")', "#SPILL!")];
    const { fake } = show("ja-JP");
    await screen.findByText("数式 1 個: 要修正 1 個");
    expect(screen.getByText(/^ほかのセルに内容があるか、シートの端を超えるため、表を表示できません。/)).toBeTruthy();
    cells = [cellOf("A1", '=FEED.RANKING("2024-01-05")', 1)];
    fake.select({ sheet: "Model", address: "A2" });
    await screen.findByText("数式 1 個すべてに値があります。");
    expect(screen.queryByText(/^対応が必要な数式/)).toBeNull();
  });
});

describe("a failed formula", () => {
  it.each([
    ["FEED_CONFIRM_NEEDED", "Decide"],
    ["FEED_INDEX_NOT_READY", "Build the index in Find"],
  ] as const)("after %s offers its fix", async (code, label) => {
    cells = [];
    await session.connect();
    await enter("Model!A1", "05");
    await enter("Model!A2", "06");
    session.change({ requestLimit: 1 });
    if (code === "FEED_CONFIRM_NEEDED") void session.refresh(); // two requests, one is allowed
    fail("A3", "COMPANY.ID", { text: "Sakura", country: null }, new NoValueError(code, "not yet"));
    const { opened } = show();
    fireEvent.click(screen.getByRole("button", { name: /^COMPANY\.ID Sakura failed$/ }));
    fireEvent.click(screen.getByRole("button", { name: label }));
    if (code === "FEED_INDEX_NOT_READY") expect(opened).toEqual([["find", { name: "Sakura" }]]);
    else expect(session.confirmation.waiting()).toMatchObject({ isDeclined: false });
  });

  it("for want of a connection offers to connect", async () => {
    cells = [];
    fail("A3", "COMPANY.ID", { text: "Sakura" }, new RequestError("FEED_UNAUTHORISED", "no token"));
    show();
    fireEvent.click(screen.getByRole("button", { name: /^COMPANY\.ID Sakura failed$/ }));
    fireEvent.click(screen.getByRole("button", { name: "Connect" }));
    await waitFor(() => expect(session.state().status).toBe("connected"));
    expect(companion.controls.count("createToken")).toBeGreaterThan(0);
  });
});
