import { useCallback } from "react";
import { FeedError, InternalError } from "../client/errors";
import type { Block, Place, Workbook, WorkbookError } from "../contract/workbook";
import { showPlace } from "./addresses";
import { usePane } from "./pane";
import type { Texts } from "./texts";

/**
 * Gives what writes cells for a person: it says where they stand now, or what kept them out. What stands there already
 * is replaced only after the person has said so. Resolves to null where nothing was written.
 */
export function useInsert(): (block: Block) => Promise<Place | null> {
  const { workbook, notify, texts } = usePane();
  return useCallback(
    async function insert(block: Block): Promise<Place | null> {
      let at = block.at ?? null;
      try {
        at ??= await readActiveCell(workbook); // before anything is asked, so that the answer is about the same cells
        const place = await workbook.write({ ...block, at });
        notify({ intent: "success", text: texts.inserted(showPlace(place)) });
        return place;
      } catch (error) {
        const isOccupied = isWorkbookError(error) && error.fault === "occupied";
        const again = { ...block, ...(at && { at }), isReplacing: true };
        const replace = { label: texts.replace, act: () => void insert(again) };
        notify({
          intent: isOccupied ? "warning" : "error",
          text: toFaultText(error, texts),
          ...(isOccupied && { actions: [replace] }),
        });
        return null;
      }
    },
    [workbook, notify, texts],
  );
}

async function readActiveCell(workbook: Workbook): Promise<Place> {
  const { sheet, cell } = await workbook.readSelection();
  return { sheet, address: cell };
}

/** Why the workbook did not do what it was asked, in words, and what to do; its own where it is nothing we know. */
export function toFaultText(error: unknown, texts: Texts): string {
  if (!isWorkbookError(error)) return (error instanceof FeedError ? error : new InternalError(error)).message;
  return texts.faults[error.fault](error.place === undefined ? "" : showPlace(error.place), error.message);
}

/** Told by its shape, since the playground's errors come from another page. */
export function isWorkbookError(error: unknown): error is WorkbookError {
  return typeof error === "object" && error !== null && "fault" in error;
}
