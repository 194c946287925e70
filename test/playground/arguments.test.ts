import { describe, expect, it } from "@jest/globals";
import { type Argument, ArgumentRefused, toParameters } from "../../src/playground/arguments";
import { CustomFunctionError, type ParameterMetadata, toOutcome } from "../../src/playground/custom-functions";
import cases from "./arguments.json";

function pass(parameter: Partial<ParameterMetadata>, argument: Argument, errorsAllowed = true): unknown {
  return toParameters({ id: "F", name: "F", parameters: [{ name: "p", ...parameter }] }, [argument], errorsAllowed)[0];
}

function refusal(parameter: Partial<ParameterMetadata>, argument: Argument, errorsAllowed = true): string {
  try {
    return `called with ${JSON.stringify(pass(parameter, argument, errorsAllowed))}`;
  } catch (error) {
    if (error instanceof ArgumentRefused) return error.code;
    throw error;
  }
}

describe("scalar parameters", () => {
  it.each(cases.taken as [string | null, string | number | boolean, string | number | boolean][])(
    "of type %s take %p as %p",
    (type, given, expected) => {
      expect(pass({ ...(type ? { type } : {}) }, given)).toBe(expected);
    },
  );

  it.each(cases.refused)("of type %s refuse %p with #VALUE! and no call", (type, given) => {
    expect(refusal({ type }, given)).toBe("#VALUE!");
  });

  it("take a range of one cell as its content and refuse a larger one", () => {
    expect(pass({ type: "any" }, [["x"]])).toBe("x");
    expect(refusal({ type: "any" }, [["x", "y"]])).toBe("#VALUE!");
  });
});

describe("omitted arguments", () => {
  it("are null if the parameter is optional", () => {
    expect(pass({ type: "any", optional: true }, undefined)).toBeNull();
    expect(pass({ type: "any", dimensionality: "matrix", optional: true }, undefined)).toBeNull();
  });

  it("are #VALUE! if the parameter is required", () => {
    expect(refusal({ type: "any" }, undefined)).toBe("#VALUE!");
  });

  it.each([
    [[], "company"],
    [["one"], "year"],
    [["one", undefined, 3], "year"],
  ])("are named in a sentence if they are required: from %j %s is missing", (given, missing) => {
    const parameters = [{ name: "company" }, { name: "year" }, { name: "basis", optional: true }];
    const read = () => toParameters({ id: "F", name: "F", parameters }, given, true);
    const sentence = `The argument ${missing} is missing; this formula needs company, year.`;
    expect(read).toThrow(new ArgumentRefused("#VALUE!", sentence));
  });

  it("can be missing at the end; surplus arguments are #VALUE!", () => {
    const metadata = { id: "F", name: "F", parameters: [{ name: "a" }, { name: "b", optional: true }] };
    expect(toParameters(metadata, [1], true)).toEqual([1, null]);
    expect(() => toParameters(metadata, [1, 2, 3], true)).toThrow(ArgumentRefused);
  });
});

describe("a referenced blank cell", () => {
  it.each([
    ["any", 0],
    ["number", 0],
    ["boolean", false],
    ["string", ""],
  ])("arrives as the blank of type %s: %p", (type, expected) => {
    expect(pass({ type }, null)).toBe(expected);
  });

  it("arrives so in ranges too", () => {
    expect(pass({ type: "any", dimensionality: "matrix" }, [["a", null]])).toEqual([["a", 0]]);
  });
});

describe("matrix parameters", () => {
  it("receive a scalar as a matrix of one", () => {
    expect(pass({ type: "any", dimensionality: "matrix" }, 2023)).toEqual([[2023]]);
  });

  it("convert every element, and refuse the call for an element that cannot be converted", () => {
    expect(pass({ type: "number", dimensionality: "matrix" }, [["1", true]])).toEqual([[1, 1]]);
    expect(refusal({ type: "number", dimensionality: "matrix" }, [[1, "x"]])).toBe("#VALUE!");
  });
});

describe("an error in an argument", () => {
  it("reaches an `any` parameter as an error value if functions.json allows it", () => {
    const received = pass({ type: "any", dimensionality: "matrix" }, [["a", { code: "#N/A" }]]) as unknown[][];
    expect(received[0]![0]).toBe("a");
    expect(received[0]![1]).toBeInstanceOf(CustomFunctionError);
    expect(received[0]![1]).toMatchObject({ type: "Error", basicType: "Error", basicValue: "#N/A", code: "#N/A" });
    expect(JSON.parse(JSON.stringify(received[0]![1]))).toMatchObject({ errorType: "NotAvailable" });
  });

  it("keeps the cell busy without a call while its only value is pending", () => {
    const busy = { code: "#BUSY!" };
    expect(refusal({ type: "any" }, busy)).toBe("#BUSY!");
    expect(refusal({ type: "any", dimensionality: "matrix" }, busy)).toBe("#BUSY!");
    expect(refusal({ type: "any", dimensionality: "matrix" }, [[busy]])).toBe("#BUSY!");
    expect(refusal({ type: "any", dimensionality: "matrix" }, [[busy, "a"]])).toContain("called");
  });

  it("becomes the cell's error without a call if it is not allowed or the parameter is not `any`", () => {
    expect(refusal({ type: "any" }, { code: "#DIV/0!" }, false)).toBe("#DIV/0!");
    expect(refusal({ type: "any", dimensionality: "matrix" }, [[1, { code: "#N/A" }]], false)).toBe("#N/A");
    expect(refusal({ type: "number" }, { code: "#N/A" })).toBe("#N/A");
  });
});

// What cells show of all other values, returned, set and thrown: test/excel/two-runtimes.test.ts.
describe("a result", () => {
  it.each([[{ some: "object" }], [[]], [[[]]], [[1, 2]]])("that no cell can hold, like %j, is #VALUE!", (raw) => {
    expect(toOutcome(raw)).toEqual({ kind: "error", code: "#VALUE!" });
  });

  it.each(["#NAME?", "#REF!", "#BUSY!", "#CONNECT!"])("that is an error of code %s shows #VALUE!", (code) => {
    expect(toOutcome(new CustomFunctionError(code, "why"))).toEqual({ kind: "error", code: "#VALUE!" });
  });
});
