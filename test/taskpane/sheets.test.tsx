/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react/pure";
import axe from "axe-core";
import type { SheetPlan } from "../../src/contract/workbook";
import { createPorts } from "../../src/feed/ports";
import { createSession, type Session } from "../../src/session/session";
import type { MadeSheet } from "../../src/session/settings";
import type { PaneContext } from "../../src/taskpane/pane";
import { Sheets } from "../../src/taskpane/Sheets";
import { toTexts } from "../../src/taskpane/texts";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { openPart } from "./open-pane";
import { createPaperWorkbook } from "./paper-workbook";

const SAKURA = { id: "3d1ce6e7-7fd1-463c-ab13-8646d111213d", name: "株式会社さくら食品" };
const OTHER = "91c6b211-c4b4-490a-a1f2-3fcde0a6f08f";

let companion: RunningCompanion;
let session: Session;

beforeAll(async () => {
  companion = await startCompanion({ companies: 100 });
});
afterEach(() => {
  cleanup();
  session.change({ refreshMinutes: 0 }); // ends its timer
  session.feed.watch.close();
});
afterAll(() => companion.close());

interface Opening extends Partial<PaneContext> {
  wish?: { company: typeof SAKURA };
  made?: readonly MadeSheet[];
  language?: string;
}

function open({ wish, made = [], language = "en-US", ...options }: Opening = {}) {
  session = createSession({ ports: createPorts(), companionUrl: companion.origin });
  session.change({ sheets: made });
  return openPart(session, <Sheets wish={wish} />, { texts: toTexts(language), ...options });
}

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }));
const choose = (name: string) => fireEvent.click(screen.getByRole("radio", { name: new RegExp(`^${name}`) }));
const pick = (label: string, option: string) => {
  const select = screen.getByRole("combobox", { name: label });
  const { value } = within(select).getByRole<HTMLOptionElement>("option", { name: option });
  fireEvent.change(select, { target: { value } });
};
const write = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const contentOf = ({ cells }: SheetPlan, at: string) => cells.find((cell) => cell.at === at)?.content;

async function checkAccess(): Promise<void> {
  // Fluent's focus sentinels hold nothing for a person to meet; contrast is judged where there are colours.
  const page = { include: [document.body], exclude: [["[data-tabster-dummy]"]] };
  const rules = { "color-contrast": { enabled: false }, "page-has-heading-one": { enabled: false } };
  const { violations } = await axe.run(page, { rules });
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}

describe("a new ranking", () => {
  it("is made at once from what is proposed, and is kept in the workbook's list", async () => {
    const { workbook, kept } = open();
    expect(screen.getByText(/25 rows of 7 columns, a chart of the top ten.* 1 request now/)).toBeTruthy();
    press("Make sheet");
    await screen.findByText(/Made the sheet Ranking\./);
    const [plan] = workbook.sheets;
    expect(plan).toMatchObject({ name: "Ranking", frozenRows: 8, selected: "B3" });
    expect(contentOf(plan!, "B3")).toBe("-7d");
    expect(contentOf(plan!, "B5")).toBe(25);
    await screen.findByRole("button", { name: "Show Ranking" });
    expect(kept).toEqual([{ sheets: [{ name: "Ranking", template: "ranking" }] }]);
  });

  it("takes kind, page type, range, rows and columns as they were chosen", async () => {
    const { workbook } = open();
    pick("What is ranked", "Companies by page type");
    pick("Page type", "News");
    pick("Range", "Last month");
    pick("Rows", "All");
    expect(screen.getByText(/All rows of .*1 request for each 1,000 rows/)).toBeTruthy();
    fireEvent.click(screen.getByRole("checkbox", { name: "Headquarters", hidden: true }));
    press("Make sheet");
    await screen.findByText(/Made the sheet Page ranking\./);
    const [plan] = workbook.sheets;
    expect(["B3", "B4", "B5", "B6"].map((at) => contentOf(plan!, at))).toEqual(["-1m", undefined, "NEWS", "all"]);
    expect(contentOf(plan!, "A9")).toEqual({
      formula:
        '=FEED.RANKING.PAGES(B3, B4, B5, B6, "rank,companyName,tickerSymbol,totalPageViews,totalUniquePageViews,engagementTime.avg")',
    });
  });

  it("asks for days that are missing or swapped at their fields, and goes there", async () => {
    const { workbook } = open();
    pick("Range", "From and to a date");
    expect(screen.queryByText("Give a day, such as 2024-01-31.")).toBeNull();
    press("Make sheet");
    expect(screen.getAllByText("Give a day, such as 2024-01-31.")).toHaveLength(2);
    expect(document.activeElement).toBe(screen.getByLabelText("From"));
    write("From", "2024-02-01");
    write("To", "2024-01-31");
    expect(screen.getByText("The first day is after the last. Exchange them.")).toBeTruthy();
    await checkAccess();
    write("To", "2024-02-29");
    press("Make sheet");
    await screen.findByText(/Made the sheet/);
    expect(["B3", "B4"].map((at) => contentOf(workbook.sheets[0]!, at))).toEqual(["2024-02-01", "2024-02-29"]);
  });

  it("asks for a column where none is chosen", () => {
    open();
    for (const box of screen.getAllByRole("checkbox", { checked: true, hidden: true })) fireEvent.click(box);
    press("Make sheet");
    expect(screen.getByText("Choose at least one column.")).toBeTruthy();
    fireEvent.click(screen.getByRole("checkbox", { name: "Company" }));
    expect(screen.queryByText("Choose at least one column.")).toBeNull();
  });

  it("becomes one sheet by a double click, however fast the workbook is", async () => {
    const { workbook } = open();
    const button = screen.getByRole("button", { name: "Make sheet" });
    fireEvent.click(button, { detail: 1 });
    await screen.findByText(/Made the sheet/);
    fireEvent.click(button, { detail: 2 });
    expect(workbook.sheets).toHaveLength(1);
  });

  it("says that it is being made, and takes no second order meanwhile", async () => {
    let finish = () => {};
    const workbook = createPaperWorkbook();
    const plans: SheetPlan[] = [];
    const addSheet = (plan: SheetPlan) =>
      new Promise<string>((resolve) => {
        plans.push(plan);
        finish = () => resolve("Ranking (2)");
      });
    open({ workbook: { ...workbook, addSheet } });
    press("Make sheet");
    press("Making the sheet…");
    fireEvent.submit(document.querySelector("form") as HTMLFormElement); // as by Enter in a field
    expect(plans).toHaveLength(1);
    finish();
    await screen.findByText(/Made the sheet Ranking \(2\)\./);
    expect(screen.getByRole("button", { name: "Make sheet" })).toBeTruthy();
  });

  it("stays as it was written where the workbook refuses, with the reason, and leaves no sheet in the list", async () => {
    const { workbook, kept } = open();
    pick("Range", "This year");
    workbook.refuse("protected");
    press("Make sheet");
    await screen.findByText(/is protected\. Unprotect it/);
    expect(screen.getByRole<HTMLSelectElement>("combobox", { name: "Range" }).value).toBe("YTD");
    expect([workbook.sheets, kept, session.settings.sheets]).toEqual([[], [], []]);
    workbook.refuse(null);
    press("Make sheet");
    await screen.findByText(/Made the sheet/);
  });

  it("is in the list though the workbook does not keep it, which is said", async () => {
    open({ keep: () => Promise.reject(new Error("The file is read-only.")) });
    press("Make sheet");
    await screen.findByText(/did not keep this setting.*The file is read-only\./);
    expect(screen.getByRole("button", { name: "Show Ranking" })).toBeTruthy();
  });
});

describe("a new comparison", () => {
  it("takes companies as they are pasted and from selected cells, each once", async () => {
    const { workbook } = open();
    await workbook.write({
      at: { sheet: "Sheet1", address: "A1" },
      cells: [["Company id"], [SAKURA.id], [1234567890123], ["Sakura Foods"]],
    });
    workbook.select({ sheet: "Sheet1", address: "A1:A4" });
    choose("Comparison");
    write("Companies", `${OTHER}, ${SAKURA.id}`);
    press("Take selected cells");
    await waitFor(() =>
      expect(screen.getByLabelText<HTMLTextAreaElement>("Companies").value.split("\n")).toEqual([
        OTHER,
        SAKURA.id,
        "1234567890123",
      ]),
    );
    expect(screen.getByText(/3 companies with 5 figures.*room for 50 companies\. About 4 requests/)).toBeTruthy();
    press("Make sheet");
    await screen.findByText(/Made the sheet Comparison\./);
    const [plan] = workbook.sheets;
    // A number would lose the zeros that it begins with.
    expect(["A10", "A11", "A12"].map((at) => contentOf(plan!, at))).toEqual([OTHER, SAKURA.id, "1234567890123"]);
    expect(contentOf(plan!, "C10")).toEqual({ formula: "=FEED.FINANCIAL(A10:A59, B3, C7:H7, , B4)" });
  });

  it("says at each field what it does not take", async () => {
    const { workbook } = open();
    choose("Comparison");
    press("Make sheet");
    expect(screen.getByText(/Give at least one company/)).toBeTruthy();
    write("Companies", "Sakura Foods");
    expect(screen.getByText(/"Sakura Foods" is neither a company id nor a registration number/)).toBeTruthy();
    write("Fiscal year", "FY4");
    expect(screen.getByText(/Give a year such as 2023/)).toBeTruthy();
    await checkAccess();
    expect(workbook.sheets).toEqual([]);
  });

  it("says where the selected cells hold no company, and leads to where names are found", async () => {
    const { opened } = open();
    choose("Comparison");
    press("Take selected cells");
    await screen.findByText(/Sheet1!A1 holds no company\./);
    press("Find a company");
    expect(opened).toEqual([["find", undefined]]);
  });
});

describe("a new statement", () => {
  it("begins with the company that another part asks for, and names its sheet after it", async () => {
    const { workbook } = open({ wish: { company: SAKURA } });
    expect(screen.getByLabelText<HTMLInputElement>("Company").value).toBe(SAKURA.id);
    expect(screen.getByText(SAKURA.name)).toBeTruthy();
    await checkAccess();
    pick("Fiscal years", "The latest 3");
    pick("Unit", "Billions");
    pick("Basis", "Consolidated only");
    press("Make sheet");
    await screen.findByText(/Made the sheet 株式会社さくら食品\./);
    const [plan] = workbook.sheets;
    expect(["B3", "B4", "B5", "B6"].map((at) => contentOf(plan!, at))).toEqual([
      SAKURA.id,
      "FY-2:FY0",
      "bn",
      "CONSOLIDATED",
    ]);
  });

  it("takes one company only, and forgets the name of another", () => {
    open({ wish: { company: SAKURA } });
    write("Company", `${SAKURA.id}, ${OTHER}`);
    press("Make sheet");
    expect(screen.getByText(/A statement shows one company/)).toBeTruthy();
    expect(screen.queryByText(SAKURA.name)).toBeNull();
  });

  it("keeps what was written while another template is looked at", () => {
    open({ wish: { company: SAKURA } });
    choose("Ranking");
    choose("Statement");
    expect(screen.getByLabelText<HTMLInputElement>("Company").value).toBe(SAKURA.id);
  });
});

describe("the sheets of a workbook", () => {
  const made: MadeSheet[] = [
    { name: "Ranking", template: "ranking" },
    { name: "Peers", template: "comparison" },
  ];

  it("say what to do first where there are none", async () => {
    open();
    expect(screen.getByText(/None yet\. Choose what you need above/)).toBeTruthy();
    expect(screen.getAllByRole("heading").map(({ textContent }) => textContent)).toEqual([
      "New sheet",
      "Sheets of this workbook",
      "Refresh",
    ]);
    await checkAccess();
  });

  it("come first for whoever comes back, and are shown by their names", async () => {
    const { workbook } = open({ made });
    expect(screen.getAllByRole("heading")[0]?.textContent).toBe("Sheets of this workbook");
    press("Show Peers");
    await waitFor(async () => expect((await workbook.readSelection()).sheet).toBe("Peers"));
    await checkAccess();
  });

  it("leave the list when they are gone, and stay when the workbook only cannot show them now", async () => {
    const { workbook, kept } = open({ made });
    workbook.refuse("editing");
    press("Show Ranking");
    await screen.findByText(/A cell is being edited/);
    workbook.refuse("missing");
    press("Refresh Ranking");
    await screen.findByText(/The sheet Ranking is not in this workbook any more/);
    expect(screen.queryByRole("button", { name: "Show Ranking" })).toBeNull();
    expect(kept).toEqual([{ sheets: [made[1]] }]);
  });

  it("are refreshed alone where it is known what they ask", async () => {
    open({ made });
    await session.connect();
    const range = (month: string) => ({ start: `2024-${month}-01T00:00:00`, end: `2024-${month}-02T23:59:59` });
    for (const [sheet, month] of [
      ["Ranking", "01"],
      ["Peers", "02"],
    ] as const) {
      const question = session.feed.rankings.askCompanies(range(month), 5);
      session.calls.add({
        name: "RANKING",
        given: {},
        address: `${sheet}!A8`,
        questions: [question],
        error: null,
        reread() {},
      });
      await new Promise<void>((resolve) => {
        session.feed.watch.watch(question, ({ status }) => status === "answered" && resolve());
      });
    }
    const before = companion.controls.count();
    press("Refresh Peers");
    await screen.findByText("1 question asked again.");
    expect(companion.controls.count()).toBe(before + 1);
    press("Refresh now");
    await screen.findByText("2 questions asked again.");
    expect(screen.getByText(/Last at .*: 2 questions asked again\./)).toBeTruthy();
  });
});

describe("the refresh of a workbook", () => {
  it("is off at first, runs by itself as chosen, and is kept", async () => {
    const { kept } = open();
    await session.connect();
    expect(screen.queryByText(/Next at/)).toBeNull();
    pick("Refresh by itself", "Every 5 minutes");
    expect(await screen.findByText(/Next at \d/)).toBeTruthy();
    expect(kept).toEqual([{ refreshMinutes: 5 }]);
    session.disconnect();
    expect(await screen.findByText("Waits until there is a connection.")).toBeTruthy();
    pick("Refresh by itself", "Off");
    expect(screen.queryByText("Waits until there is a connection.")).toBeNull();
  });

  it("warns where the workbook is calculated by hand, before anything is asked", async () => {
    const workbook = createPaperWorkbook();
    open({ workbook: { ...workbook, isManual: async () => true } });
    await session.connect();
    const before = companion.controls.count();
    pick("Refresh by itself", "Every hour");
    await screen.findByText(/Excel calculates by hand only/);
    press("Close");
    press("Refresh now");
    await screen.findByRole("button", { name: "Refresh anyway" });
    expect(companion.controls.count()).toBe(before);
  });
});

describe("the sheets in Japanese", () => {
  it("are offered and written in it", async () => {
    const { workbook } = open({ language: "ja-JP" });
    expect(screen.getByText(/25 行 × 7 列の表、上位 10 件のグラフ/)).toBeTruthy();
    await checkAccess();
    press("シートを作成");
    await screen.findByText(/シート「ランキング」を作成しました/);
    expect(contentOf(workbook.sheets[0]!, "A3")).toBe("期間");
  });
});
