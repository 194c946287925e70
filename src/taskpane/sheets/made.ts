import { useRef, useState } from "react";
import type { SheetPlan } from "../../contract/workbook";
import type { Template } from "../../session/settings";
import type { PersistedSettings } from "../host";
import { toFaultText } from "../insert";
import { usePane } from "../pane";

/** Gives what changes a setting of the workbook and has it kept; where it is not kept, it says so. */
export function useKept(): (changed: Partial<PersistedSettings>) => Promise<void> {
  const { session, keep, notify, texts } = usePane();
  return async (changed) => {
    session.change(changed);
    try {
      await keep(changed);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      notify({ intent: "warning", text: texts.notKept(reason) });
    }
  };
}

/** Gives what makes a sheet and enters it into the list; one at a time, however often it is called. */
export function useMake(): { isMaking: boolean; make: (plan: SheetPlan, template: Template) => Promise<void> } {
  const { session, workbook, notify, texts } = usePane();
  const stored = useKept();
  const [isMaking, setMaking] = useState(false);
  const isBusy = useRef(false); // at once, where the state changes only with the next rendering
  const make = async (plan: SheetPlan, template: Template) => {
    if (isBusy.current) return;
    isBusy.current = true;
    setMaking(true);
    try {
      const name = await workbook.addSheet(plan);
      notify({ intent: "success", text: texts.ofSheets.made(name) });
      const others = session.settings.sheets.filter((sheet) => sheet.name !== name);
      await stored({ sheets: [{ name, template }, ...others] });
    } catch (error) {
      notify({ intent: "error", text: toFaultText(error, texts) });
    } finally {
      isBusy.current = false;
      setMaking(false);
    }
  };
  return { isMaking, make };
}
