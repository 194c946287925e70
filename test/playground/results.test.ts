import { describe, expect, it } from "@jest/globals";
import { CustomFunctionError } from "../../src/playground/custom-functions";
import { type Outcome, toErrorOutcome, toOutcome } from "../../src/playground/results";

const value = (content: string | number | boolean) => ({ kind: "value", value: content });
const rows = (outcome: Outcome) => (outcome.kind === "array" ? outcome.rows : outcome);

describe("single results", () => {
  it.each([
    [5, value(5)],
    ["", value("")],
    [false, value(false)],
    [null, value(0)],
    [undefined, value(0)],
    [new Date(0), value("1970-01-01T00:00:00.000Z")],
    [Number.NaN, { kind: "error", code: "#VALUE!" }],
    [Number.POSITIVE_INFINITY, { kind: "error", code: "#NUM!" }],
    [{ some: "object" }, { kind: "error", code: "#VALUE!" }],
    [new Error("text"), { kind: "error", code: "#VALUE!" }],
  ])("show %p as %p", (raw, expected) => {
    expect(toOutcome(raw)).toEqual(expected);
  });

  it("keep the basic value and the format of a formatted number", () => {
    expect(toOutcome({ type: "FormattedNumber", basicValue: 45000, numberFormat: "yyyy-mm-dd" })).toEqual({
      kind: "value",
      value: 45000,
      format: "yyyy-mm-dd",
    });
  });

  it("are the number if they have properties", () => {
    const properties = { Currency: { type: "String", basicType: "String", basicValue: "JPY" } };
    expect(toOutcome({ type: "Double", basicType: "Double", basicValue: 1.5, properties })).toEqual(value(1.5));
  });
});

describe("errors", () => {
  it.each(["#VALUE!", "#N/A"])("of code %s keep their text", (code) => {
    expect(toOutcome(new CustomFunctionError(code, "why"))).toEqual({ kind: "error", code, message: "why" });
  });

  it.each(["#DIV/0!", "#NUM!", "#NULL!"])("of code %s lose their text", (code) => {
    expect(toOutcome(new CustomFunctionError(code, "why"))).toEqual({ kind: "error", code });
  });

  it.each(["#NAME?", "#REF!", "#BUSY!", "#CONNECT!"])("of code %s cannot be output and show #VALUE!", (code) => {
    expect(toOutcome(new CustomFunctionError(code, "why"))).toEqual({ kind: "error", code: "#VALUE!" });
  });

  it("thrown keep their text only as CustomFunctions.Error", () => {
    expect(toErrorOutcome(new CustomFunctionError("#N/A", "why"))).toEqual({
      kind: "error",
      code: "#N/A",
      message: "why",
    });
    expect(toErrorOutcome(new TypeError("why"))).toEqual({ kind: "error", code: "#VALUE!" });
  });
});

describe("arrays", () => {
  it("show 0 for null, undefined, NaN and Infinity", () => {
    expect(rows(toOutcome([[null, undefined, Number.NaN, Number.POSITIVE_INFINITY]]))).toEqual([
      [value(0), value(0), value(0), value(0)],
    ]);
  });

  it("have dates as ISO text and errors as elements with their text", () => {
    const outcome = toOutcome([[new Date(0), new CustomFunctionError("#N/A", "no year"), 1]]);
    expect(rows(outcome)).toEqual([
      [value("1970-01-01T00:00:00.000Z"), { kind: "error", code: "#N/A", message: "no year" }, value(1)],
    ]);
  });

  it("show a plain Error among the elements as #VALUE! without its text", () => {
    expect(rows(toOutcome([[new Error("x"), 1]]))).toEqual([[{ kind: "error", code: "#VALUE!" }, value(1)]]);
  });

  it("stay ragged", () => {
    expect(rows(toOutcome([[1, 2], [3]]))).toEqual([[value(1), value(2)], [value(3)]]);
  });

  it.each([[[]], [[[]]], [[1, 2]]])("that are not two-dimensional or empty, like %j, are #VALUE!", (raw) => {
    expect(toOutcome(raw)).toEqual({ kind: "error", code: "#VALUE!" });
  });
});

describe("a host without data types in functions", () => {
  const rules = { hasDataTypes: false, hasErrorsInArrays: true };

  it("shows #VALUE! for one, and plain values and errors as they are", () => {
    const dated = { type: "FormattedNumber", basicValue: 45000, numberFormat: "yyyy-mm-dd" };
    expect(toOutcome(dated, rules)).toEqual({ kind: "error", code: "#VALUE!" });
    expect(rows(toOutcome([[5, dated, new CustomFunctionError("#N/A", "why")]], rules))).toEqual([
      [value(5), { kind: "error", code: "#VALUE!" }, { kind: "error", code: "#N/A", message: "why" }],
    ]);
  });
});

describe("a host without errors in arrays", () => {
  const rules = { hasDataTypes: true, hasErrorsInArrays: false };

  it("shows #VALUE! alone for an array that holds one", () => {
    const missing = new CustomFunctionError("#N/A", "why");
    expect(toOutcome([[5, missing]], rules)).toEqual({ kind: "error", code: "#VALUE!" });
    expect(toOutcome(missing, rules)).toEqual({ kind: "error", code: "#N/A", message: "why" });
    expect(rows(toOutcome([[5, 6]], rules))).toEqual([[value(5), value(6)]]);
  });
});
