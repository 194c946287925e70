import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { readAdoptions, storeAdoptions } from "../../../src/tools/adopt/stored-adoptions";
import { type AdoptedCell, type Replaced, toMeaning, undoAdoption } from "../../../src/tools/adopt/undo";
import { createFakeWorkbook, type FakeWorkbook } from "../../taskpane/fake-workbook";
import { type OfficeSettings, removeOffice, setOffice } from "../match/office-settings";

const typed = (value: number) => ({ value, formula: "", format: "" });

/** Two companies and their formulas, from row `top` on, as they were adopted at rows 2 and 3. */
function enter(workbook: FakeWorkbook, top = 2): void {
  workbook.cells.set(`Sheet1!B${top - 1}`, 2023);
  for (const [index, name] of ["Sakura", "Fuji"].entries()) {
    const row = top + index;
    workbook.cells.set(`Sheet1!A${row}`, name);
    workbook.cells.set(`Sheet1!B${row}`, { formula: `=FEED.FINANCIAL($A${row}, B$${top - 1}, "Revenue", , "m")` });
  }
}

const toAdopted = (address: string, company: string, value: number): AdoptedCell => ({
  address,
  typed: typed(value),
  meaning: JSON.stringify([false, company, 2023, "Revenue", null, "m"]),
});
const ADOPTION = {
  sheet: "Sheet1",
  sheetId: null,
  cells: [toAdopted("B2", "Sakura", 12), toAdopted("B3", "Fuji", 34)],
};

const contents = (workbook: FakeWorkbook, ...addresses: string[]) =>
  addresses.map((address) => workbook.cells.get(`Sheet1!${address}`));

describe("undoing", () => {
  it.each<[string, number, [string, string], number[]]>([
    ["restores each number", 2, ["Sakura", "Fuji"], [12, 34]],
    ["follows rows that were inserted above", 5, ["Sakura", "Fuji"], [12, 34]],
    ["follows sorted rows by their labels", 2, ["Fuji", "Sakura"], [34, 12]],
  ])("%s", async (_, top, [one, other], numbers) => {
    const workbook = createFakeWorkbook();
    enter(workbook, top);
    workbook.cells.set(`Sheet1!A${top}`, one).set(`Sheet1!A${top + 1}`, other);
    expect(await undoAdoption(workbook, ADOPTION)).toEqual({ sheet: "Sheet1", restored: 2, left: [] });
    expect(contents(workbook, `B${top}`, `B${top + 1}`)).toEqual(numbers);
  });

  it("leaves and lists cells that somebody has changed, or whose labels name another company", async () => {
    const workbook = createFakeWorkbook();
    enter(workbook);
    workbook.cells.set("Sheet1!B2", 99);
    workbook.cells.set("Sheet1!A3", "Hoshi");
    const { restored, left } = await undoAdoption(workbook, ADOPTION);
    expect(restored).toBe(0);
    expect(left.map(({ address }) => address)).toEqual(["B2", "B3"]);
    expect(contents(workbook, "B2")).toEqual([99]);
    expect(contents(workbook, "B3")).toEqual([{ formula: '=FEED.FINANCIAL($A3, B$1, "Revenue", , "m")' }]);
  });

  it("follows the sheet to its new name", async () => {
    const workbook = createFakeWorkbook();
    enter(workbook);
    const listSheets = async () => [{ id: "s1", name: "Sheet1" }];
    const renamed = { ...ADOPTION, sheet: "Old name", sheetId: "s1" };
    const undone = await undoAdoption({ ...workbook, listSheets } as never, renamed);
    expect(undone).toEqual({ sheet: "Sheet1", restored: 2, left: [] });
  });

  it("leaves everything where the sheet is gone", async () => {
    const undone = await undoAdoption(createFakeWorkbook(), ADOPTION);
    expect(undone).toEqual({ sheet: "Sheet1", restored: 0, left: ADOPTION.cells });
  });
});

it("the meaning of a formula holds the sign and the values of its labels, and is none for another formula", () => {
  const read = (address: string) => `value of ${address}`;
  expect(toMeaning('=-FEED.FINANCIAL($A3,2023,"EBIT")', read)).toBe('[true,"value of A3",2023,"EBIT"]');
  expect(
    ["=SUM(A1)", '=FEED.COMPANY("x")', "=1+FEED.FINANCIAL(A1,2023,B1)"].map((each) => toMeaning(each, read)),
  ).toEqual([...[null, null, null]]);
});

let office: OfficeSettings;
beforeEach(() => {
  office = setOffice();
});
afterEach(removeOffice);

const toBlock = (id: number, cells: number): Replaced => ({
  id,
  place: `Model!B${id}`,
  isStored: false,
  adoption: {
    sheet: "Model",
    sheetId: "s1",
    cells: Array.from({ length: cells }, (_, row) => ({
      address: `B${row + 2}`,
      typed: { value: row === 1 ? "1,234" : row, formula: "", format: "#,##0" },
      meaning: `[false,"Sakura ${row}",2023,"Revenue"]`,
    })),
  },
});

describe("replaced blocks", () => {
  it("are read from the workbook as they were stored, the latest first", () => {
    const blocks = [toBlock(2, 3), toBlock(1, 2)];
    storeAdoptions(blocks);
    expect(office.saves).toBe(1);
    expect(readAdoptions()).toEqual(blocks.map((block) => ({ ...block, isStored: true })));
  });

  it("that are too many tell that the oldest are not stored", () => {
    const told = storeAdoptions([toBlock(3, 2_000), toBlock(2, 3_000), toBlock(1, 1)]);
    expect(told.map(({ isStored }) => isStored)).toEqual([true, true, false]);
    expect(readAdoptions().map(({ place }) => place)).toEqual(["Model!B3", "Model!B2"]);
    expect(JSON.stringify(office.file.get("feed-adopted")).length).toBeLessThan(1_000_000);
  });

  it("of another version or program are ignored", () => {
    office.file.set("feed-adopted", "text");
    expect(readAdoptions()).toEqual([]);
    const valid = { place: "A!B2", sheet: "A", sheetId: null, cells: [["B2", 1, "", "[]"]] };
    const odd = [7, null, { ...valid, cells: [["B2", 1, 7, "[]"]] }, { ...valid, sheet: 1 }];
    office.file.set("feed-adopted", [...odd, valid]);
    expect(readAdoptions().map(({ place, id }) => [place, id])).toEqual([["A!B2", 1]]);
  });
});
