import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createRefreshing, type Refreshing } from "../../src/session/refreshing";
import { createQuestions, type Questions } from "../feed/observed-queries";
import { drain } from "../support/clock";

let questions: Questions;
let refreshing: Refreshing;
let begun: number;

beforeEach(() => {
  begun = 0;
  questions = createQuestions();
  const { clock, watch } = questions;
  refreshing = createRefreshing({ ports: clock.ports, watch, requests: () => 0, tell: () => {} });
  refreshing.onBegin(() => begun++);
});

afterEach(() => questions.watch.close());

describe("a refresh", () => {
  it("that joins another one asks what that has not, and counts each question once", async () => {
    for (const key of ["a", "b"]) questions.listen(key);
    await questions.settle(0, "1");
    await questions.settle(1, "2");
    const first = refreshing.refresh([["a"]]);
    const second = refreshing.refresh();
    await drain();
    expect(refreshing.state().running).toMatchObject({ asked: 2, done: 0 });
    await questions.settle(2, "1 again");
    await questions.settle(3, "2 again");
    expect(await first).toMatchObject({ asked: 2, isCancelled: false });
    expect(await second).toEqual(await first);
    expect([questions.loads.length, begun]).toEqual([4, 1]);
  });

  it("of a person waits for one that older answers serve, and asks anew what that has asked", async () => {
    const heard = questions.listen("a");
    await questions.settle(0, "old");
    const scheduled = refreshing.refresh(undefined, () => 900_000);
    await drain();
    const own = refreshing.refresh();
    await questions.settle(1, "of a quarter of an hour ago");
    expect(await scheduled).toMatchObject({ asked: 1 });
    await drain();
    await questions.settle(2, "new");
    expect(await own).toMatchObject({ asked: 1 });
    expect([heard.shown().at(-1), begun]).toEqual(["new", 2]);
  });

  it("that older answers serve joins a person's", async () => {
    questions.listen("a");
    await questions.settle(0, "old");
    const own = refreshing.refresh();
    const scheduled = refreshing.refresh(undefined, () => 900_000);
    await drain();
    await questions.settle(1, "new");
    expect(await scheduled).toEqual(await own);
    expect([questions.loads.length, begun]).toEqual([2, 1]);
  });

  it("that is called off leaves a list that is still coming to come, and keeps what there was of the others", async () => {
    const [growing, whole] = [questions.listen("growing"), questions.listen("whole")];
    questions.loads[0]?.context.grow("part");
    await questions.settle(1, "old");
    const refreshed = refreshing.refresh();
    await drain();
    refreshing.cancel();
    expect(await refreshed).toMatchObject({ isCancelled: true });
    await questions.settle(0, "all");
    expect([growing.shown().at(-1), whole.shown().at(-1)]).toEqual(["all", "old"]);
  });

  it("that comes after one was called off asks anew, though a first answer is still awaited", async () => {
    questions.listen("slow");
    const quick = questions.listen("quick");
    await questions.settle(1, "old");
    const calledOff = refreshing.refresh();
    await drain();
    refreshing.cancel();
    await calledOff;
    const again = refreshing.refresh([["quick"]]);
    await drain();
    await questions.settle(questions.loads.length - 1, "new");
    expect(await again).toMatchObject({ asked: 1, isCancelled: false });
    expect(quick.shown().at(-1)).toBe("new");
  });

  it("of nothing does not begin, so that the last one can still be undone", async () => {
    const heard = questions.listen("a");
    await questions.settle(0, "old");
    const refreshed = refreshing.refresh();
    await drain();
    await questions.settle(1, "new");
    await refreshed;
    expect(await refreshing.refresh([])).toMatchObject({ asked: 0 });
    questions.watch.undo();
    await drain();
    expect([heard.shown().at(-1), begun]).toEqual(["old", 1]);
  });
});
