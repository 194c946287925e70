import { describe, expect, it } from "@jest/globals";
import type { CompanyPage } from "../../src/contract/types";
import { type Call, type Changes, createChanges, type Shown } from "../../src/session/calls";
import { toCellChanges } from "../../src/taskpane/cell-changes";
import { prepareSandbox } from "../functions/sandbox-formulas";
import type { FormulaCell } from "../support/formula-cells";
import { runSteps } from "../support/run-steps";
import { until } from "../support/until";
import rows from "./changed-cells.json";

const HEADER = ["Rank", "Company", "Ticker", "Page views"];
const QUESTION = { key: ["a"], load: async () => 1 };

function createCall(shown: Shown | null, call: Partial<Call> = {}) {
  const tableCall = { name: "RANKING", given: {}, address: null, queries: [QUESTION], error: null, reread() {} };
  return { ...tableCall, readOrigins: () => () => ({ error: null, places: [] }), ...call, shown } as Call & {
    shown: Shown | null;
  };
}

function createComparison(...calls: Call[]): Changes {
  const changes = createChanges({ list: () => calls }, { nowMs: () => 1_000, putBack: () => 0 });
  changes.begin();
  return changes;
}

const list = (changes: Pick<Changes, "each">) => runSteps(toCellChanges(changes.each()));

describe("the list of changed cells after a refresh", () => {
  it.each<unknown[]>(rows)("%s", (_what, before, after, expected) => {
    const call = createCall(before as Shown);
    const changes = createComparison(call);
    call.shown = after as Shown;
    expect(list(changes).map(({ call: _, format: _format, ...change }) => Object.values(change))).toEqual(expected);
  });

  it.each([
    ["of a date", "yyyy-mm-dd", 45_000, 45_001, "yyyy-mm-dd"],
    ["of no amount, whose change it may round away", "#,##0", 1_234.2, 1_234.4, null],
  ])("carries the number format %s", (_of, numberFormat, before, after, format) => {
    const toShown = (basicValue: number) => [[{ type: "FormattedNumber", basicValue, numberFormat }]];
    const call = createCall(toShown(before));
    const changes = createComparison(call);
    call.shown = toShown(after);
    expect(list(changes)).toMatchObject([{ before, after, format }]);
  });

  it("omits waiting cells, formulas added since and formulas without a query", () => {
    const [waiting, status, gone] = [createCall(null), createCall([[1]], { queries: [] }), createCall([[1]])];
    const calls = [waiting, status, gone];
    const changes = createChanges({ list: () => [...calls] }, { nowMs: () => 1_000, putBack: () => 0 });
    changes.begin();
    for (const call of calls) call.shown = [[2]];
    calls.splice(2, 1, createCall([[3]]));
    expect(list(changes)).toEqual([]);
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
    const table = [HEADER, ...Array.from({ length: 5_000 }, (_, row) => [row, `Company ${row}`, "", row])];
    const calls = [createCall(table), ...Array.from({ length: 14_000 }, (_, row) => createCall([[row]]))];
    const changes = createComparison(...calls);
    for (const call of calls) call.shown = [[-1]];
    (calls[0] as Call & { shown: Shown }).shown = [HEADER, [0, "New", "", 9e9], ...table.slice(1)].map((row, at) =>
      watchLooks(at < 2 ? row : [at, ...row.slice(1)]),
    );
    expect(list(changes)).toHaveLength(14_000 + 5_000 + 4);
    expect(looks / 5_000).toBeLessThan(20); // thousands if each were compared with all others
  });
});

describe("the list of changed cells, on the real companion", () => {
  let ids: string[];
  const sandbox = prepareSandbox(100, async ({ read }) => {
    const page = await read<CompanyPage>("/asia/private-markets/v1/companies?country=JPN&page_size=3");
    ids = page.data.map(({ id }) => id);
  });

  const METRICS = ["Revenue", "EBIT", "Net Income", "Total Assets", "currency"];
  const typeAll = () =>
    ids.flatMap((id) => METRICS.map((metric) => sandbox.formulas.type("FINANCIAL", [[id]], [[2023]], [[metric]])));
  const showAll = async () => {
    const shown = await Promise.all(typeAll().map((cell) => cell.next()));
    return shown.map(([row]) => row?.[0]);
  };
  const listMetrics = () =>
    list(sandbox.formulas.session.changes).map(({ call, before, after }) => [call.given.metric, before, after]);
  /** Shows a figure and a ranking, then makes all figures greater. */
  const showBoth = async (): Promise<[revenue: FormulaCell, before: number]> => {
    const revenue = sandbox.formulas.type("FINANCIAL", [[ids[0]]], [[2023]], [["Revenue"]]);
    const [[before] = []] = await revenue.next();
    await sandbox.formulas.type("RANKING", "2024-01-01", "2024-01-31", 5).next();
    sandbox.companion.controls.perturb = (value) => value + 7;
    return [revenue, before as number];
  };

  it("has three changed numbers, and is empty after an undo without a request", async () => {
    const before = await showAll();
    const chosen = [before[0], before[6], before[12]] as number[];
    sandbox.companion.controls.perturb = (value) => (chosen.includes(value) ? value + 7 : value);
    await sandbox.formulas.session.refresh();
    expect(listMetrics()).toEqual([
      [[["Revenue"]], chosen[0], (chosen[0] as number) + 7],
      [[["EBIT"]], chosen[1], (chosen[1] as number) + 7],
      [[["Net Income"]], chosen[2], (chosen[2] as number) + 7],
    ]);
    const requests = sandbox.companion.controls.requests.length;
    sandbox.formulas.session.undoRefresh();
    expect(sandbox.formulas.session.changes.state()).toMatchObject({ isUndone: true });
    await until(() => listMetrics().length === 0);
    expect(sandbox.companion.controls.requests).toHaveLength(requests);
  });

  it("can be undone after a refresh that failed in part", async () => {
    const [, before] = await showBoth();
    sandbox.companion.controls.answers.rankCompanies = { status: 403, times: 1 };
    const { failures } = await sandbox.formulas.session.refresh();
    expect([failures.length, listMetrics()]).toEqual([1, [[[["Revenue"]], before, before + 7]]]);
    sandbox.formulas.session.undoRefresh();
    await until(() => listMetrics().length === 0);
  });

  it("can be undone after a cancelled refresh", async () => {
    const [revenue, before] = await showBoth();
    sandbox.companion.controls.latencyMsOf.rankCompanies = 60_000;
    const refreshed = sandbox.formulas.session.refresh();
    expect(await revenue.next()).toEqual([[before + 7]]);
    sandbox.formulas.session.refreshing.cancel();
    expect(await refreshed).toMatchObject({ isCancelled: true });
    expect(listMetrics()).toHaveLength(1);
    sandbox.formulas.session.undoRefresh();
    expect(await revenue.next()).toEqual([[before]]);
    expect(listMetrics()).toEqual([]);
  });

  it("is empty before a refresh and after a setting changes the results", async () => {
    await showAll();
    expect(sandbox.formulas.session.changes.state().sinceMs).toBeNull();
    sandbox.companion.controls.perturb = (value) => value + 7;
    await sandbox.formulas.session.refresh();
    expect(listMetrics()).toHaveLength(12);
    sandbox.formulas.session.change({ dateSystem: 1904 });
    expect([sandbox.formulas.session.changes.state().sinceMs, listMetrics()]).toEqual([null, []]);
  });
});
