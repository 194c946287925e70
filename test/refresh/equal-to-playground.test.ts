import { expect, it, jest } from "@jest/globals";
import type { Model } from "@odoo/o-spreadsheet";
import type { Argument } from "../../src/playground/arguments";
import { CustomFunctionError, type Outcome, type ResultCell } from "../../src/playground/custom-functions";
import { registerFormulas, toExcelCode } from "../../src/playground/formulas";
import { openWorkbook } from "../../src/playground/workbook";
import type { Calculation } from "../../src/refresh/engine";
import { readAddress, toAddress } from "../../src/xlsx/addresses";
import type { XlsxValue } from "../../src/xlsx/sheet";
import { toRuns } from "../support/property";
import { createBook, createFormulas, type Written } from "./book-of-cells";
import { answer, createGeneratedBook, type Epoch, type GeneratedBook } from "./generated-books";

const SEEDS = Array.from({ length: toRuns(50, 200) }, (_, index) => index + 1);
const NAMES = ["NUMBER", "TABLE"];

/** Node 20 lacks it, and the engine's model needs it. */
function groupBy<Item>(items: readonly Item[], toKey: (item: Item) => string): Record<string, Item[]> {
  const groups: Record<string, Item[]> = {};
  for (const item of items) groups[toKey(item)] = [...(groups[toKey(item)] ?? []), item];
  return groups;
}

let epoch: Epoch = "before";

/** Has the playground's model answer by the present epoch. */
function preparePlayground(): void {
  Object.assign(Object, { groupBy });
  jest.spyOn(console, "debug").mockImplementation(() => {});
  const functions = NAMES.map((name) => ({ id: name, name, parameters: [{ name: "a", optional: true }] }));
  registerFormulas("FEED", { functions }, (_, name, [given]) => answer(name, toPassed(given), epoch));
}

/** What the runtime passes: 0 for a blank cell. */
const toPassed = (given: Argument): unknown => (given === undefined ? null : (given ?? 0));

/** The refresh with a spreadsheet engine of its own, which has one function of a name. */
async function importRefresh() {
  jest.resetModules();
  return await import("../../src/refresh/engine");
}

let version: unknown;

function openInPlayground({ sheets, names }: GeneratedBook): Model {
  version ??= openWorkbook(undefined, () => {}).exportData().version;
  return openWorkbook({
    version,
    sheets: Object.entries(sheets).map(([name, cells]) => ({ id: name, name, colNumber: 30, rowNumber: 30, cells })),
    namedRanges: names,
  });
}

function show(model: Model, sheetId: string, row: number, col: number): XlsxValue {
  const { type, value } = model.getters.getEvaluatedCell({ sheetId, row, col });
  if (type === "empty") return null;
  return type === "error" ? { error: toExcelCode(String(value)) } : value;
}

/** All values of a workbook in the playground. */
function showAll(model: Model): Map<string, XlsxValue> {
  const values = new Map<string, XlsxValue>();
  for (const sheetId of model.getters.getSheetIds()) {
    for (let row = 0; row < 30; row++) {
      for (let col = 0; col < 30; col++) {
        const value = show(model, sheetId, row, col);
        if (value !== null) values.set(`${sheetId}!${toAddress(row, col)}`, value);
      }
    }
  }
  return values;
}

/** The functions whose formulas may fill several cells, which Excel stores as arrays. */
const OF_MANY = /^=(FEED\.TABLE|SORT|UNIQUE|TRANSPOSE|FILTER|TAKE)\(/;

/** The workbook as Excel would have saved it before the refresh. */
function toFile(book: GeneratedBook, model: Model, values: ReadonlyMap<string, XlsxValue>) {
  const sheets = Object.entries(book.sheets).map(([sheetId, entered]) => {
    const cells: Record<string, Written> = {};
    for (const [key, value] of values) if (key.startsWith(`${sheetId}!`)) cells[key.slice(sheetId.length + 1)] = value;
    for (const [address, text] of Object.entries(entered)) {
      if (!text.startsWith("=")) continue;
      const [row = 0, col = 0] = readAddress(address) ?? [];
      const zone = model.getters.getSpreadZone({ sheetId, row, col });
      const size = zone
        ? { rows: zone.bottom - zone.top + 1, columns: zone.right - zone.left + 1 }
        : { rows: 1, columns: 1 };
      cells[address] = {
        formula: text
          .slice(1)
          .replace(/([A-Z]\d+)#/g, "_xlfn.ANCHORARRAY($1)")
          .replaceAll("FEED.", "_xldudf_FEED_"),
        value: values.get(`${sheetId}!${address}`) ?? null,
        ...(OF_MANY.test(text) && { array: size }),
      };
    }
    return [sheetId, cells] as const;
  });
  const names = Object.entries(book.names).map(([name, formula]) => ({ name, sheet: null, formula }));
  return createBook(Object.fromEntries(sheets), { names });
}

/** The answers as the add-in's functions give them to their host. */
function toRaw(outcome: Outcome): unknown {
  const cell = (each: ResultCell) =>
    each.kind === "error" ? new CustomFunctionError(each.code, each.message) : each.value;
  if (outcome.kind === "busy") throw new Error("it always answers");
  return outcome.kind === "array" ? outcome.rows.map((row) => row.map(cell)) : cell(outcome);
}

const toCode = (value: XlsxValue | undefined) =>
  value !== null && typeof value === "object" ? value.error : (value ?? null);

const isNear = (one: unknown, other: unknown) =>
  one === other ||
  (typeof one === "number" && typeof other === "number" && Math.abs(one - other) <= 1e-12 * Math.abs(other));

/** Lists the cells that show another value than in the playground, and are not left to Excel. */
function listDifferent(
  before: ReadonlyMap<string, XlsxValue>,
  { changes }: Calculation,
  after: ReadonlyMap<string, XlsxValue>,
) {
  const written = new Map<string, { value: XlsxValue }>(
    [...changes].flatMap(([sheet, all]) =>
      all.map((each) => [`${sheet}!${toAddress(each.row, each.column)}`, each] as const),
    ),
  );
  const keys = new Set([...before.keys(), ...after.keys(), ...written.keys()]);
  return [...keys].flatMap((key) => {
    const change = written.get(key);
    const [now, wanted] = [toCode(change ? change.value : before.get(key)), toCode(after.get(key))];
    return isNear(now, wanted) ? [] : [{ key, was: toCode(before.get(key)), now, wanted }];
  });
}

it("shows in generated workbooks what the playground shows, but for cells that it leaves to Excel", async () => {
  const books = SEEDS.map(createGeneratedBook);
  preparePlayground();
  const files = books.map((book) => {
    const model = openInPlayground(book);
    const values = showAll(model);
    return { values, file: toFile(book, model, values) };
  });
  const answers = Object.fromEntries(
    NAMES.map((name) => [name, (given: unknown) => toRaw(answer(name, given, "after"))]),
  );
  const { calculate } = await importRefresh();
  const calculations: Calculation[] = [];
  for (const { file } of files) calculations.push(await calculate(file, createFormulas(answers)));
  epoch = "after";
  const different = books.flatMap((book, index) => {
    const [{ values }, calculation] = [files[index]!, calculations[index]!];
    const model = openInPlayground(book);
    const open = listFilled(model, calculation);
    return listDifferent(values, calculation, showAll(model))
      .filter(({ key, now }) => now !== null || !open.has(key))
      .map((each) => ({ seed: SEEDS[index], formula: find(book, each.key), ...each }));
  });
  expect(different).toEqual([]);
  expect(calculations.flatMap(({ feed }) => feed.filter(({ isOld }) => isOld))).toEqual([]);
  expect(count(calculations, "written")).toBeGreaterThan(20 * count(calculations, "left"));
});

const count = (calculations: readonly Calculation[], wanted: "written" | "left") =>
  calculations.flatMap(({ dependants }) => dependants.filter(({ state }) => state === wanted)).length;

/** The cells that are left to Excel, and those that they fill in the playground. */
function listFilled(model: Model, { dependants }: Calculation): Set<string> {
  const left = dependants.filter(({ state }) => state === "left");
  return new Set(
    left.flatMap(({ sheet: sheetId, row, column: col }) => {
      const { top, bottom, left, right } = model.getters.getSpreadZone({ sheetId, row, col }) ?? {
        ...{ top: row, bottom: row, left: col, right: col },
      };
      const columns = Array.from({ length: right - left + 1 }, (_, index) => left + index);
      return Array.from({ length: bottom - top + 1 }, (_, index) => top + index).flatMap((each) =>
        columns.map((column) => `${sheetId}!${toAddress(each, column)}`),
      );
    }),
  );
}

/** The text that was entered into a cell. */
function find({ sheets }: GeneratedBook, key: string) {
  const [sheet = "", address = ""] = key.split("!");
  return sheets[sheet]?.[address];
}
