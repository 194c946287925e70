import { beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { NoValueError, RequestError } from "../../src/client/errors";
import {
  type Abilities,
  Figure,
  PassedError,
  PLAIN,
  toCell,
  toCellError,
  toCells,
  Written,
} from "../../src/functions/cells";
import { installCustomFunctions } from "../office/custom-functions";

beforeAll(installCustomFunctions);

const ALL: Abilities = { formats: true, properties: true, dateSystem: 1900 };
const show = (rows: unknown[][], expected = rows.length, abilities = PLAIN) => toCells({ rows, expected }, abilities);

/** A figure with these properties. */
function createFigure(value: unknown, readFacts: Figure["readFacts"]): Figure {
  return Object.assign(new Figure(value), { readFacts });
}

const isFit = (cell: unknown) =>
  typeof cell === "string" ||
  typeof cell === "boolean" ||
  Number.isFinite(cell) ||
  cell instanceof CustomFunctions.Error;

describe("a result", () => {
  it("is rectangular without null, undefined, NaN, infinity or objects", () => {
    const law = fc.property(fc.array(fc.array(fc.anything(), { maxLength: 5 }), { maxLength: 5 }), (rows) => {
      const shown = show(rows);
      const cells = Array.isArray(shown) ? shown : [[shown]];
      expect(cells.length).toBeGreaterThan(0);
      expect(new Set(cells.map((row) => row.length)).size).toBe(1);
      expect(cells.flat().every(isFit)).toBe(true);
    });
    fc.assert(law, { seed: 3, numRuns: 2000 });
  });

  it("has empty text for an absent value, since Excel shows null as 0", () => {
    expect(show([[null, undefined, 0, "", false]])).toEqual([["", "", 0, "", false]]);
  });

  it("can have 200,000 rows", () => {
    const cells = show([...Array.from({ length: 200_000 }, () => [1]), [1, 2]]) as unknown[][];
    expect([cells.length, cells[0], cells.at(-1)]).toEqual([200_001, [1, ""], [1, 2]]);
  });

  it("of one cell is a bare error if it is one, since some Excels show an error inside an array as #VALUE!", () => {
    const missing = new NoValueError("FEED_NO_VALUE", "it has no 2023; ask for another year");
    const notAvailable = { code: "#N/A", message: "FEED_NO_VALUE: it has no 2023; ask for another year" };
    expect(show([[missing]])).toMatchObject(notAvailable);
    expect(show([[Number.NaN]])).toMatchObject({ code: "#N/A", message: expect.stringMatching(/^FEED_RESPONSE_MALF/) });
    expect(show([[1, missing]])).toEqual([[1, expect.objectContaining(notAvailable)]]);
  });

  it("without rows is one empty cell", () => {
    expect(show([])).toEqual([[""]]);
  });

  it("truncates text at a cell's length and removes control characters", () => {
    expect(toCell("x".repeat(40_000))).toHaveLength(32_767);
    expect(toCell("a\u0000b\u001fc\ttab")).toBe("abc\ttab");
  });

  const TEXTS = ["=HYPERLINK(1)", "+1", "@cmd", "<img onerror=alert(1)>", "\u202Eabc", "髙島屋"];
  it.each(TEXTS)("leaves the text %s unchanged", (text) => {
    expect(toCell(text)).toBe(text);
  });

  it("has no half of a surrogate pair", () => {
    expect(toCell(`${"x".repeat(32_766)}𠮷`)).toBe("x".repeat(32_766));
    expect(toCell("a\ud842b")).toBe("ab");
    expect(toCell("𠮷野家")).toBe("𠮷野家");
  });

  it("of one row is never too large, unless many more rows are expected", () => {
    const longest = "高".repeat(40_000);
    const known = createFigure(1, () => ({ Currency: longest, Statement: longest, Consolidation: longest }));
    expect(show([[longest]])).toEqual([[longest.slice(0, 32_767)]]);
    expect(JSON.stringify(show([[known]], 1, ALL)).length).toBeGreaterThan(3 * 32_767);
    expect(() => show([[longest]], 100)).toThrow(NoValueError);
  });

  it("is refused as soon as its first rows show that it will be too large", () => {
    const rows = Array.from({ length: 10 }, () => ["x".repeat(100)]);
    expect(show(rows, 1_000)).toEqual(rows);
    expect(() => show(rows, 100_000)).toThrow(NoValueError);
    expect(() => show(rows, 100_000)).toThrow(/100000 rows would be .* MB.*lower top or name fewer fields/);
    const [long, ...usual] = [["高".repeat(30_000)], ...rows];
    expect(show([long as string[], ...usual], 5_000)).toHaveLength(11);
    expect(() => show([["x".repeat(32_000), ...Array(50).fill("y".repeat(32_000))]])).toThrow(NoValueError);
  });
});

describe("a number with a format or properties", () => {
  const day = new Written("2023-03-31", "day");
  const facts = { Currency: "JPY", Unit: null, "Fiscal year": 2023, "Period end": day };
  const figure = createFigure(100, () => facts);

  it("has its format on a host that supports formats, else is a plain number", () => {
    const formatted = { type: "FormattedNumber", basicValue: 45_016, numberFormat: "yyyy-mm-dd" };
    expect(show([[day, "x"]], 1, ALL)).toEqual([[formatted, "x"]]);
    expect(show([[day, "x"]])).toEqual([[45_016, "x"]]);
  });

  it("has its non-null properties on a host that supports them; elsewhere they are not read", () => {
    expect(toCell(figure, ALL)).toEqual({
      type: "Double",
      basicType: "Double",
      basicValue: 100,
      properties: {
        Currency: { type: "String", basicType: "String", basicValue: "JPY" },
        "Fiscal year": { type: "Double", basicType: "Double", basicValue: 2023 },
        "Period end": { type: "FormattedNumber", basicValue: 45_016, numberFormat: "yyyy-mm-dd" },
      },
    });
    const unread = createFigure(100, () => {
      throw new Error("read");
    });
    expect(toCell(unread, { ...ALL, properties: false })).toBe(100);
  });

  it("has no null property, and texts truncated and cleaned", () => {
    const odd = createFigure(1, () => ({ Long: "x".repeat(40_000), Control: "a\u0000b", Absent: null }));
    const { properties } = toCell(odd, ALL) as { properties: Record<string, { basicValue: string }> };
    expect(Object.keys(properties)).toEqual(["Long", "Control"]);
    expect(properties.Long?.basicValue).toHaveLength(32_767);
    expect(properties.Control?.basicValue).toBe("ab");
  });

  it("is an error if its value is no number", () => {
    const odd = createFigure(Number.POSITIVE_INFINITY, () => facts);
    for (const abilities of [PLAIN, ALL]) expect(toCell(odd, abilities)).toBeInstanceOf(CustomFunctions.Error);
  });

  it("counts with all its properties towards the size limit, and the error names the setting", () => {
    const rows = Array.from({ length: 8_000 }, () => [figure]);
    expect(show(rows)).toHaveLength(8_000);
    const size = JSON.stringify(toCell(figure, ALL)).length * rows.length;
    expect(size).toBeGreaterThan(1_500_000);
    expect(() => show(rows, rows.length, ALL)).toThrow(/fewer fields, or let numbers carry no properties/);
    expect(show(rows.slice(0, 4_000), 4_000, ALL)).toHaveLength(4_000);
  });
});

describe("an error result", () => {
  it("gives its code, what happened and what to do", () => {
    const error = toCellError(new RequestError("FEED_NOT_FOUND", "no such company; check the id"));
    expect([error.code, error.message]).toEqual(["#N/A", "FEED_NOT_FOUND: no such company; check the id"]);
    expect(toCellError(new NoValueError("FEED_AMBIGUOUS", "two")).code).toBe("#VALUE!");
  });

  it.each([
    ["#N/A", "#N/A"],
    ["#DIV/0!", "#DIV/0!"],
    ["#NUM!", "#NUM!"],
    ["#REF!", "#VALUE!"],
    ["#NAME?", "#VALUE!"],
    ["#SPILL!", "#VALUE!"],
  ])("passes %s on as %s", (code, passed) => {
    expect(toCellError(new PassedError({ type: "Error", basicValue: code })).code).toBe(passed);
    expect(toCellError(new PassedError({ code })).code).toBe(passed);
  });

  it("reports an unexpected failure as internal, not the provider's", () => {
    expect(toCellError(new TypeError("x is undefined"))).toMatchObject({
      code: "#N/A",
      message:
        "FEED_INTERNAL: FEED for Excel failed on its own: x is undefined; copy the text for support in the pane and report it to us",
    });
  });

  it("redacts tokens, ids and long texts from an unexpected failure", () => {
    const token = `eyJhbGciOiJSUzI1NiJ9.${"a1".repeat(40)}.sig_nature-of-it`;
    const { message } = toCellError(new SyntaxError(`Unexpected "Bearer ${token}" ${"in a text ".repeat(50)}`));
    expect(message).toMatch(/on its own: Unexpected "Bearer …" in a text .{20,90}; copy the text/);
    expect(message).not.toContain("eyJ");
  });
});
