import type { CellState, CellSwap, Workbook } from "../../contract/workbook";
import { type Area, readArea, showPlace, toAddress, toLetters } from "../../taskpane/addresses";
import { toFormulaText } from "../../taskpane/formula-text";
import type { ReadSheet } from "../../taskpane/read-sheet";
import type { NameList } from "./names-in-cells";

/** A change of a cell beside a name. */
export interface WrittenCell extends CellSwap {
  /** The name beside it; of a formula the first one. */
  name: string;
  /** Row of the sheet, from 0. */
  row: number;
}

/** What was written, and can be taken back. */
export interface Written extends ReadSheet {
  /** The cells, such as "C2:C51". */
  address: string;
  kind: WritingKind;
  cells: readonly WrittenCell[];
  /** The columns of names and results, from 0. */
  columns: { names: number; results: number };
}

/** The cells beside the names, and what is to be written into them. */
export interface Writing extends Written {
  /** The cells that hold something else. */
  occupied: readonly string[];
  /** Whether cells are filled by a formula that stands elsewhere, and so cannot be written. */
  isSpilled: boolean;
}

export type WritingKind = "ids" | "formula";

/** Columns of the formula: company id, name, state and score. */
const FORMULA_COLUMNS = 4;

/** Plans ids in the column beside the names, in the rows whose name has a company; other rows stay as they are. */
export async function planIds(
  workbook: Workbook,
  list: NameList,
  idOf: (text: string) => string | null,
): Promise<Writing> {
  const area = { ...toBeside(list.area), columns: 1 };
  const states = await readStates(workbook, list.sheet, area);
  const ids = list.names.flatMap(({ text, rows }) => {
    const id = idOf(text);
    return id === null ? [] : rows.map((row) => ({ name: text, row, id }));
  });
  const cells = ids
    .sort((one, other) => one.row - other.row)
    .flatMap(({ name, row, id }): WrittenCell[] => {
      const before = states[row - area.row]?.[0] ?? EMPTY;
      if (before.formula === "" && before.value === id) return [];
      const after = { value: id, formula: "", format: before.format };
      return [{ name, row, address: toCell(area.column, row), before, after }];
    });
  return toWriting("ids", list, area, cells);
}

/** Plans the formula that matches the names, whose cells must be free. @param country null for that of the settings */
export async function planFormula(workbook: Workbook, list: NameList, country: string | null): Promise<Writing> {
  const area = { ...toBeside(list.area), columns: FORMULA_COLUMNS };
  const [first = [], ...others] = await readStates(workbook, list.sheet, area);
  const [before = EMPTY, ...beside] = first;
  const after = { value: null, formula: toMatchFormula(list.area, country), format: before.format };
  const [{ text: name = "" } = {}] = list.names;
  const cell = { name, row: area.row, address: toCell(area.column, area.row), before, after };
  const spill = [beside, ...others].flat();
  const isOwnSpill = before.formula !== "" && spill.every(({ value, formula }) => value === null || formula === "=");
  const writing = toWriting("formula", list, area, before.formula === after.formula ? [] : [cell]);
  if (isOwnSpill) return writing;
  return {
    ...writing,
    isSpilled: writing.isSpilled || spill.some(({ value, formula }) => value !== null || formula !== ""),
  };
}

function toMatchFormula({ row, column, rows, columns }: Area, country: string | null): string {
  const names = toAddress({ row, column, rows, columns: 1 });
  const hints = columns > 1 ? toAddress({ row, column: column + 1, rows, columns: columns - 1 }) : null;
  return toFormulaText({
    name: "COMPANY.MATCH",
    given: [
      { kind: "cells", text: names },
      country === null ? null : { kind: "text", value: country },
      hints === null ? null : { kind: "cells", text: hints },
      null,
      { kind: "flag", value: false },
    ],
  });
}

/** The column beside names and hints. */
const toBeside = ({ row, rows, column, columns }: Area) => ({ row, rows, column: column + columns });

/** Where results are written, such as "C2:C51". */
export const toBesideAddress = (area: Area): string => toAddress({ ...toBeside(area), columns: 1 });

/** Writes the address of a cell. @param column of the sheet, from 0, as `row` */
export const toCell = (column: number, row: number): string => `${toLetters(column)}${row + 1}`;

const EMPTY: CellState = { value: null, formula: "", format: "" };

const readStates = (workbook: Workbook, sheet: string, area: Area) =>
  workbook.readCells(showPlace({ sheet, address: toAddress(area) }));

function toWriting(kind: WritingKind, list: NameList, area: Area, cells: readonly WrittenCell[]): Writing {
  const holds = ({ before }: CellSwap) => before.formula !== "" || before.value !== null;
  return {
    sheet: list.sheet,
    sheetId: list.sheetId,
    address: toAddress(area),
    kind,
    cells,
    columns: { names: list.area.column, results: area.column },
    occupied: cells.filter(holds).map(({ address }) => address),
    isSpilled: cells.some(({ before }) => before.formula === "="),
  };
}

/**
 * Writes what was planned; a cell that somebody has changed since is left. Gives what can be taken back, with the
 * formula as the host has it.
 */
export async function write(workbook: Workbook, writing: Writing): Promise<Written> {
  const { sheet, address, kind, cells } = writing;
  const done = await workbook.swap(sheet, cells);
  const written = cells.filter((_, index) => done[index] === true);
  if (kind === "ids") return { ...writing, cells: await listHolding(workbook, writing, written) };
  const anchor = showPlace({ sheet, address: address.split(":")[0] as string });
  const [[held = EMPTY] = []] = await workbook.readCells(anchor);
  return { ...writing, cells: written.map((each) => ({ ...each, after: { ...each.after, ...held } })) };
}

/** The cells that hold what was written: a part of a merged cell takes nothing, and no host tells. */
async function listHolding(
  workbook: Workbook,
  { sheet, address }: Writing,
  written: readonly WrittenCell[],
): Promise<WrittenCell[]> {
  const { row } = readArea(address);
  const now = await workbook.readCells(showPlace({ sheet, address }));
  return written.filter((cell) => now[cell.row - row]?.[0]?.value === cell.after.value);
}
