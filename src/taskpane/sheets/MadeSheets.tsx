import { Body1, Button, Link, makeStyles, tokens } from "@fluentui/react-components";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { SheetPlan, Workbook } from "../../contract/workbook";
import type { PersistedSettings } from "../../session/persisted-settings";
import type { MadeSheet, SheetSchedule, Template } from "../../session/settings";
import { toSheetName } from "../addresses";
import { refreshSome } from "../commands/refresh";
import { Heading, Hint, PlainList, Row, useLook } from "../layout";
import { attempt, isWorkbookError, type PaneContext, toFaultText, usePane } from "../pane";
import { type SheetState, watchSheets } from "../sheet-watch";
import { toTemplateName } from "./drafts";
import { ScheduleFields } from "./fields";
import { rename, withHeadings } from "./plan";

/** The sheets that the pane made in this workbook, each with its schedule; the person can remove a missing one. */
export function MadeSheets() {
  const look = useLook();
  const pane = usePane();
  const { session, texts } = pane;
  const { sheets } = useSyncExternalStore(session.subscribe, () => session.settings);
  const watch = watchSheets(pane);
  const states = useSyncExternalStore(watch.subscribe, watch.states);
  const stored = useStoredSettings();
  const { show, forget } = useShow();
  const refresh = async (name: string) => {
    if (await show(name)) await attempt(pane, () => refreshSome(pane, "sheet"));
  };
  const schedule = async (name: string, changed: SheetSchedule | null) => {
    await stored({ sheets: sheets.map((made) => (made.name === name ? withSchedule(made, changed) : made)) });
    if (changed !== null) await attempt(pane, warnIfManual);
  };
  return (
    <section>
      <Heading gap="S">{texts.ofSheets.madeSheets}</Heading>
      {sheets.length === 0 && <Body1 className={look.muted}>{texts.ofSheets.noneMade}</Body1>}
      <PlainList>
        {sheets.map((made, index) => (
          <SheetLine
            key={made.name}
            made={made}
            state={states[index]}
            show={() => void show(made.name)}
            refresh={() => void refresh(made.name)}
            forget={() => forget(made.name)}
            schedule={(changed) => void schedule(made.name, changed)}
          />
        ))}
      </PlainList>
      {sheets.some((made) => made.schedule !== undefined) && <Hint block>{texts.ofSheets.sharedHint}</Hint>}
    </section>
  );
}

const withSchedule = ({ schedule: _, ...made }: MadeSheet, schedule: SheetSchedule | null): MadeSheet =>
  schedule === null ? made : { ...made, schedule };

async function warnIfManual({ workbook, notify, texts }: PaneContext): Promise<void> {
  if (await workbook.isManual()) notify({ intent: "warning", text: texts.ofRefresh.manualSchedule });
}

/** Returns functions that show a sheet, and resolve to whether they did, or take it off the list. */
function useShow(): { show: (name: string) => Promise<boolean>; forget: (name: string) => void } {
  const { session, workbook, notify, texts } = usePane();
  const stored = useStoredSettings();
  const forget = (name: string) => {
    void stored({ sheets: session.settings.sheets.filter((sheet) => sheet.name !== name) });
  };
  const show = async (name: string) => {
    try {
      await workbook.show({ sheet: name, address: "A1" });
      return true;
    } catch (error) {
      const { gone, forget: label } = texts.ofSheets;
      // A sheet that was renamed a moment ago looks like a deleted one, and a name may return.
      if (!isWorkbookError(error) || error.fault !== "missing") {
        notify({ intent: "error", text: toFaultText(error, texts) });
      } else notify({ intent: "warning", text: gone(name), actions: [{ label, act: () => forget(name) }] });
      return false;
    }
  };
  return { show, forget };
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

type Make = (plan: SheetPlan, template: Template) => Promise<void>;

/** Returns a function that makes a sheet and lists it, one at a time. */
export function useMake(): { isMaking: boolean; make: Make } {
  const pane = usePane();
  const stored = useStoredSettings();
  const [isMaking, setMaking] = useState(false);
  const isBusy = useRef(false); // set at once; the state changes only with the next rendering
  useEffect(() => {
    isBusy.current = isMaking; // reset with the button: a disabled one lets its form be submitted
  }, [isMaking]);
  const make: Make = async (plan, template) => {
    if (isBusy.current) return;
    isBusy.current = true;
    setMaking(true);
    await attempt(pane, async ({ session, workbook, notify, texts }) => {
      try {
        const made = await addSheet(workbook, plan);
        notify({ intent: "success", text: texts.ofSheets.made(made.name) });
        const others = session.settings.sheets.filter((sheet) => sheet.name !== made.name);
        await stored({ sheets: [{ ...made, template }, ...others] });
      } finally {
        setMaking(false); // before the error shows, since its reader may press again at once
      }
    });
  };
  return { isMaking, make };
}

/** Adds a sheet under a free name, which its own formulas may then use. */
async function addSheet(workbook: Workbook, plan: SheetPlan): Promise<Pick<MadeSheet, "id" | "name">> {
  const taken = (await workbook.listSheets()).map(({ name }) => name);
  const name = await workbook.addSheet(withHeadings(rename(plan, toSheetName(plan.name, taken))));
  const listed = await workbook.listSheets().catch(() => []); // the sheet is there; a reading learns its id later
  const id = listed.find((sheet) => sheet.name === name)?.id;
  return { name, ...(id !== undefined && { id }) };
}

const useStyles = makeStyles({
  item: { padding: `${tokens.spacingVerticalS} 0`, borderTop: `1px solid ${tokens.colorNeutralStroke2}` },
});

const MACHINE_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

interface SheetLineProps {
  made: MadeSheet;
  /** Undefined until the workbook has been read. */
  state: SheetState | undefined;
  show: () => void;
  refresh: () => void;
  forget: () => void;
  schedule: (changed: SheetSchedule | null) => void;
}

/** A made sheet: its name, its data's age and next refresh, and its schedule. */
function SheetLine({ made, state, show, refresh, forget, schedule }: SheetLineProps) {
  const styles = useStyles();
  const look = useLook();
  const { session, texts } = usePane();
  const { ofSheets, language } = texts;
  const { name, template } = made;
  const { asOfMs = null, nextAtMs = null, isMissing = false } = state ?? {};
  const times = [
    ...(asOfMs === null ? [] : [ofSheets.asOf(toTime(asOfMs, language))]),
    ...(nextAtMs === null ? [] : [ofSheets.next(toTime(nextAtMs, language, session.settings.timeZone))]),
  ];
  return (
    <li className={styles.item}>
      <Row align="center" isSpread isOneLine className={look.belowXS}>
        <div className={look.breaking}>
          <Link as="button" aria-label={ofSheets.show(name)} onClick={show}>
            {name}
          </Link>
          <Hint block>{isMissing ? ofSheets.missing : toTemplateName(template, texts)}</Hint>
        </div>
        {isMissing ? (
          <Button className={look.fixed} size="small" aria-label={ofSheets.forgetOne(name)} onClick={forget}>
            {ofSheets.forgetShort}
          </Button>
        ) : (
          <Button className={look.fixed} size="small" aria-label={ofSheets.refreshOne(name)} onClick={refresh}>
            {ofSheets.refreshShort}
          </Button>
        )}
      </Row>
      {times.length > 0 && (
        <Hint block className={look.belowXS}>
          {times.join(ofSheets.between)}
        </Hint>
      )}
      {!isMissing && <ScheduleFields name={name} schedule={made.schedule ?? null} choose={schedule} />}
    </li>
  );
}

/**
 * A time with its day unless that is today.
 *
 * @param timeZone default this machine's; another one is named
 */
function toTime(atMs: number, language: string, timeZone = MACHINE_ZONE): string {
  const toDay = (ms: number) => new Date(ms).toLocaleDateString(language, { timeZone });
  const day = { weekday: "short", month: "short", day: "numeric" } as const;
  return new Date(atMs).toLocaleString(language, {
    ...(toDay(atMs) === toDay(Date.now()) ? {} : day),
    ...(timeZone === MACHINE_ZONE ? {} : { timeZoneName: "short" }),
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone,
  });
}
