import type { CellState, CellSwap, Workbook } from "../../contract/workbook";
import { type Area, showPlace, toAddress, toLetters } from "../addresses";
import { toFormulaText } from "../formula-text";
import type { NameList } from "./names-in-cells";

/** The cells beside the names, and what is to be written into them. */
export interface Writing {
  sheet: string;
  /** The cells, such as "C2:C51". */
  address: string;
  kind: WritingKind;
  swaps: readonly CellSwap[];
  /** How many cells hold something else. */
  occupied: number;
  /** Whether cells are filled by a formula that stands elsewhere, and so cannot be written. */
  isSpilled: boolean;
}

export type WritingKind = "ids" | "formula";

/** What was written, and can be taken back. */
export type Written = Pick<Writing, "sheet" | "address" | "kind" | "swaps">;

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
    return id === null ? [] : rows.map((row) => ({ row, id }));
  });
  const swaps = ids
    .sort((one, other) => one.row - other.row)
    .flatMap(({ row, id }): CellSwap[] => {
      const before = states[row - area.row]?.[0] ?? EMPTY;
      if (before.formula === "" && before.value === id) return [];
      return [{ address: toCell(area, row), before, after: { value: id, formula: "", format: before.format } }];
    });
  return toWriting("ids", list.sheet, area, swaps);
}

/** Plans the formula that matches the names, whose cells must be free. @param country null for that of the settings */
export async function planFormula(workbook: Workbook, list: NameList, country: string | null): Promise<Writing> {
  const area = { ...toBeside(list.area), columns: FORMULA_COLUMNS };
  const [first = [], ...others] = await readStates(workbook, list.sheet, area);
  const [before = EMPTY, ...beside] = first;
  const after = { value: null, formula: toMatchFormula(list.area, country), format: before.format };
  const swap = { address: toCell(area, area.row), before, after };
  const spill = [beside, ...others].flat();
  const isOwnSpill = before.formula !== "" && spill.every(({ value, formula }) => value === null || formula === "=");
  const writing = toWriting("formula", list.sheet, area, before.formula === after.formula ? [] : [swap]);
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

/** Writes the address of a cell in the first column of an area. @param row of the sheet, from 0 */
export const toCell = ({ column }: Area, row: number): string => `${toLetters(column)}${row + 1}`;

const EMPTY: CellState = { value: null, formula: "", format: "" };

const readStates = (workbook: Workbook, sheet: string, area: Area) =>
  workbook.readCells(showPlace({ sheet, address: toAddress(area) }));

function toWriting(kind: WritingKind, sheet: string, area: Area, swaps: readonly CellSwap[]): Writing {
  const holds = ({ before }: CellSwap) => before.formula !== "" || before.value !== null;
  return {
    sheet,
    address: toAddress(area),
    kind,
    swaps,
    occupied: swaps.filter(holds).length,
    isSpilled: swaps.some(({ before }) => before.formula === "="),
  };
}

/**
 * Writes what was planned; a cell that somebody has changed since is left. Gives what can be taken back, with the
 * formula as the host has it.
 */
export async function write(workbook: Workbook, { sheet, address, kind, swaps }: Writing): Promise<Written> {
  const done = await workbook.swap(sheet, swaps);
  const written = swaps.filter((_, index) => done[index] === true);
  if (kind === "ids") return { sheet, address, kind, swaps: written };
  const [[held = EMPTY] = []] = await workbook.readCells(
    showPlace({ sheet, address: address.split(":")[0] as string }),
  );
  return { sheet, address, kind, swaps: written.map((each) => ({ ...each, after: { ...each.after, ...held } })) };
}

/** Restores what cells held before, where they hold what was written; gives the number of cells that do not. */
export async function undo(workbook: Workbook, { sheet, swaps }: Written): Promise<number> {
  const back = swaps.map(({ address, before, after }) => ({ address, before: after, after: before }));
  const done = await workbook.swap(sheet, back);
  return done.filter((each) => !each).length;
}
