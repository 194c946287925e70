import { Input, makeStyles, Select } from "@fluentui/react-components";
import { SCHEDULE_KINDS } from "../../session/persisted-settings";
import type { SheetSchedule } from "../../session/settings";
import { FIRST_SCHEDULE } from "../../session/sheet-schedule";
import { Hint, Row } from "../layout";
import { usePane } from "../pane";

const useStyles = makeStyles({
  kind: { flex: "1 1 5em", minWidth: 0 },
  weekday: { flex: "1 1 6em", minWidth: 0 },
  time: { flex: "0 0 5em", minWidth: 0 },
  clock: { "::-webkit-calendar-picker-indicator": { display: "none" } }, // black in a dark pane, and the room is scarce
});

/** A kind as a person chooses it; the workbook's policies are the absence of an own schedule. */
export type ScheduleChoice = SheetSchedule["kind"] | "workbook";

export const CHOICES: readonly ScheduleChoice[] = ["workbook", ...SCHEDULE_KINDS];

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 0];

/** 2023 began with a Sunday. */
const toDay = (weekday: number, language: string) =>
  new Date(Date.UTC(2023, 0, 1 + weekday)).toLocaleDateString(language, { weekday: "long", timeZone: "UTC" });

/** Makes the schedule of a choice, with the day and time of the one before. */
export const toSchedule = (choice: ScheduleChoice, before: SheetSchedule | null): SheetSchedule | null =>
  choice === "workbook" ? null : { ...FIRST_SCHEDULE, ...before, kind: choice };

interface ScheduleFieldsProps {
  /** The sheet's. */
  name: string;
  schedule: SheetSchedule | null;
  choose: (schedule: SheetSchedule | null) => void;
}

/** A sheet's own schedule. */
export function ScheduleFields({ name, schedule, choose }: ScheduleFieldsProps) {
  const styles = useStyles();
  const { session, texts } = usePane();
  const { ofSheets, language } = texts;
  const { schedules, scheduleOf, weekdayOf, timeOf, calendarHint } = ofSheets;
  const kind = schedule?.kind ?? "workbook";
  const isByCalendar = kind === "daily" || kind === "weekly";
  return (
    <>
      <Row gap="XS">
        <Select
          className={styles.kind}
          size="small"
          aria-label={scheduleOf(name)}
          value={kind}
          onChange={(_, { value }) =>
            choose(toSchedule(CHOICES.find((each) => each === value) ?? "workbook", schedule))
          }
        >
          {CHOICES.map((each) => (
            <option key={each} value={each}>
              {schedules[each]}
            </option>
          ))}
        </Select>
        {schedule !== null && kind === "weekly" && (
          <Select
            className={styles.weekday}
            size="small"
            aria-label={weekdayOf(name)}
            value={schedule.weekday}
            onChange={(_, { value }) => choose({ ...schedule, weekday: Number(value) })}
          >
            {WEEKDAYS.map((weekday) => (
              <option key={weekday} value={weekday}>
                {toDay(weekday, language)}
              </option>
            ))}
          </Select>
        )}
        {schedule !== null && isByCalendar && (
          <Input
            className={styles.time}
            size="small"
            type="time"
            input={{ className: styles.clock }}
            aria-label={timeOf(name)}
            value={toClock(schedule.atMinutes)}
            onChange={(_, { value }) => value !== "" && choose({ ...schedule, atMinutes: toMinutes(value) })}
          />
        )}
      </Row>
      {isByCalendar && <Hint block>{calendarHint(session.settings.timeZone)}</Hint>}
    </>
  );
}

const toClock = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");

function toMinutes(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return hours * 60 + minutes;
}
