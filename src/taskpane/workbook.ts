import type { Workbook } from "../contract/workbook";
import { listFeedCells } from "./workbook/feed-cells";
import { freeze, repair } from "./workbook/freezing";
import { addSheet } from "./workbook/new-sheet";
import { isManual, readDateSystem, readSelection, readValues, show, watchSelection } from "./workbook/reading";
import { write } from "./workbook/writing";

/**
 * Makes the workbook that Excel has open. What a person asks for does not wait for a cell edit to end, which would look
 * as if nothing happened: it rejects as "editing" at once.
 */
export function createExcelWorkbook(): Workbook {
  return {
    readSelection,
    onSelection: watchSelection,
    readValues,
    write,
    addSheet,
    show,
    listFeedCells,
    freeze,
    repair,
    isManual,
    readDateSystem,
  };
}
