import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { setTranslationMethod } from "@odoo/o-spreadsheet";
import { translateEngine } from "../../src/playground/engine-texts";
import { readCellView } from "../../src/playground/workbook";
import { type OpenedWorkbook, openWorkbook, prepareEngine, SAY_RESULTS } from "./open-workbook";

const rowsOf = (count: number) =>
  ({
    kind: "array",
    rows: Array.from({ length: count }, (_, row) => [{ kind: "value", value: row + 1 }]),
  }) as const;

let book: OpenedWorkbook;
beforeAll(() => {
  prepareEngine();
  Object.assign(SAY_RESULTS, { long: rowsOf(4_001), endless: rowsOf(6_000) });
});
beforeEach(() => {
  book = openWorkbook("new");
});

/** As the engine's own button does. */
function addSheet(): void {
  const sheetIdFrom = book.model.getters.getActiveSheetId();
  const sheetId = book.model.uuidGenerator.smallUuid();
  book.model.dispatch("CREATE_SHEET", { sheetId, position: 1, name: "Sheet2" });
  book.model.dispatch("ACTIVATE_SHEET", { sheetIdFrom, sheetIdTo: sheetId });
}

describe("a sheet made by the grid's own button", () => {
  it("is as large as a new workbook's", () => {
    const { getters } = book.model;
    const size = getters.getSheetSize(getters.getActiveSheetId());
    addSheet();
    expect(getters.getSheetSize(getters.getActiveSheetId())).toEqual(size);
  });

  it("takes a table of 4,001 rows", () => {
    addSheet();
    book.enter(["A1", '=FEED.SAY("long")']);
    expect(readCellView(book.model, "A4001").value).toBe(4_001);
  });

  it("goes with one undo, and comes back as large", () => {
    addSheet();
    book.model.dispatch("REQUEST_UNDO");
    expect(book.model.getters.getSheetIds()).toHaveLength(1);
    book.model.dispatch("REQUEST_REDO");
    const [, added = ""] = book.model.getters.getSheetIds();
    expect(book.model.getters.getNumberRows(added)).toBe(5_000);
  });
});

describe.each([
  ["en", /^The sheet ends before the table does\./, /^Other cells are in the way of the table\./],
  ["ja", /^シートの端を超えるため/, /^ほかのセルに内容があるため/],
] as const)("a table that cannot spill, in %s,", (language, edge, blocked) => {
  beforeAll(() => translateEngine(language));
  afterAll(() => setTranslationMethod((...[text]) => text));

  it("says that the sheet ends", () => {
    book.enter(["A1", '=FEED.SAY("endless")']);
    const { value, error } = readCellView(book.model, "A1");
    expect([value, error?.message]).toEqual(["#SPILL!", expect.stringMatching(edge)]);
  });

  it("says that cells are in the way", () => {
    book.enter(["A3", "mine"], ["A1", '=FEED.SAY("table")']);
    expect(readCellView(book.model, "A1").error?.message).toMatch(blocked);
  });
});
