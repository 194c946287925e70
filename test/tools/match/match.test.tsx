/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { fireEvent, screen, waitFor, within } from "@testing-library/react/pure";
import { awaitAnswer } from "../../support/feed";
import { checkAccess, createFindPage, options } from "../../taskpane/find-page";
import { type OfficeSettings, setOffice } from "../../taskpane/office-settings";

const page = createFindPage({ keepsSession: true });
let office: OfficeSettings;

beforeAll(page.start);
beforeEach(() => {
  office = setOffice();
});
afterEach(page.leave);
afterAll(page.close);

type Rows = readonly (readonly string[])[];

/** Opens Find's Match tab beside names in A2 and below, which are selected. @param rows names, or names with hints */
async function open(rows: Rows) {
  const opened = await page.open();
  rows.forEach((row, index) => {
    row.forEach((text, column) => {
      if (text !== "") opened.workbook.cells.set(`Sheet1!${"AB"[column]}${index + 2}`, text);
    });
  });
  const last = `${"AB"[Math.max(...rows.map(({ length }) => length)) - 1]}${rows.length + 1}`;
  opened.workbook.select({ sheet: "Sheet1", address: `A2:${last}` });
  fireEvent.click(screen.getByRole("tab", { name: "Match" }));
  return opened;
}

/** Opens the tab, and presses its button. */
async function start(rows: Rows) {
  const opened = await open(rows);
  await pressButton("Match");
  return opened;
}

/** Presses keys on the focused element, as a person without a mouse does. */
function press(...keys: (string | KeyboardEventInit)[]): void {
  for (const each of keys) {
    const focused = document.activeElement as HTMLElement;
    const event = typeof each === "string" ? { key: each } : each;
    const { key } = event;
    const isUsed = !fireEvent.keyDown(focused, event);
    if (key === "Enter" && !isUsed && focused.tagName === "BUTTON") fireEvent.click(focused);
  }
}

/** Reads cells of a column from the row 2 on. */
const readColumn = (cells: ReadonlyMap<string, unknown>, letter: string, rows: number): unknown[] =>
  Array.from({ length: rows }, (_, row) => cells.get(`Sheet1!${letter}${row + 2}`) ?? null);

const readFocus = (): string => document.activeElement?.textContent ?? "";

/** Waits for a button and presses it, which gives it the focus. Not by role, whose search takes seconds on a busy machine. */
async function pressButton(name: string | RegExp): Promise<void> {
  const button = await waitFor(() => findButton(name));
  button.focus();
  fireEvent.click(button);
}

function findButton(name: string | RegExp): HTMLElement {
  const isMeant = (text: string) => (typeof name === "string" ? text === name : name.test(text));
  const shown = [...document.querySelectorAll<HTMLElement>("button:not([role])")].filter(
    (button) => button.closest("[hidden]") === null,
  );
  const found = shown.find((button) => isMeant(button.getAttribute("aria-label") ?? button.textContent ?? ""));
  if (found === undefined) throw new Error(`There is no button ${name}.`);
  return found;
}

/** Each is the only company of its name. */
const BAKERY = "株式会社朝霧ベーカリー International";
const LOGISTICS = "コモレビ物流 International株式会社";

const tabs = () =>
  within(screen.getByRole("tablist", { name: "Steps" }))
    .getAllByRole("tab")
    .map((tab) => tab.textContent);
const question = () =>
  screen.getByRole("heading", { level: 2, name: /^(Which company is|No company is like)/ }).textContent;

/** Matches names of which none is sure, until the first is to be decided on. */
async function startDeciding(...names: string[]) {
  const opened = await start(names.map((name) => [name]));
  await screen.findByText(`1 of ${names.length}`);
  return opened;
}

describe("the sure names", () => {
  it("are accepted by one press, and mean their companies in formulas", async () => {
    const { session } = await start([[BAKERY], [""], [LOGISTICS], [BAKERY]]);
    await waitFor(() => expect(readFocus()).toBe("Accept 2"));
    expect(screen.getByText("Sheet1!A2:A5: 2 names in 3 cells. 1 blank row skipped.")).toBeTruthy();
    expect(tabs()).toEqual(["Sure 2", "To decide 0", "Decided 0"]);
    await checkAccess();
    press("Enter");
    await screen.findByText("All names are decided.");
    const kept = session.feed.resolutions.list();
    expect(kept.map(({ name, country, companyName }) => [name, country, companyName])).toEqual([
      [BAKERY, "JPN", "Asagiri Bakery International Inc."],
      [LOGISTICS, "JPN", "Komorebi Logistics International Corporation"],
    ]);
    const id = await awaitAnswer(session.feed, session.feed.names.queryId(BAKERY, "JPN"));
    expect(id).toBe(kept[0]?.companyId);
    expect(readFocus()).toBe("Write ids into B2:B5");
  });

  it("that are taken out are decided on one by one", async () => {
    await start([[BAKERY], [LOGISTICS]]);
    await waitFor(() => findButton("Accept 2"));
    fireEvent.click(screen.getByRole("checkbox", { name: new RegExp(`^${LOGISTICS} →`) }));
    fireEvent.click(screen.getByRole("tab", { name: "Decided 0" }));
    fireEvent.click(screen.getByRole("tab", { name: "Sure 2" }));
    await pressButton("Accept 1");
    expect(question()).toBe(`Which company is ${LOGISTICS}?`);
    expect(tabs()).toEqual(["Sure 0", "To decide 1", "Decided 1"]);
  });

  it("can wait until the others are decided", async () => {
    await start([[BAKERY], ["Qqqqzz"]]);
    await pressButton("Not now");
    press("n");
    await screen.findByText("1 name with a sure company is not accepted yet.");
    expect(readFocus()).toBe("Show them");
    press("Enter");
    await waitFor(() => findButton("Accept 1"));
  });

  it("that lead to the company of another name say so", async () => {
    await start([[BAKERY], ["Asagiri Bakery International Co., Ltd."]]);
    await screen.findByText("Same company as Asagiri Bakery International Co., Ltd.");
    screen.getByText(`Same company as ${BAKERY}`);
  });
});

describe("the names to decide on", () => {
  const NAMES = ["Sakura", "Kumomori", "Qqqqzz"];

  it("are decided by keys alone: a number, Enter, N; B goes back", async () => {
    const { session, workbook } = await startDeciding(...NAMES);
    await waitFor(() => expect(options().length).toBe(5));
    expect(document.activeElement?.getAttribute("role")).toBe("listbox");
    await checkAccess();
    const second = document.querySelectorAll("[role=option]")[1]?.textContent ?? "";
    press("2");
    await screen.findByText("2 of 3");
    press("b");
    await screen.findByText(/^Decided: /);
    expect(second).toContain((screen.getByText(/^Decided: /).textContent ?? "").slice("Decided: ".length));
    press("s", "Enter");
    expect(question()).toBe("No company is like Qqqqzz. Look for another one, or choose None of these.");
    await checkAccess();
    press("n");
    await screen.findByText("All names are decided.");
    expect(session.feed.resolutions.list().map(({ name }) => name)).toEqual(["Sakura", "Kumomori", "Qqqqzz"]);
    expect(readFocus()).toBe("Write ids into B2:B4");
    press("Enter");
    await screen.findByText("2 ids written into Sheet1!B2:B4.");
    const ids = session.feed.resolutions.list().map(({ companyId }) => companyId || null);
    expect(ids[2]).toBeNull();
    expect(readColumn(workbook.cells, "B", 3)).toEqual(ids);
  });

  it("are decided once by a key that is held", async () => {
    const { session } = await startDeciding(...NAMES);
    press("Enter", { key: "Enter", repeat: true }, { key: "2", repeat: true }, { key: "s", repeat: true });
    await screen.findByText("2 of 3");
    expect(session.feed.resolutions.list()).toHaveLength(1);
  });

  it.each([
    ["full-width digits and letters", { key: "１", code: "Digit1" }, { key: "ｎ", code: "KeyN" }],
    ["kana", { key: "ぬ", code: "Digit1" }, { key: "み", code: "KeyN" }],
    ["keys that it is about to read", { key: "Process", code: "Digit1" }, { key: "Process", code: "KeyN" }],
  ])("are decided where an input method gives %s", async (_, one, none) => {
    const { session } = await startDeciding(...NAMES);
    press(one);
    await screen.findByText("2 of 3");
    press(none);
    await screen.findByText("3 of 3");
    expect(session.feed.resolutions.list().map(({ companyId }) => companyId !== "")).toEqual([true, false]);
  });

  it("leave Escape to the input method while it reads", async () => {
    await startDeciding("Qqqqzz");
    press("/");
    const field = document.activeElement;
    press({ key: "Escape", isComposing: true });
    expect(document.activeElement).toBe(field);
    press("Escape");
    expect(readFocus()).toBe("None of these");
  });

  it("can be skipped, and come again at the end", async () => {
    await startDeciding(...NAMES);
    press("s", "s", "n");
    await screen.findByText("2 names left open.");
    expect(readFocus()).toBe("Decide on them");
    press("Enter");
    expect(question()).toBe("Which company is Sakura?");
  });

  it("take another company by its search", async () => {
    const { session } = await startDeciding("Qqqqzz");
    press("/");
    const field = screen.getByRole("combobox", { name: "Another company" });
    expect(document.activeElement).toBe(field);
    fireEvent.change(field, { target: { value: "sakura bak" } });
    await waitFor(() => expect(options()[0]).toMatch(/^Sakura Bakery/));
    press("n", "Enter");
    await screen.findByText("All names are decided.");
    expect(session.feed.resolutions.find({ name: "Qqqqzz", country: "JPN" })?.companyName).toBe(
      "Sakura Bakery Co., Ltd.",
    );
  });

  it("can have their decision taken back or changed", async () => {
    const { session } = await startDeciding("Qqqqzz");
    press("n");
    fireEvent.click(await screen.findByRole("tab", { name: "Decided 1" }));
    await screen.findByText("No company");
    await pressButton("Change the company of Qqqqzz");
    await pressButton("Take the decision back");
    expect(tabs()).toEqual(["Sure 0", "To decide 1", "Decided 0"]);
    expect(session.feed.resolutions.list()).toEqual([]);
  });

  it("say where they stand and what stands beside them", async () => {
    await start([
      ["Sakura", "Osaka"],
      ["Kumomori", ""],
    ]);
    await screen.findByText("In A2 · Osaka");
  });
});

it("a review on another day goes on with the same cells, and asks for nothing that was decided", async () => {
  const { session } = await startDeciding("Sakura", "Kumomori", "Qqqqzz");
  press("1", "s", "n");
  const review = { address: "A2:A4", country: "JPN" };
  await waitFor(() => expect(office.file.get("feed-match")).toMatchObject({ review }));
  const decided = session.feed.resolutions.list();
  page.leave();
  const next = await open([["Sakura"], ["Kumomori"], ["Qqqqzz"]]);
  next.session.feed.resolutions.adopt(decided);
  next.workbook.select({ sheet: "Sheet1", address: "D9" });
  const { queryCache, names } = next.session.feed;
  await pressButton("Go on with Sheet1!A2:A4");
  await screen.findByText("1 of 1");
  expect(question()).toBe("Which company is Kumomori?");
  expect(tabs()).toEqual(["Sure 0", "To decide 1", "Decided 2"]);
  const undecided = names.queryMatches([{ name: "Kumomori", hints: [] }], "JPN");
  expect(queryCache.peek(undecided).status).toBe("answered"); // the decided names were not matched
});

describe("what keeps names from being matched", () => {
  it.each([
    [[["", "x"]], /^A2:B2 has no names\. Select the cells with the names, then press Match/],
    [[["#N/A"]], /^A2:A2 has no names\./],
  ])("is told for %j", async (rows, sentence) => {
    await start(rows);
    await screen.findByText(sentence);
    expect(screen.queryByRole("tablist", { name: "Steps" })).toBeNull();
    await checkAccess();
  });

  it("is told where the sheet cannot be read", async () => {
    const { workbook } = await open([[BAKERY]]);
    workbook.refuse("editing");
    await pressButton("Match");
    await screen.findByText(/^A cell is being edited/);
  });

  it("is an index that is not built; once it is, matching goes on by itself", async () => {
    const { session } = await open([[BAKERY]]);
    session.feed.nameIndexes.reset();
    page.companion().controls.pageCap = 25;
    await pressButton("Match");
    await waitFor(() => findButton("Build the index"));
    page.companion().controls.pageCap = null;
    await pressButton("Build the index");
    await screen.findByText("Accept 1");
  });

  it("can be the person, who goes on later", async () => {
    const names = Array.from({ length: 120 }, (_, row) => [`Nobody ${row}`]);
    const { session } = await open(names);
    await session.feed.nameIndexes.build("JPN");
    const { queryCache } = session.feed;
    const { observe } = queryCache;
    let queries = 0;
    let said: string | null = null;
    queryCache.observe = (query, listener) => {
      if (query.key[0] === "matchNames" && ++queries === 2) {
        said = screen.getByText(/^Matching names/).textContent;
        fireEvent.click(screen.getByRole("button", { name: "Stop" }));
      }
      return observe(query, listener);
    };
    await pressButton("Match");
    await screen.findByText("70 names not matched yet.");
    expect(said).toMatch(/^Matching names: (0|50) of 120$/);
    expect(screen.queryByText(/What to do|abort/i)).toBeNull();
    await pressButton("Go on matching");
    await screen.findByRole("tab", { name: "To decide 120" });
    expect(screen.queryByText(/not matched yet/)).toBeNull();
  });
});

/** Matches both names and accepts their companies. */
async function acceptBoth() {
  const opened = await start([[BAKERY], [LOGISTICS]]);
  await pressButton("Accept 2");
  return opened;
}

/** Asks for the ids where B2, B3 or both hold something, until the pane asks whether to replace that. */
async function askToReplace(...occupied: string[]) {
  const opened = await acceptBoth();
  for (const cell of occupied) opened.workbook.cells.set(`Sheet1!${cell}`, "mine");
  await pressButton("Write ids into B2:B3");
  await waitFor(() => findButton("Replace"));
  return opened;
}

describe("the result", () => {
  it("replaces nothing unasked, and is taken back by one press", async () => {
    const { session, workbook } = await acceptBoth();
    workbook.cells.set("Sheet1!B3", "mine");
    await pressButton("Write ids into B2:B3");
    await screen.findByText("1 cell of Sheet1!B2:B3 holds something else. Replace?");
    expect(readColumn(workbook.cells, "B", 2)).toEqual([null, "mine"]);
    await pressButton("Replace");
    await screen.findByText("2 ids written into Sheet1!B2:B3.");
    const ids = session.feed.resolutions.list().map(({ companyId }) => companyId);
    expect(readColumn(workbook.cells, "B", 2)).toEqual(ids);
    await checkAccess();
    await pressButton("Match");
    await screen.findByRole("tab", { name: "Decided 2" });
    await pressButton("Undo");
    await screen.findByText("Sheet1!B2:B3 is as before.");
    expect(readColumn(workbook.cells, "B", 2)).toEqual([null, "mine"]);
  });

  it("is not written beside names that have moved since they were read", async () => {
    const { workbook } = await acceptBoth();
    workbook.cells.set("Sheet1!A2", LOGISTICS).set("Sheet1!A3", BAKERY);
    await pressButton("Write ids into B2:B3");
    await screen.findByText(/^The names have changed since they were read\./);
    expect(readColumn(workbook.cells, "B", 2)).toEqual([null, null]);
    await pressButton("Match");
    await waitFor(() => expect(screen.queryByText(/^The names have changed since they were read\./)).toBeNull());
  });

  it("can be a formula", async () => {
    const { workbook } = await start([[BAKERY], [LOGISTICS]]);
    await pressButton("Write a formula into B2");
    await screen.findByText("The formula is in Sheet1!B2:E3.");
    expect(workbook.cells.get("Sheet1!B2")).toEqual({ formula: "=FEED.COMPANY.MATCH(A2:A3, , , , FALSE)" });
  });

  it.each<[string, Record<string, string>, string | RegExp, (string | null)[]]>([
    [
      "rows have moved",
      { A2: LOGISTICS, A3: BAKERY },
      /^The names have changed since they were read\./,
      [null, "mine"],
    ],
    [
      "another cell has come to hold something",
      { B2: "mine too" },
      "2 cells of Sheet1!B2:B3 hold something else. Replace?",
      ["mine too", "mine"],
    ],
  ])("is asked about anew where %s before the confirmation", async (_, changed, said, beside) => {
    const { workbook } = await askToReplace("B3");
    for (const [cell, text] of Object.entries(changed)) workbook.cells.set(`Sheet1!${cell}`, text);
    await pressButton("Replace");
    await screen.findByText(said);
    expect(readColumn(workbook.cells, "B", 2)).toEqual(beside);
  });

  it("is of the decisions at the confirmation", async () => {
    const { session, workbook } = await askToReplace("B2", "B3");
    fireEvent.click(screen.getByRole("tab", { name: "Decided 2" }));
    await pressButton(`Change the company of ${BAKERY}`);
    await pressButton("None of these");
    await pressButton("Replace");
    await screen.findByText("1 id written into Sheet1!B2:B3.");
    const ids = session.feed.resolutions.list().map(({ companyId }) => companyId);
    expect(readColumn(workbook.cells, "B", 2)).toEqual(["mine", ids[1]]);
  });

  it("is written once by two presses", async () => {
    const { workbook } = await acceptBoth();
    const button = screen.getByRole("button", { name: "Write ids into B2:B3" });
    fireEvent.click(button);
    fireEvent.click(button);
    await screen.findByText("2 ids written into Sheet1!B2:B3.");
    expect(screen.queryByText(/^Nothing is written|holds this already/)).toBeNull();
    await pressButton("Undo");
    await screen.findByText("Sheet1!B2:B3 is as before.");
    expect(readColumn(workbook.cells, "B", 2)).toEqual([null, null]);
  });

  it("is undone one writing after the other, the last one first", async () => {
    const { session, workbook } = await start([[BAKERY], ["Qqqqzz"]]);
    await pressButton("Accept 1");
    await pressButton("Write ids into B2:B3");
    await screen.findByText("1 id written into Sheet1!B2:B3.");
    session.feed.resolutions.record({ name: "Qqqqzz", country: "JPN", companyId: "z1", companyName: "Z" });
    await screen.findByRole("tab", { name: "Decided 2" });
    workbook.cells.set("Sheet1!B3", "mine");
    await pressButton("Write ids into B2:B3");
    await pressButton("Replace");
    await waitFor(() => expect(readColumn(workbook.cells, "B", 2)[1]).toBe("z1"));
    await pressButton("Undo");
    await waitFor(() => expect(readColumn(workbook.cells, "B", 2)[1]).toBe("mine"));
    await pressButton("Undo");
    await waitFor(() => expect(readColumn(workbook.cells, "B", 2)).toEqual([null, "mine"]));
    expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
  });

  it("says so where nothing can be undone", async () => {
    const { workbook } = await acceptBoth();
    await pressButton("Write ids into B2:B3");
    await waitFor(() => findButton("Undo"));
    workbook.cells.set("Sheet1!B2", "mine").set("Sheet1!B3", "mine");
    await pressButton("Undo");
    await screen.findByText("Nothing is undone: the cells of Sheet1!B2:B3 have changed or moved since.");
    expect(readColumn(workbook.cells, "B", 2)).toEqual(["mine", "mine"]);
  });
});
