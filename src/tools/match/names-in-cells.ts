import type { CellValue, Place, Workbook } from "../../contract/workbook";
import { type Area, isUnbounded, readArea, showPlace, toAddress } from "../../taskpane/addresses";
import { findSheetId, findSheetName, type ReadSheet } from "../../taskpane/cell-journal";
import { clipToUsed } from "../../taskpane/used-cells";

/** A name of the list: equal texts are one name, so that a person decides once. */
export interface ListedName {
  text: string;
  /** What its rows say besides, each text once. */
  hints: readonly string[];
  /** Rows of the sheet that hold it, from 0. */
  rows: readonly number[];
}

/** The names that cells hold. */
export interface NameList extends ReadSheet {
  /** The cells with names and hints. */
  area: Area;
  names: readonly ListedName[];
  /** Number of rows without a name. */
  blanks: number;
  /** Number of heading rows before the area, which are left out. */
  headings: number;
  /** Number of rows that hold an error, TRUE, FALSE or a very long text in place of a name. */
  unreadable: number;
  /** Number of cells with names in rows that a filter or a person hides; they are names as all others. */
  hidden: number;
}

/** The workbook stores what as many names mean. */
export const MOST_NAMES = 5_000;

/** Rows of one reading, after each of which a reading can be stopped. */
const ROWS_AT_ONCE = 1_000;

/** A longer selection is cut to the used cells before it is read. */
const LONG = 10_000;

interface ReadingOptions {
  signal: AbortSignal;
  /** Called with the share of rows that have been read, 0 to 1. */
  progress: (share: number) => void;
}

/**
 * Reads names from the first column of a place, and hints from its other columns.
 *
 * @throws WorkbookError; the reason of an abort
 */
export async function readNames(workbook: Workbook, place: Place, options: ReadingOptions): Promise<NameList> {
  const { sheet } = place;
  const area = await findUsedArea(workbook, place);
  const values: CellValue[][] = [];
  while (values.length < area.rows) {
    options.signal.throwIfAborted();
    const rows = Math.min(ROWS_AT_ONCE, area.rows - values.length);
    const part = { ...area, row: area.row + values.length, rows };
    values.push(...(await workbook.readValues(showPlace({ sheet, address: toAddress(part) }))).slice(0, rows));
    if (values.length < part.row - area.row + rows) break; // the sheet ends before
    options.progress(values.length / area.rows);
  }
  options.signal.throwIfAborted();
  const headings = Math.max(
    0,
    values.findIndex(([first = null]) => !isHeading(first)),
  );
  const own = { ...area, row: area.row + headings, rows: area.rows - headings };
  const listed = listNames(values.slice(headings), own.row);
  const hidden = await countHidden(workbook, { sheet, area: own }, listed.names);
  return { sheet, sheetId: await findSheetId(workbook, sheet), area: own, headings, hidden, ...listed };
}

/** Counts the cells of names in hidden rows, which are read as all others. */
async function countHidden(
  workbook: Workbook,
  { sheet, area }: Pick<NameList, "sheet" | "area">,
  names: readonly ListedName[],
): Promise<number> {
  if (names.length === 0) return 0;
  const hidden = new Set(await workbook.listHiddenRows({ sheet, address: toAddress({ ...area, columns: 1 }) }));
  return names.reduce((sum, { rows }) => sum + rows.filter((row) => hidden.has(row)).length, 0);
}

/**
 * Gives the list under the name that its sheet has by now; null where a row holds another name: rows may have come in
 * or been sorted since the names were read.
 */
export async function readAgain(workbook: Workbook, list: NameList): Promise<NameList | null> {
  const sheet = await findSheetName(workbook, list);
  const place = { sheet, address: toAddress({ ...list.area, columns: 1 }) };
  const now = await readNames(workbook, place, { signal: new AbortController().signal, progress: () => {} });
  const toRows = ({ names }: NameList) => JSON.stringify(names.map(({ text, rows }) => [text, rows]));
  return toRows(now) === toRows(list) ? { ...list, sheet } : null;
}

/** The selected cells, of a long selection those in the used part of the sheet. */
async function findUsedArea(workbook: Workbook, place: Place): Promise<Area> {
  const area = readArea(place.address);
  if (!isUnbounded(place.address) && area.rows <= LONG) return area;
  return (await clipToUsed(workbook, place)) ?? { ...area, rows: 0 };
}

/** Lists the names of rows. @param firstRow row of the sheet, from 0, of the first of them */
export function listNames(
  rows: readonly (readonly CellValue[])[],
  firstRow: number,
): Pick<NameList, "names" | "blanks" | "unreadable"> {
  const names = new Map<string, { text: string; hints: Set<string>; rows: number[] }>();
  let [blanks, unreadable] = [0, 0];
  rows.forEach(([first = null, ...others], index) => {
    const text = toText(first);
    if (text === "") blanks++;
    else if (text === null) unreadable++;
    else {
      const name = names.get(text) ?? { text, hints: new Set(), rows: [] };
      names.set(text, name);
      name.rows.push(firstRow + index);
      for (const hint of others.map(toText)) if (hint !== null && hint !== "") name.hints.add(hint);
    }
  });
  return { names: [...names.values()].map((name) => ({ ...name, hints: [...name.hints] })), blanks, unreadable };
}

/** What stands above a column of names, and is no company's name. */
const HEADING =
  /^(?:(?:company|companies|customers?|clients?|suppliers?|vendors?|counterpart(?:y|ies)|issuers?|legal|full)?[\s_-]*names?|compan(?:y|ies)|customers?|clients?|suppliers?|vendors?|issuers?|(?:企業|会社|取引先|顧客|得意先|仕入先|投資先|法人|銘柄)(?:名称?)?|社名|名称|商号)$/i;

const isHeading = (value: CellValue): boolean =>
  typeof value === "string" && HEADING.test(value.normalize("NFKC").trim());

/** The codes of Excel's errors, which cells hold as texts. */
const ERROR = /^#(?:[A-Z0-9/_]+[!?]?|N\/A)$/;

/** Formulas take no longer name. */
const LONGEST = 300;

/** A cell's text, which may be empty; null for an error, TRUE, FALSE and what is too long. */
function toText(value: CellValue): string | null {
  if (typeof value === "boolean") return null;
  const text = String(value ?? "").trim();
  return ERROR.test(text) || text.length > LONGEST ? null : text;
}
