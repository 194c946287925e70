import { type Candidate, toFigureFacts } from "../feed/metrics";
import { Figure, type Formatted } from "./cells";
import { isDay, toMomentSerial } from "./dates";
import { toFormattedDay, toFormattedMoment } from "./table";

/** A number of the provider, and where it stands in the answer. */
export interface PickedNumber {
  value: number;
  /** Fiscal year. */
  year: number;
  places: readonly Candidate[];
}

export interface FigureOptions {
  /** What the number is divided by. */
  divisor: number;
  /** When the answer came, milliseconds since the Unix epoch. */
  asOfMs: number;
  /** First year of the workbook's date serials. */
  dateSystem: 1900 | 1904;
}

/** Turns a number of the provider into a figure: divided by the unit, with what the answer says of it. */
export function toFigure(
  { value, year, places }: PickedNumber,
  { divisor, asOfMs, dateSystem }: FigureOptions,
): Figure {
  return new Figure(value / divisor, () => {
    const { currency, periodEnd, statementType, consolidationType } = toFigureFacts(places);
    return {
      Currency: currency,
      Unit: divisor === 1 ? null : divisor,
      "Fiscal year": year,
      "Period end": periodEnd === null ? null : toDay(periodEnd, dateSystem),
      Statement: statementType,
      Consolidation: consolidationType,
      "Fetched at": toClock(asOfMs, dateSystem),
    };
  });
}

function toDay(text: string, dateSystem: 1900 | 1904): Formatted | string {
  const day = text.slice(0, 10);
  return isDay(day) ? toFormattedDay(day, dateSystem) : text;
}

/** By the clock on this machine's wall, as Excel's NOW() is. */
function toClock(atMs: number, dateSystem: 1900 | 1904): Formatted | null {
  const wallMs = atMs - new Date(atMs).getTimezoneOffset() * 60_000;
  const serial = toMomentSerial(new Date(wallMs).toISOString(), dateSystem);
  return serial === null ? null : toFormattedMoment(serial);
}
