import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import type { Invocation } from "../../src/playground/excel-runtime";
import { createBench } from "./runtime-bench";

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
});
afterEach(() => {
  jest.useRealTimers();
});

describe("streams", () => {
  it("get the address of their first cell if they require it", () => {
    const { runtime, streams, type } = createBench(undefined, (cell) => `Sheet1!${cell}`);
    type("B3", 1);
    type("A1", 1);
    runtime.call("OTHER", [], "C1");
    runtime.commit();
    expect(streams.map(({ invocation }) => invocation.address)).toEqual(["Sheet1!B3", undefined]);
  });

  it("are busy until the first flush, 50 ms after the first result", () => {
    const { runtime, delivered, streams, type } = createBench();
    expect(type("A1", 1)).toEqual({ kind: "busy" });
    runtime.commit();
    streams[0]!.invocation.setResult(7);
    jest.advanceTimersByTime(49);
    expect(delivered).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(delivered).toEqual([["A1"]]);
    expect(type("A1", 1)).toEqual({ kind: "value", value: 7 });
  });

  it("start at the commit, not during the calculation", () => {
    const { runtime, streams, type } = createBench();
    type("A1", 1);
    expect(streams).toHaveLength(0);
    runtime.commit();
    expect(streams).toHaveLength(1);
  });

  it("deliver many results as one message and only the last of each", () => {
    const { runtime, delivered, streams, type } = createBench();
    for (let row = 0; row < 500; row++) type(`A${row}`, row);
    runtime.commit();
    for (const each of streams) for (const value of [1, 2, 3]) each.invocation.setResult(value);
    jest.advanceTimersByTime(50);
    expect(delivered).toHaveLength(1);
    expect(delivered[0]).toHaveLength(500);
    expect(type("A7", 7)).toEqual({ kind: "value", value: 3 });
  });

  it("flush again no sooner than 200 ms after the previous flush", () => {
    const { runtime, delivered, streams, type } = createBench();
    type("A1", 1);
    runtime.commit();
    streams[0]!.invocation.setResult(1);
    jest.advanceTimersByTime(50);
    streams[0]!.invocation.setResult(2);
    jest.advanceTimersByTime(199);
    expect(delivered).toHaveLength(1);
    jest.advanceTimersByTime(1);
    expect(delivered).toHaveLength(2);
  });

  it("do not wake their cells for an equal value", () => {
    const { runtime, delivered, streams, type } = createBench();
    type("A1", 1);
    runtime.commit();
    for (let time = 0; time < 3; time++) {
      streams[0]!.invocation.setResult([["a", 1]]);
      jest.advanceTimersByTime(1000);
    }
    expect(delivered).toHaveLength(1);
  });

  it("are shared by cells with equal calls, and cancelled with the last of them", () => {
    const { runtime, delivered, streams, type } = createBench();
    type("A1", "x");
    type("A2", "x");
    runtime.commit();
    expect(streams).toHaveLength(1);
    streams[0]!.invocation.setResult(1);
    jest.advanceTimersByTime(50);
    expect(delivered).toEqual([["A1", "A2"]]);
    runtime.beginCell("A1");
    runtime.commit();
    expect(streams[0]!.cancelled).toBe(false);
    expect(runtime.live()).toBe(1);
    runtime.beginCell("A2");
    runtime.commit();
    expect(streams[0]!.cancelled).toBe(true);
    expect(runtime.live()).toBe(0);
  });

  it("continue when a cell is evaluated again with the same arguments", () => {
    const { runtime, log, type } = createBench();
    type("A1", 1);
    runtime.commit();
    type("A1", 1);
    runtime.commit();
    expect(log).toEqual(["call [1]"]);
  });

  it("distinguish arguments that look alike", () => {
    const { runtime, log, type } = createBench();
    type("A1", "1");
    type("A2", 1);
    type("A3", null);
    type("A4");
    runtime.commit();
    expect(log).toEqual(['call ["1"]', "call [1]", "call [0]", "call [null]"]);
  });

  it("wake no cell for a result that waited for a flush at the cancel", () => {
    const { runtime, delivered, streams, type } = createBench();
    type("A1", 1);
    runtime.commit();
    streams[0]!.invocation.setResult(1);
    runtime.beginCell("A1");
    runtime.commit();
    jest.advanceTimersByTime(1000);
    expect(delivered).toEqual([]);
    expect(type("A1", 1)).toEqual({ kind: "busy" });
  });

  it("start no flush for a result after the cancel", () => {
    const { runtime, delivered, streams, type } = createBench();
    type("A1", 1);
    type("A2", 2);
    runtime.commit();
    runtime.beginCell("A1");
    runtime.commit();
    streams[0]!.invocation.setResult("late");
    streams[0]!.invocation.setError(new Error("late"));
    jest.advanceTimersByTime(40);
    streams[1]!.invocation.setResult(2);
    jest.advanceTimersByTime(49);
    expect(delivered).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(delivered).toEqual([["A2"]]);
  });

  it("never start if their cell changed again before the commit", () => {
    const { runtime, log, type } = createBench();
    type("A1", "f");
    type("A1", "fi");
    type("A1", "fin");
    runtime.commit();
    expect(log).toEqual(['call ["fin"]']);
  });

  it("survive a cancel handler that throws", () => {
    const { runtime, streams, type } = createBench();
    type("A1", 1);
    type("A2", 2);
    runtime.commit();
    streams[0]!.invocation.onCanceled = () => {
      throw new Error("broken");
    };
    runtime.beginCell("A1");
    runtime.beginCell("A2");
    runtime.commit();
    expect(streams[1]!.cancelled).toBe(true);
  });

  it("get the new call and the old cancel in an order that the seed decides", () => {
    const orders = Array.from({ length: 20 }, (_, seed) => {
      const { runtime, log, type } = createBench(seed);
      type("A1", 1);
      runtime.commit();
      type("A1", 2);
      runtime.commit();
      return log.slice(1).join(", ");
    });
    expect(new Set(orders)).toEqual(new Set(["call [2], cancel [1]", "cancel [1], call [2]"]));
    const again = createBench(3);
    again.type("A1", 1);
    again.runtime.commit();
    again.type("A1", 2);
    again.runtime.commit();
    expect(again.log.slice(1).join(", ")).toBe(orders[3]);
  });

  it("can set a result while they are being called", () => {
    const { runtime, type } = createBench();
    runtime.customFunctions.associate("ECHO", (_value: unknown, invocation: Required<Invocation>) =>
      invocation.setResult("now"),
    );
    type("A1", 1);
    runtime.commit();
    jest.advanceTimersByTime(50);
    expect(type("A1", 1)).toEqual({ kind: "value", value: "now" });
  });
});

describe("a peek", () => {
  it("starts nothing and sees the stream of an equal call", () => {
    const { runtime, streams, type } = createBench();
    expect(runtime.peek("ECHO", [1])).toEqual({ kind: "busy" });
    runtime.commit();
    expect(streams).toHaveLength(0);
    type("A1", 1);
    runtime.commit();
    streams[0]!.invocation.setResult(4);
    jest.advanceTimersByTime(50);
    expect(runtime.peek("ECHO", [1])).toEqual({ kind: "value", value: 4 });
    expect(runtime.live()).toBe(1);
  });
});

describe("an invocation", () => {
  it("is no value preview and names its function", () => {
    const { runtime, streams, type } = createBench();
    type("A1", 1);
    runtime.commit();
    expect(streams[0]!.invocation.isInValuePreview).toBe(false);
    expect(streams[0]!.invocation.functionName).toBe("ECHO");
  });
});
