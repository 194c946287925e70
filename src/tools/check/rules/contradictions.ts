import { toName } from "../../../feed/financials/names";
import { type CheckedModel, type FigureCell, groupBy, toMetricKey } from "../model";
import type { Rule } from "../rule";

/** Amounts that differ by less are one: what is left is binary rounding. */
const SAME = 1e-9;

/**
 * What: one figure of one company, year and version that two cells show with different values.
 * Why: one of the two is old or wrong, and each part of the model goes on with its own.
 * How: the provider's amounts before any unit, of cells with the same company, metric, year, period, version and currency.
 * Example: Input!C5 and Summary!B9 both show the revenue of 2023, 12,819 and 12,790.
 */
export const twoValues: Rule = {
  id: "twoValues",
  gravity: "error",
  *find({ model }) {
    const groups = groupBy(model.figures.values(), ({ figure }) => {
      const { companyId, year, period, consolidation, currency } = figure;
      return JSON.stringify([companyId, toMetricKey(figure), year, period, consolidation, currency]);
    });
    for (const [first, ...others] of groups.values()) {
      if (first === undefined) continue;
      const { amount } = first.figure;
      const odd = others.filter(({ figure }) => Math.abs(figure.amount - amount) > SAME * Math.abs(amount));
      const [other] = odd;
      if (other === undefined) continue;
      const values = { one: amount, other: other.figure.amount };
      yield { at: other.key, cells: odd.map(({ key }) => key), evidence: [first.key, other.key], values };
    }
  },
};

/**
 * What: revenue less cost of goods sold is not the gross profit.
 * Why: the three then come from different versions or reports, or the provider's answer is wrong.
 * How: the provider's amounts of one company, year and version, wherever in the workbook they stand; rounding is allowed for,
 * and costs may be negative.
 * Example: revenue 1,000, costs 600, gross profit 350.
 */
export const grossProfit: Rule = {
  id: "grossProfit",
  gravity: "warning",
  *find({ model }) {
    for (const { find } of listStatements(model).values()) {
      const [revenue, cost, profit] = ["Revenue", "Cost of Goods Sold", "Gross Profit"].map(find);
      if (revenue === undefined || cost === undefined || profit === undefined) continue;
      const lines = [revenue, cost, profit].map(({ figure }) => figure.amount);
      const expected = revenue.figure.amount - Math.abs(cost.figure.amount);
      if (isBalanced(expected, profit.figure.amount, lines)) continue;
      const cells = [profit.key, revenue.key, cost.key];
      const values = { expected, shown: profit.figure.amount };
      yield { at: profit.key, cells, evidence: [revenue.key, profit.key], around: cells, values };
    }
  },
};

/** Names of all equity; shareholders' equity leaves out minorities and warrants, and need not balance. */
const EQUITY = ["Total Equity", "Net Assets"];

/** Parts of the assets that the provider names. */
const PARTS = ["Cash and equivalents", "Inventory", "Accounts Receivable"];

/**
 * What: total assets are not liabilities and equity, or are smaller than cash, inventory and receivables together.
 * Why: a balance sheet that does not balance mixes two reports or two versions.
 * How: the provider's amounts of one company, year and version, wherever they stand; rounding is allowed for.
 * Example: assets 900, liabilities 500, equity 300.
 */
export const balanceSheet: Rule = {
  id: "balanceSheet",
  gravity: "warning",
  *find({ model }) {
    for (const statements of listStatements(model).values()) {
      const assets = statements.find("Total Assets");
      const found = assets === undefined ? null : findExcess(assets, statements);
      if (assets === undefined || found === null) continue;
      const [first] = found.parts as [FigureCell];
      const cells = [assets.key, ...found.parts.map(({ key }) => key)];
      const values = { expected: found.expected, shown: assets.figure.amount };
      yield { at: assets.key, cells, evidence: [first.key, assets.key], around: cells, values };
    }
  },
};

function findExcess(assets: FigureCell, { find }: Statements): { parts: FigureCell[]; expected: number } | null {
  const [liabilities, equity] = [find("Total Liabilities"), EQUITY.map(find).find((cell) => cell !== undefined)];
  if (liabilities !== undefined && equity !== undefined) {
    const parts = [liabilities, equity];
    const expected = toSum(parts);
    const lines = [assets, ...parts].map(({ figure }) => figure.amount);
    return isBalanced(expected, assets.figure.amount, lines) ? null : { parts, expected };
  }
  const parts = PARTS.map(find).filter((cell) => cell !== undefined);
  const expected = toSum(parts);
  const lines = [assets, ...parts].map(({ figure }) => figure.amount);
  const isWithin = expected <= assets.figure.amount || isBalanced(expected, assets.figure.amount, lines);
  return parts.length === 0 || isWithin ? null : { parts, expected };
}

const toSum = (cells: readonly FigureCell[]) => cells.reduce((sum, { figure }) => sum + figure.amount, 0);

const FLOWS = ["Operating Cash Flow", "Investing Cash Flow", "Financing Cash Flow"];
const CASH = "Cash and equivalents";

/** Exchange rates and changes of the group move cash as well: only what they hardly explain is reported. */
const UNEXPLAINED_SHARE = 0.1;

/**
 * What: cash has moved by another amount than the three cash flows of the year together.
 * Why: the flows and the balance then belong to different versions or years.
 * How: the provider's amounts of one company and version in two years in succession; a tenth of the largest amount may be
 * missing, since exchange rates and acquisitions move cash too.
 * Example: cash rises from 100 to 300, and the flows add up to -50.
 */
export const cashFlow: Rule = {
  id: "cashFlow",
  gravity: "warning",
  *find({ model }) {
    const all = listStatements(model);
    for (const { find } of all.values()) {
      const cash = find(CASH);
      const flows = FLOWS.map(find).filter((cell) => cell !== undefined);
      if (cash === undefined || flows.length < FLOWS.length) continue;
      const before = all.get(toStatementKey({ ...cash.figure, year: cash.figure.year - 1 }))?.find(CASH);
      if (before === undefined || !isYearLater(before, cash)) continue;
      const moved = cash.figure.amount - before.figure.amount;
      const expected = flows.reduce((sum, { figure }) => sum + figure.amount, 0);
      const lines = [cash, before, ...flows].map(({ figure }) => figure.amount);
      if (isBalanced(expected, moved, lines, UNEXPLAINED_SHARE)) continue;
      const cells = [cash.key, before.key, ...flows.map(({ key }) => key)];
      yield {
        at: cash.key,
        cells,
        evidence: [before.key, cash.key],
        around: cells,
        values: { expected, shown: moved },
      };
    }
  },
};

/** A fiscal year may have been shortened; its flows are then of fewer months. */
function isYearLater(before: FigureCell, after: FigureCell): boolean {
  const [from, to] = [before.figure.periodEnd, after.figure.periodEnd];
  return from === null || to === null || from.slice(5, 7) === to.slice(5, 7);
}

/** The figures of one company, year and version, by folded metric. */
interface Statements {
  readonly cells: ReadonlyMap<string, FigureCell>;
  find(metric: string): FigureCell | undefined;
}

/** Groups a workbook's annual figures by company, year, version and currency. */
function listStatements(model: CheckedModel): Map<string, Statements> {
  const annual = [...model.figures.values()].filter(({ figure }) => figure.period === null);
  const groups = groupBy(annual, ({ figure }) => toStatementKey(figure));
  return new Map(
    [...groups].map(([key, cells]) => {
      const byMetric = new Map<string, FigureCell>();
      for (const cell of cells) {
        const metric = toName(cell.figure.metric);
        if (!byMetric.has(metric)) byMetric.set(metric, cell);
      }
      return [key, { cells: byMetric, find: (metric: string) => byMetric.get(toName(metric)) }];
    }),
  );
}

type Identified = Pick<FigureCell["figure"], "companyId" | "year" | "consolidation" | "currency">;

const toStatementKey = ({ companyId, year, consolidation, currency }: Identified): string =>
  JSON.stringify([companyId, year, consolidation, currency]);

/** A company that rounds to millions may be off by one in each line. */
const ROUNDED_LINES = 3;

/** The rounding of amounts: the largest power of ten that divides all of them. */
function toRounding(amounts: readonly number[]): number {
  let rounding = 1;
  while (rounding < 1e9 && amounts.every((amount) => amount % (rounding * 10) === 0)) rounding *= 10;
  return rounding;
}

/** Whether two amounts that must be equal are, but for rounding. @param share of the larger that may be missing */
function isBalanced(one: number, other: number, lines: readonly number[], share = 0): boolean {
  const most = Math.max(...lines.map(Math.abs));
  return Math.abs(one - other) <= Math.max(ROUNDED_LINES * toRounding(lines), share * most);
}
