import type { Place, Workbook } from "../contract/workbook";
import { showPlace } from "./addresses";
import { readFormula } from "./formula-text";

/** A cell, and the formula that it held when it was last read. */
export interface HeldPlace extends Place {
  formula: string;
}

/** Whether a cell still holds its formula; false where the workbook cannot be read. */
export async function isHolding(
  workbook: Pick<Workbook, "readSelection" | "listFeedCells">,
  held: HeldPlace,
): Promise<boolean> {
  try {
    const { sheet, cell, formula } = await workbook.readSelection();
    const isActive = showPlace({ sheet, address: cell }) === showPlace(held);
    // The workbook lists the formulas of other cells only all together.
    const cells = isActive ? [{ ...held, formula }] : await workbook.listFeedCells("workbook");
    return cells.some((each) => showPlace(each) === showPlace(held) && isSame(each.formula, held.formula));
  } catch {
    return false;
  }
}

/** Hosts change spaces and capitals. */
const isSame = (one: string, other: string) => JSON.stringify(readFormula(one)) === JSON.stringify(readFormula(other));
