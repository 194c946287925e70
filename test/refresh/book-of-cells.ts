import { type Argument, ArgumentRefused, toParameters } from "../../src/playground/arguments";
import { BUSY, type Outcome, toOutcome } from "../../src/playground/custom-functions";
import type { Formulas, WorkbookCells } from "../../src/refresh/engine";
import { readAddress, toAddress } from "../../src/xlsx/addresses";
import type { XlsxCell, XlsxValue } from "../../src/xlsx/sheet";
import type { XlsxWorkbook } from "../../src/xlsx/workbook";

/** A cell as a file has it: its stored value, with a formula, and with the size of an array. */
export type Written =
  | XlsxValue
  | { formula: string; value?: XlsxValue; array?: { rows: number; columns: number; isDynamic?: boolean } };

type Extra = Partial<Pick<XlsxWorkbook, "names" | "tables" | "isDate1904"> & Pick<WorkbookCells, "merged">>;

/** Makes a workbook of cells by their addresses, such as "B3", on sheets by their names. */
export function createBook(sheets: Record<string, Record<string, Written>>, extra: Extra = {}): WorkbookCells {
  const { merged = new Map(), ...others } = extra;
  const workbook: XlsxWorkbook = {
    isDate1904: false,
    names: [],
    tables: [],
    isSigned: false,
    path: "xl/workbook.xml",
    strings: [],
    dynamicArrays: new Set(),
    ...others,
    sheets: Object.keys(sheets).map((name) => ({ name, path: `${name}.xml` })),
  };
  const cells = Object.entries(sheets).map(([name, written]) => {
    return [name, Object.entries(written).map(([address, each]) => toCell(address, each))] as const;
  });
  return { workbook, merged, cells: new Map(cells) };
}

function toCell(address: string, written: Written): XlsxCell {
  const [row = 0, column = 0] = readAddress(address) ?? [];
  const place = { row, column };
  if (written === null || typeof written !== "object" || "error" in written) return { ...place, value: written };
  const { formula, value = null, array } = written;
  return { ...place, value, formula, ...(array && { array: { isDynamic: true, ...array } }) };
}

/** What a function of the tests answers: a value, an error, or rows. */
export type Answer = unknown;
export type Answers = Record<string, (...given: unknown[]) => Answer>;

/** Formulas by name, each with three optional arguments of any type; they answer as the rounds are settled. */
export function createFormulas(answers: Answers): Formulas & { asked: string[] } {
  const functions = Object.keys(answers).map((name) => ({
    id: name,
    name,
    parameters: ["a", "b", "c"].map((parameter) => ({ name: parameter, optional: true })),
  }));
  const asked: string[] = [];
  const outcomes = new Map<string, Outcome>();
  const open = new Map<string, () => Outcome>();
  const call = (name: string, given: readonly Argument[]): Outcome => {
    try {
      const parameters = toParameters(functions.find((each) => each.name === name)!, given);
      const key = `${name}(${parameters.map((each) => JSON.stringify(each)).join()})`;
      const outcome = outcomes.get(key);
      if (outcome === undefined) open.set(key, () => toOutcome(answers[name]!(...parameters)));
      return outcome ?? BUSY;
    } catch (error) {
      if (!(error instanceof ArgumentRefused)) throw error;
      return { kind: "error", code: error.code };
    }
  };
  return {
    runtime: { call, beginCell: () => {}, commit: () => {} },
    metadata: { functions },
    asked,
    async settle() {
      for (const [key, ask] of open) {
        asked.push(key);
        outcomes.set(key, ask());
      }
      open.clear();
    },
  };
}

/** The values that a calculation writes, by sheet and address; null for a value that is taken out. */
export function listWritten(
  changes: ReadonlyMap<string, readonly { row: number; column: number; value: XlsxValue }[]>,
) {
  return Object.fromEntries(
    [...changes].flatMap(([sheet, all]) =>
      all.map(({ row, column, value }) => {
        const shown = value !== null && typeof value === "object" ? value.error : value;
        return [`${sheet}!${toAddress(row, column)}`, shown];
      }),
    ),
  );
}
