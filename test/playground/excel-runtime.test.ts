import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import type { FunctionMetadata } from "../../src/playground/custom-functions";
import { createCustomFunctionsRuntime, type Invocation } from "../../src/playground/excel-runtime";
import { functions } from "../functions/functions.golden.json";

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
});
afterEach(() => {
  jest.useRealTimers();
});

type Stream = { parameters: unknown[]; invocation: Required<Invocation>; cancelled: boolean };

const stream = (name: string, parameters: FunctionMetadata["parameters"] = [{ name: "a", optional: true }]) => ({
  id: name,
  name,
  parameters,
  options: { requiresStreamAddress: name === "ECHO" },
});

/** A runtime with the streaming functions ECHO, which requires its address, and OTHER; they record their calls. */
function createBench(addressOf: (cell: string) => string | undefined = () => undefined) {
  const delivered: string[][] = [];
  const log: string[] = [];
  const streams: Stream[] = [];
  const runtime = createCustomFunctionsRuntime({
    onResults: (cells) => delivered.push(cells),
    addressOf,
  });
  const record = (...given: unknown[]) => {
    const invocation = given.pop() as Required<Invocation>;
    const entry: Stream = { parameters: given, invocation, cancelled: false };
    log.push(`call ${JSON.stringify(given)}`);
    invocation.onCanceled = () => {
      entry.cancelled = true;
      log.push(`cancel ${JSON.stringify(given)}`);
    };
    streams.push(entry);
  };
  runtime.load({ functions: [stream("ECHO"), stream("OTHER")] });
  for (const name of ["ECHO", "OTHER"]) runtime.customFunctions.associate(name, record);
  const type = (cell: string, ...given: Parameters<typeof runtime.call>[1]) => {
    runtime.beginCell(cell);
    return runtime.call("ECHO", given, cell);
  };
  return {
    runtime,
    delivered,
    log,
    streams,
    type,
    /** Evaluates calls in cells as one calculation. */
    enter(...cells: Parameters<typeof type>[]) {
      for (const each of cells) type(...each);
      runtime.commit();
    },
    /** Empties cells. */
    clear(...cells: string[]) {
      for (const cell of cells) runtime.beginCell(cell);
      runtime.commit();
    },
  };
}

it("plays for functions that stream, and whose arguments take any type, as all of the add-in do", () => {
  const others = functions.filter(
    ({ options, parameters }) => !options.stream || parameters.some(({ type }) => type !== "any"),
  );
  expect(others).toEqual([]);
});

describe("streams", () => {
  it("get the address of their first cell if they require it", () => {
    const { runtime, streams, type } = createBench((cell) => `Sheet1!${cell}`);
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
    const { delivered, streams, enter } = createBench();
    enter(["A1", 1]);
    streams[0]!.invocation.setResult(1);
    jest.advanceTimersByTime(50);
    streams[0]!.invocation.setResult(2);
    jest.advanceTimersByTime(199);
    expect(delivered).toHaveLength(1);
    jest.advanceTimersByTime(1);
    expect(delivered).toHaveLength(2);
  });

  it("do not wake their cells for an equal value", () => {
    const { delivered, streams, enter } = createBench();
    enter(["A1", 1]);
    for (let time = 0; time < 3; time++) {
      streams[0]!.invocation.setResult([["a", 1]]);
      jest.advanceTimersByTime(1000);
    }
    expect(delivered).toHaveLength(1);
  });

  it("are shared by cells with equal calls, and cancelled with the last of them", () => {
    const { runtime, delivered, streams, enter, clear } = createBench();
    enter(["A1", "x"], ["A2", "x"]);
    expect(streams).toHaveLength(1);
    streams[0]!.invocation.setResult(1);
    jest.advanceTimersByTime(50);
    expect(delivered).toEqual([["A1", "A2"]]);
    clear("A1");
    expect(streams[0]!.cancelled).toBe(false);
    expect(runtime.live()).toBe(1);
    clear("A2");
    expect(streams[0]!.cancelled).toBe(true);
    expect(runtime.live()).toBe(0);
  });

  it("continue when a cell is evaluated again with the same arguments", () => {
    const { log, enter } = createBench();
    enter(["A1", 1]);
    enter(["A1", 1]);
    expect(log).toEqual(["call [1]"]);
  });

  it("distinguish arguments that look alike", () => {
    const { log, enter } = createBench();
    enter(["A1", "1"], ["A2", 1], ["A3", null], ["A4"]);
    expect(log).toEqual(['call ["1"]', "call [1]", "call [0]", "call [null]"]);
  });

  it("wake no cell for a result that waited for a flush at the cancel", () => {
    const { delivered, streams, type, enter, clear } = createBench();
    enter(["A1", 1]);
    streams[0]!.invocation.setResult(1);
    clear("A1");
    jest.advanceTimersByTime(1000);
    expect(delivered).toEqual([]);
    expect(type("A1", 1)).toEqual({ kind: "busy" });
  });

  it("start no flush for a result after the cancel", () => {
    const { delivered, streams, enter, clear } = createBench();
    enter(["A1", 1], ["A2", 2]);
    clear("A1");
    streams[0]!.invocation.setResult("late");
    jest.advanceTimersByTime(40);
    streams[1]!.invocation.setResult(2);
    jest.advanceTimersByTime(49);
    expect(delivered).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(delivered).toEqual([["A2"]]);
  });

  it("never start if their cell changed again before the commit", () => {
    const { log, enter } = createBench();
    enter(["A1", "f"], ["A1", "fi"], ["A1", "fin"]);
    expect(log).toEqual(['call ["fin"]']);
  });

  it("survive a cancel handler that throws", () => {
    const { streams, enter, clear } = createBench();
    enter(["A1", 1], ["A2", 2]);
    streams[0]!.invocation.onCanceled = () => {
      throw new Error("broken");
    };
    clear("A1", "A2");
    expect(streams[1]!.cancelled).toBe(true);
  });

  it("can set a result while they are being called", () => {
    const { runtime, type, enter } = createBench();
    runtime.customFunctions.associate("ECHO", (_value: unknown, invocation: Required<Invocation>) =>
      invocation.setResult("now"),
    );
    enter(["A1", 1]);
    jest.advanceTimersByTime(50);
    expect(type("A1", 1)).toEqual({ kind: "value", value: "now" });
  });
});

it("a peek starts nothing and sees the stream of an equal call", () => {
  const { runtime, streams, enter } = createBench();
  expect(runtime.peek("ECHO", [1])).toEqual({ kind: "busy" });
  runtime.commit();
  expect(streams).toHaveLength(0);
  enter(["A1", 1]);
  streams[0]!.invocation.setResult(4);
  jest.advanceTimersByTime(50);
  expect(runtime.peek("ECHO", [1])).toEqual({ kind: "value", value: 4 });
  expect(runtime.live()).toBe(1);
});

it("an invocation is no value preview and names its function", () => {
  const { streams, enter } = createBench();
  enter(["A1", 1]);
  expect(streams[0]!.invocation.isInValuePreview).toBe(false);
  expect(streams[0]!.invocation.functionName).toBe("ECHO");
});

describe("functions that fail", () => {
  const outcomeOf = async (implementation: (...given: never[]) => unknown) => {
    const { runtime } = createBench();
    runtime.load({ functions: [stream("ECHO", [])] });
    runtime.customFunctions.associate("ECHO", implementation);
    runtime.beginCell("A1");
    runtime.call("ECHO", [], "A1");
    runtime.commit();
    await jest.advanceTimersByTimeAsync(1000);
    return runtime.call("ECHO", [], "A1");
  };

  // What cells show of errors that are thrown and set: test/excel/two-runtimes.test.ts.
  it("stay busy if a stream returns its value, or throws after an await", async () => {
    expect(await outcomeOf(() => 5)).toEqual({ kind: "busy" });
    const { Error: CustomError } = createBench().runtime.customFunctions;
    const throwLate = async () => {
      await null;
      throw new CustomError("#N/A", "lost");
    };
    expect(await outcomeOf(throwLate)).toEqual({ kind: "busy" });
  });

  it("are #NAME? if the bundle has not associated them or functions.json does not list them", async () => {
    const { runtime } = createBench();
    expect(runtime.call("MISSING", [], "A1")).toEqual({ kind: "error", code: "#NAME?" });
    runtime.load({ functions: [stream("LISTED")] });
    runtime.call("LISTED", [], "A1");
    runtime.commit();
    jest.advanceTimersByTime(50);
    expect(runtime.call("LISTED", [], "A1")).toEqual({ kind: "error", code: "#NAME?" });
  });
});
