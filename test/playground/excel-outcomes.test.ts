import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { createCustomFunctionsRuntime } from "../../src/playground/excel-runtime";
import type { FunctionMetadata } from "../../src/playground/metadata";
import { createBench, stream } from "./runtime-bench";

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
});
afterEach(() => {
  jest.useRealTimers();
});

describe("functions that fail", () => {
  const outcomeOf = async (
    implementation: (...given: never[]) => unknown,
    metadata: FunctionMetadata = stream("ECHO", []),
  ) => {
    const { runtime } = createBench();
    runtime.load({ functions: [metadata] });
    runtime.customFunctions.associate("ECHO", implementation);
    runtime.beginCell("A1");
    runtime.call("ECHO", [], "A1");
    runtime.commit();
    await jest.advanceTimersByTimeAsync(1000);
    return runtime.call("ECHO", [], "A1");
  };
  const { Error: CustomError } = createCustomFunctionsRuntime({ onResults: () => undefined }).customFunctions;
  const plain = { id: "ECHO", name: "ECHO", parameters: [] };

  it("stay busy if a stream throws after an await", async () => {
    expect(
      await outcomeOf(async () => {
        await null;
        throw new CustomError("#N/A", "lost");
      }),
    ).toEqual({ kind: "busy" });
  });

  it("stay busy if a stream returns its value", async () => {
    expect(await outcomeOf(() => 5)).toEqual({ kind: "busy" });
  });

  it("show a CustomFunctions.Error thrown synchronously, with its text", async () => {
    expect(
      await outcomeOf(() => {
        throw new CustomError("#N/A", "no such company");
      }),
    ).toEqual({ kind: "error", code: "#N/A", message: "no such company" });
  });

  it("lose the text of a plain Error", async () => {
    expect(
      await outcomeOf(() => {
        throw new Error("secret");
      }),
    ).toEqual({ kind: "error", code: "#VALUE!" });
  });

  it("show the rejection of a plain function", async () => {
    expect(await outcomeOf(() => Promise.reject(new CustomError("#VALUE!", "bad year")), plain)).toEqual({
      kind: "error",
      code: "#VALUE!",
      message: "bad year",
    });
  });

  it("show the result of a plain function", async () => {
    expect(await outcomeOf(() => Promise.resolve(12), plain)).toEqual({ kind: "value", value: 12 });
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
