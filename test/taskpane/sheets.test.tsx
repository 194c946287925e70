/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { beforeAll, describe, expect, it, jest } from "@jest/globals";
import { act, fireEvent, screen, waitFor } from "@testing-library/react/pure";
import { RequestError } from "../../src/client/errors";
import { DEADLINE_MS } from "../../src/client/http/deadline";
import { msg } from "../../src/client/messages";
import { createPorts } from "../../src/client/ports";
import type { FeedCell, SheetPlan } from "../../src/contract/workbook";
import type { Session } from "../../src/session/session";
import { type MadeSheet, toPolicies } from "../../src/session/settings";
import { installCustomFunctions } from "../office/custom-functions";
import { toCall } from "./call";
import { createFakeWorkbook } from "./fake-workbook";
import { begin, companion, press, session } from "./pane-sessions";
import {
  checkAccess,
  choose,
  contentsOf,
  create,
  give,
  listGiven,
  openRefresh,
  openSheets,
  pick,
  serveSheets,
  watchMonth,
  write,
} from "./sheets-page";

const SAKURA = { id: "3d1ce6e7-7fd1-463c-ab13-8646d111213d", name: "株式会社さくら食品" };
const OTHER = "91c6b211-c4b4-490a-a1f2-3fcde0a6f08f";
const made: MadeSheet[] = [
  { name: "Ranking", template: "ranking" },
  { name: "Peers", template: "comparison" },
];

serveSheets();

const current = {} as { session: Session };
let offered: Parameters<Session["formulas"]["offer"]>[0] = {};
beforeAll(() => {
  installCustomFunctions();
  jest.doMock("../../src/session/current", () => current);
  current.session = { formulas: { offer: (all: typeof offered) => (offered = all) } } as unknown as Session;
  require("../../src/functions/rankings");
});

/** Gives the pane the formulas of rankings, as in the page that it shares with them. */
function offerFormulas(): void {
  current.session = session;
  session.formulas.offer(offered);
}

describe("a new ranking", () => {
  it("is created from the defaults, and stored in the workbook's list", async () => {
    const { workbook, stored } = openSheets();
    expect(screen.getByText("None yet.")).toBeTruthy();
    const headings = screen.getAllByRole("heading").map(({ textContent }) => textContent);
    expect(headings).toEqual(["New sheet", "Sheets made here", "Refresh"]);
    await checkAccess();
    expect(screen.getByText(/25 rows of 7 columns and a chart of the top ten.* 1 request now/)).toBeTruthy();
    await create(/Created "Ranking"\./);
    expect(workbook.sheets[0]).toMatchObject({ name: "Ranking", frozenRows: 1, selected: "B3" });
    expect(contentsOf(workbook.sheets, "B3", "B5")).toEqual(["-7d", 25]);
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
    await create(/Created "Page ranking"\./);
    const fields = "rank,companyName,tickerSymbol,totalPageViews,totalUniquePageViews,engagementTime.avg";
    const formula = `=FEED.RANKING.PAGES(B3, B4, B5, B6, "${fields}")`;
    const written = contentsOf(workbook.sheets, "B3", "B4", "B5", "B6", "A13");
    expect(written).toEqual(["-1m", undefined, "NEWS", "all", { formula }]);
  });

  it("reports missing days at their fields, and moves the focus there", async () => {
    const { workbook } = openSheets();
    pick("Period", "From and to a date");
    expect(screen.queryByText("Give a day, such as 2024-01-31.")).toBeNull();
    press("Create sheet");
    expect(screen.getAllByText("Give a day, such as 2024-01-31.")).toHaveLength(2);
    expect(document.activeElement).toBe(screen.getByLabelText("From"));
    write("From", "2024-02-01");
    write("To", "2024-02-29");
    await checkAccess();
    await create();
    expect(contentsOf(workbook.sheets, "B3", "B4")).toEqual(["2024-02-01", "2024-02-29"]);
  });

  it("says at once why its formula would refuse the days, and is not created by them", async () => {
    offerFormulas();
    const { workbook } = openSheets();
    pick("Period", "From and to a date");
    write("From", "2024-02-01");
    write("To", "2024-01-31");
    await screen.findByText("Start is after end: 2024-02-01 to 2024-01-31; exchange them");
    await checkAccess();
    write("To", "2999-01-01");
    write("From", "2998-01-01");
    await screen.findByText("The period begins after today: 2998-01-01 to 2999-01-01; give an earlier one");
    press("Create sheet");
    expect(document.activeElement).toBe(screen.getByLabelText("To"));
    expect(workbook.sheets).toEqual([]);
    write("From", "2024-01-01");
    await waitFor(() => expect(screen.queryByText(/after today/)).toBeNull());
    await create();
    expect(companion.controls.count("rankCompanies")).toBe(0);
  });

  it("is created by days whose last reading has failed", async () => {
    const failed = new RequestError("FEED_TIMED_OUT", msg`no answer`);
    const finding = jest.spyOn(session.formulas, "findError").mockResolvedValue(failed);
    openSheets();
    pick("Period", "From and to a date");
    write("From", "2024-02-01");
    write("To", "2024-02-29");
    await waitFor(() => expect(finding).toHaveBeenCalledWith("RANKING", ["2024-02-01", "2024-02-29"]));
    await act(async () => {});
    await create();
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
    await create(/is protected\. Unprotect it/);
    expect(screen.getByRole<HTMLSelectElement>("combobox", { name: "Period" }).value).toBe("YTD");
    expect([workbook.sheets, stored, session.settings.sheets]).toEqual([[], [], []]);
    await act(async () => workbook.refuse(null)); // the button's effects have run too
    await create();
  });

  it("is listed even if the workbook cannot store it, which is reported", async () => {
    openSheets({ persist: () => Promise.reject(new Error("The file is read-only.")) });
    await create(/did not keep this setting.*The file is read-only\./);
    expect(screen.getByRole("button", { name: "Show Ranking" })).toBeTruthy();
  });
});

describe("a new statement", () => {
  it("starts with the company sent by another part, keeps its draft, and names its sheet after it", async () => {
    const { workbook } = openSheets({ initialTask: { company: SAKURA } });
    expect(listGiven()).toEqual([`${SAKURA.name} ×`]);
    await checkAccess();
    choose("Ranking");
    choose("Statement"); // which kept its draft
    expect(listGiven()).toEqual([`${SAKURA.name} ×`]);
    pick("Fiscal years", "The latest 3");
    pick("Unit", "Billions");
    pick("Basis", "Consolidated only");
    await create(/Created "株式会社さくら食品"\./);
    expect(contentsOf(workbook.sheets, "B3", "B4", "B5", "B6")).toEqual([SAKURA.id, "FY-2:FY0", "bn", "CONSOLIDATED"]);
  });

  it("accepts one company, the latest, and names its sheet only after a known name", async () => {
    const { workbook } = openSheets({ initialTask: { company: SAKURA } });
    give("Company", OTHER);
    expect(listGiven()).toEqual([`${OTHER} ×`]);
    await create(/Created "Statement"\./);
    expect(contentsOf(workbook.sheets, "B3")).toEqual([OTHER]);
  });
});

it("the sheets in Japanese are offered and written in Japanese", async () => {
  const { workbook } = openSheets({ language: "ja-JP" });
  expect(screen.getByText(/25 行 × 7 列の表と上位 10 件のグラフ/)).toBeTruthy();
  await checkAccess();
  press("シートを作成");
  await screen.findByText(/シート「ランキング」を作成しました/);
  expect(contentsOf(workbook.sheets, "A3")).toEqual(["期間"]);
});

describe("the sheets of a workbook", () => {
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
    await act(() => session.refresh());
    expect(screen.getByText(/Last at .*: Refreshed\./)).toBeTruthy();
  });

  it("say what to do where one holds values alone", async () => {
    openSheets({ made });
    press("Refresh Peers");
    await screen.findByText(/^This sheet holds no FEED formula\. Thaw, in the menu \(⋯\), brings frozen ones back/);
  });
});

describe("the refresh of a workbook", () => {
  it("runs on opening by default, or as chosen, which is stored", async () => {
    const { stored } = openSheets();
    await session.connect();
    expect(screen.queryByText(/Next at/)).toBeNull();
    openRefresh();
    pick("Refresh automatically", "Every 5 minutes");
    expect(await screen.findByText(/Next at \d/)).toBeTruthy();
    expect(stored).toEqual([{ refresh: toPolicies("every-5") }]);
    session.disconnect();
    expect(await screen.findByText("Waits until there is a connection.")).toBeTruthy();
    pick("Refresh automatically", "By hand only");
    expect(screen.queryByText("Waits until there is a connection.")).toBeNull();
  });

  it("says how a closed file is refreshed", () => {
    openSheets();
    const link = screen.getByRole("link", { name: "Refresh without Excel" });
    expect(link.getAttribute("href")).toBe("/reference/refresh.html");
    expect(link.parentElement?.textContent).toContain("feed refresh also refreshes a closed file");
  });

  it("warns about manual calculation before anything is sent", async () => {
    openSheets({ workbook: { ...createFakeWorkbook(), isManual: async () => true } });
    await session.connect();
    const before = companion.controls.count();
    openRefresh();
    pick("Refresh automatically", "Every hour");
    await screen.findByText(/Excel calculates by hand only/);
    expect(companion.controls.count()).toBe(before);
  });
});

const MINUTE_MS = 60_000;

const toCell = (sheet: string, month: string): FeedCell => ({
  sheet,
  address: "A8",
  formula: `=FEED.RANKING("2024-${month}-01T00:00:00")`,
  value: 1,
});

const open = (cells: readonly FeedCell[], options: Partial<Parameters<typeof openSheets>[0]> = {}) => {
  const workbook = createFakeWorkbook(cells);
  return { ...openSheets({ made, ...options, workbook }), workbook };
};

const lineOf = (sheet: string) => screen.getByRole("button", { name: `Show ${sheet}` }).closest("li")?.textContent;

describe("the schedule of a made sheet", () => {
  it("is the workbook's at first, and is stored as chosen, with its day and time", async () => {
    const { stored } = open([toCell("Ranking", "01"), toCell("Peers", "02")]);
    const schedule = screen.getByRole<HTMLSelectElement>("combobox", { name: "Refresh of Ranking" });
    expect(schedule.value).toBe("workbook");
    expect(screen.queryByText(/Data that several sheets show/)).toBeNull();
    pick("Refresh of Ranking", "Weekly");
    pick("Day for Ranking", "Friday");
    fireEvent.change(screen.getByLabelText("Time for Ranking"), { target: { value: "18:30" } });
    await screen.findByText(/^Asia\/Tokyo time; later if the workbook is closed then\.$/);
    const friday = { kind: "weekly", atMinutes: 1110, weekday: 5 };
    expect(stored.at(-1)).toMatchObject({ sheets: [{ ...made[0], schedule: friday }, made[1]] });
    expect(screen.queryByLabelText("Time for Peers")).toBeNull();
    await checkAccess();
    pick("Refresh of Ranking", "Only when I press Refresh");
    expect(screen.queryByLabelText("Time for Ranking")).toBeNull();
    pick("Refresh of Ranking", "As the workbook");
    expect(JSON.stringify(stored.at(-1))).not.toContain("schedule");
  });

  it("warns about manual calculation", async () => {
    openSheets({ made, workbook: { ...createFakeWorkbook(), isManual: async () => true } });
    pick("Refresh of Ranking", "Every hour");
    await screen.findByText(/Excel calculates by hand only/);
  });

  it("is told in Japanese with the weekdays' own names", async () => {
    open([], { language: "ja-JP" });
    pick("Ranking の更新", "毎週");
    expect(screen.getByRole("combobox", { name: "Ranking を更新する曜日" }).textContent).toBe(
      "月曜日火曜日水曜日木曜日金曜日土曜日日曜日",
    );
  });
});

describe("the line of a made sheet", () => {
  it("shows when the oldest answer of its own formulas came, and its next refresh by the workbook's clock", async () => {
    open([toCell("Ranking", "01"), toCell("Ranking", "02"), toCell("Peers", "03")]);
    await session.connect();
    const nowMs = Date.now();
    const beforeMs = nowMs - 120 * MINUTE_MS;
    session.ports.nowMs = () => beforeMs;
    await watchMonth("02");
    session.ports.nowMs = () => nowMs;
    await watchMonth("01");
    await watchMonth("03");
    const toClock = (ms: number) =>
      new Date(ms).toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    const before = toClock(beforeMs);
    await waitFor(() => expect(lineOf("Ranking")).toContain(before));
    await waitFor(() => expect(lineOf("Peers")).toContain("As of"));
    expect(lineOf("Peers")).not.toContain(before);
    pick("Refresh of Peers", "Weekly");
    await waitFor(() => expect(lineOf("Peers")).toMatch(/ · next .*07:00( GMT\+9)?/));
    expect(lineOf("Ranking")).not.toContain("next");
  });

  it("gives a sheet that shows no answer no time, as of another sheet", async () => {
    const given = { what: "asof", sheet: "Peers" };
    const asOf = { sheet: "Peers", address: "B7", formula: '=FEED.STATUS("asof", "Peers")', value: null };
    open([toCell("Ranking", "01"), asOf]);
    await session.connect();
    session.calls.add(toCall({ name: "STATUS", given }));
    await watchMonth("01");
    await waitFor(() => expect(lineOf("Ranking")).toContain("As of"));
    expect(session.placement.current?.oldestBesideMs(given)).toBeNull();
    expect(session.placement.current?.oldestBesideMs({})).toBeUndefined();
  });

  it("counts an answer on each sheet that shows it, though Excel runs equal formulas as one", async () => {
    open([toCell("Ranking", "01"), toCell("Peers", "01")]);
    await session.connect();
    await watchMonth("01");
    for (const sheet of ["Ranking", "Peers"]) await waitFor(() => expect(lineOf(sheet)).toContain("As of"));
  });

  it("follows a renamed sheet, stores nothing by itself, and shows that one was deleted", async () => {
    const { workbook, stored } = open([toCell("Ranking", "01")]);
    await screen.findByText("Deleted from this workbook");
    expect(lineOf("Peers")).toContain("Deleted from this workbook");
    expect(stored).toEqual([]);
    workbook.rename("Ranking", "Weekly view");
    workbook.edit();
    await screen.findByRole("button", { name: "Show Weekly view" });
    expect(session.settings.sheets[0]).toMatchObject({ id: "Ranking", name: "Weekly view" });
    expect(stored).toEqual([]);
    press("Take off the list: Peers");
    expect(screen.queryByRole("button", { name: "Show Peers" })).toBeNull();
    await checkAccess();
  });
});

it("a sheet that was made after the workbook was read is at no time called deleted", async () => {
  const workbook = createFakeWorkbook([toCell("Ranking", "01")]);
  let readings = 0;
  const counted = { ...workbook, listSheets: () => workbook.listSheets().finally(() => readings++) };
  openSheets({ made: made.slice(0, 1), workbook: counted });
  await waitFor(() => expect(readings).toBeGreaterThan(0));
  let isCalledDeleted = false;
  const observer = new MutationObserver(() => {
    isCalledDeleted ||= document.body.textContent.includes("Deleted from this workbook");
  });
  observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  await create();
  const before = readings;
  workbook.edit();
  await waitFor(() => expect(readings).toBeGreaterThan(before));
  await screen.findByRole("button", { name: "Show Ranking (2)" });
  observer.disconnect();
  expect(isCalledDeleted).toBe(false);
});

/** Lets the timed policy of the workbook run once; the deadlines of its requests stay. */
async function runPolicy(): Promise<void> {
  const { nowMs, after } = session.ports;
  const ended = session.refreshing.state().last;
  session.ports.after = (delayMs, callback) => after(delayMs > DEADLINE_MS ? 0 : delayMs, callback);
  session.ports.nowMs = () => nowMs() + 2 * MINUTE_MS;
  pick("Refresh automatically", "Every minute");
  session.ports.nowMs = () => nowMs() + 4 * MINUTE_MS;
  await waitFor(() => expect(session.refreshing.state().last).not.toBe(ended));
  session.ports.after = after;
  pick("Refresh automatically", "By hand only");
}

const listMonths = () =>
  companion.controls.requests.flatMap(({ url }) => /start_date[^&]*2024-(\d\d)/.exec(url)?.[1] ?? []).sort();

it("the workbook's policies leave a sheet by hand alone, but for what other sheets show too", async () => {
  begin(createPorts()); // each of its runs is one
  open([toCell("Ranking", "01"), toCell("Ranking", "02"), toCell("Peers", "02"), toCell("Peers", "03")]);
  await session.connect();
  for (const month of ["01", "02", "03"]) await watchMonth(month);
  openRefresh();
  pick("Refresh of Ranking", "Only when I press Refresh");
  companion.controls.requests.length = 0;
  await runPolicy();
  expect(listMonths()).toEqual(["02", "03"]);
  expect(session.settings.sheets[0]?.schedule).toEqual({ kind: "manual", atMinutes: 420, weekday: 1 });
  companion.controls.requests.length = 0;
  await session.refresh();
  expect(listMonths()).toEqual(["01", "02", "03"]);
});
