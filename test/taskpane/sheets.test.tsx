/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { fireEvent, screen, waitFor } from "@testing-library/react/pure";
import type { SheetPlan } from "../../src/contract/workbook";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createFakeWorkbook } from "./fake-workbook";
import {
  checkAccess,
  choose,
  closeSheets,
  contentOf,
  give,
  listGiven,
  openSheets,
  pick,
  press,
  write,
} from "./sheets-page";

const SAKURA = { id: "3d1ce6e7-7fd1-463c-ab13-8646d111213d", name: "株式会社さくら食品" };
const OTHER = "91c6b211-c4b4-490a-a1f2-3fcde0a6f08f";

let companion: RunningCompanion;

beforeAll(async () => {
  companion = await startCompanion({ companies: 100 });
});
afterEach(closeSheets);
afterAll(() => companion.close());

const open = (options: Partial<Parameters<typeof openSheets>[0]> = {}) =>
  openSheets({ origin: companion.origin, ...options });

describe("a new ranking", () => {
  it("is created from the defaults, and stored in the workbook's list", async () => {
    const { workbook, stored } = open();
    expect(screen.getByText(/25 rows of 7 columns, a chart of the top ten.* 1 request now/)).toBeTruthy();
    press("Create sheet");
    await screen.findByText(/Created "Ranking"\./);
    expect(workbook.sheets[0]).toMatchObject({ name: "Ranking", frozenRows: 13, selected: "B3" });
    expect(contentOf(workbook.sheets, "B3")).toBe("-7d");
    expect(contentOf(workbook.sheets, "B5")).toBe(25);
    await screen.findByRole("button", { name: "Show Ranking" });
    expect(stored).toEqual([{ sheets: [{ name: "Ranking", template: "ranking", id: "Ranking" }] }]);
  });

  it("has the chosen kind, page type, range, rows and columns", async () => {
    const { workbook } = open();
    pick("What is ranked", "Companies by page type");
    pick("Page type", "News");
    pick("Period", "Last month");
    pick("Rows", "All");
    expect(screen.getByText(/All rows of .*1 request for each 1,000 rows/)).toBeTruthy();
    fireEvent.click(screen.getByRole("checkbox", { name: "Headquarters", hidden: true }));
    press("Create sheet");
    await screen.findByText(/Created "Page ranking"\./);
    expect(["B3", "B4", "B5", "B6"].map((at) => contentOf(workbook.sheets, at))).toEqual([
      "-1m",
      undefined,
      "NEWS",
      "all",
    ]);
    expect(contentOf(workbook.sheets, "A13")).toEqual({
      formula:
        '=FEED.RANKING.PAGES(B3, B4, B5, B6, "rank,companyName,tickerSymbol,totalPageViews,totalUniquePageViews,engagementTime.avg")',
    });
  });

  it("reports missing or swapped days at their fields, and moves the focus there", async () => {
    const { workbook } = open();
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
    expect(["B3", "B4"].map((at) => contentOf(workbook.sheets, at))).toEqual(["2024-02-01", "2024-02-29"]);
  });

  it("requires a column", () => {
    open();
    for (const box of screen.getAllByRole("checkbox", { checked: true, hidden: true })) fireEvent.click(box);
    press("Create sheet");
    expect(screen.getByText("Choose at least one column.")).toBeTruthy();
    fireEvent.click(screen.getByRole("checkbox", { name: "Company" }));
    expect(screen.queryByText("Choose at least one column.")).toBeNull();
  });

  it("becomes one sheet on a double click, however fast the workbook is", async () => {
    const { workbook } = open();
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
    open({ workbook: { ...workbook, addSheet } });
    press("Create sheet");
    press("Creating the sheet…");
    fireEvent.submit(document.querySelector("form") as HTMLFormElement); // as by Enter in a field
    await waitFor(() => expect(plans).toHaveLength(1));
    finish();
    await screen.findByText(/Created "Ranking \(2\)"\./);
    expect(await screen.findByRole("button", { name: "Create sheet" })).toBeTruthy();
  });

  it("keeps the draft if the workbook refuses, with the reason, and lists no sheet", async () => {
    const { workbook, stored, session } = open();
    pick("Period", "This year");
    workbook.refuse("protected");
    press("Create sheet");
    await screen.findByText(/is protected\. Unprotect it/);
    expect(screen.getByRole<HTMLSelectElement>("combobox", { name: "Period" }).value).toBe("YTD");
    expect([workbook.sheets, stored, session.settings.sheets]).toEqual([[], [], []]);
    workbook.refuse(null);
    press("Create sheet");
    await screen.findByText(/Created "/);
  });

  it("is listed even if the workbook cannot store it, which is reported", async () => {
    open({ persist: () => Promise.reject(new Error("The file is read-only.")) });
    press("Create sheet");
    await screen.findByText(/did not keep this setting.*The file is read-only\./);
    expect(screen.getByRole("button", { name: "Show Ranking" })).toBeTruthy();
  });
});

describe("a new comparison", () => {
  it("accepts pasted companies and selected cells, each once", async () => {
    const { workbook } = open();
    await workbook.write({
      at: { sheet: "Sheet1", address: "A1" },
      cells: [[""], [SAKURA.id], [1234567890123], [OTHER]],
    });
    workbook.select({ sheet: "Sheet1", address: "A1:A4" });
    choose("Comparison");
    const clipboardData = { getData: () => `${OTHER}\r\n${SAKURA.id}` };
    fireEvent.paste(screen.getByLabelText("Companies"), { clipboardData });
    expect(listGiven()).toEqual([`${OTHER} ×`, `${SAKURA.id} ×`]);
    press("Take selected cells");
    await waitFor(() => expect(listGiven()).toEqual([`${OTHER} ×`, `${SAKURA.id} ×`, "1234567890123 ×"]));
    expect(screen.getByText(/3 companies with 5 metrics.*room for 50 companies\. About 4 requests/)).toBeTruthy();
    press("Create sheet");
    await screen.findByText(/Created "Comparison"\./);
    // A number would lose its leading zeros.
    expect(["C16", "C17", "C18"].map((at) => contentOf(workbook.sheets, at))).toEqual([
      OTHER,
      SAKURA.id,
      "1234567890123",
    ]);
    expect(contentOf(workbook.sheets, "D16")).toEqual({ formula: "=FEED.FINANCIAL(C16:C65, B3, D11:H11, , B4)" });
  });

  it("reports the mistakes of each field", async () => {
    const { workbook } = open();
    choose("Comparison");
    press("Create sheet");
    expect(screen.getByText(/Choose at least one company/)).toBeTruthy();
    expect(screen.queryByText(/0 companies/)).toBeNull();
    const clipboardData = { getData: () => `Nobody Foods, ${OTHER}` };
    fireEvent.paste(screen.getByLabelText("Companies"), { clipboardData });
    await screen.findByText(/"Nobody Foods" is not one company/, {}, { timeout: 20_000 });
    write("Fiscal year", "FY4");
    expect(screen.getByText(/Give a year such as 2023/)).toBeTruthy();
    await checkAccess();
    expect(workbook.sheets).toEqual([]);
  });

  it("reports that the selected cells are empty", async () => {
    open();
    choose("Comparison");
    press("Take selected cells");
    await screen.findByText(/Sheet1!A1 is empty\./);
  });
});

describe("a new statement", () => {
  it("starts with the company sent by another part, and names its sheet after it", async () => {
    const { workbook } = open({ initialTask: { company: SAKURA } });
    expect(listGiven()).toEqual([`${SAKURA.name} ×`]);
    await checkAccess();
    pick("Fiscal years", "The latest 3");
    pick("Unit", "Billions");
    pick("Basis", "Consolidated only");
    press("Create sheet");
    await screen.findByText(/Created "株式会社さくら食品"\./);
    expect(["B3", "B4", "B5", "B6"].map((at) => contentOf(workbook.sheets, at))).toEqual([
      SAKURA.id,
      "FY-2:FY0",
      "bn",
      "CONSOLIDATED",
    ]);
  });

  it("accepts one company, the latest, and names its sheet only after a known name", async () => {
    const { workbook } = open({ initialTask: { company: SAKURA } });
    give("Company", OTHER);
    expect(listGiven()).toEqual([`${OTHER} ×`]);
    press("Create sheet");
    await screen.findByText(/Created "Statement"\./);
    expect(contentOf(workbook.sheets, "B3")).toBe(OTHER);
  });

  it("accepts the company by name, and is named after it", async () => {
    const { workbook, session } = open();
    await session.connect();
    choose("Statement");
    write("Company", "sakura");
    const [offer] = await screen.findAllByRole("option", { name: /Sakura|さくら/ }, { timeout: 20_000 });
    fireEvent.click(offer as HTMLElement);
    const [given = ""] = listGiven();
    expect(given).toMatch(/(Sakura|さくら).* ×$/);
    press("Create sheet");
    await screen.findByText(/^Created/);
    expect(workbook.sheets[0]?.name).toBe(given.slice(0, -2));
    expect(contentOf(workbook.sheets, "B3")).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("keeps its draft while another template is shown", () => {
    open({ initialTask: { company: SAKURA } });
    choose("Ranking");
    choose("Statement");
    expect(listGiven()).toEqual([`${SAKURA.name} ×`]);
  });
});

describe("the sheets in Japanese", () => {
  it("are offered and written in Japanese", async () => {
    const { workbook } = open({ language: "ja-JP" });
    expect(screen.getByText(/25 行 × 7 列の表、上位 10 件のグラフ/)).toBeTruthy();
    await checkAccess();
    press("シートを作成");
    await screen.findByText(/シート「ランキング」を作成しました/);
    expect(contentOf(workbook.sheets, "A3")).toBe("期間");
  });
});
