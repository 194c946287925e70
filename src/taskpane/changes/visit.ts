import type { Place } from "../../contract/workbook";
import { showPlace } from "../addresses";
import { listCalls, readNamespace } from "../formula-text";
import { attempt, usePane } from "../pane";

/**
 * Returns a function that selects a formula's cell and resolves to the formula there. Where the formula has moved away,
 * or the cell cannot be shown, it notifies the person and resolves to null.
 */
export function useVisit(): (name: string, place: Place) => Promise<string | null> {
  const pane = usePane();
  return async (name, place) => {
    let found: string | null = null;
    await attempt(pane, async ({ workbook, notify, texts }) => {
      await workbook.show(place);
      const { formula } = await workbook.readSelection();
      const isHere = async () => {
        const [cell] = await workbook.listFeedCells("selection");
        return listCalls(cell?.expanded ?? "").includes(name);
      };
      if (listCalls(formula).includes(name) || (await isHere())) found = formula;
      else notify({ intent: "info", text: texts.ofActivity.moved(showPlace(place), `${readNamespace()}.${name}`) });
    });
    return found;
  };
}
