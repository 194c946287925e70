import { Button, Link, makeStyles, tokens } from "@fluentui/react-components";
import type { MadeSheet, SheetSchedule } from "../../session/settings";
import { Hint, Row, useLook } from "../layout";
import { usePane } from "../pane";
import type { SheetState } from "../sheet-watch";
import { toTemplateName } from "./kinds";
import { ScheduleFields } from "./ScheduleFields";

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
export function SheetLine({ made, state, show, refresh, forget, schedule }: SheetLineProps) {
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
