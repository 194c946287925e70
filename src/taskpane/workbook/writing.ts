import type { Block, CellContent, Place } from "../../contract/workbook";
import { readPlace } from "../addresses";
import { createFault, inExcel } from "./excel-run";

/** Excel on the web takes 5 MB per request, and a request is much larger than its values. */
const MOST_CELLS = 20_000;
const MOST_CHARACTERS = 1_000_000;

/** Rows of a block in one request. */
interface BlockPart {
  range: Excel.Range;
  rows: Block["cells"];
}

/** Writes a block of cells. @throws WorkbookError, "occupied" where cells are not empty and may not be replaced */
export function write(block: Block): Promise<Place> {
  return inExcel(async (context, where) => {
    where.place = block.at;
    const target = findTarget(context, block);
    target.load("address");
    const parts = toParts(target, block.cells);
    const columns = (block.widths ?? []).map((_, index) => target.getCell(0, index));
    for (const { format } of columns) format.load("useStandardWidth, columnWidth");
    for (const { range } of parts) {
      range.load("formulas, valueTypes, numberFormat");
      await context.sync();
    }
    where.place = readPlace(target.address);
    if (block.isReplacing !== true && parts.some(isOccupied)) {
      throw createFault("occupied", `${target.address} is not empty`, where.place);
    }
    for (const part of parts) {
      fill(part);
      await context.sync();
    }
    const widened = columns.filter(({ format }, index) => widen(format, block.widths?.[index] ?? 0));
    if (widened.length > 0) await context.sync().catch(() => {}); // a protected sheet may take cells alone
    return where.place;
  });
}

/** Widens a column that has the sheet's own width, where that is too narrow; false for any other. */
function widen(format: Excel.RangeFormat, characters: number): boolean {
  const isNarrow = format.useStandardWidth && format.columnWidth < toPoints(characters);
  if (isNarrow) format.columnWidth = toPoints(characters);
  return isNarrow;
}

/** In Excel's default font a character is 7 pixels wide and a cell has 5 more; a pixel is 3/4 of a point. */
export const toPoints = (characters: number): number => (characters * 7 + 5) * 0.75;

function findTarget({ workbook }: Excel.RequestContext, { at, cells }: Block): Excel.Range {
  const from =
    at === undefined
      ? workbook.getActiveCell()
      : workbook.worksheets.getItem(at.sheet).getRange(at.address).getCell(0, 0);
  return from.getResizedRange(cells.length - 1, toWidth(cells) - 1);
}

const toWidth = (cells: Block["cells"]) => cells[0]?.length ?? 1;

function toParts(target: Excel.Range, cells: Block["cells"]): BlockPart[] {
  const parts: BlockPart[] = [];
  for (let from = 0; from < cells.length; ) {
    const rows = takeRows(cells, from);
    const range = target.getCell(from, 0).getResizedRange(rows.length - 1, toWidth(cells) - 1);
    parts.push({ range, rows });
    from += rows.length;
  }
  return parts;
}

/** The rows of one request, at least one. */
function takeRows(cells: Block["cells"], from: number): Block["cells"] {
  let characters = 0;
  let end = from;
  while (end < cells.length && (end - from) * toWidth(cells) < MOST_CELLS && characters < MOST_CHARACTERS) {
    for (const content of cells[end] ?? []) characters += String(toExcelContent(content)).length;
    end += 1;
  }
  return cells.slice(from, end);
}

/** Formulas with an empty result, and empty texts, count as content. */
function isOccupied({ range: { formulas, valueTypes }, rows }: BlockPart): boolean {
  return rows.some((row, r) =>
    row.some((content, c) => content !== null && (formulas[r]?.[c] !== "" || valueTypes[r]?.[c] !== "Empty")),
  );
}

/** Null leaves a cell unchanged. Formats come before formulas, so that Excel never parses a text. */
function fill({ range, rows }: BlockPart): void {
  const present = range.numberFormat as string[][];
  const formats = rows.map((row, r) => row.map((content: CellContent, c) => toFormat(content, present[r]?.[c])));
  if (formats.flat().some((format) => format !== null)) range.numberFormat = formats;
  range.formulas = rows.map((row) => row.map(toExcelContent));
}

/** Excel's text format. */
export const TEXT_FORMAT = "@";
export const GENERAL = "General";

/** Excel's limit: a longer text makes it refuse the whole block. */
const LONGEST_TEXT = 32_767;

/** A letter first and no digit anywhere is no number, date or formula in any locale. */
const PLAIN_TEXT = /^\p{L}[^\p{N}]*$/u;
const TRUTH = /^(?:true|false)$/i;

/** A cell's content for Excel's `formulas`, in which a value represents itself. */
export function toExcelContent(content: CellContent): string | number | boolean | null {
  if (typeof content === "string") return content.slice(0, LONGEST_TEXT);
  return typeof content === "object" && content !== null ? content.formula : content;
}

/**
 * The number format to set before the content; null for no change. Text that Excel would
 * read otherwise needs the text format, and only text may have it.
 */
export function toFormat(content: CellContent, present: string = GENERAL): string | null {
  if (content === null) return null;
  if (typeof content === "string") return isReadAsText(content) ? null : TEXT_FORMAT;
  const format = typeof content === "object" ? content.format : undefined;
  if (present === GENERAL) return format ?? null;
  return present === TEXT_FORMAT ? (format ?? GENERAL) : null;
}

function isReadAsText(text: string): boolean {
  return text === "" || (PLAIN_TEXT.test(text) && !TRUTH.test(text));
}

/** Whether a text would become a formula once a person edits its cell. */
export function isFormulaLike(value: unknown): boolean {
  return typeof value === "string" && /^[=+\-@']/.test(value);
}
