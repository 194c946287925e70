import type { Financials, FinancialYear } from "../decode";
import { toName } from "./names";
import { pickVersions } from "./periods";

/** A year's figures by folded names; NaN where a name needs {@link pickMetric}. */
interface YearFigures {
  /** Of consolidated statements, which come first. */
  consolidated: Map<string, number>;
  others: Map<string, number>;
}

/** The annual figures of an answer that need no choice, by year and name. Years are indexed when first looked up. */
export class FigureIndex {
  readonly #years = new Map<number, YearFigures | null>();

  constructor(private readonly financials: Financials) {}

  /**
   * Finds the number that {@link pickMetric} would pick without a basis.
   *
   * @param name a metric's name as {@link toName} folds it
   * @returns null where a choice, a fact or an error is to be explained: the year has several versions, the name several
   *   values, none, or one that is no number
   */
  find(year: number, name: string): number | null {
    if (name.includes(".")) return null; // behind its statement
    let figures = this.#years.get(year);
    if (figures === undefined) {
      figures = indexYear(pickVersions(this.financials, year, []));
      this.#years.set(year, figures);
    }
    const value = figures?.consolidated.get(name) ?? figures?.others.get(name);
    return value === undefined || Number.isNaN(value) ? null : value;
  }
}

function indexYear([version, ...others]: readonly FinancialYear[]): YearFigures | null {
  if (version === undefined || others.length > 0) return null;
  const figures: YearFigures = { consolidated: new Map(), others: new Map() };
  for (const { consolidationType, metrics } of version.statements) {
    const found = toName(consolidationType) === "consolidated" ? figures.consolidated : figures.others;
    for (const metric of metrics) {
      const name = toName(metric.name);
      const value = typeof metric.value === "number" && Number.isFinite(metric.value) ? metric.value : Number.NaN;
      const known = found.get(name);
      if (known === undefined) found.set(name, value);
      else if (known !== value) found.set(name, Number.NaN);
    }
  }
  return figures;
}
