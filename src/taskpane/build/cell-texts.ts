import type { Shown } from "../../session/shown";

/** An error as it goes to a cell. */
export interface ShownError {
  code: string;
  message?: string;
}

/** A cell as a person reads it. */
export interface CellText {
  text: string;
  isNumber: boolean;
  /** What an error says beside its code. */
  message?: string;
}

const isError = (value: unknown): value is ShownError =>
  typeof value === "object" && value !== null && typeof (value as { code?: unknown }).code === "string";

/** The error that is all a formula shows; null where it shows more, or no error. */
export function pickError(shown: Shown): ShownError | null {
  if (!Array.isArray(shown)) return shown as ShownError;
  const only: unknown = shown.length === 1 && shown[0].length === 1 ? shown[0][0] : null;
  return isError(only) ? only : null;
}

/** The rows of what a formula shows; none of an error. */
export const toRows = (shown: Shown): readonly (readonly unknown[])[] =>
  Array.isArray(shown) ? (shown as readonly (readonly unknown[])[]) : [];

/** A cell as Excel shows it: by its format where it brings one. */
export function toCellText(value: unknown, dateSystem: 1900 | 1904): CellText {
  if (isError(value)) {
    return { text: value.code, isNumber: false, ...(value.message !== undefined && { message: value.message }) };
  }
  if (typeof value === "number") return { text: String(Number(value.toPrecision(15))), isNumber: true };
  if (typeof value === "boolean") return { text: String(value).toUpperCase(), isNumber: false };
  if (typeof value !== "object" || value === null) return { text: String(value ?? ""), isNumber: false };
  const { basicValue, numberFormat } = value as { basicValue?: unknown; numberFormat?: unknown };
  if (typeof basicValue !== "number") return { text: String(basicValue ?? ""), isNumber: false };
  if (typeof numberFormat === "string" && numberFormat.startsWith("yyyy-mm-dd")) {
    return { text: toDateText(basicValue, dateSystem).slice(0, numberFormat.length), isNumber: true };
  }
  return toCellText(basicValue, dateSystem);
}

const SECONDS_OF_DAY = 86_400;

/** Days from a workbook's first day to 1970. */
const DAYS_TO_1970 = { 1900: 25_569, 1904: 24_107 };

function toDateText(serial: number, dateSystem: 1900 | 1904): string {
  const seconds = Math.round((serial - DAYS_TO_1970[dateSystem]) * SECONDS_OF_DAY);
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ");
}
