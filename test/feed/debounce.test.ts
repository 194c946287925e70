import { describe, expect, it } from "@jest/globals";
import { debounce } from "../../src/feed/debounce";
import { createClock } from "../support/clock";

/** A burst whose calls the test makes. */
function start() {
  const clock = createClock();
  const given = { queries: 0, isMoreToCome: false, closings: 0 };
  const burst = { size: () => given.queries, isMoreToCome: () => given.isMoreToCome };
  debounce(clock.ports, burst, () => given.closings++);
  return { clock, given };
}

describe("the debounce of a burst", () => {
  it("ends once, four milliseconds after the last call", async () => {
    const { clock, given } = start();
    await clock.advance(3);
    given.queries++;
    await clock.advance(4);
    expect(given.closings).toBe(0);
    await clock.advance(1);
    expect(given.closings).toBe(1);
    await clock.advance(60_000);
    expect(given.closings).toBe(1);
  });

  it("continues while more calls are announced", async () => {
    const { clock, given } = start();
    given.isMoreToCome = true;
    await clock.advance(1_000);
    expect(given.closings).toBe(0);
    given.isMoreToCome = false;
    await clock.advance(4);
    expect(given.closings).toBe(1);
  });

  it.each(["calls keep coming", "announced calls never come"])("ends after ten seconds at most if %s", async (why) => {
    const { clock, given } = start();
    given.isMoreToCome = why === "announced calls never come";
    for (let ms = 0; ms < 9_996; ms += 4) {
      given.queries++;
      await clock.advance(4);
    }
    expect(given.closings).toBe(0);
    given.queries++;
    await clock.advance(4);
    expect(given.closings).toBe(1);
  });
});
