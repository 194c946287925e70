import { toName } from "../../../feed/financials/names";
import { type CheckedModel, type FigureCell, groupBy, toKeys, toMetricKey } from "../model";
import type { Rule } from "../rule";
import type { RuleId } from "../texts";

/** Amounts that differ by less are one: what is left is binary rounding. */
const SAME = 1e-9;

/**
 * What: one figure of one company, year and version that two cells show with different values.
 * Why: one of the two is old or wrong, and each part of the model goes on with its own.
 * How: the provider's amounts before any unit, of cells with the same company, metric, year, period, version and currency.
 * Example: Input!C5 and Summary!B9 both show the revenue of 2023, 12,819 and 12,790.
 */
const twoValues: Rule = {
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
const grossProfit = toIdentity("grossProfit", ({ find }) => {
  const [revenue, cost, profit] = ["Revenue", "Cost of Goods Sold", "Gross Profit"].map(find);
  if (revenue === undefined || cost === undefined || profit === undefined) return null;
  const expected = revenue.figure.amount - Math.abs(cost.figure.amount);
  return { at: profit, others: [revenue, cost], expected, shown: profit.figure.amount };
});

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
const balanceSheet = toIdentity("balanceSheet", ({ find }) => {
  const assets = find("Total Assets");
  if (assets === undefined) return null;
  const shown = assets.figure.amount;
  const [liabilities, equity] = [find("Total Liabilities"), EQUITY.map(find).find((cell) => cell !== undefined)];
  if (liabilities !== undefined && equity !== undefined) {
    const others = [liabilities, equity];
    return { at: assets, others, expected: toSum(others), shown };
  }
  const others = PARTS.map(find).filter((cell) => cell !== undefined);
  return others.length === 0 || toSum(others) <= shown ? null : { at: assets, others, expected: toSum(others), shown };
});

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
const cashFlow = toIdentity(
  "cashFlow",
  ({ find }, all) => {
    const cash = find(CASH);
    const flows = FLOWS.map(find).filter((cell) => cell !== undefined);
    if (cash === undefined || flows.length < FLOWS.length) return null;
    const before = all.get(toStatementKey({ ...cash.figure, year: cash.figure.year - 1 }))?.find(CASH);
    if (before === undefined || !isYearLater(before, cash)) return null;
    const shown = cash.figure.amount - before.figure.amount;
    return { at: cash, others: [before, ...flows], expected: toSum(flows), shown };
  },
  UNEXPLAINED_SHARE,
);

/** What the other lines of a statement come to, and what a cell shows. */
interface Compared {
  at: FigureCell;
  others: readonly FigureCell[];
  expected: number;
  shown: number;
}

/**
 * Makes a rule that two amounts of a statement are one, but for rounding.
 *
 * @param compare null where cells are missing
 * @param share of the largest amount that may be missing
 */
function toIdentity(
  id: RuleId,
  compare: (statement: Statement, all: ReadonlyMap<string, Statement>) => Compared | null,
  share = 0,
): Rule {
  return {
    id,
    gravity: "warning",
    *find({ model }) {
      const all = listStatements(model);
      for (const statement of all.values()) {
        const found = compare(statement, all);
        if (found === null || isBalanced(found, share)) continue;
        const { at, others, expected, shown } = found;
        const cells = toKeys([at, ...others]);
        yield {
          at: at.key,
          cells,
          evidence: toKeys([...others.slice(0, 1), at]),
          around: cells,
          values: { expected, shown },
        };
      }
    },
  };
}

/** A fiscal year may have been shortened; its flows are then of fewer months. */
function isYearLater(before: FigureCell, after: FigureCell): boolean {
  const [from, to] = [before.figure.periodEnd, after.figure.periodEnd];
  return from === null || to === null || from.slice(5, 7) === to.slice(5, 7);
}

/** The figures of one company, year and version. */
interface Statement {
  find(metric: string): FigureCell | undefined;
}

/** Groups a workbook's annual figures by company, year, version and currency. */
function listStatements(model: CheckedModel): Map<string, Statement> {
  const annual = [...model.figures.values()].filter(({ figure }) => figure.period === null);
  const groups = groupBy(annual, ({ figure }) => toStatementKey(figure));
  return new Map(
    [...groups].map(([key, cells]) => {
      const byMetric = groupBy(cells, ({ figure }) => toName(figure.metric));
      return [key, { find: (metric) => byMetric.get(toName(metric))?.[0] }];
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

function isBalanced({ at, others, expected, shown }: Compared, share: number): boolean {
  const lines = [at, ...others].map(({ figure }) => figure.amount);
  const most = Math.max(...lines.map(Math.abs));
  return Math.abs(expected - shown) <= Math.max(ROUNDED_LINES * toRounding(lines), share * most);
}

export const contradictions: readonly Rule[] = [twoValues, grossProfit, balanceSheet, cashFlow];
