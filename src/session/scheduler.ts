import type { Ports } from "../client/ports";

/** Work of a formula. */
export interface Task {
  run(): void;
}

/**
 * Runs the formulas' tasks in time slices: a workbook opens with thousands of formulas in one message of the host, which
 * would otherwise block the page.
 */
export interface Scheduler {
  /** Runs a task at once if the slice has time left, else in a later slice, in order. */
  take(task: Task): void;
  /** Runs a task after all others, and a moment later where more results are about to come. */
  finish(task: Task): void;
  /** Whether tasks are queued. */
  areWaiting(): boolean;
}

/** Length of a slice. */
const SLICE_MS = 20;

/** A slice runs so many tasks, however long they take. */
const TASKS_AT_LEAST = 20;

/** A task after a longer pause begins a new slice. */
const REST_MS = 4;

/**
 * After taking some results, the host takes no others for up to half a second: results that come within this time, like
 * other parts of one answer, go to it together.
 */
const MOMENT_MS = 30;

interface SchedulerOptions {
  ports: Pick<Ports, "nowMs" | "after">;
  /** Whether further results are about to come. */
  isMoreToShow: () => boolean;
}

export function createScheduler(options: SchedulerOptions): Scheduler {
  return new TaskScheduler(options);
}

class TaskScheduler implements Scheduler {
  readonly #waiting = createQueue();
  /** Tasks that run after all others. */
  readonly #last = createQueue();
  #isRunning = false;
  /** Whether a slice is scheduled. */
  #isDue = false;
  /** Cancels the wait for further results. */
  #endMoment: (() => void) | null = null;
  #isMomentOver = false;
  /** Begin of the slice, end of its last task, and number of its tasks. */
  #beganAtMs = 0;
  #workedAtMs = 0;
  #done = 0;

  constructor(private readonly options: SchedulerOptions) {}

  take(task: Task): void {
    const atMs = this.options.ports.nowMs();
    // A pause begins a new slice; so does a clock that was set.
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

  /** Schedules the next slice for the queued tasks. */
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

/** Makes a first-in, first-out queue whose cost does not grow with its length. */
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
