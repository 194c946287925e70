import type { Ports } from "../client/ports";
import { FAMILIES, type Family } from "../contract/constants";
import type { Refreshed } from "../feed/query-cache";

/** Timers of a hidden page run once a minute; a later one means that the computer slept, or had no connection. */
const LATE_MS = 90_000;

/** Range of the random delay after sleep, since an office's computers wake together. */
const SHORTEST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 20_000;

interface ScheduleOptions {
  ports: Pick<Ports, "nowMs" | "after" | "random">;
  /** Refreshes families, by a person's request or by schedule; all families mean every query. */
  refresh: (families: readonly Family[], isDue: boolean) => Promise<Refreshed>;
  /** Interval of a family in milliseconds; null for none. */
  everyMs: (family: Family) => number | null;
  /** Whether there is a connection, and no refresh under way. */
  isFree: () => boolean;
  /** Called after each change of the next time. */
  notify: () => void;
}

interface Due {
  /** The interval that `atMs` is based on. */
  everyMs: number;
  /** Due time, with or without a connection. */
  atMs: number;
}

interface PoliciesState extends ScheduleOptions {
  due: Map<Family, Due>;
  /** The refresh under way; `isOwn` if a person requested it. */
  running: { isOwn: boolean; end: Promise<Refreshed> } | null;
  nextAtMs: number | null;
  /** End of the random delay of overdue refreshes; in the past without one. */
  putOffUntilMs: number;
  callOff: () => void;
}

const START = { running: null, nextAtMs: null, putOffUntilMs: Number.NEGATIVE_INFINITY, callOff: () => {} };

export type Schedule = ReturnType<typeof createSchedule>;

/** The scheduled refresh of each family, at an interval from the end of the last one. */
export function createSchedule(options: ScheduleOptions) {
  const context: PoliciesState = { ...options, ...START, due: new Map() };
  return {
    /** Time of the next scheduled refresh; null without one, during a refresh, or without a connection. */
    nextAtMs: (): number | null => context.nextAtMs,
    /** Refreshes everything; joins such a refresh that is under way. */
    refresh: (): Promise<Refreshed> => (context.running?.isOwn ? context.running.end : begin(context, FAMILIES, false)),
    /** Follows a change of settings, connection or refreshes. */
    follow(): void {
      for (const family of FAMILIES) {
        if (options.everyMs(family) !== (context.due.get(family)?.everyMs ?? null)) count(context, family);
      }
      arm(context);
    },
  };
}

function begin(context: PoliciesState, families: readonly Family[], isDue: boolean): Promise<Refreshed> {
  const end = context.refresh(families, isDue).finally(() => {
    if (context.running?.end === end) context.running = null;
    for (const family of families) count(context, family); // from the end, so that a slow one is not followed at once
    arm(context);
  });
  context.running = { isOwn: !isDue, end };
  arm(context);
  return end;
}

/** Begins one refresh for all due families, however often they fell due during sleep or without a connection. */
function beginDue(context: PoliciesState): void {
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
  // The clock was set back: the recorded times are invalid.
  for (const family of FAMILIES) count(context, family);
  context.nextAtMs = null;
  arm(context);
}

function count(context: PoliciesState, family: Family): void {
  const { due, everyMs, ports } = context;
  const ms = everyMs(family);
  context.putOffUntilMs = START.putOffUntilMs;
  if (ms === null) due.delete(family);
  else due.set(family, { everyMs: ms, atMs: ports.nowMs() + ms });
}

/** Sets the timer for the first due family. */
function arm(context: PoliciesState): void {
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

/** Gives the begin of a refresh: its due time, or after a random delay where that is long past. */
function putOff(context: PoliciesState, atMs: number): number {
  const { nowMs, random } = context.ports;
  const lateMs = nowMs() - LATE_MS;
  if (Math.max(atMs, context.putOffUntilMs) < lateMs) {
    context.putOffUntilMs = nowMs() + SHORTEST_DELAY_MS + random() * (LONGEST_DELAY_MS - SHORTEST_DELAY_MS);
  }
  return Math.max(atMs, context.putOffUntilMs);
}
