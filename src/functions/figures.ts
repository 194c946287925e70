import type { Financials } from "../feed/decode";
import {
  type Candidate,
  isPeriodFact,
  isYearFact,
  type MetricChoice,
  pickMetric,
  toFigureFacts,
} from "../feed/financials/metrics";
import type { Answer } from "../feed/watch";
import { Figure, type Formatted } from "./cells";
import { isDay, toLocalSerial } from "./dates";
import { toFormattedDay, toFormattedMoment } from "./table";
import { pickYear, type YearChoice } from "./years";

/** A number of the provider, and where it stands in the answer. */
interface PickedNumber {
  value: number;
  /** Fiscal year. */
  year: number;
  places: readonly Candidate[];
}

/** How a figure is shown. */
export interface FigureFormat {
  /** What the number is divided by. */
  divisor: number;
  /** First year of the workbook's date serials. */
  dateSystem: 1900 | 1904;
}

interface FigureOptions extends FigureFormat {
  /** When the answer came, milliseconds since the Unix epoch. */
  asOfMs: number;
}

/**
 * Picks what a cell shows of a company's answer: a figure, or a fact of its year.
 *
 * @throws what {@link pickYear} and {@link pickMetric} throw
 */
export function pickFigure(
  { value: financials, asOfMs }: Answer<Financials>,
  choice: YearChoice,
  metric: MetricChoice,
  format: FigureFormat,
): Figure {
  const year = pickYear(financials, choice);
  const { value, places } = pickMetric(financials, year, metric);
  if (typeof value === "number" && !isYearFact(metric.name)) {
    return toFigure({ value, year, places }, { ...format, asOfMs });
  }
  const isDate = typeof value === "string" && isPeriodFact(metric.name);
  return new Figure(isDate ? toDay(value, format.dateSystem) : value, null, places);
}

/** Turns a number of the provider into a figure: divided by the unit, with what the answer says of it. */
function toFigure({ value, year, places }: PickedNumber, { divisor, asOfMs, dateSystem }: FigureOptions): Figure {
  const readFacts = () => {
    const { currency, periodEnd, statementType, consolidationType } = toFigureFacts(places);
    return {
      Currency: currency,
      Unit: divisor === 1 ? null : divisor,
      "Fiscal year": year,
      "Period end": periodEnd === null ? null : toDay(periodEnd, dateSystem),
      Statement: statementType,
      Consolidation: consolidationType,
      "Fetched at": toFormattedMoment(toLocalSerial(asOfMs, dateSystem)), // by the clock of NOW()
    };
  };
  return new Figure(value / divisor, readFacts, places);
}

function toDay(text: string, dateSystem: 1900 | 1904): Formatted | string {
  const day = text.slice(0, 10);
  return isDay(day) ? toFormattedDay(day, dateSystem) : text;
}
