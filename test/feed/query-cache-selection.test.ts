import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { Question } from "../../src/feed/query-cache";
import { drain } from "../support/clock";
import { createQuestions, failure, type Questions } from "./observed-queries";

describe("a refresh of some questions", () => {
  let questions: Questions;
  beforeEach(() => {
    questions = createQuestions();
  });
  afterEach(() => questions.watch.close());

  /** A question that is made of another one's answer. */
  const madeOf = (key: string, part: Question<string>): Question<string> => ({
    key: [key],
    load: async ({ signal }) => `made of ${await questions.watch.wait(part, signal)}`,
  });

  it("asks those alone, each once however often it is named", async () => {
    const { watch, loads, listen, settle } = questions;
    const [one, other] = [listen("one"), listen("other")];
    await settle(0, "1");
    await settle(1, "2");
    const refreshed = watch.refresh({ keys: [["one"], ["one"], ["nobody watches this"]] });
    await drain();
    expect(loads).toHaveLength(3);
    await settle(2, "1 again");
    expect(await refreshed).toEqual({ asked: 1, failures: [], isCancelled: false });
    expect([one.shown(), other.shown()]).toEqual([["1", "1 again"], ["2"]]);
  });

  it("asks again what they are made of first, however deep, and not what others are made of", async () => {
    const { watch, loads, ofKey, settle } = questions;
    const shown: unknown[] = [];
    const middle = madeOf("middle", ofKey("base"));
    watch.watch(madeOf("top", middle), (state) => state.status === "answered" && shown.push(state.answer.value));
    watch.watch(madeOf("neighbour", ofKey("other base")), () => {});
    await drain();
    await settle(0, "old");
    await settle(1, "x");
    const refreshed = watch.refresh({ keys: [["top"]] });
    await drain();
    expect(loads).toHaveLength(3);
    await settle(2, "new");
    await refreshed;
    expect(shown).toEqual(["made of made of old", "made of made of new"]);
  });

  it("keeps what they showed where it fails, and asks what they are made of at the next one", async () => {
    const { watch, loads, ofKey, settle } = questions;
    const states: string[] = [];
    watch.watch(madeOf("top", ofKey("base")), (state) => {
      if (state.status === "answered") states.push(`${state.answer.value}${state.error === null ? "" : " !"}`);
    });
    await drain();
    await settle(0, "old");
    const failing = watch.refresh({ keys: [["top"]] });
    await drain();
    await settle(1, failure);
    await failing;
    const refreshed = watch.refresh({ keys: [["top"]] });
    await drain();
    expect(loads).toHaveLength(3);
    await settle(2, "new");
    await refreshed;
    expect(states.at(-1)).toBe("made of new");
  });
});
