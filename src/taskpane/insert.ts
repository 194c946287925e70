import { useCallback } from "react";
import type { Block, Place, Workbook } from "../contract/workbook";
import { showPlace } from "./addresses";
import { tryToStore } from "./file-store";
import { readFormula } from "./formula-text";
import { type NoticeEnd, untilAny, untilGone } from "./notice-ends";
import { isWorkbookError, type PaneContext, toFaultText, usePane } from "./pane";

/**
 * Writes cells and notifies the person of the place or the error. Present content is replaced only after confirmation.
 * Resolves to null where nothing was written.
 *
 * @param end what ends the notice besides the loss of the cells; default nothing
 */
export async function insert(pane: Writer, block: Block, end?: NoticeEnd): Promise<Place | null> {
  const { workbook, notify, texts } = pane;
  let at = block.at ?? null;
  try {
    at ??= await readActiveCell(workbook); // before any prompt, so that the confirmation is about the same cells
    await tryToStore(); // before it, so that a host which undoes writes can undo this one
    const place = await workbook.write({ ...block, at });
    const isGone = async () => isEmpty(await workbook.readValues(showPlace(place)));
    const until = untilAny(untilGone(workbook, isGone), ...(end === undefined ? [] : [end]));
    notify({ intent: "success", text: texts.inserted(showPlace(place)), until });
    return place;
  } catch (error) {
    const isOccupied = isWorkbookError(error) && error.fault === "occupied";
    const again = { ...block, ...(at && { at }), isReplacing: true };
    const replace = { label: texts.replace, act: () => void insert(pane, again, end) };
    notify({
      intent: isOccupied ? "warning" : "error",
      text: toFaultText(error, texts),
      ...(isOccupied && { actions: [replace] }),
    });
    return null;
  }
}

type Writer = Pick<PaneContext, "workbook" | "notify" | "texts">;

/** Returns a function that writes cells as {@link insert} does. */
export function useInsert(end?: NoticeEnd): (block: Block) => Promise<Place | null> {
  const pane = usePane();
  return useCallback((block: Block) => insert(pane, block, end), [pane, end]);
}

const isEmpty = (values: readonly (readonly unknown[])[]): boolean =>
  values.every((row) => row.every((value) => value === null || value === ""));

export async function readActiveCell(workbook: Workbook): Promise<Place> {
  const { sheet, cell } = await workbook.readSelection();
  return { sheet, address: cell };
}

/** A cell, and the formula that it held when it was last read. */
export interface HeldPlace extends Place {
  formula: string;
}

/** Whether a cell still holds its formula; false where the workbook cannot be read. */
export async function isHolding(
  workbook: Pick<Workbook, "readSelection" | "listFeedCells">,
  held: HeldPlace,
): Promise<boolean> {
  try {
    const { sheet, cell, formula } = await workbook.readSelection();
    const isActive = showPlace({ sheet, address: cell }) === showPlace(held);
    // The workbook lists the formulas of other cells only all together.
    const cells = isActive ? [{ ...held, formula }] : await workbook.listFeedCells("workbook");
    return cells.some((each) => showPlace(each) === showPlace(held) && isSame(each.formula, held.formula));
  } catch {
    return false;
  }
}

/** Hosts change spaces and capitals. */
const isSame = (one: string, other: string) => JSON.stringify(readFormula(one)) === JSON.stringify(readFormula(other));
