import type { CellContent } from "../../contract/workbook";

/** Under this format Excel takes whatever is written for text. */
const TEXT = "@";
export const GENERAL = "General";

/** Excel cuts nothing itself: a longer text makes it refuse the whole block. */
const LONGEST_TEXT = 32_767;

/** A letter first and no digit anywhere is no number, date or formula in any locale. */
const PLAIN_TEXT = /^\p{L}[^\p{N}]*$/u;
const TRUTH = /^(?:true|false)$/i;

/** What is handed to Excel for a cell; as the host's formulas are, where a value stands for itself. */
export function toExcelContent(content: CellContent): string | number | boolean | null {
  if (typeof content === "string") return content.slice(0, LONGEST_TEXT);
  return typeof content === "object" && content !== null ? content.formula : content;
}

/**
 * The number format that must stand before the content is written; null leaves what there is. Text that Excel would
 * read as anything else needs the text format, and nothing but text may stand under that one.
 */
export function toFormat(content: CellContent, present: string = GENERAL): string | null {
  if (content === null) return null;
  if (typeof content === "string") return isReadAsText(content) ? null : TEXT;
  return present === TEXT ? GENERAL : null;
}

function isReadAsText(text: string): boolean {
  return text === "" || (PLAIN_TEXT.test(text) && !TRUTH.test(text));
}

/** Texts that a formula may show and that would become formulas once a person edits the cell. */
export function isFormulaLike(value: unknown): boolean {
  return typeof value === "string" && /^[=+\-@']/.test(value);
}

/** The format that keeps such a text what it is. */
export const TEXT_FORMAT = TEXT;
