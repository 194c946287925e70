import { beforeEach, describe, expect, it } from "@jest/globals";
import { debounce } from "../../src/feed/budget";
import { createWaits, type Waits } from "../../src/feed/waits";
import { type Clock, createClock } from "../support/clock";

let clock: Clock;
let waits: Waits;
let late: string[];

beforeEach(() => {
  clock = createClock();
  waits = createWaits(clock.ports, 30_000);
  late = [];
});

function begin(name: string) {
  const waiter = { late: () => void late.push(name) };
  const wait = waits.begin(waiter);
  return () => wait.end(waiter);
}

describe("the waiting cells", () => {
  it("are notified once when they have waited too long", async () => {
    begin("a");
    await clock.advance(29_999);
    expect(late).toEqual([]);
    await clock.advance(1);
    expect(late).toEqual(["a"]);
    await clock.advance(60_000);
    expect(late).toEqual(["a"]);
    expect(waits.size()).toBe(0);
  });

  it("share a timer if they start together, and leave none when the last has ended", () => {
    const ends = Array.from({ length: 14_000 }, (_, index) => begin(String(index)));
    expect(clock.timers()).toBe(1);
    expect(waits.size()).toBe(14_000);
    for (const end of ends) end();
    expect(clock.timers()).toBe(0);
    expect(waits.size()).toBe(0);
  });

  it("are notified at most a tenth of a second early", async () => {
    begin("a");
    await clock.advance(100);
    begin("b");
    await clock.advance(1);
    begin("c");
    await clock.advance(29_899);
    expect(late).toEqual(["a", "b"]);
    await clock.advance(100);
    expect(late).toEqual(["a", "b"]);
    await clock.advance(1);
    expect(late).toEqual(["a", "b", "c"]);
  });

  it("end once, and are not notified afterwards", async () => {
    const [end] = [begin("a"), begin("b")];
    end();
    end();
    expect(waits.size()).toBe(1);
    await clock.advance(30_000);
    expect(late).toEqual(["b"]);
  });

  it("form a new group when a clock is set back", async () => {
    begin("a");
    const nowMs = clock.ports.nowMs;
    clock.ports.nowMs = () => nowMs() - 3_600_000;
    waits = createWaits(clock.ports, 30_000);
    begin("b");
    await clock.advance(30_000);
    expect(late).toEqual(["a", "b"]);
  });

  it("can begin a new wait when they are notified", async () => {
    const waiter = {
      late() {
        late.push("again");
        if (late.length < 3) waits.begin(waiter);
      },
    };
    waits.begin(waiter);
    await clock.advance(90_000);
    expect(late).toHaveLength(3);
  });
});

/** A burst whose calls the test makes, on a clock that runs its timers without a turn of the event loop. */
function startBurst() {
  const given = { queries: 0, isMoreToCome: false, closings: 0 };
  const clock = { nowMs: 0 };
  let timer = { atMs: 0, run: () => {} };
  const after = (delayMs: number, run: () => void) => {
    timer = { atMs: clock.nowMs + delayMs, run };
    return () => {};
  };
  const advance = (byMs: number) => {
    const untilMs = clock.nowMs + byMs;
    for (let before = clock.nowMs; timer.atMs > before && timer.atMs <= untilMs; before = clock.nowMs) {
      clock.nowMs = timer.atMs;
      timer.run();
    }
    clock.nowMs = untilMs;
  };
  const burst = { size: () => given.queries, isMoreToCome: () => given.isMoreToCome };
  debounce({ nowMs: () => clock.nowMs, after }, burst, () => given.closings++);
  return { advance, given };
}

describe("the debounce of a burst", () => {
  it("ends once, four milliseconds after the last call", () => {
    const { advance, given } = startBurst();
    const closings = [3, 4, 1, 60_000].map((byMs, at) => {
      advance(byMs);
      if (at === 0) given.queries++;
      return given.closings;
    });
    expect(closings).toEqual([0, 0, 1, 1]);
  });

  it.each(["calls keep coming", "announced calls never come"])("ends after ten seconds at most if %s", (why) => {
    const { advance, given } = startBurst();
    given.isMoreToCome = why === "announced calls never come";
    for (let ms = 0; ms < 10_000; ms += 4) {
      expect(given.closings).toBe(0);
      if (!given.isMoreToCome) given.queries++;
      advance(4);
    }
    expect(given.closings).toBe(1);
  });
});
