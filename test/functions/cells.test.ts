import { beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { NoValueError, RequestError } from "../../src/feed/errors";
import { PassedError, toCell, toCellError, toCells } from "../../src/functions/cells";
import { installCustomFunctions } from "../support/formula-cells";

beforeAll(installCustomFunctions);

const show = (rows: unknown[][], expected = rows.length) => toCells({ rows, expected });

const isFit = (cell: unknown) =>
  typeof cell === "string" ||
  typeof cell === "boolean" ||
  Number.isFinite(cell) ||
  cell instanceof CustomFunctions.Error;

describe("what leaves for the host", () => {
  it("is rectangular and holds no null, undefined, NaN, infinity or object, whatever is shown", () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.anything(), { maxLength: 5 }), { maxLength: 5 }), (rows) => {
        const cells = show(rows);
        expect(cells.length).toBeGreaterThan(0);
        expect(new Set(cells.map((row) => row.length)).size).toBe(1);
        expect(cells.flat().every(isFit)).toBe(true);
      }),
      { seed: 3, numRuns: 2000 },
    );
  });

  it("shows an absent value as empty text, for the host would show a null as 0", () => {
    expect(show([[null, undefined, 0, "", false]])).toEqual([["", "", 0, "", false]]);
  });

  it("may have more rows than a call has room for arguments", () => {
    const cells = show([...Array.from({ length: 200_000 }, () => [1]), [1, 2]]);
    expect([cells.length, cells[0], cells.at(-1)]).toEqual([200_001, [1, ""], [1, 2]]);
  });

  it("shows no rows as one empty cell", () => {
    expect(show([])).toEqual([[""]]);
  });

  it("cuts text at a cell's length and takes out what a workbook cannot hold", () => {
    expect(toCell("x".repeat(40_000))).toHaveLength(32_767);
    expect(toCell("a\u0000b\u001fc\ttab")).toBe("abc\ttab");
  });

  it.each(["=HYPERLINK(1)", "+1", "@cmd", "<img onerror=alert(1)>", "\u202Eabc", "髙島屋"])(
    "leaves %s as it is",
    (text) => {
      expect(toCell(text)).toBe(text);
    },
  );

  it("is refused where it will be too large, as soon as the first rows tell", () => {
    const rows = Array.from({ length: 10 }, () => ["x".repeat(100)]);
    expect(show(rows, 1_000)).toEqual(rows);
    expect(() => show(rows, 100_000)).toThrow(NoValueError);
    expect(() => show(rows, 100_000)).toThrow(/100000 rows would be .* MB.*lower top or name fewer fields/);
    expect(() => show([["x".repeat(32_000), ...Array(50).fill("y".repeat(32_000))]])).toThrow(NoValueError);
  });
});

describe("an error that leaves", () => {
  it("says its code, what happened and what to do", () => {
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
  ])("hands %s on as %s", (code, passed) => {
    expect(toCellError(new PassedError({ type: "Error", basicValue: code })).code).toBe(passed);
    expect(toCellError(new PassedError({ code })).code).toBe(passed);
  });

  it("keeps the reason of what nobody foresaw", () => {
    expect(toCellError(new TypeError("x is undefined")).message).toMatch(
      /^FEED_RESPONSE_MALFORMED: unexpected \(x is undefined\)/,
    );
  });
});
