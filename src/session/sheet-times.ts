import type { SheetSchedule } from "./settings";

/** Monday at 07:00, before the week's work begins. */
export const FIRST_SCHEDULE = { atMinutes: 7 * 60, weekday: 1 } as const;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const EVERY_MS: { readonly [kind in SheetSchedule["kind"]]?: number } = {
  "every-15": 15 * MINUTE_MS,
  "every-60": 60 * MINUTE_MS,
};

/** Days between two refreshes by the calendar. */
const STEP_DAYS: { readonly [kind in SheetSchedule["kind"]]?: number } = { daily: 1, weekly: 7 };

/**
 * Gives when data of a moment is refreshed next: the first time of the schedule after it, past or to come; null for a
 * refresh by hand.
 *
 * @param timeZone IANA name; a time that its clocks skip is as long after midnight as it would have been
 */
export function findNextMs(schedule: SheetSchedule, afterMs: number, timeZone: string): number | null {
  const everyMs = EVERY_MS[schedule.kind];
  if (everyMs !== undefined) return afterMs + everyMs;
  const stepDays = STEP_DAYS[schedule.kind];
  if (stepDays === undefined) return null;
  const todayMs = Math.floor(toWrittenMs(afterMs, timeZone) / DAY_MS) * DAY_MS;
  const daysAhead = schedule.kind === "weekly" ? (schedule.weekday - new Date(todayMs).getUTCDay() + 7) % 7 : 0;
  const toMs = (days: number) => toMoment(todayMs + days * DAY_MS + schedule.atMinutes * MINUTE_MS, timeZone);
  const nextMs = toMs(daysAhead);
  return nextMs > afterMs ? nextMs : toMs(daysAhead + stepDays);
}

/** The date and time that a zone's clocks show, as if they were those of UTC. */
function toWrittenMs(atMs: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat("en", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    ...{ year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" },
  });
  const parts = Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** The first moment at which a zone's clocks show a time. */
function toMoment(writtenMs: number, timeZone: string): number {
  const offsets = [writtenMs - DAY_MS, writtenMs + DAY_MS].map((atMs) => toWrittenMs(atMs, timeZone) - atMs);
  const moments = offsets.map((offset) => writtenMs - offset).sort((one, other) => one - other);
  const [first = writtenMs, last = writtenMs] = moments;
  return toWrittenMs(first, timeZone) === writtenMs ? first : last;
}
