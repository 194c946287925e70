import type { CellState, CellSwap, Workbook } from "../../contract/workbook";
import { type Area, showPlace, toAddress, toLetters } from "../../taskpane/addresses";
import type { CellChanges } from "../../taskpane/cell-journal";
import { toFormulaText } from "../../taskpane/formula-text";
import type { NameList } from "./names-in-cells";

/** What was written, and can be taken back. */
export interface Written extends CellChanges {
  /** The cells, such as "C2:C51". */
  address: string;
  kind: WritingKind;
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
    .flatMap(({ row, id }): CellSwap[] => {
      const before = states[row - area.row]?.[0] ?? EMPTY;
      if (before.formula === "" && before.value === id) return [];
      const after = { value: id, formula: "", format: before.format };
      return [{ address: toCell(area.column, row), before, after }];
    });
  const labels = ids.map(({ name, row }) => ({ address: toCell(list.area.column, row), text: name }));
  return { ...toWriting("ids", list, area, cells), labels };
}

/** Plans the formula that matches the names, whose cells must be free. @param country null for that of the settings */
export async function planFormula(workbook: Workbook, list: NameList, country: string | null): Promise<Writing> {
  const area = { ...toBeside(list.area), columns: FORMULA_COLUMNS };
  const [first = [], ...others] = await readStates(workbook, list.sheet, area);
  const [before = EMPTY, ...beside] = first;
  const after = { value: null, formula: toMatchFormula(list.area, country), format: before.format };
  const cell = { address: toCell(area.column, area.row), before, after };
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

function toWriting(kind: WritingKind, list: NameList, area: Area, cells: readonly CellSwap[]): Writing {
  const holds = ({ before }: CellSwap) => before.formula !== "" || before.value !== null;
  return {
    sheet: list.sheet,
    sheetId: list.sheetId,
    address: toAddress(area),
    kind,
    cells,
    labels: [],
    occupied: cells.filter(holds).map(({ address }) => address),
    isSpilled: cells.some(({ before }) => before.formula === "="),
  };
}
