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
    readDateSystem,
  };
}

/** No property tells, but the workbook's own DATE counts days as its cells do. */
async function readDateSystem(): Promise<1900 | 1904> {
  // Without the option, a cell that is being edited while the pane opens would make Excel refuse.
  return Excel.run({ delayForCellEdit: true }, async (context) => {
    const newYear = context.workbook.functions.date(2000, 1, 1);
    newYear.load("value");
    await context.sync();
    return newYear.value === SERIAL_OF_2000_IN_1904 ? 1904 : 1900;
  });
}

/** 2000-01-01 in a workbook that counts from 1904. */
const SERIAL_OF_2000_IN_1904 = 35_064;
