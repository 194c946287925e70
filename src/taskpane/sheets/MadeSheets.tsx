import { Body1, Button, Link, makeStyles, tokens } from "@fluentui/react-components";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { SheetPlan } from "../../contract/workbook";
import type { Template } from "../../session/settings";
import { attempt } from "../commands/desk";
import { refreshSome } from "../commands/refresh";
import type { PersistedSettings } from "../host";
import { isWorkbookError, toFaultText } from "../insert";
import { usePane } from "../pane";
import { Heading, Hint } from "../typography";

const useStyles = makeStyles({
  hint: { color: tokens.colorNeutralForeground3 },
  list: { listStyleType: "none", margin: 0, padding: 0 },
  item: {
    display: "flex",
    alignItems: "center",
    justifyContent: "space-between",
    columnGap: tokens.spacingHorizontalS,
    padding: `${tokens.spacingVerticalXS} 0`,
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  name: { minWidth: 0, overflowWrap: "anywhere" },
});

/** The sheets that the pane made in this workbook; the person can remove a missing one from the list. */
export function MadeSheets() {
  const styles = useStyles();
  const pane = usePane();
  const { session, texts } = pane;
  const { ofSheets } = texts;
  const { sheets } = useSyncExternalStore(session.subscribe, () => session.settings);
  const show = useShow();
  const refresh = async (name: string) => {
    if (await show(name)) await attempt(pane, () => refreshSome(pane, "sheet"));
  };
  return (
    <section>
      <Heading gap="S">{ofSheets.madeSheets}</Heading>
      {sheets.length === 0 && <Body1 className={styles.hint}>{ofSheets.noneMade}</Body1>}
      <ul className={styles.list}>
        {sheets.map(({ name, template }) => (
          <li key={name} className={styles.item}>
            <div className={styles.name}>
              <Link as="button" aria-label={ofSheets.show(name)} onClick={() => void show(name)}>
                {name}
              </Link>
              <Hint block>{ofSheets.templates[template]}</Hint>
            </div>
            <Button size="small" aria-label={ofSheets.refreshOne(name)} onClick={() => void refresh(name)}>
              {ofSheets.refreshShort}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Returns a function that shows a sheet, and resolves to whether it did. */
function useShow(): (name: string) => Promise<boolean> {
  const { session, workbook, notify, texts } = usePane();
  const stored = useStoredSettings();
  return async (name) => {
    try {
      await workbook.show({ sheet: name, address: "A1" });
      return true;
    } catch (error) {
      const { gone, forget } = texts.ofSheets;
      const leave = () => void stored({ sheets: session.settings.sheets.filter((sheet) => sheet.name !== name) });
      // A renamed sheet looks like a deleted one, and its name may return.
      if (!isWorkbookError(error) || error.fault !== "missing") {
        notify({ intent: "error", text: toFaultText(error, texts) });
      } else notify({ intent: "warning", text: gone(name), actions: [{ label: forget, act: leave }] });
      return false;
    }
  };
}

/** Returns a function that changes and stores settings of the workbook, and warns where storing fails. */
export function useStoredSettings(): (changed: Partial<PersistedSettings>) => Promise<void> {
  const { session, persist, notify, texts } = usePane();
  return async (changed) => {
    session.change(changed);
    try {
      await persist(changed);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      notify({ intent: "warning", text: texts.notPersisted(reason) });
    }
  };
}

/** Returns a function that makes a sheet and lists it, one at a time. */
export function useMake(): { isMaking: boolean; make: (plan: SheetPlan, template: Template) => Promise<void> } {
  const pane = usePane();
  const stored = useStoredSettings();
  const [isMaking, setMaking] = useState(false);
  const isBusy = useRef(false); // set at once; the state changes only with the next rendering
  useEffect(() => {
    isBusy.current = isMaking; // reset with the button: a disabled one lets its form be submitted
  }, [isMaking]);
  const make = async (plan: SheetPlan, template: Template) => {
    if (isBusy.current) return;
    isBusy.current = true;
    setMaking(true);
    await attempt(pane, async ({ session, workbook, notify, texts }) => {
      try {
        const name = await workbook.addSheet(plan);
        notify({ intent: "success", text: texts.ofSheets.made(name) });
        const others = session.settings.sheets.filter((sheet) => sheet.name !== name);
        await stored({ sheets: [{ name, template }, ...others] });
      } finally {
        setMaking(false); // before the error shows, since its reader may press again at once
      }
    });
  };
  return { isMaking, make };
}
