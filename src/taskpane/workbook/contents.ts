import type { CellValue, NamedTable, Place, SheetContents, WorkbookContents } from "../../contract/workbook";
import { readPlace, toAddress } from "../addresses";
import { readNamespace, readShownFormula } from "../formula-text";
import { finishInSlices, type Steps } from "../slices";
import { inExcel } from "./excel-run";
import { NAMES, toNames } from "./feed-cells";
import { findSpilled, findUsed, type RowsOf, readRows, type Used } from "./ranges";
import { toCellValues } from "./reading";

type UsedSheet = Used & { id: string; name: string };
type Rows = RowsOf<UsedSheet>;

/** Reads all used cells with their formulas, the names and the tables. */
export function readContents(): Promise<WorkbookContents> {
  return inExcel(async (context) => {
    const { worksheets, names, tables } = context.workbook;
    worksheets.load("items/id, items/name");
    names.load(NAMES);
    tables.load("items/name, items/showHeaders, items/showTotals");
    await context.sync();
    const places = tables.items.map((table) => {
      table.columns.load("items/name");
      return { table, range: table.getRange().load("address") };
    });
    for (const sheet of worksheets.items) sheet.names.load(NAMES);
    const used = await findUsed(
      context,
      worksheets.items.map((sheet) => ({ sheet, id: sheet.id, name: sheet.name })),
    );
    const sheets = await readUsed(context, used);
    return {
      sheets,
      names: toNames(names, worksheets.items),
      tables: places.map(({ table, range }) => toTable(table, range)),
    };
  });
}

const toTable = (table: Excel.Table, { address }: Excel.Range): NamedTable => ({
  ...readPlace(address),
  name: table.name,
  columns: table.columns.items.map(({ name }) => name),
  hasHeaders: table.showHeaders,
  hasTotals: table.showTotals,
});

async function readUsed(context: Excel.RequestContext, used: readonly UsedSheet[]): Promise<SheetContents[]> {
  const sheets = used.map(
    ({ id, name, whole }): SheetContents => ({
      id,
      sheet: name,
      row: whole.row,
      column: whole.column,
      values: [],
      formulas: [],
    }),
  );
  const namespace = readNamespace();
  for await (const rows of readRows(context, used, "formulas, values, valueTypes, hasSpill")) {
    const sheet = sheets.find(({ sheet: name }) => name === rows.name) as SheetContents;
    const values = toCellValues(rows.block);
    const formulas = await finishInSlices(readFormulas(rows.block, values, namespace));
    if (rows.block.hasSpill !== false) await dropRepeated(context, rows, formulas);
    sheet.values.push(...values);
    sheet.formulas.push(...formulas);
  }
  return sheets;
}

/** Reads formulas, a cell a step. */
function* readFormulas(
  { formulas }: Excel.Range,
  values: readonly (readonly CellValue[])[],
  namespace: string,
): Steps<(string | null)[][]> {
  const read: (string | null)[][] = [];
  for (const [r, row] of (formulas as unknown[][]).entries()) {
    const line: (string | null)[] = [];
    for (const [c, content] of row.entries()) {
      line.push(readShownFormula(content, values[r]?.[c], namespace));
      yield;
    }
    read.push(line);
  }
  return read;
}

/** Where a host repeats a formula in the cells that it fills, only its own cell holds it. */
async function dropRepeated(context: Excel.RequestContext, { sheet, area }: Rows, formulas: (string | null)[][]) {
  const repeated: { row: number; column: number }[] = [];
  for (const [row, line] of formulas.entries()) {
    for (const [column, formula] of line.entries()) {
      const isRepeated = formula !== null && (formula === line[column - 1] || formula === formulas[row - 1]?.[column]);
      if (isRepeated) repeated.push({ row, column });
    }
  }
  const toOwn = ({ row, column }: { row: number; column: number }) =>
    toAddress({ row: area.row + row, column: area.column + column, rows: 1, columns: 1 });
  const spilled = await findSpilled(context, sheet, repeated.map(toOwn));
  for (const cell of repeated) {
    const line = formulas[cell.row];
    if (line !== undefined && spilled.has(toOwn(cell))) line[cell.column] = null;
  }
}

/** Lists those of some cells that another cell's formula fills. */
export function listSpilled(places: readonly Place[]): Promise<Place[]> {
  return inExcel(async (context) => {
    const spilled: Place[] = [];
    for (const name of new Set(places.map(({ sheet }) => sheet))) {
      const sheet = context.workbook.worksheets.getItem(name);
      const addresses = places.filter((place) => place.sheet === name).map(({ address }) => address);
      for (const address of await findSpilled(context, sheet, addresses)) spilled.push({ sheet: name, address });
    }
    return spilled;
  });
}
