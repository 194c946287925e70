import { ArgumentError } from "../client/errors";
import { msg } from "../client/messages";
import type { Financials } from "../feed/decode";
import {
  type Candidate,
  isPeriodFact,
  isYearFact,
  type MetricChoice,
  pickMetric,
  toFigureFacts,
} from "../feed/financials/metrics";
import { toDivisorFormat, type Unit } from "../feed/financials/unit";
import type { Answer } from "../feed/query-cache";
import { Amount, Figure, Written } from "./cells";
import { isDay, toLocalTime } from "./dates";
import { pickYear, type YearChoice } from "./financial-arguments";

/**
 * Picks a cell's value from a company's answer: a figure, or a fact of its year.
 *
 * @throws what {@link pickYear} and {@link pickMetric} throw
 */
export function pickFigure(answer: Answer<Financials>, choice: YearChoice, metric: MetricChoice, unit: Unit): Figure {
  const year = pickYear(answer.value, choice, metric.basis);
  const { value, places } = pickMetric(answer.value, year, metric);
  if (typeof value === "number" && !isYearFact(metric.name)) {
    assertCurrency(places, unit.currency);
    return new MetricFigure(toAmount(value, unit), places, year, answer, unit);
  }
  const isDate = typeof value === "string" && isPeriodFact(metric.name);
  return new Figure(isDate ? toDay(value) : value, places);
}

/** A figure in its unit; without a format where that would show 0, or a ratio or value per share with separators. */
export function toAmount(value: number, { divisor }: Unit): Amount | number {
  const [figure, format] = [value / divisor, toDivisorFormat(divisor)];
  const least = 10 ** -(format.split(".")[1]?.length ?? 0);
  const isLarge = Number.isInteger(value) || Math.abs(value) >= 1000;
  return isLarge && Math.abs(figure) >= least ? new Amount(figure, format) : figure;
}

/** A unit's currency is a statement about the figure, which is not converted. @throws ArgumentError (FEED_ARGUMENT_INVALID) */
export function assertCurrency(places: readonly Candidate[], currency: string | null): void {
  if (currency === null) return;
  const own = toFigureFacts(places).currency;
  if (own === null || own.toUpperCase() === currency) return;
  throw new ArgumentError(
    msg`the unit is in ${currency}, and the figure is in ${own}, which is not converted; give a unit in ${own} or without a currency`,
  );
}

/** A number of the provider, divided by the unit, with its facts. */
class MetricFigure extends Figure {
  constructor(
    value: Amount | number,
    override readonly places: readonly Candidate[],
    /** Fiscal year. */
    private readonly year: number,
    private readonly answer: Answer<Financials>,
    private readonly unit: Unit,
  ) {
    super(value, places);
  }

  override readFacts() {
    const { currency, periodEnd, statementType, consolidationType } = toFigureFacts(this.places);
    const { divisor } = this.unit;
    return {
      Currency: currency,
      Unit: divisor === 1 ? null : divisor,
      "Fiscal year": this.year,
      "Period end": periodEnd === null ? null : toDay(periodEnd),
      Statement: statementType,
      Consolidation: consolidationType,
      "Fetched at": new Written(toLocalTime(this.answer.asOfMs), "moment"), // by the clock of NOW()
    };
  }
}

function toDay(text: string): Written | string {
  const day = text.slice(0, 10);
  return isDay(day) ? new Written(day, "day") : text;
}

/** Advice for a smaller table of financials. */
export const CURES = msg`give fewer companies, years or metrics`;
