import type { CellContent, SheetPlan, Workbook } from "../contract/workbook";
import { toLetters } from "./addresses";

const HEADING_ROW = 4;

/** The first row of a list on its sheet. */
const FIRST_ROW = HEADING_ROW + 1;

interface ListSheet extends Pick<SheetPlan, "name"> {
  title: string;
  note: string;
  headings: readonly string[];
  /** Of the columns, in characters. */
  widths: readonly number[];
  /** Columns with numbers, whose headings stand over these; default none. */
  numbers?: string;
  /** Number formats by column or columns, such as "G:H"; default none. */
  formats?: Readonly<Record<string, string>>;
}

/**
 * Adds a sheet with a list. Its rows are too many to plan cell by cell, and are written after it.
 *
 * @returns the sheet's name
 */
export async function addListSheet(
  workbook: Pick<Workbook, "addSheet" | "write">,
  list: ListSheet,
  rows: readonly (readonly CellContent[])[],
): Promise<string> {
  const sheet = await workbook.addSheet(toPlan(list, rows.length));
  await workbook.write({ at: { sheet, address: `A${FIRST_ROW}` }, cells: rows });
  return sheet;
}

function toPlan({ name, title, note, headings, widths, numbers, formats = {} }: ListSheet, rows: number): SheetPlan {
  const last = toLetters(headings.length - 1);
  return {
    name,
    cells: [
      { at: "A1", content: title },
      { at: "A2", content: note },
      ...headings.map((content, index) => ({ at: `${toLetters(index)}${HEADING_ROW}`, content })),
    ],
    styles: [
      { range: "A1", style: "title" },
      { range: "A2", style: "note" },
      { range: `A${HEADING_ROW}:${last}${HEADING_ROW}`, style: "heading" },
      ...(numbers === undefined
        ? []
        : [{ range: over(numbers, HEADING_ROW, HEADING_ROW), style: "numberHeading" as const }]),
    ],
    formats: Object.entries(formats).map(([columns, format]) => ({
      range: over(columns, FIRST_ROW, HEADING_ROW + rows),
      format,
    })),
    widths: Object.fromEntries(widths.map((width, index) => [toLetters(index), width])),
    grouped: [],
    rules: [],
    frozenRows: HEADING_ROW,
    headingRow: HEADING_ROW,
    printed: `A1:${last}${HEADING_ROW + rows}`,
    selected: `A${FIRST_ROW}`,
  };
}

/** The cells of columns, such as "G:H", in some rows. */
function over(columns: string, first: number, last: number): string {
  const [from, to = from] = columns.split(":");
  return `${from}${first}:${to}${last}`;
}
