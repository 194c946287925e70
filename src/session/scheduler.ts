import type { Ports } from "../client/ports";

/** Work of a formula. */
export interface Task {
  run(): void;
}

/**
 * Has formulas take turns with the page: a workbook opens with thousands of them in one message of the host, and
 * what they do in one go would keep the page from everything else.
 */
export interface Scheduler {
  /** Does a job: at once where this turn has time left, else in a later one, after those that wait already. */
  take(task: Task): void;
  /** Does it once no job waits, and a moment later where more of the kind are about to come. */
  finish(task: Task): void;
  /** Whether jobs wait for their turn. */
  areWaiting(): boolean;
}

/** How long formulas work in one go. */
const SLICE_MS = 20;

/** However long they take, a few are never put off. */
const TASKS_AT_LEAST = 20;

/** Work that comes after a longer time without any begins a turn of its own. */
const REST_MS = 4;

/**
 * Once it has taken some results in, the host takes no others for up to half a second: those that come a moment after
 * the first, as other parts of one answer do, are handed over together with them.
 */
const MOMENT_MS = 30;

interface SchedulerOptions {
  ports: Pick<Ports, "nowMs" | "after">;
  /** Whether results are about to come besides those that are there. */
  isMoreToShow: () => boolean;
}

export function createScheduler(options: SchedulerOptions): Scheduler {
  return new TaskScheduler(options);
}

class TaskScheduler implements Scheduler {
  /** Jobs to be done, and those that come after all of them. */
  readonly #waiting = createQueue();
  readonly #last = createQueue();
  #isRunning = false;
  /** Whether a turn is arranged. */
  #isDue = false;
  /** Calls off the wait for others that are to be finished. */
  #endMoment: (() => void) | null = null;
  #isMomentOver = false;
  /** When the turn began, when a job of it ended last, and how many have. */
  #beganAtMs = 0;
  #workedAtMs = 0;
  #done = 0;

  constructor(private readonly options: SchedulerOptions) {}

  take(task: Task): void {
    const atMs = this.options.ports.nowMs();
    // What comes after a rest begins another turn; so does what comes after a clock was set.
    if (Math.abs(atMs - this.#workedAtMs) > REST_MS) this.#begin(atMs);
    if (this.#isRunning || this.areWaiting() || this.#isOver()) this.#wait(this.#waiting, task);
    else this.#run(task);
  }

  finish(task: Task): void {
    const isLast = this.#isRunning || this.areWaiting() || this.#last.size() > 0 || this.options.isMoreToShow();
    if (isLast) this.#wait(this.#last, task);
    else task.run();
  }

  areWaiting(): boolean {
    return this.#waiting.size() > 0;
  }

  #begin(atMs: number): void {
    this.#beganAtMs = atMs;
    this.#workedAtMs = atMs;
    this.#done = 0;
  }

  #run(task: Task): void {
    this.#done++;
    task.run();
    this.#workedAtMs = this.options.ports.nowMs();
  }

  #isOver(): boolean {
    return this.#done >= TASKS_AT_LEAST && Math.abs(this.#workedAtMs - this.#beganAtMs) >= SLICE_MS;
  }

  #wait(queue: Queue, task: Task): void {
    queue.add(task);
    if (!this.#isRunning) this.#arrange();
  }

  /** Sees to it that what is left is done in its time. */
  #arrange(): void {
    const { after } = this.options.ports;
    if (this.#isDue) return;
    if (this.areWaiting() || this.#mayFinish()) {
      this.#isDue = true;
      after(0, () => this.#goOn());
    } else if (this.#last.size() > 0) this.#endMoment ??= after(MOMENT_MS, () => this.#letFinish());
    else {
      this.#endMoment?.();
      this.#endMoment = null;
      this.#isMomentOver = false;
    }
  }

  #mayFinish(): boolean {
    return this.#last.size() > 0 && (this.#isMomentOver || !this.options.isMoreToShow());
  }

  #letFinish(): void {
    this.#endMoment = null;
    this.#isMomentOver = true;
    this.#arrange();
  }

  #goOn(): void {
    this.#isDue = false;
    this.#isRunning = true;
    this.#begin(this.options.ports.nowMs());
    try {
      while (this.areWaiting() && !this.#isOver()) this.#run(this.#waiting.take());
      while (!this.areWaiting() && this.#mayFinish() && !this.#isOver()) this.#run(this.#last.take());
    } finally {
      this.#isRunning = false;
      this.#arrange();
    }
  }
}

type Queue = ReturnType<typeof createQueue>;

/** First in, first out, at a cost that does not grow with those that wait. */
function createQueue() {
  let tasks: Task[] = [];
  let next = 0;
  return {
    add: (task: Task) => void tasks.push(task),
    /** @returns the first; there must be one */
    take(): Task {
      const task = tasks[next++] as Task;
      if (next === tasks.length) {
        tasks = [];
        next = 0;
      }
      return task;
    },
    size: () => tasks.length - next,
  };
}
