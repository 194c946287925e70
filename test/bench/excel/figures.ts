import { ExcelWorkbook } from "../../office/workbook";
import type { Sheet } from "./sheet";

export const CELLS_OF_COMPANY = 140;

const COLUMNS = 14;

/** The address of a sheet's formula: each row has the metrics of a company and year, which stand before them. */
export const toAddress = (at: number): string =>
  `${String.fromCharCode(67 + (at % COLUMNS))}${Math.floor(at / COLUMNS) + 2}`;

/** A workbook whose formulas refer to the company and year of their row, and to the metric of their column. */
export function createWorkbook({ companyIds, years, metrics }: Sheet, cells: number): ExcelWorkbook {
  const workbook = new ExcelWorkbook();
  for (const [column, metric] of metrics.entries()) workbook.enter(toAddress(column).replace(/\d+/, "1"), metric);
  for (let at = 0; at < cells; at++) {
    const address = toAddress(at);
    const [letter, row] = [address.slice(0, 1), Number(address.slice(1))];
    if (at % COLUMNS === 0) {
      workbook.enter(`A${row}`, companyIds[Math.floor(at / CELLS_OF_COMPANY)]!);
      workbook.enter(`B${row}`, years[Math.floor(at / COLUMNS) % years.length]!);
    }
    workbook.enterFormula(address, `=FEED.FINANCIAL($A${row},$B${row},${letter}$1)`, at);
  }
  return workbook;
}
