import type { Place, Workbook } from "../contract/workbook";
import { type Area, readArea } from "./addresses";

/** The used part of some cells, as of whole columns; null where nothing of them is used. */
export async function clipToUsed(
  workbook: Pick<Workbook, "readSheets">,
  { sheet, address }: Place,
): Promise<Area | null> {
  const [used] = await workbook.readSheets([sheet]);
  if (used === undefined) return null;
  const area = readArea(address);
  const [row, column] = [Math.max(area.row, used.row), Math.max(area.column, used.column)];
  const rows = Math.min(area.row + area.rows, used.row + used.values.length) - row;
  const columns = Math.min(area.column + area.columns, used.column + (used.values[0]?.length ?? 0)) - column;
  return rows <= 0 || columns <= 0 ? null : { row, column, rows, columns };
}
