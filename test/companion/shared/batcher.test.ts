import { afterEach, describe, expect, it, jest } from "@jest/globals";
import fc from "fast-check";
import { type BatcherOptions, createBatcher, MOST_WAITING } from "../../../src/companion/reads/shared/batcher";
import { MOST_AT_ONCE } from "../../../src/companion/reads/shared/fair-queue";
import type { CompanyResult } from "../../../src/companion/reads/shared/result";
import type { Year } from "../../../src/companion/reads/shared/split";

const SEED = 20_261_122;
const LARGEST = 25;

interface Sent {
  year: Year;
  keys: readonly string[];
  answer(): void;
}

const toOutcome = (key: string): CompanyResult => ({ is: "found", body: Buffer.from(key), atMs: 0 });
const range = (count: number) => Array.from({ length: count }, (_, nth) => nth);

/** A batcher whose chunks a test answers, on a clock that the test moves. */
function createTested(patienceMs = 60_000) {
  const sent: Sent[] = [];
  let nowMs = 0;
  let most = 0;
  let underWay = 0;
  const load: BatcherOptions["load"] = (year, keys) =>
    new Promise((resolve) => {
      underWay += 1;
      most = Math.max(most, underWay);
      const answer = () => {
        underWay -= 1;
        resolve(new Map(keys.map((key) => [key, toOutcome(key)])));
      };
      sent.push({ year, keys, answer });
    });
  const batcher = createBatcher({ largest: () => LARGEST, load, nowMs: () => nowMs, patienceMs });
  return {
    sent,
    batcher,
    mostAtOnce: () => most,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

/** Lets pending promises run. */
const settle = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
const requests = fc.array(
  fc.record({ who: fc.constantFrom("a", "b", "c"), year: fc.constantFrom<Year>("all", 2022, 2023), key: fc.uuid() }),
  { maxLength: 400 },
);

afterEach(() => void jest.useRealTimers());

describe("companies wanted by several readers", () => {
  it("are requested once each in chunks of one year, a few at a time, and every reader is answered", async () => {
    const property = fc.asyncProperty(requests, async (requests) => {
      const { sent, batcher, pass, mostAtOnce } = createTested();
      let isDone = false;
      const all = Promise.all(requests.map(({ year, key, who }) => batcher.request(year, key, who)));
      const done = all.then((outcomes) => {
        isDone = true;
        return outcomes;
      });
      for (let next = 0; !isDone; ) {
        await settle();
        pass(1000);
        if (next < sent.length) sent[next++]!.answer();
        else await new Promise((resolve) => setTimeout(resolve, 1));
      }
      expect((await done).map((outcome) => outcome.is === "found" && outcome.body.toString())).toEqual(
        requests.map(({ key }) => key),
      );
      const toText = ({ year, key }: { year: Year; key: string }) => `${year} ${key}`;
      const came = sent.flatMap(({ year, keys }) => keys.map((key) => toText({ year, key })));
      expect(came.sort()).toEqual(requests.map(toText).sort());
      expect(Math.max(0, ...sent.map(({ keys }) => keys.length))).toBeLessThanOrEqual(LARGEST);
      expect(mostAtOnce()).toBeLessThanOrEqual(MOST_AT_ONCE);
    });
    await fc.assert(property, { seed: SEED, numRuns: 40 });
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
    // One under way will come, one that nobody has requested is not known.
    expect(foresee(lastOf(16))).toBeUndefined();
    expect(foresee(lastOf(100), "new")).toBeUndefined();
    expect(batcher.foresee(2023, [lastOf(100)], "another", 10_000)).toBeUndefined();
  });

  it("are refused beyond a number of all readers, so that memory stays bounded", async () => {
    const { batcher } = createTested();
    for (const reader of range(10)) {
      for (const nth of range(MOST_WAITING)) void batcher.request(2023, `${reader}-${nth}`, `reader ${reader}`);
    }
    expect(await batcher.request(2023, "one", "another")).toMatchObject({
      of: "reader",
      said: { statusCode: 429, retryAfterSeconds: 20 },
    });
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
    const { batcher, sent } = createTested(10_000);
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
