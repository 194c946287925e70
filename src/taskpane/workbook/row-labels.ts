import { isErrorCode } from "./feed-cells";
import type { Contents, SheetArea } from "./ranges";

/** The cells that identify a row: its texts, and its numbers too where another row has the same texts and value. */
interface RowLabels {
  area: SheetArea;
  hasNumbers: boolean;
}

const isText = (value: unknown) => typeof value === "string" && value !== "" && !isErrorCode(value);
const isNumber = (value: unknown) => typeof value === "number";

/** The values of labels. */
export const readLabels = (values: unknown[][], hasNumbers: boolean) =>
  values.flat().filter((value) => isText(value) || (hasNumbers && isNumber(value)));

/** Finds the labels of the row that a formula's area begins in; null where it has none. */
export function createLabelFinder(contents: ReadonlyMap<string, Contents>): (area: SheetArea) => RowLabels | null {
  const counts = new Map<string, Map<string, number>>();
  return (area) => {
    const { whole, values } = contents.get(area.sheet) ?? { whole: area, values: [] };
    const line = values[area.row - whole.row] ?? [];
    const columns: Columns = [area.column - whole.column, area.column - whole.column + area.columns];
    const key = JSON.stringify([area.sheet, ...columns]);
    const rows = counts.get(key) ?? countRows(values, columns);
    counts.set(key, rows);
    const hasNumbers = (rows.get(showRow(line, columns)) ?? 0) > 1;
    const labels = hasNumbers ? [...listTexts(line, columns), ...listNumbers(line, columns)] : listTexts(line, columns);
    if (labels.length === 0) return null;
    const [first, last] = [Math.min(...labels), Math.max(...labels)];
    const place = { row: area.row, rows: 1, column: whole.column + first, columns: last - first + 1 };
    return { area: { sheet: area.sheet, ...place }, hasNumbers };
  };
}

/** The first column that a formula fills, and the one after the last. */
type Columns = readonly [from: number, end: number];

/** The columns of a row's texts, before a formula or else after it. */
function listTexts(line: readonly unknown[], [from, end]: Columns): number[] {
  const texts = line.flatMap((value, column) => (isText(value) ? [column] : []));
  const inFront = texts.filter((column) => column < from);
  return inFront.length > 0 ? inFront : texts.filter((column) => column >= end);
}

const listNumbers = (line: readonly unknown[], [from]: Columns) =>
  line.slice(0, from).flatMap((value, column) => (isNumber(value) ? [column] : []));

/** A row's values in a formula's columns, and its texts. */
const showRow = (line: readonly unknown[], columns: Columns) =>
  JSON.stringify([line.slice(...columns), listTexts(line, columns).map((column) => line[column])]);

function countRows(lines: readonly unknown[][], columns: Columns): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const shown = showRow(line, columns);
    counts.set(shown, (counts.get(shown) ?? 0) + 1);
  }
  return counts;
}
