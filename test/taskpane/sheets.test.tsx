/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it } from "@jest/globals";
import { act, fireEvent, screen, waitFor } from "@testing-library/react/pure";
import type { SheetPlan } from "../../src/contract/workbook";
import { type MadeSheet, toPolicies } from "../../src/session/settings";
import { createFakeWorkbook } from "./fake-workbook";
import { companion, press, session } from "./pane-sessions";
import {
  checkAccess,
  choose,
  contentsOf,
  give,
  listGiven,
  openSheets,
  pick,
  serveSheets,
  watchMonth,
  write,
} from "./sheets-page";

const SAKURA = { id: "3d1ce6e7-7fd1-463c-ab13-8646d111213d", name: "株式会社さくら食品" };
const OTHER = "91c6b211-c4b4-490a-a1f2-3fcde0a6f08f";

serveSheets();

describe("a new ranking", () => {
  it("is created from the defaults, and stored in the workbook's list", async () => {
    const { workbook, stored } = openSheets();
    expect(screen.getByText(/25 rows of 7 columns, a chart of the top ten.* 1 request now/)).toBeTruthy();
    press("Create sheet");
    await screen.findByText(/Created "Ranking"\./);
    expect(workbook.sheets[0]).toMatchObject({ name: "Ranking", frozenRows: 13, selected: "B3" });
    expect(contentsOf(workbook.sheets, "B3")).toEqual(["-7d"]);
    expect(contentsOf(workbook.sheets, "B5")).toEqual([25]);
    await screen.findByRole("button", { name: "Show Ranking" });
    expect(stored).toEqual([{ sheets: [{ name: "Ranking", template: "ranking", id: "Ranking" }] }]);
  });

  it("has the chosen kind, page type, range, rows and columns", async () => {
    const { workbook } = openSheets();
    pick("What is ranked", "Companies by page type");
    pick("Page type", "News");
    pick("Period", "Last month");
    pick("Rows", "All");
    expect(screen.getByText(/All rows of .*1 request for each 1,000 rows/)).toBeTruthy();
    fireEvent.click(screen.getByRole("checkbox", { name: "Headquarters", hidden: true }));
    press("Create sheet");
    await screen.findByText(/Created "Page ranking"\./);
    expect(contentsOf(workbook.sheets, "B3", "B4", "B5", "B6")).toEqual(["-1m", undefined, "NEWS", "all"]);
    expect(contentsOf(workbook.sheets, "A13")).toEqual([
      {
        formula:
          '=FEED.RANKING.PAGES(B3, B4, B5, B6, "rank,companyName,tickerSymbol,totalPageViews,totalUniquePageViews,engagementTime.avg")',
      },
    ]);
  });

  it("reports missing or swapped days at their fields, and moves the focus there", async () => {
    const { workbook } = openSheets();
    pick("Period", "From and to a date");
    expect(screen.queryByText("Give a day, such as 2024-01-31.")).toBeNull();
    press("Create sheet");
    expect(screen.getAllByText("Give a day, such as 2024-01-31.")).toHaveLength(2);
    expect(document.activeElement).toBe(screen.getByLabelText("From"));
    write("From", "2024-02-01");
    write("To", "2024-01-31");
    expect(screen.getByText("The first day is after the last. Exchange them.")).toBeTruthy();
    await checkAccess();
    write("To", "2024-02-29");
    press("Create sheet");
    await screen.findByText(/Created "/);
    expect(contentsOf(workbook.sheets, "B3", "B4")).toEqual(["2024-02-01", "2024-02-29"]);
  });

  it("requires a column", () => {
    openSheets();
    for (const box of screen.getAllByRole("checkbox", { checked: true, hidden: true })) fireEvent.click(box);
    press("Create sheet");
    expect(screen.getByText("Choose at least one column.")).toBeTruthy();
    fireEvent.click(screen.getByRole("checkbox", { name: "Company" }));
    expect(screen.queryByText("Choose at least one column.")).toBeNull();
  });

  it("becomes one sheet on a double click, however fast the workbook is", async () => {
    const { workbook } = openSheets();
    const button = screen.getByRole("button", { name: "Create sheet" });
    fireEvent.click(button, { detail: 1 });
    for (let moment = 0; moment < 50; moment++) {
      await Promise.resolve(); // the second click comes at any moment of the sheet's making
      fireEvent.click(button, { detail: 2 });
    }
    await screen.findByText(/Created "/);
    expect(workbook.sheets).toHaveLength(1);
  });

  it("shows that it is being created, and ignores further clicks", async () => {
    let finish = () => {};
    const workbook = createFakeWorkbook();
    const plans: SheetPlan[] = [];
    const addSheet = (plan: SheetPlan) =>
      new Promise<string>((resolve) => {
        plans.push(plan);
        finish = () => resolve("Ranking (2)");
      });
    openSheets({ workbook: { ...workbook, addSheet } });
    press("Create sheet");
    press("Creating the sheet…");
    fireEvent.submit(document.querySelector("form") as HTMLFormElement); // as by Enter in a field
    await waitFor(() => expect(plans).toHaveLength(1));
    finish();
    await screen.findByText(/Created "Ranking \(2\)"\./);
    expect(await screen.findByRole("button", { name: "Create sheet" })).toBeTruthy();
  });

  it("keeps the draft if the workbook refuses, with the reason, and lists no sheet", async () => {
    const { workbook, stored } = openSheets();
    pick("Period", "This year");
    workbook.refuse("protected");
    press("Create sheet");
    await screen.findByText(/is protected\. Unprotect it/);
    expect(screen.getByRole<HTMLSelectElement>("combobox", { name: "Period" }).value).toBe("YTD");
    expect([workbook.sheets, stored, session.settings.sheets]).toEqual([[], [], []]);
    await act(async () => workbook.refuse(null)); // the button's effects have run too
    press("Create sheet");
    await screen.findByText(/Created "/);
  });

  it("is listed even if the workbook cannot store it, which is reported", async () => {
    openSheets({ persist: () => Promise.reject(new Error("The file is read-only.")) });
    press("Create sheet");
    await screen.findByText(/did not keep this setting.*The file is read-only\./);
    expect(screen.getByRole("button", { name: "Show Ranking" })).toBeTruthy();
  });
});

describe("a new statement", () => {
  it("starts with the company sent by another part, and names its sheet after it", async () => {
    const { workbook } = openSheets({ initialTask: { company: SAKURA } });
    expect(listGiven()).toEqual([`${SAKURA.name} ×`]);
    await checkAccess();
    pick("Fiscal years", "The latest 3");
    pick("Unit", "Billions");
    pick("Basis", "Consolidated only");
    press("Create sheet");
    await screen.findByText(/Created "株式会社さくら食品"\./);
    expect(contentsOf(workbook.sheets, "B3", "B4", "B5", "B6")).toEqual([SAKURA.id, "FY-2:FY0", "bn", "CONSOLIDATED"]);
  });

  it("accepts one company, the latest, and names its sheet only after a known name", async () => {
    const { workbook } = openSheets({ initialTask: { company: SAKURA } });
    give("Company", OTHER);
    expect(listGiven()).toEqual([`${OTHER} ×`]);
    press("Create sheet");
    await screen.findByText(/Created "Statement"\./);
    expect(contentsOf(workbook.sheets, "B3")).toEqual([OTHER]);
  });

  it("keeps its draft while another template is shown", () => {
    openSheets({ initialTask: { company: SAKURA } });
    choose("Ranking");
    choose("Statement");
    expect(listGiven()).toEqual([`${SAKURA.name} ×`]);
  });
});

describe("the sheets in Japanese", () => {
  it("are offered and written in Japanese", async () => {
    const { workbook } = openSheets({ language: "ja-JP" });
    expect(screen.getByText(/25 行 × 7 列の表、上位 10 件のグラフ/)).toBeTruthy();
    await checkAccess();
    press("シートを作成");
    await screen.findByText(/シート「ランキング」を作成しました/);
    expect(contentsOf(workbook.sheets, "A3")).toEqual(["期間"]);
  });
});

describe("the sheets of a workbook", () => {
  const made: MadeSheet[] = [
    { name: "Ranking", template: "ranking" },
    { name: "Peers", template: "comparison" },
  ];

  it("give instructions if there are none", async () => {
    openSheets();
    expect(screen.getByText(/None yet\. Choose what you need above/)).toBeTruthy();
    expect(screen.getAllByRole("heading").map(({ textContent }) => textContent)).toEqual([
      "New sheet",
      "Sheets made here",
      "Refresh",
    ]);
    await checkAccess();
  });

  it("come first when there are some, and are shown by name", async () => {
    const { workbook } = openSheets({ made });
    expect(screen.getAllByRole("heading")[0]?.textContent).toBe("Sheets made here");
    press("Show Peers");
    await waitFor(async () => expect((await workbook.readSelection()).sheet).toBe("Peers"));
    await checkAccess();
  });

  it("leave the list if they were deleted and the person confirms, and stay if they cannot be shown now", async () => {
    const { workbook, stored } = openSheets({ made });
    workbook.refuse("editing");
    press("Show Ranking");
    await screen.findByText(/A cell is being edited/);
    workbook.refuse("missing");
    press("Refresh Ranking");
    await screen.findByText('There is no sheet "Ranking" in this workbook any more.');
    expect(screen.getByRole("button", { name: "Show Ranking" })).toBeTruthy();
    expect(stored).toEqual([]);
    press("Take off the list");
    expect(screen.queryByRole("button", { name: "Show Ranking" })).toBeNull();
    expect(stored).toEqual([{ sheets: [made[1]] }]);
  });

  it("can be refreshed alone, with the number of cells with unknown formulas", async () => {
    const cells = [
      { sheet: "Peers", address: "A8", formula: '=FEED.RANKING("2024-02-01T00:00:00")', value: 1 },
      { sheet: "Peers", address: "B1", formula: '=FEED.RANKING("2023-02-01T00:00:00")', value: 1 },
    ];
    openSheets({ made, workbook: createFakeWorkbook(cells) });
    await session.connect();
    await watchMonth("01", "Ranking!A8");
    await watchMonth("02", "Peers!A8");
    const before = companion.controls.count();
    press("Refresh Peers");
    await screen.findByText(/^1 formula refreshed\. Of 1 cell it is not known which live formulas they hold/);
    expect(companion.controls.count()).toBe(before + 1);
    press("Refresh now");
    await screen.findByText("2 formulas refreshed.");
    expect(screen.getByText(/Last at .*: 2 answers refreshed\./)).toBeTruthy();
  });
});

describe("the refresh of a workbook", () => {
  it("runs on opening by default, or as chosen, which is stored", async () => {
    const { stored } = openSheets();
    await session.connect();
    expect(screen.queryByText(/Next at/)).toBeNull();
    pick("Refresh automatically", "Every 5 minutes");
    expect(await screen.findByText(/Next at \d/)).toBeTruthy();
    expect(stored).toEqual([{ refresh: toPolicies("every-5") }]);
    session.disconnect();
    expect(await screen.findByText("Waits until there is a connection.")).toBeTruthy();
    pick("Refresh automatically", "By hand only");
    expect(screen.queryByText("Waits until there is a connection.")).toBeNull();
  });

  it("warns about manual calculation before anything is sent", async () => {
    const workbook = createFakeWorkbook();
    openSheets({ workbook: { ...workbook, isManual: async () => true } });
    await session.connect();
    const before = companion.controls.count();
    pick("Refresh automatically", "Every hour");
    await screen.findByText(/Excel calculates by hand only/);
    press("Close");
    press("Refresh now");
    await screen.findByRole("button", { name: "Refresh anyway" });
    expect(companion.controls.count()).toBe(before);
  });
});
