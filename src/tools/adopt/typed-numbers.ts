import type { CellState } from "../../contract/workbook";
import { isDateFormat } from "./year-labels";

/** "1,234", "(1,234.5)", "△1,234", "-12": a number that was typed as text. */
const WRITTEN = /^([-+−△▲]?)\s*[¥$€£]?\s*(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?$/;
const BRACKETED = /^\((.*)\)$/;
/** Text of digits alone: a year or a ticker has fewer, a registration number more. */
const DIGITS = /^\d+$/;
const FIGURE_DIGITS = /^[1-9]\d{4,8}$/;

/** The number that a person typed into a cell; null for a formula, a text, a date or a percentage. */
export function readTypedNumber({ value, formula, format }: CellState): number | null {
  if (formula !== "") return null;
  if (typeof value === "number") return isFigureFormat(format) && Number.isFinite(value) ? value : null;
  return typeof value === "string" ? readWrittenNumber(value) : null;
}

/** Whether a format shows a figure: no date, no percentage, no fraction. */
const isFigureFormat = (format: string) => !/%/.test(format.replace(/"[^"]*"/g, "")) && !isDateFormat(format);

function readWrittenNumber(written: string): number | null {
  const text = written.normalize("NFKC").trim();
  if (DIGITS.test(text) && !FIGURE_DIGITS.test(text)) return null;
  const [, inner] = BRACKETED.exec(text) ?? [];
  const [, sign, whole, rest = ""] = WRITTEN.exec((inner ?? text).trim()) ?? [];
  if (whole === undefined) return null;
  const size = Number(whole.replaceAll(",", "") + rest);
  const isNegative = inner !== undefined || /[-−△▲]/.test(sign ?? "");
  return isNegative && size !== 0 ? -size : size;
}

const MOST_DECIMALS = 6;

/** Decimals of a number as a person would write it. */
export function countDecimals(value: number): number {
  const [, decimals = ""] = /\.(\d+)$/.exec(String(Number(value.toPrecision(12)))) ?? [];
  return Math.min(MOST_DECIMALS, decimals.length);
}

/** How a typed number agrees with a figure. */
export type Agreement = "equal" | "rounded" | "differs";

/**
 * Compares a typed number with a figure in its unit: equal, or equal once rounded or cut to decimals.
 *
 * @param decimals those of the numbers around it
 */
export function compare(typed: number, figure: number, decimals: number): Agreement {
  const error = Math.abs(typed - figure);
  if (error <= 1e-9 * Math.max(Math.abs(typed), Math.abs(figure))) return "equal";
  const step = 10 ** -decimals;
  if (error <= (step / 2) * (1 + 1e-9)) return "rounded";
  const cut = Math.trunc(figure / step + Math.sign(figure) * 1e-9) * step;
  return Math.abs(typed - cut) <= step * 1e-6 ? "rounded" : "differs";
}
