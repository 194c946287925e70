import type { CellState, CellSwap, Workbook } from "../../contract/workbook";
import { readArea, readPlace, showPlace, toAddress, toLetters } from "../../taskpane/addresses";
import { type Given, readFormula } from "../../taskpane/formula-text";
import { findSheetName, type ReadSheet } from "../../taskpane/read-sheet";

/** A cell that now holds a formula in place of a typed number. */
export interface AdoptedCell {
  /** The cell, such as "B3", as of the adoption. */
  address: string;
  typed: CellState;
  /** The formula with its labels' values in place of their cells: its company, year and metric. */
  meaning: string;
}

/** One replacement of typed numbers, which can be undone. */
export interface Adoption extends ReadSheet {
  cells: readonly AdoptedCell[];
}

/** A replaced block, to be undone. */
export interface Replaced {
  id: number;
  /** Its cells, as a person writes them. */
  place: string;
  /** Whether it can be undone after the workbook is opened again. */
  isStored: boolean;
  adoption: Adoption;
}

/** Reads the value of a cell by its address. */
export type ReadValue = (address: string) => unknown;

/** A formula with the values of its labels, by which it is found again wherever its cell moves; null for any other formula. */
export function toMeaning(formula: string, read: ReadValue): string | null {
  const isNegative = formula.startsWith("=-");
  const reading = readFormula(isNegative ? `=${formula.slice(2)}` : formula);
  if (reading.kind !== "call" || reading.call.name !== "FINANCIAL") return null;
  return JSON.stringify([isNegative, ...reading.call.given.map((each) => toValue(each, read))]);
}

function toValue(given: Given, read: ReadValue): unknown {
  if (given === null) return null;
  if (given.kind === "cells") return read(readPlace(given.text).address);
  return given.kind === "expression" ? given.text : given.value;
}

/** The result of an undo. */
export interface Undone {
  /** The name that the sheet has by now. */
  sheet: string;
  /** How many cells hold their typed numbers again. */
  restored: number;
  /** The cells that somebody has changed since, or whose labels have changed, by their former addresses. */
  left: readonly AdoptedCell[];
}

/** Restores typed numbers where their formulas still stand, wherever their rows and columns have moved on the sheet. */
export async function undoAdoption(workbook: Workbook, adoption: Adoption): Promise<Undone> {
  const { cells } = adoption;
  const sheet = await findSheetName(workbook, adoption);
  const [used] = await workbook.readSheets([sheet]);
  if (used === undefined) return { sheet, restored: 0, left: cells };
  const whole = { row: used.row, column: used.column, rows: used.values.length, columns: used.values[0]?.length ?? 0 };
  const states = await workbook.readCells(showPlace({ sheet, address: toAddress(whole) }));
  const found = findCells(cells, indexMeanings(states, whole));
  const swaps = found.flatMap(({ cell, at }): CellSwap[] =>
    at === null ? [] : [{ address: at.address, before: at.state, after: cell.typed }],
  );
  const placed = found.filter(({ at }) => at !== null);
  const results = await workbook.swap(sheet, swaps);
  const left = [...found.filter(({ at }) => at === null), ...placed.filter((_, index) => !results[index])].map(
    ({ cell }) => cell,
  );
  return { sheet, restored: cells.length - left.length, left };
}

interface FoundState {
  address: string;
  state: CellState;
}

/** The cells of a sheet with formulas, by their meanings. */
function indexMeanings(
  states: readonly (readonly CellState[])[],
  { row, column }: { row: number; column: number },
): Map<string, FoundState[]> {
  const read: ReadValue = (address) => {
    const area = readArea(address);
    return states[area.row - row]?.[area.column - column]?.value ?? null;
  };
  const index = new Map<string, FoundState[]>();
  states.forEach((line, r) => {
    line.forEach((state, c) => {
      const meaning = state.formula === "" ? null : toMeaning(state.formula, read);
      if (meaning === null) return;
      const at = { address: `${toLetters(column + c)}${row + r + 1}`, state };
      index.set(meaning, [...(index.get(meaning) ?? []), at]);
    });
  });
  return index;
}

/** Finds each cell: where it stood, else the only other one of its meaning. */
function findCells(cells: readonly AdoptedCell[], index: ReadonlyMap<string, FoundState[]>) {
  const taken = new Set<FoundState>();
  const own = cells.map((cell) => {
    const at = index.get(cell.meaning)?.find(({ address }) => address === cell.address) ?? null;
    if (at !== null) taken.add(at);
    return { cell, at };
  });
  return own.map(({ cell, at }) => {
    if (at !== null) return { cell, at };
    const others = (index.get(cell.meaning) ?? []).filter((each) => !taken.has(each));
    const rivals = own.filter((other) => other.at === null && other.cell.meaning === cell.meaning);
    const moved = others.length === 1 && rivals.length === 1 ? (others[0] as FoundState) : null;
    return { cell, at: moved };
  });
}
