import type { CellValue, FeedCell, Place, Scope, SheetValues, Workbook } from "../contract/workbook";
import type { Call } from "../session/calls";
import { readArea, readFormulaPlace, readPlace, toAddress } from "./addresses";
import { type FormulaCall, type Given, readCalls, readNamespace } from "./formula-text";

/** A cell, and a live formula that it calls, alone or within a larger formula. */
interface CellOfCall {
  cell: FeedCell;
  call: Call;
  /** Whether its arguments alone match; else the host's address, which may be of another cell by now, decided. */
  isCertain: boolean;
}

/** The cells that hold live formulas. */
interface FoundCells {
  /** The cells with a FEED formula. */
  cells: readonly FeedCell[];
  /** One for each live formula of a cell, and for each cell that shares it. */
  pairs: readonly CellOfCall[];
  /** Cells with a call that matches no live formula. */
  unknown: readonly FeedCell[];
  /** Those of `unknown` that may be live all the same: a live formula could be one of their calls. */
  undetermined: readonly FeedCell[];
}

/**
 * Matches cells with live formulas by name and arguments. Rows may have been inserted since the host passed an
 * address, and equal formulas share one. The address decides only where an argument's text does not give its value.
 */
export async function findCells(
  workbook: Pick<Workbook, "listFeedCells" | "readSheets">,
  calls: readonly Call[],
  scope: Scope,
): Promise<FoundCells> {
  const cells = await workbook.listFeedCells(scope);
  const namespace = readNamespace();
  const read = cells.map((cell) => ({ cell, written: readCalls(cell.formula, namespace) }));
  const references = read.flatMap(({ cell, written }) => written.map(({ given }) => ({ sheet: cell.sheet, given })));
  const readArgument = await loadReferences(workbook, references);
  const live = createIndex(calls);
  const unknown: FeedCell[] = [];
  const undetermined: FeedCell[] = [];
  const pairs = read.flatMap(({ cell, written }) => {
    const found = written.map((each) => live.find(cell, each, readArgument));
    if (found.some((matches) => matches.calls.length === 0)) {
      unknown.push(cell);
      if (written.some((each) => live.couldFit(cell, each, readArgument))) undetermined.push(cell);
    }
    const isCertainOf = new Map(found.flatMap((matches) => matches.calls.map((call) => [call, matches.isCertain])));
    return [...isCertainOf].map(([call, isCertain]) => ({ cell, call, isCertain }));
  });
  return { cells, pairs, unknown, undetermined };
}

/** The place of a cell of a formula's table, by its offset from 0. */
export function toShownPlace({ sheet, address }: Place, row: number, column: number): Place {
  const anchor = readArea(address);
  return { sheet, address: toAddress({ row: anchor.row + row, column: anchor.column + column, rows: 1, columns: 1 }) };
}

type Matches = { calls: readonly Call[] } & Pick<CellOfCall, "isCertain">;

/** Live formulas indexed by arguments, and by the host's address. */
function createIndex(calls: readonly Call[]) {
  const byGiven = new Map<string, Call[]>();
  const byAddress = new Map<string, Call[]>();
  const byName = new Map<string, Call[]>();
  const fits = new Map<string, boolean>();
  const put = (index: Map<string, Call[]>, key: string, call: Call) => {
    const others = index.get(key);
    if (others === undefined) index.set(key, [call]);
    else others.push(call);
  };
  for (const call of calls) {
    const { key, place } = readEntry(call);
    put(byGiven, key, call);
    put(byName, call.name, call);
    if (place !== null) put(byAddress, place, call);
  }
  const isFor = (name: string, values: readonly (Rows | null)[]) => (call: Call) =>
    call.name === name && isFitting(values, readEntry(call).values);
  return {
    /** Finds none where an argument is unknown, or where a blank fits two different formulas. */
    find(cell: FeedCell, { name, given: written }: FormulaCall, readArgument: ReadArgument): Matches {
      const values = written.map((each) => readArgument(each, cell.sheet));
      const isKnown = values.every((value) => value !== null);
      const fitting = isKnown ? (byGiven.get(toKey(name, values)) ?? []).filter(isFor(name, values)) : [];
      const isCertain = isKnown && fitting.every((call) => isSame(call, fitting[0] as Call));
      if (isCertain) return { calls: fitting, isCertain };
      return { calls: (byAddress.get(toPlaceKey(cell)) ?? []).filter(isFor(name, values)), isCertain };
    },
    /** Whether any live formula could be the cell's: an unknown argument fits each. */
    couldFit(cell: FeedCell, { name, given: written }: FormulaCall, readArgument: ReadArgument): boolean {
      const values = written.map((each) => readArgument(each, cell.sheet));
      if (values.every(isSingle)) return (byGiven.get(toKey(name, values)) ?? []).some(isFor(name, values));
      const key = JSON.stringify([name, values]); // many rows read the same column, which is compared once
      const isPossible = (call: Call) => isFor(name, withoutLifted(values, Object.values(call.given)))(call);
      const could = fits.get(key) ?? (byName.get(name) ?? []).some(isPossible);
      fits.set(key, could);
      return could;
    },
  };
}

const isSingle = (rows: Rows | null): rows is Rows => rows?.length === 1 && rows[0]?.length === 1;

/** Excel calls a function for each cell of a range in the place of a scalar: which cell it was is unknown. */
function withoutLifted(written: readonly (Rows | null)[], given: readonly unknown[]): (Rows | null)[] {
  return written.map((rows, index) => (isSingle(rows) || Array.isArray(given[index]) ? rows : null));
}

interface Entry {
  values: readonly Rows[];
  key: string;
  place: string | null;
}

/** A formula's arguments never change, and each selection compares thousands of them. */
const entries = new WeakMap<Call, Entry>();

function readEntry(call: Call): Entry {
  const known = entries.get(call);
  if (known !== undefined) return known;
  const values = Object.values(call.given).map(toRows);
  const place = readFormulaPlace(call.address);
  const entry = { values, key: toKey(call.name, values), place: place && toPlaceKey(place) };
  entries.set(call, entry);
  return entry;
}

const isSame = (one: Call, other: Call) =>
  one === other || JSON.stringify(readEntry(one).values) === JSON.stringify(readEntry(other).values);

const toPlaceKey = ({ sheet, address }: Place) => `${sheet}!${address}`.toUpperCase();

/** An argument of the host as a sheet shows it: an error as its code, a number with properties as its number. */
function toRows(given: unknown): Rows {
  const rows = Array.isArray(given) ? given : [[given]];
  return rows.map((row: unknown) => (Array.isArray(row) ? row : [row]).map(toCellValue));
}

/** A value of the host, or of a formula's output, as a sheet shows it. */
export function toCellValue(cell: unknown): CellValue {
  if (typeof cell !== "object" || cell === null) return (cell as CellValue) ?? null;
  const { basicValue, code } = cell as { basicValue?: CellValue; code?: CellValue };
  return basicValue ?? code ?? null;
}

/** A key shared by arguments that may be equal: a blank cell arrives as 0 or null, an omitted argument as null. */
function toKey(name: string, given: readonly Rows[]): string {
  const texts = given.map((rows) => rows.map((row) => row.map(toLoose).join("\u0000")).join("\u0001"));
  const last = texts.findLastIndex((text) => text !== "");
  return [name, ...texts.slice(0, last + 1)].join("\u0002");
}

const toLoose = (cell: CellValue) => (isBlank(cell) ? "" : `${typeof cell} ${cell}`);

const isBlank = (cell: CellValue | undefined) => cell === null || cell === undefined || cell === 0 || cell === "";

/**
 * Whether a formula's written arguments may have arrived as the given ones.
 *
 * @param written as the sheet shows them, null for an unknown one; those omitted at the end are missing
 */
function isFitting(written: readonly (Rows | null)[], given: readonly Rows[]): boolean {
  return (
    written.length <= given.length &&
    given.every((rows, index) => {
      if (index >= written.length) return isLeftOut(rows);
      const known = written[index] ?? null;
      return known === null || isFittingRows(known, rows);
    })
  );
}

const isLeftOut = (rows: Rows) => rows.length === 1 && rows[0]?.length === 1 && rows[0][0] === null;

const isFittingRows = (written: Rows, given: Rows) =>
  written.length === given.length && written.every((row, r) => isFittingRow(row, given[r] ?? []));

const isFittingRow = (written: Rows[number], given: Rows[number]) =>
  written.length === given.length &&
  written.every((cell, c) => (cell === null ? isBlank(given[c]) : cell === given[c]));

/** An argument as rows of cells; a single value is one row of one cell. */
type Rows = readonly (readonly CellValue[])[];

/** Reads the cells of an argument; null where its text does not give them. */
type ReadArgument = (given: Given, sheet: string) => Rows | null;

/** Larger references count as whole columns, whose end the formula's text does not give. */
const MOST_CELLS = 100_000;

const BLANK: Rows = [[null]];

/**
 * Reads each referenced sheet once.
 *
 * @param given arguments, each with the sheet of its cell
 */
async function loadReferences(
  workbook: Pick<Workbook, "readSheets">,
  given: readonly { sheet: string; given: readonly Given[] }[],
): Promise<ReadArgument> {
  const names = new Map<string, string>();
  for (const { sheet, given: each } of given) {
    for (const argument of each) {
      if (argument?.kind !== "cells") continue;
      const name = readPlace(argument.text).sheet || sheet;
      names.set(name.toLowerCase(), name);
    }
  }
  const read = names.size === 0 ? [] : await workbook.readSheets([...names.values()]);
  const sheets = new Map(read.map((values) => [values.sheet.toLowerCase(), values]));
  const known = new Map<string, Rows | null>();
  return (argument, sheet) => {
    if (argument === null) return BLANK;
    if (argument.kind === "expression") return null;
    if (argument.kind !== "cells") return [[argument.value]];
    const place = readPlace(argument.text);
    const name = (place.sheet || sheet).toLowerCase();
    const key = `${name}!${place.address}`;
    const rows = known.get(key);
    if (rows !== undefined) return rows;
    const found = name.includes("[") ? null : readCells(sheets.get(name), place.address); // of another workbook
    known.set(key, found);
    return found;
  };
}

/** The values of an address; cells outside the used range are empty. */
function readCells(sheet: SheetValues | undefined, address: string): Rows | null {
  const area = readArea(address);
  if (area.rows * area.columns > MOST_CELLS) return null;
  const readCell = (row: number, column: number) =>
    sheet?.values[area.row + row - sheet.row]?.[area.column + column - sheet.column] ?? null;
  return Array.from({ length: area.rows }, (_, row) =>
    Array.from({ length: area.columns }, (_, column) => readCell(row, column)),
  );
}
