import type { Ports } from "../client/ports";
import { FAMILIES, type Family } from "../contract/constants";
import type { Refreshed } from "../feed/query-cache";

/** Refreshes each family by itself, each so often after the last time. */
export interface Schedule {
  /** When the next refresh begins by itself; null while none will, one is under way, or there is no connection. */
  nextAtMs(): number | null;
  /** Asks everything again; whoever comes while that is under way waits for the same. */
  refresh(): Promise<Refreshed>;
  /** Follows settings, connection and refreshes, after any has changed. */
  follow(): void;
}

/** Browsers let the timers of a hidden page run once a minute; what is later than this was asleep, or had no connection. */
const LATE_MS = 90_000;

/** An office's computers wake at the same time, and are not to ask at the same time. */
const SHORTEST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 20_000;

interface ScheduleOptions {
  ports: Pick<Ports, "nowMs" | "after" | "random">;
  /** Asks families again, on a person's wish or since they are due; all of them is everything. */
  refresh: (families: readonly Family[], isDue: boolean) => Promise<Refreshed>;
  /** How often a family is asked again, in milliseconds; null is never. */
  everyMs: (family: Family) => number | null;
  /** Whether there is a connection, and no refresh under way. */
  isFree: () => boolean;
  /** Is called after each change of the next time. */
  notify: () => void;
}

interface Due {
  /** What `atMs` goes by. */
  everyMs: number;
  /** When it is due, connected or not. */
  atMs: number;
}

interface Context extends ScheduleOptions {
  due: Map<Family, Due>;
  /** Under way by this schedule; `isOwn` if a person asked for it. */
  running: { isOwn: boolean; end: Promise<Refreshed> } | null;
  nextAtMs: number | null;
  /** Until when what was long overdue is put off; in the past where nothing is. */
  putOffUntilMs: number;
  callOff: () => void;
}

const START = { running: null, nextAtMs: null, putOffUntilMs: Number.NEGATIVE_INFINITY, callOff: () => {} };

/** Makes a schedule that has nothing to do yet. */
export function createSchedule(options: ScheduleOptions): Schedule {
  const context: Context = { ...options, ...START, due: new Map() };
  return {
    nextAtMs: () => context.nextAtMs,
    refresh: () => (context.running?.isOwn ? context.running.end : begin(context, FAMILIES, false)),
    follow() {
      for (const family of FAMILIES) {
        if (options.everyMs(family) !== (context.due.get(family)?.everyMs ?? null)) count(context, family);
      }
      arm(context);
    },
  };
}

function begin(context: Context, families: readonly Family[], isDue: boolean): Promise<Refreshed> {
  const end = context.refresh(families, isDue).finally(() => {
    if (context.running?.end === end) context.running = null;
    for (const family of families) count(context, family); // from the end, so that none follows a slow one at once
    arm(context);
  });
  context.running = { isOwn: !isDue, end };
  arm(context);
  return end;
}

/** Begins with one refresh for all that is due, however much fell due while the machine slept or had no connection. */
function beginDue(context: Context): void {
  const nowMs = context.ports.nowMs();
  if (nowMs > (context.nextAtMs ?? nowMs) + LATE_MS) {
    arm(context);
    return;
  }
  const families = FAMILIES.filter((family) => (context.due.get(family)?.atMs ?? Number.POSITIVE_INFINITY) <= nowMs);
  if (families.length > 0) {
    void begin(context, families, true);
    return;
  }
  // The clock was set back: its old times mean nothing any more.
  for (const family of FAMILIES) count(context, family);
  context.nextAtMs = null;
  arm(context);
}

function count(context: Context, family: Family): void {
  const { due, everyMs, ports } = context;
  const ms = everyMs(family);
  context.putOffUntilMs = START.putOffUntilMs;
  if (ms === null) due.delete(family);
  else due.set(family, { everyMs: ms, atMs: ports.nowMs() + ms });
}

/** Sets the timer for what is due first; what fell due in sleep or without a connection begins soon after it. */
function arm(context: Context): void {
  const { due, running, isFree, ports, notify } = context;
  const isOn = due.size > 0 && running === null && isFree();
  const nextAtMs = isOn ? putOff(context, Math.min(...[...due.values()].map(({ atMs }) => atMs))) : null;
  if (nextAtMs === context.nextAtMs) return;
  context.callOff();
  context.callOff =
    nextAtMs === null ? () => {} : ports.after(Math.max(0, nextAtMs - ports.nowMs()), () => beginDue(context));
  context.nextAtMs = nextAtMs;
  notify();
}

/** When to begin with what is due at a time: a while from now, where that time is long past. */
function putOff(context: Context, atMs: number): number {
  const { nowMs, random } = context.ports;
  const lateMs = nowMs() - LATE_MS;
  if (Math.max(atMs, context.putOffUntilMs) < lateMs) {
    context.putOffUntilMs = nowMs() + SHORTEST_DELAY_MS + random() * (LONGEST_DELAY_MS - SHORTEST_DELAY_MS);
  }
  return Math.max(atMs, context.putOffUntilMs);
}
