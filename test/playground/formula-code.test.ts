import { afterEach, describe, expect, it } from "@jest/globals";
import { readFormulaCode, replaceFunction } from "../../src/playground/formula-code";
import sheet from "./formula-code.json";
import { openWorkbook, prepareEngine } from "./open-workbook";

/** Cells that formulas refer to, and formulas of every kind that the engine compiles. */
const CELLS = sheet.cells as [string, string][];
const FORMULAS = sheet.formulas;

const native = globalThis.Function;
afterEach(() => {
  globalThis.Function = native;
});

/** Enters the formulas, each in a row with room to spill, and gives their cells. */
function evaluate() {
  prepareEngine();
  const { model, enter } = openWorkbook();
  enter(...CELLS, ...FORMULAS.map((formula, nth): [string, string] => [`F${nth * 3 + 1}`, formula]));
  return FORMULAS.map((formula, nth) => [
    formula,
    model.getters.getEvaluatedCell({ sheetId: "sheet1", col: 5, row: nth * 3 }).value,
  ]);
}

describe("the code of a formula", () => {
  it("has the same result interpreted and compiled, for each kind of formula", () => {
    const codes: string[] = [];
    const differing: unknown[] = [];
    const page = { Function: native };
    replaceFunction(page);
    function PageFunction(...texts: string[]) {
      const [compiled, read] = [native(...texts), page.Function(...texts)];
      codes.push(texts.at(-1) ?? "");
      return function (this: unknown, ...given: unknown[]) {
        const [expected, found] = [compiled.apply(this, given), read.apply(this, given)];
        if (JSON.stringify(expected) !== JSON.stringify(found)) differing.push([texts.at(-1), expected, found]);
        return found;
      };
    }
    Object.assign(globalThis, { Function: Object.assign(PageFunction, { prototype: native.prototype }) });
    const values = evaluate();
    expect(differing).toEqual([]);
    expect(codes.length).toBeGreaterThan(20);
    expect(values.slice(0, 6).map(([, value]) => value)).toEqual([1, "a text", true, false, 28, -0.02]);
  });

  it.each([
    "return fetch('/');",
    "return ctx['SUM'](fetch('/'));",
    "const _1 = this.constructor;",
    "return ctx['SUM'](_1); fetch('/');",
    "alert(1)",
  ])("is not run if it is no formula's: %s", (code) => {
    expect(() => readFormulaCode(code)).toThrow(EvalError);
  });
});

it("the page's Function creates formulas, and refuses all other code", () => {
  const page = { Function: native };
  replaceFunction(page);
  const run = page.Function("deps", "ref", "range", "getSymbolValue", "ctx", "return this.literalValues.numbers[0];");
  expect(run.call({ literalValues: { numbers: [7] } })).toBe(7);
  expect(() => page.Function("return 1")).toThrow(EvalError);
  expect(() => new page.Function("app, bdom, helpers", "return 1;")).toThrow(EvalError);
  expect(run instanceof page.Function).toBe(true);
});
