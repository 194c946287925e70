import { toLetters } from "../../taskpane/addresses";
import { type CellKey, columnOf, rowOf } from "./cell-keys";

/** A corner of a range: its column and its row, each fixed or not. */
const RANGE = /^(.*!)?(\$?)([A-Z]+)(\$?)(\d+):(\$?)([A-Z]+)(\$?)(\d+)$/i;

/**
 * Writes a formula whose range reaches to a cell at one of its ends.
 *
 * @returns null where the formula names the range twice, from its end, or in another form
 */
export function extendReference(formula: string, range: string, end: CellKey): string | null {
  const corners = RANGE.exec(range);
  if (corners === null || formula.split(range).length !== 2) return null;
  const [
    ,
    sheet = "",
    fixedLeft = "",
    left = "",
    fixedTop = "",
    top = "",
    fixedRight = "",
    right = "",
    fixedBottom = "",
    bottom = "",
  ] = corners;
  // A range may be written from its end, as B3:B1; which side then grows is not worth guessing.
  if (Number(top) > Number(bottom) || toNumber(left) > toNumber(right)) return null;
  const [column, row] = [toLetters(columnOf(end)), String(rowOf(end) + 1)];
  const isBefore = Number(row) < Number(top) || toNumber(column) < toNumber(left);
  const from = isBefore ? [column, row] : [left, top];
  const to = isBefore ? [right, bottom] : [column, row];
  const extended = `${sheet}${fixedLeft}${from[0]}${fixedTop}${from[1]}:${fixedRight}${to[0]}${fixedBottom}${to[1]}`;
  return formula.replace(range, () => extended);
}

const toNumber = (letters: string) =>
  [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0), 0);
