import { ArgumentError } from "../../client/errors";
import { msg } from "../../client/messages";
import type { NameToMatch } from "../../feed/matching";
import { type Argument, isSingle, quote, type Reading, readCell, readText, toGiven, toRange } from "../arguments";

/**
 * The names of a list with their hints, a reading for each line; blank lines at the end are left out.
 *
 * @throws ArgumentError (FEED_ARGUMENT_INVALID) where names are not one column, or hints have other rows; the error of a
 * single name or hint
 */
export function readLines(names: Argument, hints: Argument): Reading<NameToMatch>[] {
  const column = toGiven(names, "names", msg`a column of names`);
  const [row] = column;
  if (row !== undefined && row.length > 1) {
    throw new ArgumentError(msg`names must be one column such as A2:A500, not ${row.length} columns`);
  }
  const beside = readHints(hints, column.length);
  const end = column.findLastIndex(([cell]) => !isBlankCell(cell)) + 1;
  const lines = column.slice(0, Math.max(end, 1)).map(([cell], at) => readLine(cell, beside[at] ?? []));
  const [line] = lines;
  if (lines.length === 1 && line?.kind === "error") throw line.error; // a single name's error is the formula's
  return lines;
}

function readHints(hints: Argument, rows: number): Argument[][] {
  const cells = toRange(hints);
  if (isSingle(cells)) {
    const only = readHint(cells[0]?.[0]);
    if (only.kind === "blank") return [];
    if (only.kind === "error") throw only.error; // an error by itself was not looked up beside other hints
  }
  if (cells.length === rows) return cells;
  throw new ArgumentError(msg`hints must have a row for each name: names have ${rows} rows, hints ${cells.length}`);
}

/** An error counts as given, so that its row shows it. */
const isBlankCell = (cell: Argument): boolean => readCell(cell, () => true).kind === "blank";

const readHint = (cell: Argument): Reading<string> => readCell(cell, (value) => readText(value, "hints") ?? "");

/** A longer text is no name; the pane takes none either. */
const LONGEST_NAME = 300;

/** A name with its hints. A hint that is no text or number, such as a look-up's error, says nothing. */
function readLine(cell: Argument, hints: readonly Argument[]): Reading<NameToMatch> {
  return readCell(cell, (value): NameToMatch => {
    const name = readText(value, "names") ?? "";
    if (name.length > LONGEST_NAME) {
      throw new ArgumentError(
        msg`${"names"} must be ${msg`a company's name, ticker, registration number or id`}, not ${quote(name)}`,
      );
    }
    return { name, hints: hints.map(readHint).flatMap((hint) => (hint.kind === "value" ? [hint.value] : [])) };
  });
}
