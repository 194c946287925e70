import type { Ports } from "../client/ports";
import type { SheetSchedule } from "./settings";
import { findNextMs } from "./sheet-times";

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

interface Context extends TimerOptions {
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
  const context: Context = { ...options, triedAtMs: new Map(), isRunning: false, armed: null };
  return { nextAtMs: (sheet) => toNextMs(context, sheet), follow: () => arm(context) };
}

function toNextMs({ ports, timeZone, triedAtMs }: Context, { key, schedule, asOfMs }: ScheduledSheet): number | null {
  if (asOfMs === null) return null;
  const nowMs = ports.nowMs();
  const tried = triedAtMs.get(key);
  const triedMs = tried === undefined || tried > nowMs ? Number.NEGATIVE_INFINITY : tried; // the clock was set back
  const isOfFuture = asOfMs > nowMs; // a wrong clock: its age is unknown
  if (isOfFuture && !Number.isFinite(triedMs)) return schedule.kind === "manual" ? null : nowMs;
  return findNextMs(schedule, Math.max(isOfFuture ? triedMs : asOfMs, triedMs), timeZone());
}

const toTimeMs = (context: Context, sheet: ScheduledSheet) => toNextMs(context, sheet) ?? Number.POSITIVE_INFINITY;

/** Sets one timer, for the sheet that is due first. */
function arm(context: Context): void {
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
function findLastMs(context: Context, sheet: ScheduledSheet, nowMs: number): number {
  let lastMs = toTimeMs(context, sheet);
  for (;;) {
    const nextMs = findNextMs(sheet.schedule, lastMs, context.timeZone());
    if (nextMs === null || nextMs > nowMs) return lastMs;
    lastMs = nextMs;
  }
}

async function run(context: Context): Promise<void> {
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
