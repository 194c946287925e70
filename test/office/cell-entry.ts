export interface CellValue {
  type: "String" | "Double" | "Boolean" | "Error" | "Empty";
  value: string | number | boolean;
}

/** An entered text as Excel parses it: a value or a formula, sometimes with a number format that Excel chooses. */
export type Entry = CellValue | { formula: string } | { value: number; type: "Double"; format: string };

/** The most characters Excel accepts in a cell. */
export const LONGEST_TEXT = 32_767;

const DAY_MS = 86_400_000;
const ERROR = /^#(?:N\/A|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|NULL!)$/;

export const EMPTY: CellValue = { type: "Empty", value: "" };

/**
 * Parses an entry as English Excel does, as far as tests need it. Only the text format and a leading apostrophe
 * prevent parsing.
 */
export function readEntry(entered: string | number | boolean, format: string): Entry {
  if (entered === "") return EMPTY;
  if (format === "@") return { type: "String", value: String(entered) };
  if (typeof entered === "number") return { type: "Double", value: entered };
  if (typeof entered === "boolean") return { type: "Boolean", value: entered };
  if (entered.startsWith("'")) return { type: "String", value: entered.slice(1) };
  const number = readNumber(entered);
  if (number !== null) return number;
  if (/^[=+@-]/.test(entered)) return { formula: entered.startsWith("=") ? entered : `=${entered}` };
  if (/^(?:true|false)$/i.test(entered)) return { type: "Boolean", value: /^true$/i.test(entered) };
  if (ERROR.test(entered)) return { type: "Error", value: entered };
  return { type: "String", value: entered };
}

/** Parses numbers, percentages and dates, in full-width digits too. */
function readNumber(entered: string): Entry | null {
  const text = entered.normalize("NFKC").trim();
  if (/^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) return { type: "Double", value: Number(text) };
  const percent = /^([+-]?\d+(?:\.\d+)?)%$/.exec(text)?.[1];
  if (percent !== undefined) return { type: "Double", value: Number(percent) / 100, format: "0%" };
  if (!/^(?:\d{4}-\d\d?-\d\d?|\d\d?\/\d\d?(?:\/\d{4})?|[a-z]{3,9} \d{1,2})$/i.test(text)) return null;
  const dayMs = Date.parse(`${/\d{4}/.test(text) ? text : `${text} 2026`} UTC`);
  return Number.isNaN(dayMs) ? null : { type: "Double", value: dayMs / DAY_MS + 25_569, format: "m/d/yyyy" };
}
