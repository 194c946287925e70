import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { hasCode, RequestError } from "../../src/feed/errors";
import { drain } from "../support/clock";
import { createQuestions, failure, type Questions } from "./observed-queries";

const unsigned = new RequestError("FEED_UNAUTHORISED", "x");

describe("a watched question", () => {
  let questions: Questions;
  beforeEach(() => {
    questions = createQuestions();
  });
  afterEach(() => {
    questions.watch.close();
    expect(questions.clock.timers()).toBe(0);
  });

  it("shows its growth on the first load, and on a refresh only the whole", async () => {
    const { watch, loads, listen, settle } = questions;
    const { shown } = listen();
    loads[0]?.context.grow("o");
    await drain();
    loads[0]?.context.grow("on");
    await drain();
    await settle(0, "one");
    void watch.refresh();
    await drain();
    loads[1]?.context.grow("t");
    await drain();
    await settle(1, "two");
    expect(shown()).toEqual(["o …", "on …", "one", "two"]);
  });

  it("keeps its last whole answer when a refresh fails, with the error beside it", async () => {
    const { watch, listen, settle } = questions;
    const { shown } = listen();
    await settle(0, "one");
    const refreshed = watch.refresh();
    await drain();
    await settle(1, failure);
    expect(await refreshed).toEqual({ asked: 1, failures: [failure], isCancelled: false });
    expect(shown()).toEqual(["one", "one !"]);
    void watch.refresh();
    await drain();
    await settle(2, "two");
    expect(shown().at(-1)).toBe("two");
  });

  it("is asked again when it, or its refresh, failed with a code that a connection mends, and else not", async () => {
    const { watch, loads, listen, settle } = questions;
    listen("mended");
    listen("stale");
    listen("other");
    await settle(0, unsigned);
    await settle(1, "one");
    await settle(2, failure);
    void watch.refresh();
    await drain();
    await settle(3, unsigned);
    await settle(4, unsigned);
    await settle(5, failure);
    watch.retryFailed(hasCode("FEED_UNAUTHORISED"));
    await drain();
    expect(loads).toHaveLength(8);
    watch.retryFailed(hasCode("FEED_UNAUTHORISED"));
    await drain();
    expect(loads).toHaveLength(8);
  });

  it("forgets its answer when the client changes, and is asked anew", async () => {
    const { clock, watch, loads, ofKey, listen, settle } = questions;
    const kept = listen("kept");
    await settle(0, "old");
    kept.stop();
    await clock.advance(1_500);
    const { shown } = listen("a");
    await settle(1, "one");
    const flying = listen("flying");
    watch.reset();
    await drain();
    expect(shown().at(-1)).toBe("pending");
    expect(loads[2]?.context.signal.aborted).toBe(true);
    expect(loads).toHaveLength(5);
    expect(watch.peek(ofKey("kept"))).toEqual({ status: "pending" });
    await settle(2, "too late");
    expect(flying.shown()).not.toContain("too late");
    await settle(3, "new");
    await settle(4, "new");
    expect([shown().at(-1), flying.shown().at(-1)]).toEqual(["new", "new"]);
  });

  it("that is refreshed many times at once is asked once", async () => {
    const { watch, loads, listen, settle } = questions;
    listen();
    await settle(0, "one");
    const refreshes = Array.from({ length: 20 }, () => watch.refresh());
    await drain();
    expect(loads).toHaveLength(2);
    await settle(1, "two");
    await Promise.all(refreshes);
  });

  it("is asked again before it serves another question after a refresh, and serves as it was where that fails", async () => {
    const { clock, watch, loads, ofKey, settle } = questions;
    const { signal } = new AbortController();
    const refreshUnwatched = async () => {
      await clock.advance(2_000);
      await watch.refresh();
    };
    const first = watch.wait(ofKey("a"), signal);
    await settle(0, "one");
    expect(await first).toBe("one");
    await refreshUnwatched();
    const second = watch.wait(ofKey("a"), signal);
    await settle(1, "two");
    expect(await second).toBe("two");
    await refreshUnwatched();
    const third = watch.wait(ofKey("a"), signal);
    await settle(2, failure);
    expect(await third).toBe("two");
    expect(loads).toHaveLength(3);
    await clock.advance(2_000);
  });
});
