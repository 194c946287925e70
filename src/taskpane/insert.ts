import { useCallback } from "react";
import { FeedError, InternalError } from "../client/errors";
import { translate } from "../client/messages";
import type { Block, Place, Workbook, WorkbookError } from "../contract/workbook";
import { showPlace } from "./addresses";
import { tryToStore } from "./file-store";
import { type NoticeEnd, untilAny, untilGone } from "./notice-ends";
import { type PaneContext, usePane } from "./pane";
import type { Texts } from "./texts";

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

async function readActiveCell(workbook: Workbook): Promise<Place> {
  const { sheet, cell } = await workbook.readSelection();
  return { sheet, address: cell };
}

/** An error of the workbook in words, with its remedy; an unknown error in its own words. */
export function toFaultText(error: unknown, texts: Texts): string {
  if (!isWorkbookError(error)) return translate((error instanceof FeedError ? error : new InternalError(error)).text);
  return texts.faults[error.fault](error.place === undefined ? "" : showPlace(error.place), error.message);
}

/** Checked by its shape, since the playground's errors come from another page. */
export function isWorkbookError(error: unknown): error is WorkbookError {
  return typeof error === "object" && error !== null && "fault" in error;
}
