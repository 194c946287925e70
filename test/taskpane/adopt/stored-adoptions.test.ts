import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { readAdoptions, storeAdoptions } from "../../../src/taskpane/adopt/stored-adoptions";
import type { Replaced } from "../../../src/taskpane/adopt/undo";
import { type OfficeSettings, removeOffice, setOffice } from "../match/office-settings";

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
    office.file.set("feed-adopted", [
      7,
      null,
      { ...valid, cells: [["B2", 1, 7, "[]"]] },
      { ...valid, sheet: 1 },
      valid,
    ]);
    expect(readAdoptions().map(({ place, id }) => [place, id])).toEqual([["A!B2", 1]]);
  });
});
