import { toName } from "../../feed/financials/names";
import { groupBy } from "./figure-blocks";
import type { CheckedModel, FigureCell } from "./model";

/** The figures of one company, year and version, by folded metric. */
export interface Statements {
  readonly cells: ReadonlyMap<string, FigureCell>;
  find(metric: string): FigureCell | undefined;
}

/** Groups a workbook's annual figures by company, year, version and currency. */
export function listStatements(model: CheckedModel): Map<string, Statements> {
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

export const toStatementKey = ({ companyId, year, consolidation, currency }: Identified): string =>
  JSON.stringify([companyId, year, consolidation, currency]);

/** A company that rounds to millions may be off by one in each line. */
const ROUNDED_LINES = 3;

/** The rounding of amounts: the largest power of ten that divides all of them. */
export function toRounding(amounts: readonly number[]): number {
  let rounding = 1;
  while (rounding < 1e9 && amounts.every((amount) => amount % (rounding * 10) === 0)) rounding *= 10;
  return rounding;
}

/** Whether two amounts that must be equal are, but for rounding. @param share of the larger that may be missing */
export function isBalanced(one: number, other: number, lines: readonly number[], share = 0): boolean {
  const most = Math.max(...lines.map(Math.abs));
  return Math.abs(one - other) <= Math.max(ROUNDED_LINES * toRounding(lines), share * most);
}
