import type { FeedCell, Place, Scope, Workbook } from "../contract/workbook";
import type { Call } from "../session/calls";
import { readArea, readFormulaPlace, toAddress } from "./addresses";
import { isFitting, toKey, toRows } from "./cells/arguments";
import { loadReferences, type ReadArgument, type Rows } from "./cells/references";
import { type FormulaCall, readCalls } from "./formula-text";
import { readNamespace } from "./namespace";

/** A cell, and a live formula that stands in it, alone or among other things. */
interface CellOfCall {
  cell: FeedCell;
  call: Call;
}

/** Which cells hold which live formulas. */
interface FoundCells {
  /** The cells with a FEED formula. */
  cells: readonly FeedCell[];
  /** A cell has one for each live formula in it, and a live formula one for each cell that shares it. */
  pairs: readonly CellOfCall[];
  /** Cells of which it cannot be told, or not for all that they call. */
  unknown: readonly FeedCell[];
}

/**
 * Finds which cells hold which live formulas, by name and arguments: rows may have been inserted since the host told an
 * address, and equal formulas share one. The address counts only where the text of an argument does not tell its value.
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
  const pairs = read.flatMap(({ cell, written }) => {
    const found = written.map((each) => live.find(cell, each, readArgument));
    if (found.some(({ length }) => length === 0)) unknown.push(cell);
    return [...new Set(found.flat())].map((call) => ({ cell, call }));
  });
  return { cells, pairs, unknown };
}

/** Where a cell of a table stands that a formula fills, by its place within that from 0. */
export function toShownPlace({ sheet, address }: Place, row: number, column: number): Place {
  const anchor = readArea(address);
  return { sheet, address: toAddress({ row: anchor.row + row, column: anchor.column + column, rows: 1, columns: 1 }) };
}

/** Live formulas by what they were given, and by where the host said that they stand. */
function createIndex(calls: readonly Call[]) {
  const byGiven = new Map<string, Call[]>();
  const byAddress = new Map<string, Call[]>();
  const put = (index: Map<string, Call[]>, key: string, call: Call) => {
    const others = index.get(key);
    if (others === undefined) index.set(key, [call]);
    else others.push(call);
  };
  for (const call of calls) {
    const { key, place } = readEntry(call);
    put(byGiven, key, call);
    if (place !== null) put(byAddress, place, call);
  }
  const isFor = (name: string, values: readonly (Rows | null)[]) => (call: Call) =>
    call.name === name && isFitting(values, readEntry(call).values);
  return {
    /** None where it cannot be told: what it was given is not known, or a blank may have been either of two things. */
    find(cell: FeedCell, { name, given: written }: FormulaCall, readArgument: ReadArgument): readonly Call[] {
      const values = written.map((each) => readArgument(each, cell.sheet));
      const isKnown = values.every((value) => value !== null);
      const fitting = isKnown ? (byGiven.get(toKey(name, values)) ?? []).filter(isFor(name, values)) : [];
      if (isKnown && fitting.every((call) => isSame(call, fitting[0] as Call))) return fitting;
      return (byAddress.get(toPlaceKey(cell)) ?? []).filter(isFor(name, values));
    },
  };
}

interface Entry {
  values: readonly Rows[];
  key: string;
  place: string | null;
}

/** What a formula was given stays the same, and with each selection thousands are looked at. */
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
