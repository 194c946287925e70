/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it } from "@jest/globals";
import { fireEvent, screen, waitFor } from "@testing-library/react/pure";
import { createPorts } from "../../src/client/ports";
import type { FeedCell } from "../../src/contract/workbook";
import type { MadeSheet, SheetSchedule } from "../../src/session/settings";
import { readAlertStore } from "../../src/taskpane/alerts/store";
import { createFakeWorkbook } from "./fake-workbook";
import { begin, companion, press, session } from "./pane-sessions";
import { checkAccess, openSheets, pick, serveSheets, watchMonth } from "./sheets-page";

const MINUTE_MS = 60_000;
const MANUAL: SheetSchedule = { kind: "manual", atMinutes: 420, weekday: 1 };

serveSheets();

const made: MadeSheet[] = [
  { name: "Ranking", template: "ranking" },
  { name: "Peers", template: "comparison" },
];

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

/** Makes the clock of the session's answers show a time of before. */
function setBack(byMs: number): () => void {
  const { nowMs } = session.ports;
  session.ports.nowMs = () => nowMs() - byMs;
  return () => {
    session.ports.nowMs = nowMs;
  };
}

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

  it("can be chosen with a new sheet", async () => {
    const { stored } = open([], { made: [] });
    pick("Refresh this sheet", "Weekly, Monday at 07:00");
    press("Create sheet");
    await screen.findByText(/Created "Ranking"\./);
    const schedule = { kind: "weekly", atMinutes: 420, weekday: 1 };
    await waitFor(() =>
      expect(stored).toEqual([{ sheets: [{ name: "Ranking", id: "Ranking", template: "ranking", schedule }] }]),
    );
  });

  it("warns about manual calculation", async () => {
    const workbook = { ...createFakeWorkbook(), isManual: async () => true };
    openSheets({ made, workbook });
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
  it("shows when the oldest answer of its own formulas came, and its next refresh", async () => {
    open([toCell("Ranking", "01"), toCell("Ranking", "02"), toCell("Peers", "03")]);
    await session.connect();
    const putBack = setBack(120 * MINUTE_MS);
    await watchMonth("02");
    putBack();
    await watchMonth("01");
    await watchMonth("03");
    const toClock = (ms: number) =>
      new Date(ms).toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    const before = toClock(Date.now() - 120 * MINUTE_MS);
    await waitFor(() => expect(lineOf("Ranking")).toContain(before));
    await waitFor(() => expect(lineOf("Peers")).toContain("As of"));
    expect(lineOf("Peers")).not.toContain(before);
    pick("Refresh of Peers", "Weekly");
    await waitFor(() => expect(lineOf("Peers")).toMatch(/ · next .*\d\d:\d\d/));
    expect(lineOf("Ranking")).not.toContain("next");
  });

  it("names its next refresh by the workbook's clock, and the zone where it is another than the machine's", async () => {
    open([toCell("Peers", "03")]);
    await session.connect();
    await watchMonth("03");
    pick("Refresh of Peers", "Weekly");
    await waitFor(() => expect(lineOf("Peers")).toMatch(/ · next .*07:00( GMT\+9)?/));
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

describe("the rules of a made sheet", () => {
  const alerts = readAlertStore();
  const rules = [{ kind: "enters", amount: 3 } as const];

  it("stay with it when the workbook tells its id", async () => {
    const workbook = createFakeWorkbook([toCell("Ranking", "01")]);
    workbook.rename("Ranking", "Weekly view");
    await alerts.change({ rules: { "Weekly view": rules } });
    openSheets({ made: [{ name: "Weekly view", template: "ranking" }], workbook });
    await waitFor(() => expect(alerts.state().rules).toEqual({ Ranking: rules }));
  });

  it("end when it is taken off the list", async () => {
    await alerts.change({ rules: { Ranking: rules, Peers: rules } });
    open([toCell("Ranking", "01")]);
    await screen.findByText("Deleted from this workbook");
    press("Take off the list: Peers");
    await waitFor(() => expect(alerts.state().rules).toEqual({ Ranking: rules }));
  });
});

describe("a sheet that was made after the workbook was read", () => {
  it("is at no time called deleted", async () => {
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
    press("Create sheet");
    await screen.findByText(/Created "/);
    const before = readings;
    workbook.edit();
    await waitFor(() => expect(readings).toBeGreaterThan(before));
    await screen.findByRole("button", { name: "Show Ranking (2)" });
    observer.disconnect();
    expect(isCalledDeleted).toBe(false);
  });
});

describe("a refresh that is due", () => {
  it("asks for the sheet's queries alone, once, with what it shares", async () => {
    open([toCell("Ranking", "01"), toCell("Peers", "02"), toCell("Peers", "01")]);
    await session.connect();
    const putBack = setBack(14 * 24 * 60 * MINUTE_MS);
    for (const month of ["01", "02"]) await watchMonth(month);
    putBack();
    session.ports.random = () => 0;
    const before = companion.controls.count("rankCompanies");
    pick("Refresh of Ranking", "Weekly");
    await waitFor(() => expect(companion.controls.count("rankCompanies")).toBe(before + 1));
    const [start] = companion.controls.requests.slice(-1).map(({ url }) => new URL(url, "http://host").search);
    expect(start).toContain("2024-01-01");
    await waitFor(() => expect(lineOf("Ranking")).toMatch(/As of \d\d:\d\d · next /));
    expect(companion.controls.count("rankCompanies")).toBe(before + 1);
  });
});

describe("the workbook's policies", () => {
  /** Lets the timed policy of the workbook run once. */
  async function runPolicy(): Promise<void> {
    const { nowMs, after } = session.ports;
    const ended = session.refreshing.state().last;
    session.ports.after = (delayMs, callback) => after(Math.min(delayMs, 50), callback);
    session.ports.nowMs = () => nowMs() + 2 * MINUTE_MS;
    pick("Refresh automatically", "Every minute");
    session.ports.nowMs = () => nowMs() + 4 * MINUTE_MS;
    await waitFor(() => expect(session.refreshing.state().last).not.toBe(ended));
    session.ports.after = after;
    pick("Refresh automatically", "By hand only");
  }

  const listMonths = () =>
    companion.controls.requests.flatMap(({ url }) => /start_date[^&]*2024-(\d\d)/.exec(url)?.[1] ?? []).sort();

  it("leave a sheet by hand alone, but for what other sheets show too", async () => {
    begin(createPorts()); // each of its runs is one
    open([toCell("Ranking", "01"), toCell("Ranking", "02"), toCell("Peers", "02"), toCell("Peers", "03")]);
    await session.connect();
    for (const month of ["01", "02", "03"]) await watchMonth(month);
    pick("Refresh of Ranking", "Only when I press Refresh");
    companion.controls.requests.length = 0;
    await runPolicy();
    expect(listMonths()).toEqual(["02", "03"]);
    expect(session.settings.sheets[0]?.schedule).toEqual(MANUAL);
    companion.controls.requests.length = 0;
    await session.refresh();
    expect(listMonths()).toEqual(["01", "02", "03"]);
  });
});
