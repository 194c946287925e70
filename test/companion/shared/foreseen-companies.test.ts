import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { MOST_AT_ONCE } from "../../../src/companion/reads/shared/fair-queue";
import { createTested, LARGEST, range, settle, toOutcome } from "./batcher-bench";

afterEach(() => void jest.useRealTimers());

describe("companies of a long queue", () => {
  it("fail after ten seconds of waiting with a retry time, and keep their place for the retry", async () => {
    jest.useFakeTimers({ doNotFake: ["setImmediate"] });
    const { sent, batcher, pass } = createTested();
    for (const nth of range(MOST_AT_ONCE * LARGEST)) void batcher.request(2023, `before-${nth}`, "a");
    await settle();
    const first = batcher.request(2023, "late", "b");
    jest.advanceTimersByTime(10_000);
    expect(await first).toMatchObject({
      of: "everybody",
      said: { statusCode: 429, code: "FEED_RATE_LIMITED", retryAfterSeconds: 6 },
    });
    sent[0]!.answer();
    await settle();
    pass(1000);
    jest.advanceTimersByTime(25);
    await settle();
    expect(sent.slice(MOST_AT_ONCE).map(({ keys }) => keys)).toEqual([["late"]]);
    const again = batcher.request(2023, "late", "b");
    sent[MOST_AT_ONCE]!.answer();
    expect(await again).toMatchObject({ is: "found" });
    expect(sent).toHaveLength(MOST_AT_ONCE + 1);
  });

  it("fail at once if the queue is foreseen to take longer, with that time, and keep their place", async () => {
    const { sent, batcher, pass } = createTested();
    const many = range(100 * LARGEST).map((nth) => batcher.request(2023, `many-${nth}`, "many"));
    await settle();
    for (let chunk = 0; chunk < 10; chunk++) {
      pass(500);
      sent[chunk]!.answer();
      await settle();
    }
    // Of 2500 companies 16 chunks are taken: the rest lasts 42 s, and one company of another reader comes next.
    expect(await batcher.request(2023, "more", "many")).toMatchObject({
      of: "everybody",
      said: { statusCode: 429, code: "FEED_RATE_LIMITED", retryAfterSeconds: 10 },
    });
    const next = batcher.request(2023, "one", "few");
    await settle();
    sent[10]!.answer();
    await settle();
    expect(sent[MOST_AT_ONCE + 10]!.keys).toContain("one");
    sent[MOST_AT_ONCE + 10]!.answer();
    expect(await next).toMatchObject({ is: "found" });
    expect(batcher.isWaiting(2023, "more", "many")).toBe(true);
    for (let chunk = 11; chunk < sent.length; chunk++) {
      if (chunk !== MOST_AT_ONCE + 10) sent[chunk]!.answer();
      await settle();
    }
    expect(await many.at(-1)).toMatchObject({ is: "found" });
  });

  it("are foreseen by their place, and asked for again a little before their time", async () => {
    const { sent, batcher, pass } = createTested();
    for (const nth of range(100 * LARGEST)) void batcher.request(2023, `${nth}`, "many");
    await settle();
    for (let chunk = 0; chunk < 10; chunk++) {
      pass(500);
      sent[chunk]!.answer();
      await settle();
    }
    // Sixteen chunks are taken, and half a second passes between two.
    const lastOf = (chunk: number) => `${chunk * LARGEST - 1}`;
    const foresee = (...companyIds: string[]) => batcher.foresee(2023, companyIds, "many", 10_000);
    expect(foresee(lastOf(16 + 20))).toBeUndefined();
    expect(foresee(lastOf(16 + 20), lastOf(16 + 24))).toMatchObject({ said: { retryAfterSeconds: 7 } });
    expect(foresee(lastOf(100))).toMatchObject({ said: { retryAfterSeconds: 10 } });
    // One under way will come.
    expect(foresee(lastOf(16))).toBeUndefined();
    // One that nobody has queued comes last of its reader's.
    expect(foresee("new")).toMatchObject({ said: { retryAfterSeconds: 10 } });
    expect(batcher.foresee(2023, ["new"], "another", 10_000)).toBeUndefined();
  });

  it("are foreseen by the provider's limit before any has come", () => {
    const { batcher } = createTested({ fastestMs: 100 });
    const companyIds = range(102 * LARGEST).map(String);
    expect(batcher.foresee(2023, companyIds.slice(0, 101 * LARGEST), "ann", 10_000)).toBeUndefined();
    expect(batcher.foresee(2023, companyIds, "ann", 10_000)).toMatchObject({ said: { retryAfterSeconds: 6 } });
  });

  it("count once in what is foreseen, however many readers queue them", () => {
    const { batcher } = createTested({ fastestMs: 100 });
    const companyIds = range(20 * LARGEST).map(String);
    for (const reader of range(50)) batcher.queueUp(2023, companyIds, `reader ${reader}`);
    expect(batcher.foresee(2023, companyIds, "ann", 1_900)).toBeUndefined();
    expect(batcher.foresee(2023, ["new"], "reader 0", 1_900)).toMatchObject({ is: "failed" });
  });

  it("tell a reader who was not there what came other than data, once", async () => {
    const { sent, batcher, pass } = createTested({ fastestMs: 1_000 });
    const companyIds = range(11 * LARGEST + 1).map(String);
    pass(1);
    batcher.queueUp(2023, companyIds, "ann");
    batcher.queueUp(2023, ["0"], "ben");
    await settle();
    sent[0]!.answer({ is: "absent", atMs: 0 });
    await settle();
    const keys = sent[0]!.keys;
    expect(keys).toContain("0");
    expect(batcher.foresee(2023, keys, "ann", 0)).toBeUndefined();
    expect(batcher.queueUp(2023, keys, "ann")).toEqual({ fresh: [], full: undefined });
    expect(await batcher.request(2023, "0", "ben")).toEqual({ is: "absent", atMs: 0 });
    expect(await batcher.request(2023, "0", "ann")).toEqual({ is: "absent", atMs: 0 });
    // A refresh asks the provider, and so does a reader to whom it has been told.
    expect(batcher.foresee(2023, ["0"], "ann", 0, 1)).toMatchObject({ is: "failed" });
    batcher.forget(2023, ["0"], "ann");
    expect(batcher.queueUp(2023, ["0"], "ann")).toEqual({ fresh: ["0"], full: undefined });
  });

  it("are counted once, whether they are queued or under way, and leave the queue on request", async () => {
    const { sent, batcher } = createTested();
    const companyIds = range(2 * LARGEST).map(String);
    expect(batcher.queueUp(2023, companyIds, "ann").fresh).toEqual(companyIds);
    await settle();
    expect(sent).toHaveLength(2);
    expect(batcher.queueUp(2023, companyIds, "ann").fresh).toEqual([]);
    expect(batcher.queueUp(2022, ["a", "b"], "ann").fresh).toEqual(["a", "b"]);
    batcher.queueUp(2022, ["b"], "ben");
    batcher.withdraw(2022, ["a", "b"], "ann");
    expect(["a", "b"].map((id) => batcher.isWaiting(2022, id, "ann"))).toEqual([false, false]);
    expect(batcher.isWaiting(2022, "b", "ben")).toBe(true);
  });

  it("are loaded in their turn where nobody waits for them, and come to whoever requests them then", async () => {
    const { sent, batcher } = createTested();
    const companyIds = range(LARGEST).map(String);
    expect(batcher.queueUp(2023, companyIds, "ann")).toEqual({ fresh: companyIds, full: undefined });
    expect(batcher.isWaiting(2023, "3", "ann")).toBe(true);
    await settle();
    expect(sent.map(({ keys }) => keys)).toEqual([companyIds]);
    const requested = batcher.request(2023, "3", "ben");
    sent[0]!.answer();
    expect(await requested).toEqual(toOutcome("3"));
    expect(sent).toHaveLength(1);
  });
});
