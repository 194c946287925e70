import type { Ports } from "../feed/ports";

/** Work of a formula. */
export interface Job {
  run(): void;
}

/**
 * Has formulas take turns with the page: a workbook opens with thousands of them in one message of the host, and
 * what they do in one go would keep the page from everything else.
 */
export interface Turns {
  /** Does a job: at once where this turn has time left, else in a later one, after those that wait already. */
  take(job: Job): void;
  /** Does it once no job waits, and a moment later where more of the kind are about to come. */
  finish(job: Job): void;
  /** Whether jobs wait for their turn. */
  areWaiting(): boolean;
}

/** How long formulas work in one go. */
const TURN_MS = 20;

/** However long they take, a few are never put off. */
const JOBS_AT_LEAST = 20;

/** Work that comes after a longer time without any begins a turn of its own. */
const REST_MS = 4;

/**
 * Once it has taken some results in, the host takes no others for up to half a second: those that come a moment after
 * the first, as other parts of one answer do, are handed over together with them.
 */
const MOMENT_MS = 30;

export interface TurnsOptions {
  ports: Pick<Ports, "nowMs" | "after">;
  /** Whether results are about to come besides those that are there. */
  isMoreToShow: () => boolean;
}

interface Context extends TurnsOptions {
  /** Jobs to be done, and those that come after all of them. */
  waiting: Queue;
  last: Queue;
  turn: ReturnType<typeof createTurn>;
  isRunning: boolean;
  /** Whether a turn is arranged. */
  isDue: boolean;
  /** Calls off the wait for others that are to be finished. */
  endMoment: (() => void) | null;
  isMomentOver: boolean;
}

export function createTurns(options: TurnsOptions): Turns {
  const { nowMs } = options.ports;
  const [waiting, last, turn] = [createQueue(), createQueue(), createTurn(nowMs)];
  const nothing = { isRunning: false, isDue: false, endMoment: null, isMomentOver: false };
  const context: Context = { ...options, waiting, last, turn, ...nothing };
  return {
    take(job) {
      turn.join(nowMs());
      if (context.isRunning || waiting.size() > 0 || turn.isOver()) wait(context, waiting, job);
      else turn.run(job);
    },
    finish(job) {
      const isLast = context.isRunning || waiting.size() + last.size() > 0 || options.isMoreToShow();
      if (isLast) wait(context, last, job);
      else job.run();
    },
    areWaiting: () => waiting.size() > 0,
  };
}

function wait(context: Context, queue: Queue, job: Job): void {
  queue.add(job);
  if (!context.isRunning) arrange(context);
}

/** Sees to it that what is left is done in its time. */
function arrange(context: Context): void {
  const { ports, waiting, last } = context;
  if (context.isDue) return;
  if (waiting.size() > 0 || mayFinish(context)) {
    context.isDue = true;
    ports.after(0, () => goOn(context));
  } else if (last.size() > 0) context.endMoment ??= ports.after(MOMENT_MS, () => letFinish(context));
  else {
    context.endMoment?.();
    context.endMoment = null;
    context.isMomentOver = false;
  }
}

const mayFinish = ({ last, isMomentOver, isMoreToShow }: Context): boolean =>
  last.size() > 0 && (isMomentOver || !isMoreToShow());

function letFinish(context: Context): void {
  context.endMoment = null;
  context.isMomentOver = true;
  arrange(context);
}

function goOn(context: Context): void {
  const { ports, waiting, last, turn } = context;
  context.isDue = false;
  context.isRunning = true;
  turn.begin(ports.nowMs());
  try {
    while (waiting.size() > 0 && !turn.isOver()) turn.run(waiting.take());
    while (waiting.size() === 0 && mayFinish(context) && !turn.isOver()) turn.run(last.take());
  } finally {
    context.isRunning = false;
    arrange(context);
  }
}

/** Tells how long formulas have worked without a rest. */
function createTurn(nowMs: () => number) {
  let beganAtMs = 0;
  let workedAtMs = 0;
  let done = 0;
  const begin = (atMs: number) => {
    beganAtMs = atMs;
    workedAtMs = atMs;
    done = 0;
  };
  return {
    begin,
    /** What comes after a rest begins another turn; so does what comes after a clock was set. */
    join(atMs: number) {
      if (Math.abs(atMs - workedAtMs) > REST_MS) begin(atMs);
    },
    run(job: Job) {
      done++;
      job.run();
      workedAtMs = nowMs();
    },
    isOver: () => done >= JOBS_AT_LEAST && Math.abs(workedAtMs - beganAtMs) >= TURN_MS,
  };
}

type Queue = ReturnType<typeof createQueue>;

/** First in, first out, at a cost that does not grow with those that wait. */
function createQueue() {
  let jobs: Job[] = [];
  let next = 0;
  return {
    add: (job: Job) => void jobs.push(job),
    /** @returns the first; there must be one */
    take(): Job {
      const job = jobs[next++] as Job;
      if (next === jobs.length) {
        jobs = [];
        next = 0;
      }
      return job;
    },
    size: () => jobs.length - next,
  };
}
