import { useRef, useState } from "react";
import { toFaultText } from "../../insert";
import { usePane } from "../../pane";
import type { SheetChanges } from "./changed-cells";
import { toChangeReport } from "./changes-plan";

/** Gives what makes a sheet of changes; one at a time, however often it is called. */
export function useInsertChanges() {
  const { session, workbook, notify, texts } = usePane();
  const [isInserting, setInserting] = useState(false);
  const isBusy = useRef(false); // at once, where the state changes only with the next rendering
  const insert = async (sheets: readonly SheetChanges[], time: string) => {
    if (isBusy.current || sheets.length === 0) return;
    isBusy.current = true;
    setInserting(true);
    try {
      const cells = sheets.flatMap((group) => group.cells);
      const { plan, rows, at } = toChangeReport(cells, time, { texts, dateSystem: session.settings.dateSystem });
      const sheet = await workbook.addSheet(plan);
      await workbook.write({ at: { sheet, address: at }, cells: rows });
      notify({ intent: "success", text: texts.ofChanges.inserted(sheet) });
    } catch (error) {
      notify({ intent: "error", text: toFaultText(error, texts) });
    } finally {
      isBusy.current = false;
      setInserting(false);
    }
  };
  return { isInserting, insert };
}
