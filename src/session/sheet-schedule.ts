import type { Ports } from "../client/ports";
import type { SheetSchedule } from "./settings";

/** A sheet with a schedule of its own. */
export interface ScheduledSheet {
  /** Tells it from others. */
  key: string;
  schedule: SheetSchedule;
  /** When its oldest answer was given, milliseconds since the Unix epoch; null without an answer. */
  asOfMs: number | null;
}

/** The refreshes of sheets by their own schedules. */
export interface SheetTimer {
  /** When a sheet is refreshed next, which may be past while it cannot be; null for never. */
  nextAtMs(sheet: ScheduledSheet): number | null;
  /** Follows a change of sheets, their answers, settings or connection. */
  follow(): void;
}

interface TimerOptions {
  ports: Pick<Ports, "nowMs" | "after" | "random">;
  sheets: () => readonly ScheduledSheet[];
  timeZone: () => string;
  /** Whether there is a connection, and no refresh under way. */
  isFree: () => boolean;
  /** Refreshes the due sheets together; `dueAtMs` is when the last of them fell due. */
  refresh: (due: readonly ScheduledSheet[], dueAtMs: number) => Promise<void>;
}

/** Range of the random delay: the workbooks of an office fall due in the same second. */
const SHORTEST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 20_000;

/** A timer of at most this time, also for a sheet that is due next week. */
const LONGEST_WAIT_MS = 5 * 60_000;

/** The time for which a timer runs, and how to end it. */
interface Armed {
  atMs: number;
  callOff: () => void;
}

interface TimerState extends TimerOptions {
  /** When this page last tried each sheet: a failed refresh waits for the next time of its schedule. */
  triedAtMs: Map<string, number>;
  isRunning: boolean;
  armed: Armed | null;
}

/**
 * Times refreshes by the answers' own age, which the browser persists with them. What fell due while the workbook was
 * closed therefore runs once, and a refresh by hand counts, though nobody saves the workbook afterwards.
 */
export function createSheetTimer(options: TimerOptions): SheetTimer {
  const context: TimerState = { ...options, triedAtMs: new Map(), isRunning: false, armed: null };
  return { nextAtMs: (sheet) => toNextMs(context, sheet), follow: () => arm(context) };
}

function toNextMs(
  { ports, timeZone, triedAtMs }: TimerState,
  { key, schedule, asOfMs }: ScheduledSheet,
): number | null {
  if (asOfMs === null) return null;
  const nowMs = ports.nowMs();
  const tried = triedAtMs.get(key);
  const triedMs = tried === undefined || tried > nowMs ? Number.NEGATIVE_INFINITY : tried; // the clock was set back
  const isOfFuture = asOfMs > nowMs; // a wrong clock: its age is unknown
  if (isOfFuture && !Number.isFinite(triedMs)) return schedule.kind === "manual" ? null : nowMs;
  return findNextMs(schedule, Math.max(isOfFuture ? triedMs : asOfMs, triedMs), timeZone());
}

const toTimeMs = (context: TimerState, sheet: ScheduledSheet) => toNextMs(context, sheet) ?? Number.POSITIVE_INFINITY;

/** Sets one timer, for the sheet that is due first. */
function arm(context: TimerState): void {
  const { ports, sheets, isRunning, isFree, armed } = context;
  const nextMs = Math.min(...sheets().map((sheet) => toTimeMs(context, sheet)));
  const atMs = !isRunning && isFree() && Number.isFinite(nextMs) ? Math.max(nextMs, ports.nowMs()) : null;
  // One that is overdue keeps its timer, and so does one whose time has not changed.
  if (armed !== null && atMs !== null && (armed.atMs === atMs || (armed.atMs < atMs && nextMs <= armed.atMs))) return;
  armed?.callOff();
  context.armed = null;
  if (atMs === null) return;
  const delayMs = SHORTEST_DELAY_MS + ports.random() * (LONGEST_DELAY_MS - SHORTEST_DELAY_MS);
  // Timers do not count sleep, so that a long wait is looked at again and again.
  const waitMs = atMs - ports.nowMs();
  const timerMs = waitMs > LONGEST_WAIT_MS ? LONGEST_WAIT_MS : waitMs + delayMs;
  const callOff = ports.after(timerMs, () => void run(context));
  context.armed = { atMs, callOff };
}

/** The last time of a due sheet's schedule: several may have passed while the workbook was closed. */
function findLastMs(context: TimerState, sheet: ScheduledSheet, nowMs: number): number {
  let lastMs = toTimeMs(context, sheet);
  for (;;) {
    const nextMs = findNextMs(sheet.schedule, lastMs, context.timeZone());
    if (nextMs === null || nextMs > nowMs) return lastMs;
    lastMs = nextMs;
  }
}

async function run(context: TimerState): Promise<void> {
  const { ports, sheets, isFree, refresh, triedAtMs } = context;
  context.armed = null;
  const nowMs = ports.nowMs();
  const due = sheets().filter((sheet) => toTimeMs(context, sheet) <= nowMs);
  if (due.length > 0 && isFree()) {
    const dueAtMs = Math.max(...due.map((sheet) => findLastMs(context, sheet, nowMs)));
    for (const { key } of due) triedAtMs.set(key, nowMs);
    context.isRunning = true;
    await refresh(due, dueAtMs).catch(() => {}); // a sheet that cannot be read waits for its next time
    context.isRunning = false;
  }
  arm(context);
}

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
