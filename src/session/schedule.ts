import type { Ports } from "../feed/ports";
import type { Refreshed } from "../feed/watch";
import type { RefreshMinutes } from "./settings";

/** When everything was last asked again, and when it will be next. */
export interface ScheduleState {
  /** Whether that is under way. */
  isRunning: boolean;
  /** How the last time ended, and when; null before the first. */
  last: (Refreshed & { atMs: number }) | null;
  /** When the next time begins by itself; null while it is off or under way, and without a connection. */
  nextAtMs: number | null;
}

/** Refreshes everything now, and by itself each so many minutes after the last time. */
export interface Schedule {
  state(): ScheduleState;
  /** Asks everything again; whoever comes while that is under way waits for the same. */
  refresh(): Promise<Refreshed>;
  /** Follows the settings and the connection, after either has changed. */
  follow(): void;
}

export interface ScheduleOptions {
  ports: Pick<Ports, "nowMs" | "after">;
  /** Asks everything again. */
  refresh: () => Promise<Refreshed>;
  minutes: () => RefreshMinutes;
  isConnected: () => boolean;
  /** Is called after each change of state. */
  tell: () => void;
}

interface Context extends ScheduleOptions {
  state: ScheduleState;
  running: Promise<Refreshed> | null;
  /** The minutes that `dueAtMs` goes by. */
  followed: RefreshMinutes;
  /** When the next time is due, connected or not. */
  dueAtMs: number | null;
  callOff: () => void;
}

const MINUTE_MS = 60_000;

/** Makes a schedule that has nothing to do yet. */
export function createSchedule(options: ScheduleOptions): Schedule {
  const context: Context = {
    ...options,
    state: { isRunning: false, last: null, nextAtMs: null },
    running: null,
    followed: 0,
    dueAtMs: null,
    callOff: () => {},
  };
  return {
    state: () => context.state,
    refresh: () => refresh(context),
    follow() {
      const minutes = options.minutes();
      if (minutes !== context.followed) {
        context.followed = minutes;
        context.dueAtMs = toDue(context);
      }
      arm(context);
    },
  };
}

function refresh(context: Context): Promise<Refreshed> {
  context.running ??= run(context);
  return context.running;
}

async function run(context: Context): Promise<Refreshed> {
  context.callOff();
  move(context, { isRunning: true, nextAtMs: null });
  try {
    const refreshed = await context.refresh();
    move(context, { last: { ...refreshed, atMs: context.ports.nowMs() } });
    return refreshed;
  } finally {
    context.running = null;
    context.dueAtMs = toDue(context); // counted from the end, so that a slow one is not followed at once by the next
    move(context, { isRunning: false });
    arm(context);
  }
}

/** Sets the timer for what is due; what fell due without a connection begins as soon as there is one. */
function arm(context: Context): void {
  const { ports, dueAtMs, state } = context;
  const nextAtMs = !state.isRunning && context.isConnected() ? dueAtMs : null;
  if (nextAtMs === state.nextAtMs) return;
  context.callOff();
  if (nextAtMs !== null) {
    context.callOff = ports.after(Math.max(0, nextAtMs - ports.nowMs()), () => void refresh(context));
  }
  move(context, { nextAtMs });
}

const toDue = ({ followed, ports }: Context): number | null =>
  followed === 0 ? null : ports.nowMs() + followed * MINUTE_MS;

function move(context: Context, changed: Partial<ScheduleState>): void {
  context.state = { ...context.state, ...changed };
  context.tell();
}
