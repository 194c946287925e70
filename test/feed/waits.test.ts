import { beforeEach, describe, expect, it } from "@jest/globals";
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
