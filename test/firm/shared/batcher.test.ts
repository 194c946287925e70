import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { MOST_WAITING } from "../../../src/firm/reads/shared/batcher";
import { MOST_AT_ONCE } from "../../../src/firm/reads/shared/fair-queue";
import type { CompanyResult } from "../../../src/firm/reads/shared/result";
import type { Year } from "../../../src/firm/reads/shared/split";
import { createTested, expectEachOnce, LARGEST, range, settle, toOutcome } from "./batcher-world";

afterEach(() => void jest.useRealTimers());

describe("companies wanted by several readers", () => {
  it("are requested once each in chunks of one year, a few at a time, and every reader is answered", async () => {
    await expectEachOnce(10);
  });

  it("are sent at once in a full chunk, and wait for more otherwise", async () => {
    const { sent, batcher } = createTested();
    for (const nth of range(30)) void batcher.request(2023, `${nth}`, "a");
    await settle();
    expect(sent.map(({ keys }) => keys.length)).toEqual([25]);
  });

  it.each([
    [0, 25],
    [1, 100],
    [3, 300],
    [9, 900],
    [20, 1500],
  ])("wait, after %d other requests in two seconds, %d ms for more", async (others, windowMs) => {
    const { sent, batcher, pass } = createTested();
    const look = async (nth: number) => {
      void batcher.request(2023, `${nth}`, "a");
      await settle();
      return sent.length;
    };
    for (const nth of range(others))
      for (const key of range(LARGEST)) void batcher.request(2022, `${nth}-${key}`, `${nth}`);
    await settle();
    for (let next = 0; next < sent.length; await settle()) sent[next++]!.answer();
    expect(await look(0)).toBe(others);
    pass(windowMs - 1);
    expect(await look(1)).toBe(others);
    pass(1);
    expect(await look(2)).toBe(others + 1);
  });

  it("do not wait for readers of an earlier time", async () => {
    const { sent, batcher, pass } = createTested();
    for (const key of range(LARGEST)) void batcher.request(2022, `${key}`, "b");
    await settle();
    sent[0]!.answer();
    pass(2000);
    void batcher.request(2023, "one", "a");
    await settle();
    pass(25);
    void batcher.request(2023, "two", "a");
    await settle();
    expect(sent.slice(1).map(({ keys }) => keys)).toEqual([["one", "two"]]);
  });

  it("are scheduled fairly: a reader of thousands does not delay a reader of one", async () => {
    const { sent, batcher } = createTested();
    for (const nth of range(MOST_WAITING)) void batcher.request(2023, `many-${nth}`, "many");
    await settle();
    void batcher.request(2023, "one", "few");
    await settle();
    expect(sent).toHaveLength(MOST_AT_ONCE);
    sent[0]!.answer();
    sent[1]!.answer();
    await settle();
    const [next] = sent.slice(MOST_AT_ONCE);
    expect(next!.keys).toContain("one");
  });

  it("are refused to a reader with many waiting, of any year, and to no other", async () => {
    const { sent, batcher } = createTested();
    const outcomes: CompanyResult[] = [];
    const request = (year: Year, key: string, who: string) =>
      batcher.request(year, key, who).then((came) => outcomes.push(came));
    for (const nth of range(MOST_WAITING)) void request(nth % 2 === 0 ? 2022 : "all", `${nth}`, "many");
    void request(2023, "more", "many");
    void request(2023, "one", "few");
    await settle();
    expect(outcomes).toEqual([
      expect.objectContaining({ of: "reader", who: "many", said: expect.objectContaining({ statusCode: 429 }) }),
    ]);
    void request(2022, "later", "many");
    sent[0]!.answer();
    await settle();
    expect(outcomes).toHaveLength(1 + LARGEST);
  });

  it("give their places to others where another instance has loaded them meanwhile", async () => {
    const { sent, batcher, cached } = createTested();
    for (const nth of range(10)) cached.add(`${nth}`);
    const results = range(LARGEST + 10).map((nth) => batcher.request(2023, `${nth}`, "ann"));
    await settle();
    expect(sent.map(({ keys }) => keys)).toEqual([range(LARGEST).map((nth) => `${nth + 10}`)]);
    sent[0]!.answer();
    expect(await Promise.all(results)).toEqual(range(LARGEST + 10).map((nth) => toOutcome(`${nth}`)));
  });

  it("that are cached leave the queue at once, so that a refresh loads them anew", async () => {
    const { sent, batcher, cached } = createTested();
    cached.add("0");
    for (const nth of range(LARGEST)) void batcher.request(2023, `${nth}`, "ann");
    await settle();
    expect(sent.map(({ keys }) => keys.includes("0"))).toEqual([false]);
    cached.clear();
    void batcher.request(2023, "0", "ben", undefined, undefined, 100);
    for (const nth of range(LARGEST)) void batcher.request(2023, `more-${nth}`, "ben");
    await settle();
    expect(sent[1]!.keys).toContain("0");
  });

  it("that are cached come though the others of their chunk fail", async () => {
    const { sent, batcher, cached } = createTested();
    cached.add("0");
    const results = range(LARGEST + 1).map((nth) => batcher.request(2023, `${nth}`, "ann"));
    await settle();
    sent[0]!.fail();
    const settled = await Promise.allSettled(results);
    expect(settled[0]).toEqual({ status: "fulfilled", value: toOutcome("0") });
    expect(settled.slice(1).every(({ status }) => status === "rejected")).toBe(true);
    await settle(); // a rejection that nobody handles would end the process
  });

  it("are refused beyond a number of all readers, so that memory stays bounded", async () => {
    const { batcher } = createTested();
    for (const reader of range(10)) {
      const companyIds = range(MOST_WAITING).map((nth) => `${reader}-${nth}`);
      batcher.queueUp(2023, companyIds, `reader ${reader}`);
    }
    // A reader of few still comes in.
    const few = range(LARGEST).map((nth) => `few-${nth}`);
    expect(batcher.queueUp(2023, few, "another")).toEqual({ fresh: few, full: undefined });
    const full = { of: "everybody", said: { statusCode: 429, retryAfterSeconds: 20 } };
    expect(await batcher.request(2023, "one", "another")).toMatchObject(full);
    expect(batcher.queueUp(2023, ["one", "0-0", "two"], "another")).toMatchObject({ fresh: ["0-0"], full });
    expect(batcher.isWaiting(2023, "one", "another")).toBe(false);
  });

  it("are awaited a little longer if they are under way, then given up", async () => {
    jest.useFakeTimers({ doNotFake: ["setImmediate"] });
    const { batcher, sent } = createTested();
    const answers = range(LARGEST).map((nth) => batcher.request(2023, `${nth}`, "a", undefined, 2000));
    let isOver = false;
    void answers[0]!.finally(() => {
      isOver = true;
    });
    await settle();
    jest.advanceTimersByTime(19_999);
    await settle();
    expect([sent.length, isOver]).toEqual([1, false]);
    jest.advanceTimersByTime(1);
    expect(await answers[0]).toMatchObject({ said: { statusCode: 429 } });
  });

  it("are reported as slow if several are requested together, and still come", async () => {
    jest.useFakeTimers({ doNotFake: ["setImmediate"] });
    const { batcher, sent } = createTested({ patienceMs: 10_000 });
    const [first] = range(LARGEST).map((nth) => batcher.request(2023, `${nth}`, "a"));
    await settle();
    jest.advanceTimersByTime(10_000);
    const slow = await first!;
    expect(slow).toMatchObject({ is: "failed", of: "question", said: { code: "FEED_TIMED_OUT" } });
    sent[0]!.answer();
    expect(slow.is === "failed" && (await slow.later)).toMatchObject({ is: "found" });
    expect(sent).toHaveLength(1);
  });

  it("are not duplicated when a reader retries with a full queue", async () => {
    const { batcher } = createTested();
    for (const nth of range(MOST_WAITING)) void batcher.request(2023, `${nth}`, "a");
    const last = `${MOST_WAITING - 1}`;
    expect(batcher.isWaiting(2023, last, "a")).toBe(true);
    const again = batcher.request(2023, last, "a");
    expect(await Promise.race([again, settle()])).toBeUndefined();
  });

  it("are taken from readers one by one, so that a chunk serves many", async () => {
    const { sent, batcher } = createTested();
    for (const who of range(50)) for (const nth of range(2)) void batcher.request(2023, `${who}-${nth}`, `${who}`);
    await settle();
    const whose = sent.slice(0, 2).flatMap(({ keys }) => keys.map((key) => key.split("-")[0]));
    expect(new Set(whose).size).toBe(50);
  });
});

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
