import type { CellValue, FeedCell, Place, Scope, SheetValues, Workbook } from "../contract/workbook";
import type { Call, Shown } from "../session/calls";
import { readArea, readFormulaPlace, readPlace, toAddress } from "./addresses";
import { readCellCalls, readRoom } from "./feed-formulas";
import { type FormulaCall, type Given, readNamespace } from "./formula-text";
import { finishInSlices, mapInSteps, type Steps } from "./slices";

/** A cell, and a live formula that it calls, alone or within a larger formula. */
export interface CellOfCall {
  cell: FeedCell;
  call: Call;
  /** Whether its arguments alone match; else the host's address, which may be of another cell by now, decided. */
  isCertain: boolean;
}

/** Whether a live formula shows more than one value. */
export const showsTable = ({ shown }: Call): boolean =>
  Array.isArray(shown) && (shown.length > 1 || shown[0]?.length > 1);

/** Cells that show less than a person may think, by what only a person can mend. */
export interface CellNotes {
  /** With a dead copy of a formula. */
  dead: readonly FeedCell[];
  /** With a part of a table. */
  cut: readonly FeedCell[];
  /** With a call that matches no live formula. */
  unknown: readonly FeedCell[];
}

/** Whether a cell shows a part of its table alone, by `@` or an array formula of another program. */
export function isCut({ call, cell }: Pick<CellOfCall, "call" | "cell">): boolean {
  const [rows, columns] = readRoom(cell) ?? [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  return Array.isArray(call.shown) && (call.shown.length > rows || call.shown[0]?.length > columns);
}

export const toNotes = ({ cells, pairs, unknown }: Omit<FoundCells, "findUndetermined">): CellNotes => ({
  dead: cells.filter(({ isDead }) => isDead),
  cut: [...new Set(pairs.filter(isCut).map(({ cell }) => cell))],
  unknown,
});

/** The cells that hold live formulas. */
export interface FoundCells {
  /** The cells with a FEED formula. */
  cells: readonly FeedCell[];
  /** One for each live formula of a cell, and for each cell that shares it. */
  pairs: readonly CellOfCall[];
  /** Cells with a call that matches no live formula. */
  unknown: readonly FeedCell[];
  /** Finds those of `unknown` that may be live all the same: a live formula could be one of their calls. */
  findUndetermined(): Promise<FeedCell[]>;
}

/** A cell with the calls that stand in its formula. */
interface ReadCell {
  cell: FeedCell;
  written: readonly FormulaCall[];
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
  const readCell = (cell: FeedCell): ReadCell => ({ cell, written: readCellCalls(cell, namespace) });
  const read = await finishInSlices(mapInSteps(cells, readCell));
  const readArgument = await loadReferences(workbook, read);
  const live = await finishInSlices(indexCalls(calls));
  const { pairs, unmatched } = await finishInSlices(match(read, live, readArgument));
  return {
    cells,
    pairs,
    unknown: unmatched.map(({ cell }) => cell),
    findUndetermined: () => finishInSlices(findUndetermined(unmatched, live, readArgument)),
  };
}

function* match(
  read: readonly ReadCell[],
  live: CallIndex,
  readArgument: ReadArgument,
): Steps<{ pairs: CellOfCall[]; unmatched: ReadCell[] }> {
  const pairs: CellOfCall[] = [];
  const unmatched: ReadCell[] = [];
  for (const each of read) {
    const { cell, written } = each;
    const found = written.map((call) => live.find(cell, call, readArgument));
    if (found.some(({ calls }) => calls.length === 0)) unmatched.push(each);
    const isCertainOf = new Map(found.flatMap(({ calls, isCertain }) => calls.map((call) => [call, isCertain])));
    for (const [call, isCertain] of isCertainOf) pairs.push({ cell, call, isCertain });
    yield;
  }
  return { pairs, unmatched };
}

function* findUndetermined(
  unmatched: readonly ReadCell[],
  live: CallIndex,
  readArgument: ReadArgument,
): Steps<FeedCell[]> {
  const undetermined: FeedCell[] = [];
  for (const { cell, written } of unmatched) {
    if (written.some((call) => live.couldFit(cell, call, readArgument))) undetermined.push(cell);
    yield;
  }
  return undetermined;
}

/** The place of a cell of a formula's table, by its offset from 0. */
export function toShownPlace({ sheet, address }: Place, row: number, column: number): Place {
  const anchor = readArea(address);
  return { sheet, address: toAddress({ row: anchor.row + row, column: anchor.column + column, rows: 1, columns: 1 }) };
}

/** The cells that hold each live formula; each cell's formula belongs to one of them. */
export type FormulaCells = ReadonlyMap<Call, readonly FeedCell[]>;

export const NO_NOTES: CellNotes = { dead: [], cut: [], unknown: [] };

type Reader = Pick<Workbook, "listFeedCells" | "readSheets">;

/** Finds the cells of live formulas; by the host's hints where the workbook cannot be read. Never rejects. */
export const findFormulaCells = async (workbook: Reader, calls: readonly Call[]): Promise<FormulaCells> =>
  (await findNotedCells(workbook, calls)).cells;

/** Likewise, with the cells that a person has to look at. */
export async function findNotedCells(
  workbook: Reader,
  calls: readonly Call[],
): Promise<{ cells: FormulaCells; notes: CellNotes }> {
  try {
    const found = await findCells(workbook, calls, "workbook");
    return { cells: await finishInSlices(assign(found.pairs)), notes: toNotes(found) };
  } catch {
    // While a cell is being edited, Excel reads nothing; the link to a cell checks its formula.
    return { cells: await finishInSlices(assign(calls.flatMap(toHint))), notes: NO_NOTES };
  }
}

function toHint(call: Call): CellOfCall[] {
  const place = readFormulaPlace(call.address);
  return place === null ? [] : [{ call, cell: { ...place, formula: "", value: null }, isCertain: false }];
}

/** Assigns cells to formulas, a cell a step. */
function* assign(pairs: readonly CellOfCall[]): Steps<FormulaCells> {
  const found = new Map<Call, FeedCell[]>();
  for (const own of groupByCell(pairs)) {
    for (const { call, cell } of own.length === 1 ? own : withoutEqual(own, found)) {
      const others = found.get(call);
      if (others === undefined) found.set(call, [cell]);
      else others.push(cell);
    }
    yield;
  }
  return found;
}

const groupByCell = (pairs: readonly CellOfCall[]): Iterable<CellOfCall[]> => {
  const groups = new Map<FeedCell, CellOfCall[]>();
  for (const pair of pairs) {
    const others = groups.get(pair.cell);
    if (others === undefined) groups.set(pair.cell, [pair]);
    else others.push(pair);
  }
  return groups.values();
};

/** Some hosts run equal formulas as several streams: a cell gets the one with its address, else one without a cell. */
function withoutEqual(pairs: readonly CellOfCall[], found: FormulaCells): CellOfCall[] {
  const chosen = new Map<string, CellOfCall>();
  for (const pair of pairs) {
    const key = JSON.stringify([pair.call.name, pair.call.given]);
    const before = chosen.get(key);
    if (before === undefined || toRank(pair, found) > toRank(before, found)) chosen.set(key, pair);
  }
  return [...chosen.values()];
}

function toRank({ call, cell }: CellOfCall, found: FormulaCells): number {
  const place = readFormulaPlace(call.address);
  if (place?.sheet === cell.sheet && place.address === cell.address) return 2;
  return found.has(call) ? 0 : 1;
}

/** The present output of each formula, one a step. */
export function* readOutputs(calls: readonly Call[]): Steps<ReadonlyMap<Call, Shown | null>> {
  const outputs = new Map<Call, Shown | null>();
  for (const call of calls) {
    outputs.set(call, call.shown);
    yield;
  }
  return outputs;
}

/** The live formulas that a written call may be. */
interface Matches {
  calls: readonly Call[];
  /** Whether its arguments alone match; else the host's address, which may be of another cell by now, decided. */
  isCertain: boolean;
}

/** Live formulas by arguments, and by the host's address. */
interface CallIndex {
  /** Finds none where an argument is unknown, or where a blank fits two different formulas. */
  find(cell: FeedCell, call: FormulaCall, readArgument: ReadArgument): Matches;
  /** Whether any live formula could be the cell's: an unknown argument fits each. */
  couldFit(cell: FeedCell, call: FormulaCall, readArgument: ReadArgument): boolean;
}

/** The index of a list of formulas, which stays the same list until one comes or goes. */
const indexes = new WeakMap<readonly Call[], CallIndex>();

/** Indexes live formulas, one a step; a list that is known needs none. */
function* indexCalls(calls: readonly Call[]): Steps<CallIndex> {
  const known = indexes.get(calls);
  if (known !== undefined) return known;
  const byGiven = new Map<string, Entry[]>();
  const byAddress = new Map<string, Entry[]>();
  const byName = new Map<string, Entry[]>();
  for (const call of calls) {
    const entry = { call, values: Object.values(call.given).map(toRows) };
    const place = readFormulaPlace(call.address);
    put(byGiven, toKey(call.name, entry.values), entry);
    put(byName, call.name, entry);
    if (place !== null) put(byAddress, toPlaceKey(place), entry);
    yield;
  }
  const index = createIndex({ byGiven, byAddress, byName });
  indexes.set(calls, index);
  return index;
}

/** A live formula, and its arguments as a sheet shows them. */
interface Entry {
  call: Call;
  values: readonly Rows[];
}

function put(index: Map<string, Entry[]>, key: string, entry: Entry): void {
  const others = index.get(key);
  if (others === undefined) index.set(key, [entry]);
  else others.push(entry);
}

type EntriesByKey = ReadonlyMap<string, readonly Entry[]>;

function createIndex({
  byGiven,
  byAddress,
  byName,
}: Record<"byGiven" | "byAddress" | "byName", EntriesByKey>): CallIndex {
  const fits = new Map<string, boolean>();
  const isFor = (name: string, values: readonly (Rows | null)[]) => (entry: Entry) =>
    entry.call.name === name && isFitting(values, entry.values);
  return {
    find(cell, { name, given: written }, readArgument) {
      const values = written.map((each) => readArgument(each, cell.sheet));
      const isKnown = values.every((value) => value !== null);
      const fitting = isKnown ? (byGiven.get(toKey(name, values)) ?? []).filter(isFor(name, values)) : [];
      const isCertain = isKnown && fitting.every((entry) => isSame(entry, fitting[0] as Entry));
      const found = isCertain ? fitting : (byAddress.get(toPlaceKey(cell)) ?? []).filter(isFor(name, values));
      return { calls: found.map(({ call }) => call), isCertain };
    },
    couldFit(cell, { name, given: written }, readArgument) {
      const values = written.map((each) => readArgument(each, cell.sheet));
      if (values.every(isSingle)) return (byGiven.get(toKey(name, values)) ?? []).some(isFor(name, values));
      const key = JSON.stringify([name, values]); // many rows read the same column, which is compared once
      const isPossible = (entry: Entry) => isFor(name, withoutLifted(values, Object.values(entry.call.given)))(entry);
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

const isSame = (one: Entry, other: Entry) =>
  one === other || JSON.stringify(one.values) === JSON.stringify(other.values);

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

/** A cell's sheet and the formulas that it calls. */
interface SheetCalls {
  cell: { sheet: string };
  written: readonly FormulaCall[];
}

/** Reads each sheet once that the arguments of calls refer to. */
async function loadReferences(
  workbook: Pick<Workbook, "readSheets">,
  all: readonly SheetCalls[],
): Promise<ReadArgument> {
  const names = await finishInSlices(listSheets(all));
  const read = names.length === 0 ? [] : await workbook.readSheets(names);
  const sheets = new Map(read.map((values) => [values.sheet.toLowerCase(), values]));
  const known = new Map<string, Rows | null>();
  return (argument, sheet) => {
    if (argument === null) return BLANK;
    if (argument.kind === "expression") return null;
    if (argument.kind !== "cells") return [[argument.value]];
    const key = `${sheet}\u0000${argument.text}`;
    const rows = known.get(key);
    if (rows !== undefined) return rows;
    const place = readPlace(argument.text);
    const name = (place.sheet || sheet).toLowerCase();
    const found = name.includes("[") ? null : readCells(sheets.get(name), place.address); // of another workbook
    known.set(key, found);
    return found;
  };
}

/** The sheets that arguments refer to, a cell a step. */
function* listSheets(all: readonly SheetCalls[]): Steps<string[]> {
  const names = new Map<string, string>();
  for (const { cell, written } of all) {
    for (const { given } of written) {
      for (const argument of given) {
        if (argument?.kind !== "cells") continue;
        const name = argument.text.includes("!") ? readPlace(argument.text).sheet : cell.sheet;
        names.set(name.toLowerCase(), name);
      }
    }
    yield;
  }
  return [...names.values()];
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
