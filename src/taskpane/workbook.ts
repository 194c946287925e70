import type { Workbook } from "../contract/workbook";

/** Makes the workbook that Excel has open, by Excel.run. */
export function createExcelWorkbook(): Workbook {
  const refuse = () => Promise.reject(new Error("not there yet"));
  return {
    readSelection: refuse,
    onSelection: () => () => {},
    readValues: refuse,
    write: refuse,
    addSheet: refuse,
    show: refuse,
    listFeedCells: refuse,
    freeze: refuse,
    repair: refuse,
    isManual: refuse,
  };
}
