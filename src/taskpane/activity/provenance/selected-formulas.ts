import type { FeedCell, Place, Workbook } from "../../../contract/workbook";
import type { Call } from "../../../session/calls";
import { readArea } from "../../addresses";
import { findCells } from "../../cells";
import { listCalls, readFormula } from "../../formula-text";

/** A live formula that fills the selected cell. */
export interface SelectedFormula {
  call: Call;
  /** The cell that holds it. */
  cell: FeedCell;
  /** Which of its cells is selected, from 0; null where it is only a part of what the cell calculates. */
  at: { row: number; column: number } | null;
}

/** What the selected cell is to the add-in. */
export interface SelectedCell {
  place: Place;
  formulas: readonly SelectedFormula[];
  /** Whether a formula of ours stands there of which it cannot be told what it asked. */
  isUnknown: boolean;
}

type Cells = Pick<Workbook, "readSelection" | "listFeedCells" | "readSheets">;

/** Finds the live formulas of the selected cell: its own, or the one whose table spills over it. */
export async function findSelected(workbook: Cells, calls: readonly Call[]): Promise<SelectedCell> {
  const { sheet, cell: address, formula } = await workbook.readSelection();
  const place = { sheet, address };
  if (listCalls(formula).length > 0) return findOwn(workbook, calls, { ...place, formula, value: null });
  const tables = formula === "" ? calls.filter(isTable) : [];
  if (tables.length === 0) return { place, formulas: [], isUnknown: false };
  const { pairs } = await findCells(workbook, tables, "sheet");
  const formulas = pairs.flatMap(({ call, cell }) => {
    const at = toOffset(place, cell, call);
    return at === null ? [] : [{ call, cell, at }];
  });
  return { place, formulas: withoutEqual(formulas), isUnknown: false };
}

/** Looks at the one cell, whatever else the sheet holds. */
async function findOwn(workbook: Cells, calls: readonly Call[], cell: FeedCell): Promise<SelectedCell> {
  const only = {
    listFeedCells: async () => [cell],
    readSheets: (names: readonly string[]) => workbook.readSheets(names),
  };
  const { pairs, unknown } = await findCells(only, calls, "sheet");
  const at = isCall(cell) ? { row: 0, column: 0 } : null;
  const formulas = withoutEqual(pairs.map(({ call }) => ({ call, cell, at })));
  return { place: cell, formulas, isUnknown: unknown.length > 0 };
}

/** Where a host gives equal formulas streams of their own, one tells for all. */
const withoutEqual = (formulas: readonly SelectedFormula[]): SelectedFormula[] => [
  ...new Map(formulas.map((formula) => [JSON.stringify([formula.call.name, formula.call.given]), formula])).values(),
];

const isCall = ({ formula }: FeedCell): boolean => readFormula(formula).kind === "call";

const isTable = ({ shown }: Call): boolean => Array.isArray(shown) && (shown.length > 1 || shown[0]?.length > 1);

/** Where a cell lies within a table; null outside, and where the table had no room. */
function toOffset(place: Place, cell: FeedCell, { shown }: Call): SelectedFormula["at"] {
  if (!Array.isArray(shown) || cell.sheet !== place.sheet || cell.value === "#SPILL!" || !isCall(cell)) return null;
  const [own, anchor] = [readArea(place.address), readArea(cell.address)];
  const at = { row: own.row - anchor.row, column: own.column - anchor.column };
  const isWithin = at.row >= 0 && at.row < shown.length && at.column >= 0 && at.column < shown[0]?.length;
  return isWithin ? at : null;
}
