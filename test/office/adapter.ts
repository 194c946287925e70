// What the adapter's page of tests runs.
export { separators } from "../../src/taskpane/separators";
export { createExcelWorkbook } from "../../src/taskpane/workbook";
export { readLocalFormulas } from "../../src/taskpane/workbook/reading";
