import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { RequestError } from "../../../src/client/errors";
import { createConcurrencyLimit } from "../../../src/client/http";
import { openDeadline } from "../../../src/client/http/deadline";
import { createPorts } from "../../../src/client/ports";
import { createClock, drain } from "../../support/clock";

const never = () => new Promise<never>(() => {});

describe("a deadline", () => {
  it("rejects a promise that never settles with FEED_TIMED_OUT, to the millisecond", async () => {
    const clock = createClock();
    const deadline = openDeadline(clock.ports, 30_000);
    let reason: unknown;
    deadline.race(never()).catch((error) => {
      reason = error;
    });
    await clock.advance(29_999);
    expect([reason, deadline.signal.aborted, deadline.remainingMs()]).toEqual([undefined, false, 1]);
    await clock.advance(1);
    expect(reason).toMatchObject({ code: "FEED_TIMED_OUT", message: "no answer within 30 seconds; refresh later" });
    expect(deadline.signal.reason).toBeInstanceOf(RequestError);
  });

  it("ends with its caller, for the caller's own reason", async () => {
    const caller = new AbortController();
    const deadline = openDeadline(createClock().ports, 1_000, caller.signal);
    const ended = deadline.race(never());
    caller.abort("gone");
    await expect(ended).rejects.toBe("gone");
    await expect(openDeadline(createClock().ports, 1_000, caller.signal).race(never())).rejects.toBe("gone");
  });

  it("stops while a request waits for a slot, and continues with the rest", async () => {
    const clock = createClock();
    const deadline = openDeadline(clock.ports, 1_000);
    await clock.advance(400);
    let take = () => {};
    const slot = deadline.awaitSlot(new Promise<void>((resolve) => (take = resolve)));
    expect(clock.timers()).toBe(0);
    await clock.advance(3_600_000);
    take();
    await slot;
    expect(deadline.remainingMs()).toBe(600);
    await clock.advance(600);
    expect(deadline.signal.reason).toMatchObject({ code: "FEED_TIMED_OUT" });
  });

  it("has its full time again after a restart, but not once it has ended", async () => {
    const clock = createClock();
    const deadline = openDeadline(clock.ports, 1_000);
    await clock.advance(999);
    deadline.restart();
    await clock.advance(999);
    expect([deadline.signal.aborted, deadline.remainingMs(), clock.timers()]).toEqual([false, 1, 1]);
    await clock.advance(1);
    deadline.restart();
    expect([deadline.signal.aborted, clock.timers()]).toEqual([true, 0]);
  });

  it("ends the wait for a slot with its caller, and leaves no timer", async () => {
    const clock = createClock();
    const caller = new AbortController();
    const deadline = openDeadline(clock.ports, 1_000, caller.signal);
    const slot = deadline.awaitSlot(never());
    caller.abort("gone");
    await expect(slot).rejects.toBe("gone");
    deadline.close();
    expect(clock.timers()).toBe(0);
  });

  it("leaves neither timer nor listener once closed", async () => {
    const clock = createClock();
    const caller = new AbortController();
    const deadline = openDeadline(clock.ports, 1_000, caller.signal);
    expect(clock.timers()).toBe(1);
    deadline.close();
    expect(clock.timers()).toBe(0);
    caller.abort("gone");
    expect(deadline.signal.aborted).toBe(false);
  });
});

const alive = () => new AbortController().signal;

describe("a concurrency limit", () => {
  it("admits as many as its limit, and the others in order", async () => {
    const limit = createConcurrencyLimit(2);
    const entered: number[] = [];
    const leaves = new Map<number, () => void>();
    for (const name of [1, 2, 3, 4]) {
      void limit.acquire(alive()).then((leave) => {
        entered.push(name);
        leaves.set(name, leave);
      });
    }
    await drain();
    expect(entered).toEqual([1, 2]);
    leaves.get(2)?.();
    leaves.get(2)?.();
    await drain();
    expect(entered).toEqual([1, 2, 3]);
    leaves.get(1)?.();
    await drain();
    expect(entered).toEqual([1, 2, 3, 4]);
  });

  it("rejects an aborted caller with its reason", async () => {
    await expect(createConcurrencyLimit(1).acquire(AbortSignal.abort("gone"))).rejects.toBe("gone");
  });

  it("never exceeds its limit, and never leaves a free slot unused", async () => {
    const law = fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.constantFrom("enter", "leave", "abort"), { maxLength: 60 }),
      async (width, steps) => {
        const limit = createConcurrencyLimit(width);
        const inside: (() => void)[] = [];
        const waiting = new Map<number, AbortController>();
        for (const [id, step] of steps.entries()) {
          if (step === "leave") inside.pop()?.();
          else if (step === "abort") [...waiting.values()].pop()?.abort();
          else {
            const controller = new AbortController();
            waiting.set(id, controller);
            limit.acquire(controller.signal).then(
              (leave) => {
                waiting.delete(id);
                inside.push(leave);
              },
              () => waiting.delete(id),
            );
          }
          for (let step = 0; step < 6; step++) await Promise.resolve();
          expect(inside.length).toBeLessThanOrEqual(width);
          if (waiting.size > 0) expect(inside).toHaveLength(width);
        }
      },
    );
    await fc.assert(law, { seed: 2, numRuns: 200 });
  });
});

it("a delay longer than a browser's timers allow does not fire at once", async () => {
  const { after } = createPorts();
  const first = await new Promise<string>((resolve) => {
    const callOff = after(30 * 86_400_000, () => resolve("in a month"));
    after(5, () => {
      callOff();
      resolve("in a moment");
    });
  });
  expect(first).toBe("in a moment");
});
