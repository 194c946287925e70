import type { Block, CellContent, Place } from "../../contract/workbook";
import { readPlace } from "../addresses";
import { toExcelContent, toFormat } from "./cell-contents";
import { createFault, inExcel } from "./excel-run";

/** Excel on the web takes 5 MB at once; a request is that much larger than what it writes. */
const MOST_CELLS = 20_000;
const MOST_CHARACTERS = 1_000_000;

/** Rows of a block that travel together. */
interface Part {
  range: Excel.Range;
  rows: Block["cells"];
}

/** Writes a block of cells. @throws WorkbookError, "occupied" where something stands that is not to be replaced */
export function write(block: Block): Promise<Place> {
  return inExcel(async (context, where) => {
    where.place = block.at;
    const target = findTarget(context, block);
    target.load("address");
    const parts = toParts(target, block.cells);
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
    return where.place;
  });
}

function findTarget({ workbook }: Excel.RequestContext, { at, cells }: Block): Excel.Range {
  const from =
    at === undefined
      ? workbook.getActiveCell()
      : workbook.worksheets.getItem(at.sheet).getRange(at.address).getCell(0, 0);
  return from.getResizedRange(cells.length - 1, toWidth(cells) - 1);
}

const toWidth = (cells: Block["cells"]) => cells[0]?.length ?? 1;

function toParts(target: Excel.Range, cells: Block["cells"]): Part[] {
  const parts: Part[] = [];
  for (let from = 0; from < cells.length; ) {
    const rows = takeRows(cells, from);
    const range = target.getCell(from, 0).getResizedRange(rows.length - 1, toWidth(cells) - 1);
    parts.push({ range, rows });
    from += rows.length;
  }
  return parts;
}

/** As many rows as travel together, at least one. */
function takeRows(cells: Block["cells"], from: number): Block["cells"] {
  let characters = 0;
  let end = from;
  while (end < cells.length && (end - from) * toWidth(cells) < MOST_CELLS && characters < MOST_CHARACTERS) {
    for (const content of cells[end] ?? []) characters += String(toExcelContent(content)).length;
    end += 1;
  }
  return cells.slice(from, end);
}

/** A formula may show an empty text, and a text may be empty: either is something. */
function isOccupied({ range: { formulas, valueTypes }, rows }: Part): boolean {
  return rows.some((row, r) =>
    row.some((content, c) => content !== null && (formulas[r]?.[c] !== "" || valueTypes[r]?.[c] !== "Empty")),
  );
}

/** Null leaves a cell as it is, in formats as in formulas; the formats come first, so that a text is never parsed. */
function fill({ range, rows }: Part): void {
  const present = range.numberFormat as string[][];
  const formats = rows.map((row, r) => row.map((content: CellContent, c) => toFormat(content, present[r]?.[c])));
  if (formats.flat().some((format) => format !== null)) range.numberFormat = formats;
  range.formulas = rows.map((row) => row.map(toExcelContent));
}
