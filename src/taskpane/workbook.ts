import type { Workbook } from "../contract/workbook";
import { deliver, isManual } from "./workbook/calculation";
import { copyValues } from "./workbook/copying";
import { listFeedCells, repair } from "./workbook/feed-cells";
import { freeze } from "./workbook/freezing";
import { addSheet } from "./workbook/new-sheet";
import { readDateSystem, readSelection, readSheets, readValues, show, watchSelection } from "./workbook/reading";
import { listFrozen, thaw } from "./workbook/thawing";
import { write } from "./workbook/writing";

/**
 * Makes the workbook that Excel has open; ExcelApi 1.12 is enough for it, and no older Excel takes the manifest. What a
 * person asks for rejects as "editing" at once: to wait for the cell's edit would look as if nothing happened.
 */
export function createExcelWorkbook(): Workbook {
  return {
    readSelection,
    onSelection: watchSelection,
    readValues,
    readSheets,
    write,
    addSheet,
    show,
    listFeedCells,
    freeze,
    listFrozen,
    thaw,
    copyValues,
    repair,
    isManual,
    deliver,
    readDateSystem,
  };
}
