import type { Workbook } from "../../contract/workbook";
import { showPlace } from "../addresses";
import { readFormula } from "../formula-text";
import type { HeldPlace } from "./draft";

/** Whether a cell still holds its formula; while nobody can look, it does not. */
export async function isHolding(workbook: Workbook, held: HeldPlace): Promise<boolean> {
  try {
    const { sheet, cell, formula } = await workbook.readSelection();
    const isActive = showPlace({ sheet, address: cell }) === showPlace(held);
    // Of other cells, the workbook tells the formulas only all together.
    const cells = isActive ? [{ ...held, formula }] : await workbook.listFeedCells("workbook");
    return cells.some((each) => showPlace(each) === showPlace(held) && isSame(each.formula, held.formula));
  } catch {
    return false;
  }
}

/** Hosts write spaces and capitals their own way. */
const isSame = (one: string, other: string) => JSON.stringify(readFormula(one)) === JSON.stringify(readFormula(other));
