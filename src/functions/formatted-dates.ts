import { Formatted } from "./cells";
import { toSerial } from "./dates";

/** A calendar day as a cell shows it: one that the workbook's dates do not reach stays text. */
export function toFormattedDay(day: string, dateSystem: 1900 | 1904): Formatted | string {
  const serial = toSerial(day, dateSystem);
  return serial < 0 ? day : new Formatted(serial, "yyyy-mm-dd");
}

/** A day and time of it as a cell shows them. */
export const toFormattedMoment = (serial: number): Formatted => new Formatted(serial, "yyyy-mm-dd hh:mm");
