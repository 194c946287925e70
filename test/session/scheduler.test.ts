import { beforeEach, describe, expect, it } from "@jest/globals";
import { createScheduler, type Scheduler } from "../../src/session/scheduler";
import { type Clock, createClock } from "../support/clock";

let clock: Clock;
let scheduler: Scheduler;
let spentMs: number;
let done: string[];

beforeEach(() => {
  clock = createClock();
  spentMs = 0;
  done = [];
  const ports = { ...clock.ports, nowMs: () => clock.nowMs() + spentMs };
  scheduler = createScheduler(ports);
});

const task = (name: string, costMs = 0) => ({
  run() {
    done.push(name);
    spentMs += costMs;
  },
});
const takeMany = (count: number, costMs: number) => {
  for (let index = 0; index < count; index++) scheduler.take(task(`${index}`, costMs));
};

describe("the scheduler", () => {
  it("runs tasks that take no time at once, whatever their number", () => {
    takeMany(14_000, 0);
    expect(done).toHaveLength(14_000);
    expect(clock.timers()).toBe(0);
  });

  it("yields to the page after 20 ms of work, then continues in order", async () => {
    takeMany(100, 1);
    expect(done).toHaveLength(20);
    expect(scheduler.areWaiting()).toBe(true);
    await clock.advance(0);
    expect(done).toEqual(Array.from({ length: 100 }, (_, index) => `${index}`));
    expect(scheduler.areWaiting()).toBe(false);
  });

  it("runs the first twenty tasks without a yield, however long they take", () => {
    takeMany(30, 50);
    expect(done).toHaveLength(20);
  });

  it("starts a new time slice after a pause", async () => {
    takeMany(20, 1);
    await clock.advance(5);
    takeMany(20, 1);
    expect(done).toHaveLength(40);
  });

  it("runs a task added by another task after those already waiting", async () => {
    takeMany(20, 1);
    scheduler.take({ run: () => scheduler.take(task("asked for later")) });
    scheduler.take(task("waits"));
    await clock.advance(0);
    expect(done.slice(20)).toEqual(["waits", "asked for later"]);
  });

  it("continues after a task that throws", async () => {
    takeMany(20, 1);
    const thrown: unknown[] = [];
    scheduler.take({
      run() {
        throw new Error("broken");
      },
    });
    scheduler.take(task("after it"));
    await clock.advance(0).catch((error) => thrown.push(error));
    await clock.advance(0);
    expect(thrown).toHaveLength(1);
    expect(done.at(-1)).toBe("after it");
  });
});

describe("a finished result", () => {
  it("is delivered at once when no task waits", () => {
    scheduler.finish(task("result"));
    expect(done).toEqual(["result"]);
  });

  it("is delivered with the others once no task waits", async () => {
    const show = (name: string) => ({
      run() {
        done.push(`work ${name}`);
        spentMs += 1;
        scheduler.finish(task(`result ${name}`));
      },
    });
    takeMany(20, 1);
    for (const name of ["a", "b", "c"]) scheduler.take(show(name));
    await clock.advance(0);
    expect(done.slice(20)).toEqual(["work a", "work b", "work c", "result a", "result b", "result c"]);
  });
});
