import { describe, expect, it } from "@jest/globals";
import { type Argument, ArgumentRefused, toParameters } from "../../src/playground/arguments";
import { CustomFunctionError, type ParameterMetadata, toOutcome } from "../../src/playground/custom-functions";

function pass(parameter: Partial<ParameterMetadata>, argument: Argument): unknown {
  return toParameters({ id: "F", name: "F", parameters: [{ name: "p", ...parameter }] }, [argument])[0];
}

function refusal(parameter: Partial<ParameterMetadata>, argument: Argument): string {
  try {
    return `called with ${JSON.stringify(pass(parameter, argument))}`;
  } catch (error) {
    if (error instanceof ArgumentRefused) return error.code;
    throw error;
  }
}

describe("scalar parameters", () => {
  it.each([5, "12", true, ""])("take %j as it is", (given) => {
    expect(pass({}, given)).toBe(given);
  });

  it("take a range of one cell as its content and refuse a larger one", () => {
    expect(pass({}, [["x"]])).toBe("x");
    expect(refusal({}, [["x", "y"]])).toBe("#VALUE!");
  });
});

describe("omitted arguments", () => {
  it("are null if the parameter is optional", () => {
    expect(pass({ optional: true }, undefined)).toBeNull();
    expect(pass({ dimensionality: "matrix", optional: true }, undefined)).toBeNull();
  });

  it("are #VALUE! if the parameter is required", () => {
    expect(refusal({}, undefined)).toBe("#VALUE!");
  });

  it.each([
    [[], "company"],
    [["one"], "year"],
    [["one", undefined, 3], "year"],
  ])("are named in a sentence if they are required: from %j %s is missing", (given, missing) => {
    const parameters = [{ name: "company" }, { name: "year" }, { name: "basis", optional: true }];
    const read = () => toParameters({ id: "F", name: "F", parameters }, given);
    const sentence = `The argument ${missing} is missing; this formula needs company, year.`;
    expect(read).toThrow(new ArgumentRefused("#VALUE!", sentence));
  });

  it("can be missing at the end; surplus arguments are #VALUE!", () => {
    const metadata = { id: "F", name: "F", parameters: [{ name: "a" }, { name: "b", optional: true }] };
    expect(toParameters(metadata, [1])).toEqual([1, null]);
    expect(() => toParameters(metadata, [1, 2, 3])).toThrow(ArgumentRefused);
  });
});

describe("a referenced blank cell", () => {
  it("arrives as 0", () => {
    expect(pass({}, null)).toBe(0);
  });

  it("arrives so in ranges too", () => {
    expect(pass({ dimensionality: "matrix" }, [["a", null]])).toEqual([["a", 0]]);
  });
});

describe("matrix parameters", () => {
  it("receive a scalar as a matrix of one", () => {
    expect(pass({ dimensionality: "matrix" }, 2023)).toEqual([[2023]]);
  });
});

describe("an error in an argument", () => {
  it("reaches the function as an error value", () => {
    const received = pass({ dimensionality: "matrix" }, [["a", { code: "#N/A" }]]) as unknown[][];
    expect(received[0]![0]).toBe("a");
    expect(received[0]![1]).toBeInstanceOf(CustomFunctionError);
    expect(received[0]![1]).toMatchObject({ type: "Error", basicType: "Error", basicValue: "#N/A", code: "#N/A" });
  });

  it("keeps the cell busy without a call while its only value is pending", () => {
    const busy = { code: "#BUSY!" };
    expect(refusal({}, busy)).toBe("#BUSY!");
    expect(refusal({ dimensionality: "matrix" }, busy)).toBe("#BUSY!");
    expect(refusal({ dimensionality: "matrix" }, [[busy]])).toBe("#BUSY!");
    expect(refusal({ dimensionality: "matrix" }, [[busy, "a"]])).toContain("called");
  });
});

// What cells show of all other values, set and thrown: test/excel/two-runtimes.test.ts.
describe("a result", () => {
  it.each([[{ some: "object" }], [[]], [[[]]], [[1, 2]]])("that no cell can hold, like %j, is #VALUE!", (raw) => {
    expect(toOutcome(raw)).toEqual({ kind: "error", code: "#VALUE!" });
  });

  it.each(["#NAME?", "#REF!", "#BUSY!", "#CONNECT!"])("that is an error of code %s shows #VALUE!", (code) => {
    expect(toOutcome(new CustomFunctionError(code, "why"))).toEqual({ kind: "error", code: "#VALUE!" });
  });
});
