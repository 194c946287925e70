import type { Place } from "../../../contract/workbook";
import { readArea, showPlace } from "../../addresses";
import { findCells, toShownPlace } from "../../cells";
import { toFaultText } from "../../insert";
import { readNamespace } from "../../namespace";
import { usePane } from "../../pane";
import type { ChangedCell } from "./changed-cells";

/**
 * Gives what leads to a changed cell. Rows may have been inserted since its place was found: it looks whether the very
 * formula stands there, else finds it again, and where it is nowhere any more it says so.
 *
 * @param look finds the places of all changed cells again
 */
export function useVisitChange(look: () => void): (cell: ChangedCell) => Promise<void> {
  const { workbook, notify, texts } = usePane();
  return async ({ change: { call }, anchor, place }) => {
    if (anchor === null) return;
    try {
      await workbook.show(anchor);
      const here = await findCells(workbook, [call], "selection");
      if (here.pairs.length > 0) return place === null ? undefined : await workbook.show(place);
      look();
      const { pairs } = await findCells(workbook, [call], "workbook");
      const found = pairs.find(({ cell }) => cell.sheet === anchor.sheet) ?? pairs[0];
      if (found !== undefined)
        return await workbook.show(place === null ? found.cell : move(place, anchor, found.cell));
      notify({ intent: "info", text: texts.ofActivity.moved(showPlace(anchor), `${readNamespace()}.${call.name}`) });
    } catch (error) {
      notify({ intent: "error", text: toFaultText(error, texts) });
    }
  };
}

/** The place that is as far from one cell as it was from another. */
function move(place: Place, from: Place, to: Place): Place {
  const [at, anchor] = [readArea(place.address), readArea(from.address)];
  return toShownPlace(to, at.row - anchor.row, at.column - anchor.column);
}
