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
  /** Runs a task after all others: the host collects results from the first on. */
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

export function createScheduler(ports: SchedulerPorts): Scheduler {
  return new TaskScheduler(ports);
}

type SchedulerPorts = Pick<Ports, "nowMs" | "after">;

class TaskScheduler implements Scheduler {
  readonly #waiting = createQueue();
  /** Tasks that run after all others. */
  readonly #last = createQueue();
  #isRunning = false;
  /** Whether a slice is scheduled. */
  #isDue = false;
  /** Begin of the slice, end of its last task, and number of its tasks. */
  #beganAtMs = 0;
  #workedAtMs = 0;
  #done = 0;

  constructor(private readonly ports: SchedulerPorts) {}

  take(task: Task): void {
    const atMs = this.ports.nowMs();
    // A pause begins a new slice; so does a clock that was set.
    if (Math.abs(atMs - this.#workedAtMs) > REST_MS) this.#begin(atMs);
    if (this.#isRunning || this.areWaiting() || this.#isOver()) this.#wait(this.#waiting, task);
    else this.#runNow(task);
  }

  finish(task: Task): void {
    if (this.#isRunning || this.areWaiting() || this.#last.size() > 0) this.#wait(this.#last, task);
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

  /** Runs a task, and what it queues, as long as the slice has time left. */
  #runNow(task: Task): void {
    this.#isRunning = true;
    try {
      this.#run(task);
      this.#runQueued();
    } finally {
      this.#isRunning = false;
      this.#arrange();
    }
  }

  #runQueued(): void {
    while (this.areWaiting() && !this.#isOver()) this.#run(this.#waiting.take());
    while (!this.areWaiting() && this.#last.size() > 0 && !this.#isOver()) this.#run(this.#last.take());
  }

  #run(task: Task): void {
    this.#done++;
    task.run();
    this.#workedAtMs = this.ports.nowMs();
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
    if (this.#isDue || (!this.areWaiting() && this.#last.size() === 0)) return;
    this.#isDue = true;
    this.ports.after(0, () => this.#goOn());
  }

  #goOn(): void {
    this.#isDue = false;
    this.#isRunning = true;
    this.#begin(this.ports.nowMs());
    try {
      this.#runQueued();
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
