import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { createFairQueue, LONGEST_QUEUE, MOST_AT_ONCE } from "../../../src/companion/reads/shared/fair-queue";
import { createSubscribers } from "../../../src/companion/reads/shared/single-flight";

/** Lets scheduled tasks start. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

afterEach(() => void jest.useRealTimers());

describe("single queries", () => {
  it("run a few at a time and fairly: a reader of hundreds does not delay a reader of one", async () => {
    const fairQueue = createFairQueue();
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const request = (who: string) =>
      fairQueue.run(who, () => {
        begun.push(who);
        return new Promise<void>((resolve) => void ends.push(resolve));
      });
    const all = Array.from({ length: LONGEST_QUEUE }, () => request("many"));
    all.push(request("few"));
    await settle();
    expect(begun).toEqual(Array.from({ length: MOST_AT_ONCE }, () => "many"));
    ends[0]!();
    ends[1]!();
    await settle();
    expect(begun.slice(MOST_AT_ONCE).sort()).toEqual(["few", "many"]);
    for (let next = 2; next < all.length; next++) {
      ends[next]!();
      await settle();
    }
    await Promise.all(all);
    expect(begun).toHaveLength(all.length);
  });

  it("are refused to a reader with many waiting, and to no other", async () => {
    const fairQueue = createFairQueue();
    const begun: string[] = [];
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const request = (who: string) =>
      fairQueue.run(who, () => {
        begun.push(who);
        return ended;
      });
    const all = Array.from({ length: MOST_AT_ONCE + LONGEST_QUEUE }, () => request("many"));
    await expect(request("many")).rejects.toMatchObject({ statusCode: 429, retryAfterSeconds: 20 });
    all.push(request("few"));
    end();
    await Promise.all(all);
    expect(begun.filter((who) => who === "many")).toHaveLength(MOST_AT_ONCE + LONGEST_QUEUE);
    await request("many");
  });

  it("fail after ten seconds of waiting, with a retry time", async () => {
    jest.useFakeTimers({ doNotFake: ["setImmediate"] });
    const fairQueue = createFairQueue();
    const begun: string[] = [];
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const before = Array.from({ length: MOST_AT_ONCE }, () => fairQueue.run("a", () => ended));
    const late = fairQueue.run("b", async () => void begun.push("b"));
    const [settled] = [Promise.allSettled([late]), jest.advanceTimersByTime(10_000)];
    expect(await settled).toMatchObject([{ reason: { statusCode: 429, retryAfterSeconds: 6 } }]);
    end();
    await Promise.all(before);
    await fairQueue.run("c", async () => void begun.push("c"));
    expect(begun).toEqual(["c"]);
  });

  it("use no slot for a reader that joins one already given up", async () => {
    jest.useFakeTimers({ doNotFake: ["setImmediate"] });
    const fairQueue = createFairQueue();
    const ends: (() => void)[] = [];
    const work = () => new Promise<void>((resolve) => void ends.push(resolve));
    const before = Array.from({ length: MOST_AT_ONCE }, () => fairQueue.run("a", work));
    const arrivals = createSubscribers();
    const late = fairQueue.run("b", work, arrivals).catch(() => {});
    jest.advanceTimersByTime(10_000);
    arrivals.add("c");
    await late;
    for (const end of ends.splice(0)) end();
    await Promise.all(before);
    const after = Array.from({ length: MOST_AT_ONCE }, () => fairQueue.run("d", work));
    await settle();
    expect(ends).toHaveLength(MOST_AT_ONCE);
    for (const end of ends) end();
    await Promise.all(after);
  });

  it("release their slot when they fail", async () => {
    const fairQueue = createFairQueue();
    const failing = Array.from({ length: 2 * MOST_AT_ONCE }, () =>
      fairQueue.run("a", () => Promise.reject(new Error("no"))),
    );
    expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(failing.map(() => "rejected"));
    expect(await fairQueue.run("a", async () => 1)).toBe(1);
  });
});
