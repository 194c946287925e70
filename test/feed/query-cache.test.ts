import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createWatch, type Question, type Watch } from "../../src/feed/query-cache";
import { createClock, drain } from "../support/clock";
import { createQuestions, failure, type Load, type Questions } from "./observed-queries";

describe("a watched question", () => {
  let questions: Questions;
  beforeEach(() => {
    questions = createQuestions();
  });
  afterEach(() => {
    questions.watch.close();
    expect(questions.clock.timers()).toBe(0);
  });

  it("is one load for any number of watchers, and each hears the answer once", async () => {
    const { watch, loads, listen, settle } = questions;
    const watchers = Array.from({ length: 200 }, () => listen());
    await settle(0, "one");
    expect(loads).toHaveLength(1);
    expect(watch.size()).toBe(1);
    expect(new Set(watchers.map(({ shown }) => shown().join()))).toEqual(new Set(["one"]));
    expect(listen().shown()).toEqual(["one"]);
    for (const { stop } of watchers) stop();
  });

  it("says when its answer came", async () => {
    const { clock, listen, settle } = questions;
    const { heard } = listen();
    await clock.advance(5_000);
    await settle(0, "one");
    expect(heard).toEqual([
      {
        status: "answered",
        answer: { value: "one", isComplete: true, asOfMs: clock.nowMs(), requests: [], kept: null },
        error: null,
      },
    ]);
  });

  it("does not keep half of a first answer that failed", async () => {
    const { watch, loads, ofKey, listen, settle } = questions;
    const { shown } = listen();
    loads[0]?.context.grow("o");
    await drain();
    await settle(0, failure);
    expect(shown()).toEqual(["o …", failure]);
    expect(watch.peek(ofKey("a"))).toEqual({ status: "failed", error: failure });
  });

  it("is called off after a moment of grace when its last watcher leaves, not when one of two does", async () => {
    const { clock, watch, loads, listen } = questions;
    const [one, other] = [listen(), listen()];
    one.stop();
    await clock.advance(5_000);
    expect(loads[0]?.context.signal.aborted).toBe(false);
    other.stop();
    await clock.advance(1_499);
    expect(loads[0]?.context.signal.aborted).toBe(false);
    await clock.advance(1);
    expect([loads[0]?.context.signal.aborted, watch.size()]).toEqual([true, 0]);
  });

  it("outlives a watcher that is only replaced, and a stop that comes twice", async () => {
    const { clock, loads, listen, settle } = questions;
    const before = listen();
    before.stop();
    before.stop();
    await clock.advance(1_000);
    const after = listen();
    before.stop();
    await clock.advance(5_000);
    await settle(0, "one");
    expect([after.shown(), before.shown(), loads.length]).toEqual([["one"], [], 1]);
  });

  it.each([
    ["called off", null],
    ["failed", failure],
  ])("whose growth was %s is asked anew by the next watcher", async (_, error) => {
    const { clock, watch, loads, ofKey, listen, settle } = questions;
    const before = listen();
    loads[0]?.context.grow("o");
    await drain();
    if (error !== null) await settle(0, error);
    before.stop();
    await clock.advance(1_500);
    expect(watch.peek(ofKey("a"))).toEqual({ status: "pending" });
    const after = listen();
    expect(loads).toHaveLength(2);
    await settle(1, "one");
    expect(after.shown().at(-1)).toBe("one");
  });

  it("is answered at once from what is kept, without a load", async () => {
    const { clock, loads, listen, settle } = questions;
    const before = listen();
    await settle(0, "one");
    before.stop();
    await clock.advance(1_500);
    expect(listen().shown()).toEqual(["one"]);
    expect(loads).toHaveLength(1);
  });

  it("that failed is asked anew by the next watcher once nobody watches it", async () => {
    const { clock, loads, listen, settle } = questions;
    const before = listen();
    await settle(0, failure);
    before.stop();
    await clock.advance(1_500);
    listen();
    expect(loads).toHaveLength(2);
  });

  it("is answered by a wider one that has an answer, unless it is refreshed", async () => {
    const { watch, loads, ofKey, listen, settle } = questions;
    watch.seed(ofKey("all"), "everything", new AbortController().signal);
    const { shown } = listen("a", "all");
    await drain();
    expect([shown(), loads.length]).toEqual([["everything"], 0]);
    void watch.refresh();
    await drain();
    expect(loads).toHaveLength(1);
    await settle(0, "one");
    expect(shown().at(-1)).toBe("one");
  });

  it("is not answered by a wider one that is half there, failed, or from before a refresh", async () => {
    const { watch, loads, ofKey, listen, settle } = questions;
    listen("growing");
    loads[0]?.context.grow("o");
    listen("failing");
    await settle(1, failure);
    watch.seed(ofKey("old"), "old", new AbortController().signal);
    void watch.refresh();
    await drain();
    const before = loads.length;
    for (const within of ["growing", "failing", "old", "unasked"]) listen(`in ${within}`, within);
    await drain();
    expect(loads.length - before).toBe(4);
  });

  it("hears of an answer that came with another one", async () => {
    const { watch, ofKey, listen } = questions;
    const { shown } = listen();
    watch.seed(ofKey("a"), "seeded", new AbortController().signal);
    await drain();
    expect(shown()).toEqual(["seeded"]);
  });

  it("can be looked at without being asked", () => {
    const { watch, loads, ofKey } = questions;
    expect(watch.peek(ofKey("a"))).toEqual({ status: "pending" });
    expect([loads.length, watch.size()]).toEqual([0, 0]);
  });
});

describe("a question that another one waits for", () => {
  const clock = createClock();
  let watch: Watch;
  let loads: Load[];
  beforeEach(() => {
    watch = createWatch(clock.ports);
    loads = [];
  });
  afterEach(() => watch.close());
  const question: Question<string> = {
    key: ["a"],
    load: (context) => new Promise((answer, fail) => loads.push({ context, answer, fail })),
  };
  const alive = () => new AbortController().signal;

  it("is one load for all that wait and watch, and gives them the whole answer", async () => {
    watch.watch(question, () => {});
    const waits = [watch.wait(question, alive()), watch.wait(question, alive())];
    loads[0]?.context.grow("o");
    await drain();
    loads[0]?.answer("one");
    expect(await Promise.all(waits)).toEqual(["one", "one"]);
    expect(await watch.wait(question, alive())).toBe("one");
    expect(loads).toHaveLength(1);
  });

  it("is asked again when it failed before, though somebody still watches it", async () => {
    watch.watch(question, () => {});
    const failed = watch.wait(question, alive());
    loads[0]?.fail(failure);
    await expect(failed).rejects.toBe(failure);
    const again = watch.wait(question, alive());
    await drain();
    loads[1]?.answer("one");
    expect(await again).toBe("one");
  });

  it("is called off when all who wait have left, and they hear so", async () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const waits = [one, other].map(({ signal }) => watch.wait(question, signal).catch((error) => error));
    one.abort("one");
    await clock.advance(2_000);
    expect(loads[0]?.context.signal.aborted).toBe(false);
    other.abort("other");
    await clock.advance(2_000);
    expect(loads[0]?.context.signal.aborted).toBe(true);
    expect(await Promise.all(waits)).toEqual(["one", "other"]);
  });
});
