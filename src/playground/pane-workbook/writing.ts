import { helpers, type Model } from "@odoo/o-spreadsheet";
import type { Block, CellContent, Place } from "../../contract/workbook";
import { createFault, dispatchAll } from "../workbook";
import { findSheet, isHolding, listPositions, toPlace } from "./places";

/** Writes a block of cells as one step to undo. @throws WorkbookError ("occupied", "missing") */
export function write(model: Model, { at, cells, isReplacing = false }: Block): Place {
  const { getters } = model;
  const sheetId = at ? findSheet(model, at.sheet) : getters.getActiveSheetId();
  const { col, row } = at ? helpers.toCartesian(at.address.split(":")[0] ?? "A1") : getters.getActivePosition();
  const zone = { left: col, top: row, right: col + (cells[0]?.length ?? 1) - 1, bottom: row + cells.length - 1 };
  const place = toPlace(model, sheetId, zone);
  const { numberOfCols, numberOfRows } = getters.getSheetSize(sheetId);
  if (zone.right >= numberOfCols || zone.bottom >= numberOfRows) {
    throw createFault("missing", "The sheet ends before.", place);
  }
  const written = listPositions(sheetId, zone).flatMap((positions, down) =>
    positions.flatMap((position, across) => {
      const content = cells[down]?.[across] ?? null;
      return content === null ? [] : [{ position, content }];
    }),
  );
  if (!isReplacing && written.some(({ position }) => isHolding(model, position))) {
    throw createFault("occupied", "The cells hold something.", place);
  }
  dispatchAll(
    model,
    written.map(({ position, content }) => ({ type: "UPDATE_CELL", ...position, content: toEntry(model, content) })),
  );
  return place;
}

/** What is to be typed so that the engine takes it as it is meant: an apostrophe keeps a text from being read. */
export function toEntry(model: Model, content: Exclude<CellContent, null>): string {
  if (typeof content === "object") return content.formula;
  if (typeof content !== "string") return String(content).toUpperCase();
  const locale = model.getters.getLocale();
  const isRead =
    /^[=']|^(true|false)$/i.test(content) || helpers.isNumber(content, locale) || helpers.isDateTime(content, locale);
  return isRead ? `'${content}` : content;
}
