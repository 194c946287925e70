import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import "fake-indexeddb/auto";
import type { CompanyPage } from "../../src/contract/types";
import { type Call, type Changes, createChanges, type Shown } from "../../src/session/calls";
import { toCellChanges } from "../../src/taskpane/cell-changes";
import { readPersisted } from "../feed/persisted-cache-storage";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading } from "../support/direct-reading";
import { type Formulas, loadFormulas } from "../support/formula-cells";
import { runSteps } from "../support/run-steps";
import { until } from "../support/until";

const QUESTION = { key: ["a"], load: async () => 1 };

/** A formula with a given result. */
function createCall(shown: Shown | null, call: Partial<Call> = {}) {
  const tableCall = { name: "RANKING", given: {}, address: null, queries: [QUESTION], error: null, reread() {} };
  return { ...tableCall, findOrigin: () => ({ error: null, places: [] }), ...call, shown } as Call & {
    shown: Shown | null;
  };
}

function createComparison(...calls: Call[]): Changes {
  const changes = createChanges({ list: () => calls }, { nowMs: () => 1_000, putBack: () => 0 });
  changes.begin();
  return changes;
}

/** The changes between two tables of a formula. */
function compare(before: Shown, after: Shown) {
  const call = createCall(before);
  const changes = createComparison(call);
  call.shown = after;
  return runSteps(toCellChanges(changes.list())).map(({ call: _, format: _format, ...change }) =>
    Object.values(change),
  );
}

const RANKING = [
  ["Rank", "Company", "Ticker", "Page views"],
  [1, "Aoi", "1001", 90],
  [2, "Beni", "1002", 80],
  [3, "Cha", "1003", 70],
];

describe("the list of changed cells after a refresh", () => {
  it("names each changed cell by row and column, with both values", () => {
    expect(compare([[1, 2, 3]], [[1, 5, 3]])).toEqual([[0, 1, null, null, 2, 5]]);
    expect(compare([[1]], { code: "#N/A" })).toEqual([[0, 0, null, null, 1, "#N/A"]]);
    expect(compare([[1]], [[1], [2]])).toEqual([[1, 0, null, null, null, 2]]);
    expect(compare([[{ type: "Double", basicValue: 1 }]], [[1]])).toEqual([]);
  });

  it("matches a ranking's rows by company when they move", () => {
    const moved = [RANKING[0], [1, "Cha", "1003", 95], [2, "Aoi", "1001", 90], [3, "Dai", "1004", 85]] as Shown;
    expect(compare(RANKING, moved)).toEqual([
      [1, 0, "Cha", "Rank", 3, 1],
      [1, 3, "Cha", "Page views", 70, 95],
      [2, 0, "Aoi", "Rank", 1, 2],
      [3, 0, "Dai", "Rank", null, 3],
      [3, 1, "Dai", "Company", null, "Dai"],
      [3, 2, "Dai", "Ticker", null, "1004"],
      [3, 3, "Dai", "Page views", null, 85],
      [null, 0, "Beni", "Rank", 2, null],
      [null, 1, "Beni", "Company", "Beni", null],
      [null, 2, "Beni", "Ticker", "1002", null],
      [null, 3, "Beni", "Page views", 80, null],
    ]);
  });

  it("matches columns by header when a statement gains a year", () => {
    const before = [
      ["Year", 2024, 2023],
      ["Revenue", 10, 9],
      ["EBIT", 2, 1],
    ];
    const after = [
      ["Year", 2025, 2024, 2023],
      ["Revenue", 11, 10, 9],
      ["EBIT", 3, 2, 1],
    ];
    expect(compare(before, after)).toEqual([
      [1, 1, "Revenue", "2025", null, 11],
      [2, 1, "EBIT", "2025", null, 3],
    ]);
  });

  it("pairs rows of the same name in their order", () => {
    const header = ["Company id", "Company", "Sector"];
    const before = [header, ["a", "Aoi", "Food"], ["b", "Aoi", "Cars"], ["b", "Aoi", "Ships"]];
    const after = [header, ["b", "Aoi", "Cars"], ["b", "Aoi", "Boats"]];
    expect(compare(before, after)).toEqual([
      [2, 2, "Aoi", "Sector", "Ships", "Boats"],
      [null, 0, "Aoi", "Company id", "a", null],
      [null, 1, "Aoi", "Company", "Aoi", null],
      [null, 2, "Aoi", "Sector", "Food", null],
    ]);
  });

  it("carries the number format of a date", () => {
    const toDay = (basicValue: number) => [[{ type: "FormattedNumber", basicValue, numberFormat: "yyyy-mm-dd" }]];
    const call = createCall(toDay(45_000));
    const changes = createComparison(call);
    call.shown = toDay(45_001);
    expect(runSteps(toCellChanges(changes.list()))).toMatchObject([
      { before: 45_000, after: 45_001, format: "yyyy-mm-dd" },
    ]);
  });

  it("omits waiting cells, formulas added since and formulas without a query", () => {
    const [waiting, status, gone] = [createCall(null), createCall([[1]], { queries: [] }), createCall([[1]])];
    const calls = [waiting, status, gone];
    const changes = createChanges({ list: () => [...calls] }, { nowMs: () => 1_000, putBack: () => 0 });
    changes.begin();
    for (const call of calls) call.shown = [[2]];
    calls.splice(2, 1, createCall([[3]]));
    expect(runSteps(toCellChanges(changes.list()))).toEqual([]);
  });

  it("compares 14,000 cells and a ranking of 5,000 companies with few reads of each row", () => {
    let looks = 0;
    const watchLooks = (row: unknown[]) =>
      new Proxy(row, {
        get(target, name) {
          looks++;
          return Reflect.get(target, name);
        },
      });
    const table = [RANKING[0] ?? [], ...Array.from({ length: 5_000 }, (_, row) => [row, `Company ${row}`, "", row])];
    const calls = [createCall(table), ...Array.from({ length: 14_000 }, (_, row) => createCall([[row]]))];
    const changes = createComparison(...calls);
    for (const call of calls) call.shown = [[-1]];
    (calls[0] as Call & { shown: Shown }).shown = [RANKING[0] ?? [], [0, "New", "", 9e9], ...table.slice(1)].map(
      (row, at) => watchLooks(at < 2 ? row : [at, ...row.slice(1)]),
    );
    expect(runSteps(toCellChanges(changes.list()))).toHaveLength(14_000 + 5_000 + 4);
    expect(looks / 5_000).toBeLessThan(20); // thousands if each were compared with all others
  });
});

describe("the list of changed cells, on the real companion", () => {
  let companion: RunningCompanion;
  let ids: string[];
  let formulas: Formulas;

  beforeAll(async () => {
    companion = await startCompanion({ companies: 100 });
    const read = await createDirectReading(companion.origin);
    const page = await read<CompanyPage>("/asia/private-markets/v1/companies?country=JPN&page_size=3");
    ids = page.data.map(({ id }) => id);
  });
  beforeEach(async () => {
    companion.controls.reset();
    formulas = await loadFormulas(companion.origin);
  });
  afterEach(() => {
    formulas.close();
    indexedDB.deleteDatabase("feed-answers");
  });
  afterAll(() => companion.close());

  const METRICS = ["Revenue", "EBIT", "Net Income", "Total Assets", "currency"];
  const typeAll = () =>
    ids.flatMap((id) => METRICS.map((metric) => formulas.type("FINANCIAL", [[id]], [[2023]], [[metric]])));
  const showAll = async (cells = typeAll()) => {
    const shown = await Promise.all(cells.map((cell) => cell.next()));
    return shown.map(([row]) => row?.[0]);
  };
  const list = () =>
    runSteps(toCellChanges(formulas.session.changes.list())).map(({ call, before, after }) => [
      call.given.metric,
      before,
      after,
    ]);

  it("has three changed numbers, and is empty after an undo without a request", async () => {
    const before = await showAll();
    const chosen = [before[0], before[6], before[12]] as number[];
    companion.controls.perturb = (value) => (chosen.includes(value) ? value + 7 : value);
    await formulas.session.refresh();
    expect(list()).toEqual([
      [[["Revenue"]], chosen[0], (chosen[0] as number) + 7],
      [[["EBIT"]], chosen[1], (chosen[1] as number) + 7],
      [[["Net Income"]], chosen[2], (chosen[2] as number) + 7],
    ]);
    const requests = companion.controls.requests.length;
    formulas.session.undoRefresh();
    expect(formulas.session.changes.state()).toMatchObject({ isUndone: true });
    await until(() => list().length === 0);
    expect(companion.controls.requests).toHaveLength(requests);
  });

  it("stays undone after the page reloads", async () => {
    const readTexts = async () => [...(await readPersisted()).answers.values()].map(({ text }) => text);
    const before = await showAll();
    await until(async () => (await readTexts()).length === ids.length);
    const persisted = await readTexts();
    companion.controls.perturb = (value) => value + 7;
    await formulas.session.refresh();
    await until(async () => (await readTexts()).every((text) => !persisted.includes(text)));
    formulas.session.undoRefresh();
    await until(async () => (await readTexts()).every((text) => persisted.includes(text)));
    formulas.close();
    formulas = await loadFormulas(companion.origin);
    expect(await showAll()).toEqual(before);
  });

  it("can be undone after a refresh that failed in part", async () => {
    const [revenue] = await showAll([formulas.type("FINANCIAL", [[ids[0]]], [[2023]], [["Revenue"]])]);
    const ranking = formulas.type("RANKING", "2024-01-01", "2024-01-31", 5);
    await ranking.next();
    companion.controls.perturb = (value) => value + 7;
    companion.controls.answers.rankCompanies = { status: 403, times: 1 };
    const { failures } = await formulas.session.refresh();
    expect([failures.length, list()]).toEqual([1, [[[["Revenue"]], revenue, (revenue as number) + 7]]]);
    formulas.session.undoRefresh();
    await until(() => list().length === 0);
  });

  it("can be undone after a cancelled refresh", async () => {
    const revenue = formulas.type("FINANCIAL", [[ids[0]]], [[2023]], [["Revenue"]]);
    const [[before] = []] = await revenue.next();
    await formulas.type("RANKING", "2024-01-01", "2024-01-31", 5).next();
    companion.controls.perturb = (value) => value + 7;
    companion.controls.latencyMsOf.rankCompanies = 60_000;
    const refreshed = formulas.session.refresh();
    expect(await revenue.next()).toEqual([[(before as number) + 7]]);
    formulas.session.refreshing.cancel();
    expect(await refreshed).toMatchObject({ isCancelled: true });
    expect(list()).toHaveLength(1);
    formulas.session.undoRefresh();
    expect(await revenue.next()).toEqual([[before]]);
    expect(list()).toEqual([]);
  });

  it("is empty before a refresh and after a setting changes the results", async () => {
    await showAll();
    expect(formulas.session.changes.state().sinceMs).toBeNull();
    companion.controls.perturb = (value) => value + 7;
    await formulas.session.refresh();
    expect(list()).toHaveLength(12);
    formulas.session.change({ dateSystem: 1904 });
    expect([formulas.session.changes.state().sinceMs, list()]).toEqual([null, []]);
  });
});
