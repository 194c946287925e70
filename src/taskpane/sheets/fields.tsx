import { Button, Checkbox, Field, Input, makeStyles, mergeClasses, Select } from "@fluentui/react-components";
import { SCHEDULE_KINDS } from "../../session/persisted-settings";
import type { SheetSchedule } from "../../session/settings";
import { FIRST_SCHEDULE } from "../../session/sheet-schedule";
import { showPlace } from "../addresses";
import { Fold } from "../Fold";
import { Hint, Row, Stack, useLook } from "../layout";
import { attempt, usePane } from "../pane";
import { CompanyBox } from "../picker/CompanyBox";
import { useAdd } from "../picker/read-companies";

const useStyles = makeStyles({
  list: { display: "grid" },
  field: { gridTemplateColumns: "minmax(0, 1fr)" }, // cuts a long value at the pane's edge
  kind: { flex: "1 1 5em", minWidth: 0 },
  weekday: { flex: "1 1 6em", minWidth: 0 },
  time: { flex: "0 0 8em", minWidth: 0 }, // of "07:00 AM"
  clock: { "::-webkit-calendar-picker-indicator": { display: "none" } }, // black in a dark pane, and the room is scarce
});

interface ChecksProps {
  /** Title with the number of chosen options. */
  title: string;
  options: readonly { value: string; label: string }[];
  chosen: readonly string[];
  mistake: string | undefined;
  /** Receives the values in the order of the options. */
  onChoose: (chosen: string[]) => void;
}

/** A list of checkboxes that unfolds; open where it has a mistake. */
export function Checks({ title, options, chosen, mistake, onChoose }: ChecksProps) {
  const styles = useStyles();
  const look = useLook();
  const toggle = (value: string) =>
    onChoose(options.map((option) => option.value).filter((each) => (each === value) !== chosen.includes(each)));
  return (
    <Fold isPlain title={title} isOpen={mistake !== undefined}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would draw what the summary says already. */}
      <div role="group" aria-label={title} className={styles.list}>
        {options.map(({ value, label }) => (
          <Checkbox key={value} label={label} checked={chosen.includes(value)} onChange={() => toggle(value)} />
        ))}
      </div>
      {mistake !== undefined && (
        <div role="alert" className={mergeClasses(look.bad, look.small)}>
          {mistake}
        </div>
      )}
    </Fold>
  );
}

interface PickProps<V extends string | number> {
  label: string;
  hint?: string;
  value: V;
  values: readonly V[];
  /** The name of a value. */
  name: (value: V) => string;
  onPick: (value: V) => void;
}

/** A choice among a few values. */
export function Pick<V extends string | number>({ label, hint, value, values, name, onPick }: PickProps<V>) {
  const styles = useStyles();
  return (
    <Field className={styles.field} label={label} hint={hint}>
      <Select
        value={String(value)}
        onChange={(_, { value: picked }) => onPick(values.find((each) => String(each) === picked) ?? value)}
      >
        {values.map((each) => (
          <option key={each} value={each}>
            {name(each)}
          </option>
        ))}
      </Select>
    </Field>
  );
}

interface CompanyFieldProps {
  label: string;
  hint: string;
  written: string;
  isList: boolean;
  mistake: string | undefined;
  change: (written: string) => void;
}

/** A field for companies with financials: by name, id or number, by a pasted list, or from the selected cells. */
export function CompanyField({ label, hint, written, isList, mistake, change }: CompanyFieldProps) {
  const { takeSelected } = usePane().texts.ofSheets;
  const companies = { written, isList, needs: "private", change } as const;
  const take = useTake(useAdd(companies), isList);
  return (
    <Stack>
      <Field label={label} hint={hint} validationMessage={mistake}>
        <CompanyBox {...companies} />
      </Field>
      <Button size="small" className={useLook().atStart} onClick={() => void take()}>
        {takeSelected}
      </Button>
    </Stack>
  );
}

/** Returns a function that adds the companies of the selected cells. */
function useTake(add: (texts: readonly string[]) => Promise<void>, isList: boolean): () => Promise<void> {
  const pane = usePane();
  return () =>
    attempt(pane, async ({ workbook, notify, texts }) => {
      const place = showPlace(await workbook.readSelection());
      const values = (await workbook.readValues(place)).flat().map((value) => String(value ?? "").trim());
      const given = [...new Set(values.filter((value) => value !== ""))];
      if (given.length > 0) await add(isList ? given : given.slice(0, 1));
      else notify({ intent: "warning", text: texts.ofSheets.nothingSelected(place) });
    });
}

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
