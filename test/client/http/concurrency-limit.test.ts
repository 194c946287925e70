import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createConcurrencyLimit } from "../../../src/client/http/concurrency-limit";
import { drain } from "../../support/clock";

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
    await fc.assert(
      fc.asyncProperty(
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
      ),
      { seed: 2, numRuns: 200 },
    );
  });
});
