import { useCallback } from "react";
import type { Place } from "../../contract/workbook";
import { showPlace } from "../addresses";
import { listCalls, readNamespace } from "../formula-text";
import { toFaultText, usePane } from "../pane";

/**
 * Returns a function that selects a formula's cell and resolves to the formula there. Where the formula has moved away,
 * or the cell cannot be shown, it notifies the person and resolves to null.
 */
export function useVisit(): (name: string, place: Place) => Promise<string | null> {
  const { workbook, notify, texts } = usePane();
  return useCallback(
    async (name, place) => {
      try {
        await workbook.show(place);
        const { formula } = await workbook.readSelection();
        if (listCalls(formula).includes(name)) return formula;
        const [cell] = await workbook.listFeedCells("selection");
        if (listCalls(cell?.expanded ?? "").includes(name)) return formula;
        notify({ intent: "info", text: texts.ofActivity.moved(showPlace(place), `${readNamespace()}.${name}`) });
      } catch (error) {
        notify({ intent: "error", text: toFaultText(error, texts) });
      }
      return null;
    },
    [workbook, notify, texts],
  );
}
