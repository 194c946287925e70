import { describe, expect, it } from "@jest/globals";
import type { Settled } from "../../src/functions/view-observer";
import { createStepwiseView, type Layout } from "../../src/functions/views/stepwise";

const answer = (value: unknown): Settled => ({
  status: "answered",
  answer: { value, asOfMs: 0, requests: [], persisted: null },
  error: null,
});
const toTable = (value: unknown) => ({ rows: [[value]], expected: 1 });

/** A view of three steps for each answer, and the timers that wait. */
function createView(end: (settled: Settled | undefined) => unknown = (settled) => settled) {
  const timers: (() => void)[] = [];
  let steps = 0;
  const after = (_: number, callback: () => void) => {
    timers.push(callback);
    return () => void timers.splice(timers.indexOf(callback), 1);
  };
  const view = createStepwiseView(
    { after },
    {
      queries: [],
      rereadsOnRefresh: false,
      *layOut([settled]): Layout {
        for (let count = 0; count < 3; count++) {
          steps++;
          yield;
        }
        return toTable(end(settled));
      },
    },
  );
  return { view, timers, steps: () => steps, runOne: () => timers.shift()?.() };
}

describe("a view that is laid out in steps", () => {
  it("takes a task for each step, and notifies once the table is there", () => {
    const { view, timers, runOne } = createView();
    let notified = 0;
    view.subscribe?.(() => notified++);
    const settled = [answer("a")];
    expect(view.show(settled)).toBeNull();
    for (let count = 0; count < 4; count++) {
      expect([view.show(settled), timers.length, notified]).toEqual([null, 1, 0]);
      runOne();
    }
    expect([view.show(settled), timers.length, notified]).toEqual([toTable(settled[0]), 0, 1]);
  });

  it("is laid out at once where nothing observes it", () => {
    const { view, timers } = createView();
    const settled = [answer("a")];
    expect([view.show(settled), timers.length]).toEqual([toTable(settled[0]), 0]);
  });

  it("begins anew with other answers, and not with the same ones", () => {
    const { view, steps, runOne } = createView();
    view.subscribe?.(() => {});
    const states = [answer("a")];
    view.show(states);
    runOne();
    runOne();
    states[0] = answer("b"); // the observer's list is changed in place
    view.show(states);
    for (let count = 0; count < 4; count++) runOne();
    expect([view.show(states), view.show([...states]), steps()]).toEqual([toTable(states[0]), toTable(states[0]), 5]);
  });

  it("throws the error of its layout each time", () => {
    const failing = createView(() => {
      throw new Error("no rows");
    });
    const settled = [answer("a")];
    expect(() => failing.view.show(settled)).toThrow("no rows");
    expect(() => failing.view.show(settled)).toThrow("no rows");
  });

  it("stops with its last subscriber", () => {
    const { view, timers } = createView();
    const stop = view.subscribe?.(() => {});
    view.show([answer("a")]);
    stop?.();
    expect(timers).toEqual([]);
  });
});
