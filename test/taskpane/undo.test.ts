/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { waitFor } from "@testing-library/react/pure";
import type { Call } from "../../src/session/calls";
import { toPolicies } from "../../src/session/settings";
import { store } from "../../src/taskpane/file-store";
import { persistLater, persistSettings, readPersistedSettings } from "../../src/taskpane/host";
import { persistProvider } from "../../src/taskpane/index";
import { insert } from "../../src/taskpane/insert";
import { nameCompany, persistResolutions, readPersistedResolutions } from "../../src/taskpane/named-companies";
import { watchSheets } from "../../src/taskpane/sheet-watch";
import { type Clock, createClock } from "../support/clock";
import { awaitAnswer } from "../support/feed";
import { openDesk, toCell } from "./desk";
import { createFakeWorkbook } from "./fake-workbook";
import { type OfficeSettings, removeOffice, setOffice } from "./office-settings";
import { enterFormula } from "./open-whole-pane";
import { begin, serveSessions, session } from "./pane-sessions";

const SHEET = { id: "7", name: "Old", template: "ranking" as const };
const BAKERY = { name: "Sakura Bakery Co., Ltd.", country: "JPN" };
const RANGE = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };
const HOUR_MS = 3_600_000;

let office: OfficeSettings;
let clock: Clock;

serveSessions();
beforeEach(async () => {
  office = setOffice();
  office.file.set("feed", { refresh: toPolicies("every-15") });
  clock = createClock({ hurryMs: 2_000 });
  begin(clock.ports);
  // As the page's start does.
  session.adopt(readPersistedSettings());
  persistResolutions(session.feed.resolutions);
  session.subscribe(persistProvider(session, persistSettings, persistLater));
  await session.connect();
});
afterEach(async () => {
  await store(); // so that nothing waits for the next test
  removeOffice();
});

const enter = (top: number) =>
  enterFormula(session, `Sheet1!A${top}`, session.feed.rankings.queryCompanies(RANGE, top), { shown: [[top]] });
const enterName = (name: string) =>
  enterFormula(session, `Sheet1!B${name}`, session.feed.financials.query({ name, country: "JPN" }, { year: 2023 }));
const renameSheet = () =>
  watchSheets({
    session,
    workbook: { ...createFakeWorkbook(), listSheets: async () => [{ id: "7", name: "Ranking" }] },
  });

async function waitForSchedule(): Promise<void> {
  const { last } = session.refreshing.state();
  await clock.advance(HOUR_MS);
  expect(session.refreshing.state().last?.atMs).toBeGreaterThan(last?.atMs ?? Number.POSITIVE_INFINITY);
}

function clearFormula(): void {
  const [call] = session.calls.list();
  session.calls.remove(call as Call);
}

/** What an analyst does in an hour without a decision in the pane (each has ended an undo: office-js #3141 and others). */
const HOUR: [title: string, act: () => unknown][] = [
  ["enters a formula, which gives the workbook its provider", () => enter(1)],
  ["enters twenty more", () => Promise.all(Array.from({ length: 20 }, (_, top) => enter(top + 2)))],
  ["names a company in a formula", () => enterName(BAKERY.name)],
  ["names a company by its ticker", () => enterName("1301")],
  ["names a company that nobody knows", () => enterName("Qqqqzz")],
  ["refreshes (Excel-Custom-Functions #346: the undo after a refresh)", () => session.refresh()],
  ["takes the refresh back", () => session.undoRefresh()],
  ["searches a company in Find", () => awaitAnswer(session.feed, session.feed.names.query("sakura", "JPN", 8))],
  ["waits for scheduled refreshes", waitForSchedule],
  ["renames a sheet that is followed (office-js #3141)", renameSheet],
  ["clears a formula (#3141: deletes a column)", clearFormula],
  ["connects again", () => session.connect()],
];

describe("an hour without a decision", () => {
  it("writes nothing to the workbook, so that the person can undo; then a decision takes all that waits with it", async () => {
    session.change({ sheets: [SHEET] });
    const writes: string[] = [];
    for (const [title, act] of HOUR) {
      const before = office.saves;
      await act();
      await clock.advance(10_000);
      if (office.saves > before) writes.push(title);
    }
    expect(writes).toEqual([]);
    expect(session.settings.sheets).toMatchObject([{ id: "7", name: "Ranking" }]);
    expect(office.file.has("feed-companies")).toBe(false);
    expect(session.settings.provider).toBe("sample");
    await persistSettings({ country: "SGP" });
    expect(office.saves).toBe(1);
    expect(readPersistedSettings()).toMatchObject({ country: "SGP", provider: "sample" });
    expect(readPersistedResolutions().map(({ name }) => name)).toContain(BAKERY.name);
  }, 120_000);
});

const desk = () => openDesk({ session, cells: [toCell("A1")] });
const FOODS = { id: "a", name: "Sakura Foods" };

describe.each<[decision: string, name: string, act: () => unknown]>([
  ["the default country", "feed", () => persistSettings({ country: "SGP" })],
  ["the time zone", "feed", () => persistSettings({ timeZone: "Asia/Tokyo" })],
  ["the request limit", "feed", () => persistSettings({ requestLimit: 50 })],
  ["when the workbook is refreshed", "feed", () => persistSettings({ refresh: toPolicies("manual") })],
  ["a sheet and its schedule", "feed", () => persistSettings({ sheets: [SHEET] })],
  ["a dismissed finding", "feed", () => persistSettings({ dismissals: [{ key: "k", reason: "", atMs: 1 }] })],
  ["another provider for the workbook", "feed", () => session.change({ provider: "https://api.example.com" })],
  ["the company of a name", "feed-companies", () => nameCompany(session, BAKERY, FOODS)],
  ["a name that is forgotten", "feed-companies", () => nameCompany(session, BAKERY, null)],
  ["an inserted formula", "feed-companies", () => insert(desk().desk, { cells: [[{ formula: "=1" }]] })],
])("the decision on %s", (_, name, act) => {
  it("is stored at once, and with it what waits, in one write", async () => {
    await enter(1);
    await clock.advance(1_000);
    session.feed.resolutions.record({ ...BAKERY, companyId: "b", companyName: "Bakery" });
    expect([session.settings.provider, office.saves]).toEqual(["sample", 0]);
    await act();
    await waitFor(() =>
      expect([...office.file.keys()]).toEqual(expect.arrayContaining(["feed", "feed-companies", name])),
    );
    expect(office.saves).toBe(1);
    expect(readPersistedSettings().provider).toBe(session.settings.provider);
    await act();
    expect(office.saves).toBeLessThanOrEqual(2);
  });
});

it("an insertion is written after what waits is stored, so that the person can undo it", async () => {
  persistLater({ provider: "sample" });
  const at: number[] = [];
  const opened = desk().desk;
  const workbook: typeof opened.workbook = {
    ...opened.workbook,
    write(block) {
      at.push(office.saves);
      return opened.workbook.write(block);
    },
  };
  await insert({ ...opened, workbook }, { cells: [[{ formula: "=1" }]] });
  expect(at).toEqual([1]);
});

it("freezing stores what waits", async () => {
  persistLater({ provider: "sample" });
  const { run, press } = desk();
  await run("freeze");
  await press("Freeze 1 FEED formula", "");
  await waitFor(() => expect([office.saves, readPersistedSettings().provider]).toEqual([1, "sample"]));
});

it("a workbook that refuses keeps what waits for the next decision", async () => {
  office = setOffice("full");
  persistLater({ provider: "sample" });
  await expect(persistSettings({ country: "KOR" })).rejects.toThrow("full");
  expect(office.file.has("feed")).toBe(false);
  office.failure = undefined;
  await persistSettings({ requestLimit: 50 });
  expect(office.file.get("feed")).toMatchObject({ country: "KOR", provider: "sample", requestLimit: 50 });
});

it("only one place saves in the workbook", () => {
  const list = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? list(join(folder, entry.name)) : join(folder, entry.name),
    );
  const saving = ["taskpane", "session", "functions", "feed", "client"]
    .flatMap((room) => list(join(__dirname, "../../src", room)))
    .filter((file) => readFileSync(file, "utf8").includes("saveAsync("))
    .map((file) => file.slice(file.lastIndexOf("/") + 1));
  expect(saving).toEqual(["file-store.ts"]);
});
