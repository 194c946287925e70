import { describe, expect, it } from "@jest/globals";
import { debounce } from "../../src/feed/debounce";

/** A burst whose calls the test makes, on a clock that runs its timers without a turn of the event loop. */
function start() {
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
    const { advance, given } = start();
    const closings = [3, 4, 1, 60_000].map((byMs, at) => {
      advance(byMs);
      if (at === 0) given.queries++;
      return given.closings;
    });
    expect(closings).toEqual([0, 0, 1, 1]);
  });

  it("continues while more calls are announced", () => {
    const { advance, given } = start();
    given.isMoreToCome = true;
    advance(1_000);
    expect(given.closings).toBe(0);
    given.isMoreToCome = false;
    advance(4);
    expect(given.closings).toBe(1);
  });

  it.each(["calls keep coming", "announced calls never come"])("ends after ten seconds at most if %s", (why) => {
    const { advance, given } = start();
    given.isMoreToCome = why === "announced calls never come";
    for (let ms = 0; ms < 10_000; ms += 4) {
      expect(given.closings).toBe(0);
      if (!given.isMoreToCome) given.queries++;
      advance(4);
    }
    expect(given.closings).toBe(1);
  });
});
