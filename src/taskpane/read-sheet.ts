import type { Workbook } from "../contract/workbook";

/** A sheet as it was read: it may have another name by now. */
export interface ReadSheet {
  sheet: string;
  /** The host's id of the sheet, which a new name leaves alone; null where the host did not tell. */
  sheetId: string | null;
}

type Sheets = Pick<Workbook, "listSheets">;

const list = (workbook: Sheets) => workbook.listSheets().catch(() => []);

/** Gives the id of a sheet; null where the host does not tell. */
export async function findSheetId(workbook: Sheets, sheet: string): Promise<string | null> {
  const sheets = await list(workbook);
  return sheets.find(({ name }) => name === sheet)?.id ?? null;
}

/** Gives the name that a sheet has by now; the known one where the host does not tell. */
export async function findSheetName(workbook: Sheets, { sheet, sheetId }: ReadSheet): Promise<string> {
  if (sheetId === null) return sheet;
  const sheets = await list(workbook);
  return sheets.find(({ id }) => id === sheetId)?.name ?? sheet;
}
