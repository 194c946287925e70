import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { Refusal } from "../../../src/companion/refusal";
import { MOST_WAITING } from "../../../src/firm/reads/shared/batcher";
import { MOST_UNDER_WAY } from "../../../src/firm/reads/shared/queue-limits";
import { type LoadResult, toFailed } from "../../../src/firm/reads/shared/result";
import type { Year } from "../../../src/firm/reads/shared/split";
import { createTested, expectEachOnce, LARGEST, range, settle, toOutcome } from "./batcher-world";

afterEach(() => void jest.useRealTimers());

describe("companies wanted by several readers", () => {
  it("are requested once each in chunks of one year, a few at a time, and every reader is answered", async () => {
    await expectEachOnce(10);
  });

  it("are sent at once in a full chunk, and wait for more otherwise", async () => {
    const { sent, request } = createTested();
    for (const nth of range(30)) void request(2023, `${nth}`, "a");
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
    const { sent, request, pass } = createTested();
    const look = async (nth: number) => {
      void request(2023, `${nth}`, "a");
      await settle();
      return sent.length;
    };
    for (const nth of range(others)) for (const key of range(LARGEST)) void request(2022, `${nth}-${key}`, `${nth}`);
    await settle();
    for (let next = 0; next < sent.length; await settle()) sent[next++]!.answer();
    expect(await look(0)).toBe(others);
    pass(windowMs - 1);
    expect(await look(1)).toBe(others);
    pass(1);
    expect(await look(2)).toBe(others + 1);
  });

  it("do not wait for readers of an earlier time", async () => {
    const { sent, request, pass } = createTested();
    for (const key of range(LARGEST)) void request(2022, `${key}`, "b");
    await settle();
    sent[0]!.answer();
    pass(2000);
    void request(2023, "one", "a");
    await settle();
    pass(25);
    void request(2023, "two", "a");
    await settle();
    expect(sent.slice(1).map(({ keys }) => keys)).toEqual([["one", "two"]]);
  });

  it("are scheduled fairly: a reader of thousands does not delay a reader of one", async () => {
    const { sent, request } = createTested();
    for (const nth of range(MOST_WAITING)) void request(2023, `many-${nth}`, "many");
    await settle();
    void request(2023, "one", "few");
    await settle();
    expect(sent).toHaveLength(MOST_UNDER_WAY);
    sent[0]!.answer();
    sent[1]!.answer();
    await settle();
    const [next] = sent.slice(MOST_UNDER_WAY);
    expect(next!.keys).toContain("one");
  });

  it("are refused to a reader with many waiting, of any year, and to no other", async () => {
    const { sent, request } = createTested();
    const outcomes: LoadResult[] = [];
    const collect = (year: Year, key: string, who: string) =>
      request(year, key, who).then((came) => outcomes.push(came));
    for (const nth of range(MOST_WAITING)) void collect(nth % 2 === 0 ? 2022 : "all", `${nth}`, "many");
    void collect(2023, "more", "many");
    void collect(2023, "one", "few");
    await settle();
    expect(outcomes).toEqual([
      expect.objectContaining({ of: "reader", who: "many", said: expect.objectContaining({ statusCode: 429 }) }),
    ]);
    void collect(2022, "later", "many");
    sent[0]!.answer();
    await settle();
    expect(outcomes).toHaveLength(1 + LARGEST);
  });

  it("are refused beyond a number of all readers, so that memory stays bounded", async () => {
    const { batcher, request, queueUp } = createTested();
    for (const reader of range(10)) {
      const companyIds = range(MOST_WAITING).map((nth) => `${reader}-${nth}`);
      queueUp(2023, companyIds, `reader ${reader}`);
    }
    // A reader of few still comes in.
    const few = range(LARGEST).map((nth) => `few-${nth}`);
    expect(queueUp(2023, few, "another")).toMatchObject({ fresh: few, refused: undefined });
    const full = { of: "everybody", said: { statusCode: 429, retryAfterSeconds: 20 } };
    expect(await request(2023, "one", "another")).toMatchObject(full);
    expect(queueUp(2023, ["one", "0-0", "two"], "another")).toMatchObject({ fresh: [], refused: full });
    expect(batcher.isWaiting(2023, "one", "another")).toBe(false);
  });

  it("are awaited a little longer if they are under way, then given up", async () => {
    jest.useFakeTimers({ doNotFake: ["setImmediate"] });
    const { request, sent } = createTested();
    const answers = range(LARGEST).map((nth) => request(2023, `${nth}`, "a", 2000));
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
    const { request, sent } = createTested({ patienceMs: 10_000 });
    const [first] = range(LARGEST).map((nth) => request(2023, `${nth}`, "a"));
    await settle();
    jest.advanceTimersByTime(10_000);
    const slow = await first!;
    expect(slow).toMatchObject({ is: "failed", of: "chunk", said: { code: "FEED_TIMED_OUT" } });
    sent[0]!.answer();
    expect(slow.is === "failed" && (await slow.later)).toMatchObject({ is: "found" });
    expect(sent).toHaveLength(1);
  });

  it("are not duplicated when a reader retries with a full queue", async () => {
    const { batcher, request } = createTested();
    for (const nth of range(MOST_WAITING)) void request(2023, `${nth}`, "a");
    const last = `${MOST_WAITING - 1}`;
    expect(batcher.isWaiting(2023, last, "a")).toBe(true);
    const again = request(2023, last, "a");
    expect(await Promise.race([again, settle()])).toBeUndefined();
  });

  it("are taken from readers one by one, so that a chunk serves many", async () => {
    const { sent, request } = createTested();
    for (const who of range(50)) for (const nth of range(2)) void request(2023, `${who}-${nth}`, `${who}`);
    await settle();
    const whose = sent.slice(0, 2).flatMap(({ keys }) => keys.map((key) => key.split("-")[0]));
    expect(new Set(whose).size).toBe(50);
  });
});

describe("companies of a long queue", () => {
  it("fail after ten seconds of waiting with a retry time, and keep their place for the retry", async () => {
    jest.useFakeTimers({ doNotFake: ["setImmediate"] });
    const { sent, request, pass } = createTested();
    for (const nth of range(MOST_UNDER_WAY * LARGEST)) void request(2023, `before-${nth}`, "a");
    await settle();
    const first = request(2023, "late", "b");
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
    expect(sent.slice(MOST_UNDER_WAY).map(({ keys }) => keys)).toEqual([["late"]]);
    const again = request(2023, "late", "b");
    sent[MOST_UNDER_WAY]!.answer();
    expect(await again).toMatchObject({ is: "found" });
    expect(sent).toHaveLength(MOST_UNDER_WAY + 1);
  });

  it("fail at once if the queue is foreseen to take longer, with that time, and keep their place", async () => {
    const { sent, batcher, request, pass } = createTested();
    const many = range(100 * LARGEST).map((nth) => request(2023, `many-${nth}`, "many"));
    await settle();
    for (let chunk = 0; chunk < 10; chunk++) {
      pass(500);
      sent[chunk]!.answer();
      await settle();
    }
    // Of 2500 companies 16 chunks are taken: the rest lasts 42 s, and one company of another reader comes next.
    expect(await request(2023, "more", "many")).toMatchObject({
      of: "everybody",
      said: { statusCode: 429, code: "FEED_RATE_LIMITED", retryAfterSeconds: 10 },
    });
    const next = request(2023, "one", "few");
    await settle();
    sent[10]!.answer();
    await settle();
    expect(sent[MOST_UNDER_WAY + 10]!.keys).toContain("one");
    sent[MOST_UNDER_WAY + 10]!.answer();
    expect(await next).toMatchObject({ is: "found" });
    expect(batcher.isWaiting(2023, "more", "many")).toBe(true);
    for (let chunk = 11; chunk < sent.length; chunk++) {
      if (chunk !== MOST_UNDER_WAY + 10) sent[chunk]!.answer();
      await settle();
    }
    expect(await many.at(-1)).toMatchObject({ is: "found" });
  });

  it("are foreseen by their place, and asked for again a little before their time", async () => {
    const { sent, batcher, request, pass } = createTested();
    for (const nth of range(100 * LARGEST)) void request(2023, `${nth}`, "many");
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

  it("are foreseen with a chunk of each other year before theirs, as years take turns", () => {
    const { batcher, queueUp } = createTested({ fastestMs: 100 });
    queueUp(2022, range(LARGEST).map(String), "ann");
    queueUp(2023, ["one"], "ben");
    expect(batcher.toExpectedMs(2023, ["one"], "ben")).toBe(100);
  });

  it("count once in what is foreseen, however many readers queue them", () => {
    const { batcher, queueUp } = createTested({ fastestMs: 100 });
    const companyIds = range(20 * LARGEST).map(String);
    for (const reader of range(50)) queueUp(2023, companyIds, `reader ${reader}`);
    expect(batcher.foresee(2023, companyIds, "ann", 1_900)).toBeUndefined();
    expect(batcher.foresee(2023, ["new"], "reader 0", 1_900)).toMatchObject({ is: "failed" });
  });

  it("tell a reader who was not there what came other than data, once", async () => {
    const { sent, batcher, queueUp, pass } = createTested({ fastestMs: 1_000 });
    const companyIds = range(11 * LARGEST + 1).map(String);
    const absent = { is: "absent", atMs: 0, className: "all" };
    const find = (who: string, afterMs = Number.NEGATIVE_INFINITY) => batcher.findMissed(2023, "0", who, afterMs);
    pass(1);
    queueUp(2023, companyIds, "ann");
    queueUp(2023, ["0"], "ben");
    await settle();
    expect(sent[0]!.keys).toContain("0");
    sent[0]!.answer({ is: "absent", atMs: 0 });
    await settle();
    expect([find("ann"), find("ben"), find("cleo")]).toEqual([absent, absent, undefined]);
    // A refresh asks the provider, and so does a reader to whom it has been told.
    expect(find("ann", 1)).toBeUndefined();
    batcher.forget(2023, ["0"], "ann");
    expect([find("ann"), find("ben")]).toEqual([undefined, absent]);
  });

  it("tell a reader who was not there of a failure that no two others have retried", async () => {
    const { sent, batcher, queueUp } = createTested();
    const companyIds = range(LARGEST).map(String);
    queueUp(2023, companyIds, "ann");
    await settle();
    const failed = toFailed(new Refusal(502, "broken", "FEED_SERVER_FAILED"), companyIds);
    sent[0]!.answer(failed);
    await settle();
    const told = batcher.findMissed(2023, "0", "ann", Number.NEGATIVE_INFINITY) as typeof failed;
    expect(told).toEqual(failed);
    expect(told.together).not.toBe(failed.together); // by which retries are counted
  });

  it("are counted once, whether they are queued or under way, and are not queued beyond the reader's quota", async () => {
    const { sent, batcher, queueUp } = createTested();
    const companyIds = range(2 * LARGEST).map(String);
    expect(queueUp(2023, companyIds, "ann").fresh).toEqual(companyIds);
    await settle();
    expect(sent).toHaveLength(2);
    expect(queueUp(2023, companyIds, "ann").fresh).toEqual([]);
    expect(queueUp(2022, ["a", "b"], "ann").fresh).toEqual(["a", "b"]);
    const refusal = new Refusal(429, "Your minute is over.", "FEED_RATE_LIMITED");
    const refused = { is: "failed", of: "reader", who: "ben", said: refusal };
    expect(queueUp(2022, ["b", "c"], "ben", refusal)).toMatchObject({ fresh: [], refused });
    expect(["b", "c"].map((id) => batcher.isWaiting(2022, id, "ben"))).toEqual([true, false]);
    expect(queueUp(2021, ["c"], "ben", refusal)).toMatchObject({ entries: [expect.anything()], refused });
    expect(batcher.isWaiting(2021, "c", "ben")).toBe(false);
  });

  it("are loaded in their turn where nobody waits for them, and come to whoever requests them then", async () => {
    const { sent, batcher, request, queueUp } = createTested();
    const companyIds = range(LARGEST).map(String);
    expect(queueUp(2023, companyIds, "ann")).toMatchObject({ fresh: companyIds, refused: undefined });
    expect(batcher.isWaiting(2023, "3", "ann")).toBe(true);
    await settle();
    expect(sent.map(({ keys }) => keys)).toEqual([companyIds]);
    const requested = request(2023, "3", "ben");
    sent[0]!.answer();
    expect(await requested).toEqual(toOutcome("3"));
    expect(sent).toHaveLength(1);
  });
});
