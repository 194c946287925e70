import type { CellValue, FeedCell, Place } from "../../contract/workbook";
import type { Call } from "../../session/calls";
import { readFormulaPlace } from "../addresses";
import type { FormulaCall } from "../formula-text";
import type { Steps } from "../slices";
import type { ReadArgument, Rows } from "./argument-values";

/** The live formulas that a written call may be. */
interface Matches {
  calls: readonly Call[];
  /** Whether its arguments alone match; else the host's address, which may be of another cell by now, decided. */
  isCertain: boolean;
}

/** Live formulas by arguments, and by the host's address. */
export interface CallIndex {
  /** Finds none where an argument is unknown, or where a blank fits two different formulas. */
  find(cell: FeedCell, call: FormulaCall, readArgument: ReadArgument): Matches;
  /** Whether any live formula could be the cell's: an unknown argument fits each. */
  couldFit(cell: FeedCell, call: FormulaCall, readArgument: ReadArgument): boolean;
}

/** The index of a list of formulas, which stays the same list until one comes or goes. */
const indexes = new WeakMap<readonly Call[], CallIndex>();

/** Indexes live formulas, one a step; a list that is known needs none. */
export function* indexCalls(calls: readonly Call[]): Steps<CallIndex> {
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

type Found = ReadonlyMap<string, readonly Entry[]>;

function createIndex({ byGiven, byAddress, byName }: Record<"byGiven" | "byAddress" | "byName", Found>): CallIndex {
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
