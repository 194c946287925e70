/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */

import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react/pure";
import { ArgumentError, NoValueError, RequestError } from "../../src/client/errors";
import type { Ports } from "../../src/client/ports";
import type { CellValue, FeedCell } from "../../src/contract/workbook";
import type { Call } from "../../src/session/calls";
import { Changes } from "../../src/taskpane/Changes";
import { Requests } from "../../src/taskpane/settings/Diagnostics";
import { toTexts } from "../../src/taskpane/texts";
import { checkPart } from "./access";
import { toCall } from "./call";
import { enter, list, queryDay, show } from "./changes-page";
import { createFakeWorkbook } from "./fake-workbook";
import { createGate, createHurriedPorts } from "./gate";
import { openPart } from "./open-pane";
import { ALWAYS, begin, companion, findHidden, press, serveSessions, session } from "./pane-sessions";

/** The throttle of the part. */
const PACE_MS = 500;

beforeAll(findHidden);
serveSessions();

it("the changes without queries explains the next step, and opens its part", async () => {
  const { opened } = show();
  expect(screen.getByText(/^No formula asks for anything yet\. Build one/)).toBeTruthy();
  await checkPart();
  press("Build a formula");
  expect(opened).toEqual([["build", undefined]]);
});

it("a hidden part renders nothing until it is shown", async () => {
  let looks = 0;
  const ports = createHurriedPorts();
  const after: Ports["after"] = (delayMs, callback) => {
    return ports.after(delayMs, () => {
      if (delayMs === PACE_MS) looks++;
      callback();
    });
  };
  begin({ ...ports, after });
  await session.connect();
  show();
  const page = document.querySelector("main") as HTMLElement;
  page.hidden = true;
  await act(() => enter("Model!A1", "05"));
  const before = looks;
  await waitFor(() => expect(looks).toBeGreaterThan(before + 1));
  expect(screen.getByText(/^No formula asks for anything yet/)).toBeTruthy();
  page.hidden = false;
  await screen.findByText("1 formula is answered.");
});

describe("the live formulas", () => {
  it("are listed by sheet with their queries and the age of their answers", async () => {
    await session.connect();
    await Promise.all([enter("Model!A1", "05"), enter("'Sales 2024'!C7", "06"), enter(null, "07")]);
    show();
    expect(screen.getByText("All 3 formulas are answered.")).toBeTruthy();
    expect(screen.getByText("The oldest answer is from this minute.")).toBeTruthy();
    press(/^Sales 2024/);
    press(/^Place not known/);
    const model = list(/^Model/);
    expect(model.getByRole("button", { name: "RANKING 2024-01-05 – 2024-01-05 · 5 this minute" })).toBeTruthy();
    expect(list(/^Sales 2024/).getByRole("button", { name: "C7", description: "Go to 'Sales 2024'!C7" })).toBeTruthy();
    expect(list(/^Place not known/).getAllByRole("button")).toHaveLength(2); // the sheet's line and the formula's
    expect(screen.getByText("This Excel does not say in which cells these stand.")).toBeTruthy();
    await checkPart();
  });

  it("expand into their requests, with the number of formulas each serves", async () => {
    await session.connect();
    await Promise.all([enter("Model!A1", "05"), enter("Model!A2", "05")]);
    show();
    fireEvent.click(screen.getAllByRole("button", { name: /^RANKING/ })[0] as HTMLElement);
    const details = list(/^Model/).getByText("Requests behind it").parentElement as HTMLElement;
    expect(within(details).getByRole("listitem").textContent).toMatch(
      /rankCompanies200\d+ ms · [\d.,]+ (k?B) · for 2 formulas$/,
    );
    await checkPart();
  });

  it("that failed come first, with reason, remedy and code", async () => {
    await enter("Model!A1", "05");
    companion.controls.answers.rankCompanies = { status: 403, times: ALWAYS };
    await enter("Model!A2", "06");
    const error = new ArgumentError("start is missing; give a day");
    session.calls.add(toCall({ address: "Model!A3", error }));
    show();
    expect(screen.getByText("3 formulas: 1 answered, 1 failed, 1 to correct.")).toBeTruthy();
    const names = list(/^Model .*formulas$/).getAllByRole("button", { name: /^A\d$/ });
    expect(names.map(({ textContent }) => textContent)).toEqual(["A2", "A1"]);
    press(/^RANKING 2024-01-06.* failed$/);
    expect(screen.getByText(/^FEED_SCOPE_MISSING · traceId ./)).toBeTruthy();
    expect(screen.getByText(/ask your administrator or the provider for this data family or country/)).toBeTruthy();
    expect(screen.getByRole("heading", { name: "Needs your attention: 1 formula" })).toBeTruthy();
    expect(screen.getByText("start is missing; give a day")).toBeTruthy();
    expect(screen.queryByRole("button", { name: /failed formula/ })).toBeNull(); // no refresh grants a right
    expect(screen.getByRole("button", { name: "Model!A3" })).toBeTruthy();
    await checkPart();
  });

  it("that failed can be refetched alone", async () => {
    await enter("Model!A1", "05");
    companion.controls.answers.rankCompanies = { status: 200, times: 1 }; // not what the document describes
    await enter("Model!A2", "06");
    show();
    const before = companion.controls.count("rankCompanies");
    press("Refresh 1 failed formula");
    await screen.findByText(/^1 formula refreshed\./);
    expect(companion.controls.count("rankCompanies")).toBe(before + 1);
    await screen.findByText("All 2 formulas are answered.");
  });

  it("that wait for an answer say so, and show it when it comes", async () => {
    const gate = createGate("/ranking/v1/companies");
    begin(gate.ports);
    show();
    const entered = enter("Model!A1", "05");
    await screen.findByText("1 formula: 1 waiting.");
    expect(screen.getByRole("button", { name: /^RANKING.* waiting$/ })).toBeTruthy();
    gate.open();
    await entered;
    await screen.findByText("1 formula is answered.");
  });

  it("that wait for a long list say how many of its rows have come", async () => {
    const gate = createGate("/ranking/v1/companies", 1);
    begin(gate.ports);
    await session.connect();
    const range = { start: "2024-01-05T00:00:00", end: "2024-01-05T23:59:59" };
    const query = session.feed.rankings.queryCompanies(range, "all");
    session.calls.add(toCall({ address: "Model!A1", queries: [query] }));
    const stop = session.feed.queryCache.observe(query, () => {});
    show();
    await screen.findByRole("button", { name: /^RANKING.* 1,000 of [\d,]+ rows so far…$/ });
    expect(screen.getByText("1 formula: 1 waiting.")).toBeTruthy();
    stop();
    gate.open();
  });

  it("whose refresh failed say that they show the old value", async () => {
    await enter("Model!A1", "05");
    companion.controls.answers.rankCompanies = { status: 403, times: 1 };
    await session.refresh();
    show("ja-JP");
    expect(screen.getByText("数式 1 個: 未更新 1 個")).toBeTruthy();
    expect(screen.getByRole("button", { name: /未更新/, expanded: false })).toBeTruthy();
  });

  it("lead to their cells, and report that a cell has moved", async () => {
    await enter("Model!A1", "05");
    const { workbook } = show();
    workbook.cells.set("Model!A1", { formula: '=FEED.RANKING("2024-01-05")' });
    press("A1");
    await waitFor(async () => expect(await workbook.readSelection()).toMatchObject({ sheet: "Model", address: "A1" }));
    expect(screen.queryByText(/holds no FEED.RANKING now/)).toBeNull();
    workbook.cells.delete("Model!A1");
    press("A1");
    await screen.findByText(/^Model!A1 holds no FEED\.RANKING now: rows, columns or sheets have changed/);
    workbook.refuse("missing");
    press("A1");
    await screen.findByText(/is not there any more/);
  });

  it("open in Build with the formula of their cell", async () => {
    await enter("Model!A1", "05");
    const { workbook, opened } = show();
    const formula = '=FEED.RANKING("2024-01-05")';
    workbook.cells.set("Model!A1", { formula });
    press(/^RANKING/);
    press("Edit A1");
    await waitFor(() => expect(opened).toEqual([["build", { formula, place: { sheet: "Model", address: "A1" } }]]));
    workbook.cells.set("Model!A1", "typed over");
    press("Edit A1");
    await screen.findByText(/^Model!A1 holds no FEED\.RANKING now/);
    expect(opened).toHaveLength(1);
  });

  it("use the workbook's namespace", async () => {
    history.replaceState(null, "", "?namespace=ACME");
    const { workbook } = show();
    expect(screen.getByText(/type one such as =ACME\.RANKING\("-7d"\) into a cell\.$/)).toBeTruthy();
    await enter("Model!A1", "05");
    workbook.cells.set("Model!A1", { formula: '=FEED.RANKING("2024-01-05")' });
    fireEvent.click(await screen.findByRole("button", { name: "A1" }));
    await screen.findByText(/^Model!A1 holds no ACME\.RANKING now/);
  });

  it("are drawn only as far as they are in sight", async () => {
    await session.connect();
    const queries = [queryDay("05")];
    for (let row = 1; row <= 5_000; row++) session.calls.add(toCall({ queries, address: `Model!A${row}` }));
    show();
    fireEvent.click(await screen.findByRole("button", { name: "Model 5,000 formulas", expanded: false }));
    const lines = within(screen.getByRole("group", { name: "Model: 5,000 formulas" })).getAllByRole("listitem");
    expect(lines.length).toBeLessThan(40);
    expect(lines[0]?.getAttribute("aria-setsize")).toBe("5000");
  });
});

/** Shows the requests, unfolded. */
async function showRequests() {
  const texts = toTexts("en-US");
  openPart(session, <Requests />);
  const fold = screen.getByText(texts.ofActivity.requests).closest("details") as HTMLDetailsElement;
  expect(within(fold).queryByText(texts.ofActivity.requestsHint)).toBeNull();
  fold.open = true;
  fireEvent(fold, new Event("toggle"));
  return within(fold);
}

it("the requests are listed newest first with status, time and size, credential requests marked", async () => {
  await enter("Model!A1", "05");
  const requests = await showRequests();
  await requests.findByText(/^The last 200, newest first/);
  const [first, ...others] = requests.getAllByRole("listitem").map(({ textContent }) => textContent);
  expect(first).toMatch(/^\d\d:\d\d:\d\drankCompanies200[\d,]+ ms · .+ · for 1 formula$/);
  expect(others.map((text) => text?.replace(/^[\d:]+/, "").replace(/200.*$/, ""))).toEqual(
    expect.arrayContaining(["createToken", "/companion/assertion", "/companion/config"]),
  );
  expect(others.join("\n")).toContain("credentials");
  const sizes = [999, 1_000, 1_234, 12_345, 1_500_000].map(toTexts("en-US").ofActivity.bytes);
  expect(sizes).toEqual(["999 B", "1 kB", "1.2 kB", "12 kB", "1.5 MB"]);
  await checkPart();
});

let cells: FeedCell[];
beforeEach(() => {
  cells = [];
});

/** Shows the part on a workbook that holds the given cells. */
function showCells(language = "en-US") {
  const fake = createFakeWorkbook();
  const workbook = { ...fake, listFeedCells: async () => cells };
  return { fake, ...openPart(session, <Changes />, { workbook, texts: toTexts(language) }) };
}

const cellOf = (address: string, formula: string, value: CellValue) => ({ sheet: "Model", address, formula, value });

/** Adds a formula without queries that has ended in an error. */
function fail(cell: string, name: string, given: Call["given"], error: unknown): void {
  const readOrigins = () => () => ({ error, places: [] });
  session.calls.add(toCall({ name, given, address: `Model!${cell}`, error, shown: { code: "#VALUE!" }, readOrigins }));
}

const listAttention = () => screen.findByRole("group", { name: /^Needs your attention/ });
const findLine = async (cell: string) => {
  const line = within(await listAttention())
    .getAllByRole("listitem")
    .find((each) => within(each).queryByRole("button", { name: cell }) !== null);
  return within(line as HTMLElement);
};

it("cells that hold a dead copy or a part of a table are named, and those whose formula is not known", async () => {
  await enter("Model!A1", "05", { given: { start: "2024-01-05" }, shown: [["Rank"], [1]] });
  await enter(null, "06", { given: { start: "2024-01-06" } });
  cells = [
    cellOf("A1", '=@FEED.RANKING("2024-01-05")', "Rank"),
    { ...cellOf("A2", '=FEED.RANKING("2024-01-05")', 5), isDead: true },
    cellOf("A3", "=MAP(C1:C2,LAMBDA(c,FEED.RANKING(c)))", 1),
  ];
  showCells();
  await screen.findByText(/^1 cell holds a dead copy of a formula, .*: Model!A2\. Thaw/);
  expect(screen.getByText(/^1 cell shows a part of a table only: Model!A1\. @, SINGLE/)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: /^Place not known/ }));
  await screen.findByText(/does not say in which cells these stand\. They may be those of Model!A3\.$/);
  await checkPart();
});

describe("the formulas that need a person's attention", () => {
  it("stand in a list of their own, each with its cell, reason and fix, and are not counted as failed", async () => {
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
    const { fake, opened } = showCells();
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
    const error = new NoValueError("FEED_NO_VALUE", "no company is called so", facts);
    for (const cell of ["B2", "B3"]) fail(cell, "COMPANY.ID", { text: "Sakra" }, error);
    fail("B4", "FINANCIAL", { metric: "EBITDA" }, new NoValueError("FEED_NO_VALUE", "no such metric"));
    const formula = '=FEED.COMPANY.ID("Sakra")';
    const formulas = { B2: formula, B3: "=FEED.COMPANY.ID(A3)", B4: '=FEED.FINANCIAL("a", 2023, "EBITDA")' };
    cells = Object.entries(formulas).map(([address, each]) => cellOf(address, each, "#N/A"));
    const { fake } = showCells();
    fake.cells.set("Model!B2", { formula });
    await screen.findByText("3 formulas: 3 to correct.");
    await checkPart();
    const byCell = await findLine("Model!B3"); // the name stands in another cell
    expect(byCell.queryByRole("button", { name: "Correct the formula" })).toBeNull();
    expect(byCell.getByRole("button", { name: "Choose the company in Find" })).toBeTruthy();
    const line = await findLine("Model!B2");
    fireEvent.click(await line.findByRole("button", { name: "Correct the formula" }));
    await waitFor(() => expect(fake.cells.get("Model!B2")).toEqual({ formula: '=FEED.COMPANY.ID("Sakura Foods")' }));
  });

  it("with a value in another argument's place name that argument, and the order", async () => {
    const base = Object.assign(document.createElement("base"), { href: `${companion.origin}/` });
    document.head.append(base); // the table of formulas is beside the page
    const given = { company: "A", year: 2023, metric: "Revenue", basis: "millions", unit: null };
    fail("B2", "FINANCIAL", given, new NoValueError("FEED_NO_VALUE", "no such basis"));
    cells = [cellOf("B2", '=FEED.FINANCIAL("A", 2023, "Revenue", "millions")', "#N/A")];
    showCells();
    await screen.findByText("1 formula: 1 to correct.");
    await screen.findByText(/^“millions” belongs in unit, as “m”\. The order is FINANCIAL\(company, year, metric, /);
    base.remove();
    await checkPart();
  });

  it("that recalculations enter again and again are among them, with their cell and what to do", async () => {
    await enter("Model!A1", "05", { drift: 12 });
    show();
    expect(screen.getByText("1 formula: 1 to correct.")).toBeTruthy();
    expect(screen.getByText(/^Recalculations have entered it 12 times in a row.*Round such an argument/)).toBeTruthy();
    expect(screen.getByRole("button", { name: "Model!A1" })).toBeTruthy();
  });

  it("leave it once their cell shows the value", async () => {
    await enter("Model!A1", "05", { given: { start: "2024-01-05" } });
    cells = [cellOf("A1", '=FEED.RANKING("2024-01-05")', "#SPILL!")];
    const { fake } = showCells("ja-JP");
    await screen.findByText("数式 1 個: 要修正 1 個");
    expect(screen.getByText(/^ほかのセルに内容があるか、シートの端を超えるため、表を表示できません。/)).toBeTruthy();
    cells = [cellOf("A1", '=FEED.RANKING("2024-01-05")', 1)];
    fake.select({ sheet: "Model", address: "A2" });
    await screen.findByText("数式 1 個すべてに値があります。");
    expect(screen.queryByText(/^対応が必要な数式/)).toBeNull();
  });
});

describe("a failed formula", () => {
  it("that needs a decision leads to it", async () => {
    await enter("Model!A1", "05");
    await enter("Model!A2", "06");
    session.change({ requestLimit: 1 });
    void session.refresh(); // two requests, one is allowed
    fail("A3", "COMPANY.ID", { text: "Sakura" }, new NoValueError("FEED_CONFIRM_NEEDED", "not yet"));
    showCells();
    fireEvent.click(screen.getByRole("button", { name: /^COMPANY\.ID Sakura failed$/ }));
    fireEvent.click(screen.getByRole("button", { name: "Decide" }));
    expect(session.confirmation.waiting()).toMatchObject({ isDeclined: false });
  });

  it("for want of an index is to be corrected, and leads to Find", async () => {
    fail("A3", "COMPANY.ID", { text: "Sakura", country: null }, new NoValueError("FEED_INDEX_NOT_READY", "not yet"));
    const { opened } = showCells();
    expect(screen.getByText("1 formula: 1 to correct.")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Build the index in Find" }));
    expect(opened).toEqual([["find", { name: "Sakura" }]]);
  });

  it("for want of a connection offers to connect", async () => {
    fail("A3", "COMPANY.ID", { text: "Sakura" }, new RequestError("FEED_UNAUTHORISED", "no token"));
    showCells();
    fireEvent.click(screen.getByRole("button", { name: /^COMPANY\.ID Sakura failed$/ }));
    fireEvent.click(screen.getByRole("button", { name: "Connect" }));
    await waitFor(() => expect(session.state().status).toBe("connected"));
    expect(companion.controls.count("createToken")).toBeGreaterThan(0);
  });
});
