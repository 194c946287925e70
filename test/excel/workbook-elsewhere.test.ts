import { beforeEach, describe, expect, it } from "@jest/globals";
import { openExcel } from "../office/adapter-page";
import type { ExcelWorkbook } from "../office/workbook";

const FINANCIAL = 'FEED.FINANCIAL("7203",2023,"Revenue")';
const RANKING = 'FEED.RANKING("2024-01",,2)';
const TABLE = [
  ["Rank", "Name"],
  [1, "Sakura"],
  [2, "Fuji"],
];

const { open, workbook } = openExcel();
let excel: ExcelWorkbook;

beforeEach(() => {
  excel = open({ calculate: (formula) => (formula === `=${RANKING}` ? TABLE : [[42]]) });
});

const look = (...references: string[]) => references.map((at) => excel.cell(at).formula ?? excel.cell(at).value);

/** Defines a name, as in the dialog of names. */
const define = (name: string, formula: string) =>
  excel.names.set(name, { sheet: excel.sheet("Sheet1"), block: null, isVisible: true, formula });

const toDead = (text: string, value: number | string) =>
  `=IFERROR(__xludf.DUMMYFUNCTION("${text.replaceAll('"', '""')}"),${JSON.stringify(value)})`;

/** Equal formulas in six cells, and their values. */
const CASES: [title: string, formula: string, ...values: (string | number)[]][] = [
  ["with an old value among them", `=${FINANCIAL}`, 5, 5, 5, 7, 5, 5],
  ["of single figures", `=${FINANCIAL}`, 1, 2, 3, 4, 5, 6],
  ["of a table's rows", '=FEED.FINANCIAL([@Id],2023,"name")', 1, "b", 3, 4, 5, 6],
  ["without values", "=FEED.FINANCIALS(E1:E3)", "#N/A", 1, "#BUSY!", "#VALUE!", 1, "#NAME?"],
];

/** Enters an array formula as other programs write it: Excel gives its formula in each of its cells. */
function enterArray(formula: string, rows: readonly (readonly (string | number)[])[]) {
  for (const [r, row] of rows.entries()) {
    for (const [c, value] of row.entries()) {
      const address = `${String.fromCharCode(66 + c)}${2 + r}`;
      const type = typeof value === "number" ? "Double" : "String";
      Object.assign(excel.cell(address), { formula, value, type, isPartOfArray: true });
    }
  }
}

describe("formulas whose call stands in a name (office-js #1870), on the genuine Office.js", () => {
  beforeEach(() => {
    define("Rev", `=_xldudf_${FINANCIAL.replaceAll(".", "_")}`);
    define("Doubled", "=Rev*2");
    define("Rate", "=Sheet1!$Z$9");
    excel.enterFormula("A1", "=Doubled/3", 28);
    excel.enterFormula("A2", "=Rate*2", 84);
  });

  it("are listed, with their names written out", async () => {
    const expanded = `=((_xldudf_${FINANCIAL.replaceAll(".", "_")})*2)/3`;
    const cell = { sheet: "Sheet1", address: "A1", formula: "=Doubled/3", expanded, value: 28 };
    expect(await workbook.listFeedCells("workbook")).toEqual([cell]);
    await excel.select("A1");
    expect(await workbook.listFeedCells("selection")).toEqual([cell]);
  });

  it("are read in the active cell alone", async () => {
    await excel.select("A1");
    expect(await workbook.readFeedCell()).toMatchObject({
      sheet: "Sheet1",
      address: "A1",
      formula: "=Doubled/3",
      value: 28,
    });
    await excel.select("A2");
    expect(await workbook.readFeedCell()).toBeNull();
  });

  it("are known by the names of other sheets, whatever the scope", async () => {
    excel.addSheet("Model");
    define("Model!Own", `=${FINANCIAL}`);
    excel.enterFormula("B7", "=Model!Own*2", 84);
    for (const scope of ["workbook", "sheet"] as const)
      expect((await workbook.listFeedCells(scope)).map(({ address }) => address)).toEqual(["A1", "B7"]);
    await excel.select("B7");
    expect(await workbook.listFeedCells("selection")).toMatchObject([{ address: "B7", formula: "=Model!Own*2" }]);
    expect(await workbook.readFeedCell()).toMatchObject({ address: "B7" });
  });

  it("are frozen and thawed, and no others", async () => {
    expect(await workbook.freeze("workbook")).toEqual({ formulas: 1, left: [] });
    expect(look("A1", "A2")).toEqual([28, "=Rate*2"]);
    expect((await workbook.thaw("workbook")).formulas).toBe(1);
    expect(look("A1")).toEqual(["=Doubled/3"]);
  });

  it.each(["=Doubled/3", "=Rev*2"])("are no longer frozen where %s was typed again", async (formula) => {
    excel.enterFormula("A1", formula, 28);
    await workbook.freeze("workbook");
    excel.enterFormula("A1", formula, 28);
    expect(await workbook.listFrozen("workbook")).toEqual([]);
    expect(await workbook.thaw("workbook")).toEqual({ formulas: 0, left: [], gone: 0 });
    expect(excel.xmlParts.size).toBe(0);
  });

  it("are repaired with their names, which Excel looks up once", async () => {
    excel.enterFormula("A1", "=Doubled/3", "#NAME?");
    expect(await workbook.repair([])).toEqual({ formulas: 1, refused: [] });
    expect(["Rev", "Doubled", "Rate"].map((name) => excel.names.get(name)?.formula)).toEqual([
      `=${FINANCIAL}`,
      "=Rev*2",
      "=Sheet1!$Z$9",
    ]);
    expect(excel.cell("A1")).toMatchObject({ formula: "=Doubled/3", value: 42 });
  });
});

describe("dead copies that Google Sheets leaves (formulas #51, poi #1046), on the genuine Office.js", () => {
  beforeEach(() => {
    excel.enterFormula("A1", toDead(FINANCIAL, 123), 123);
    excel.enterFormula("A2", toDead('GOOGLEFINANCE("TYO:7203")', 9), 9);
    for (const [index, address] of ["B2", "C2", "B3", "C3", "B4", "C4"].entries()) {
      const value = TABLE.flat()[index] ?? "";
      excel.enterFormula(address, toDead(index === 0 ? `ARRAYFORMULA(${RANKING})` : '"COMPUTED_VALUE"', value), value);
    }
  });

  it("come back as the formulas that they were, with the room of their tables", async () => {
    expect(await workbook.listFrozen("workbook")).toEqual([
      { sheet: "Sheet1", address: "A1", filled: "A1", formula: `=${FINANCIAL}`, label: "", isAsFrozen: true },
      { sheet: "Sheet1", address: "B2", filled: "B2:C4", formula: `=${RANKING}`, label: "", isAsFrozen: true },
    ]);
    await expect(workbook.thaw("workbook", [])).rejects.toMatchObject({ fault: "missing" });
    expect(await workbook.thaw("workbook")).toEqual({ formulas: 2, left: [], gone: 0 });
    expect(look("A1", "B2", "B3", "C4")).toEqual([`=${FINANCIAL}`, `=${RANKING}`, 1, "Fuji"]);
    expect(look("A2")).toEqual([toDead('GOOGLEFINANCE("TYO:7203")', 9)]);
  });

  it("are frozen as values, and thawed as formulas", async () => {
    expect(await workbook.freeze("workbook")).toEqual({ formulas: 2, left: [] });
    expect(look("A1", "B2", "C4")).toEqual([123, "Rank", "Fuji"]);
    expect((await workbook.thaw("workbook")).formulas).toBe(2);
    expect(look("A1", "B2", "C4")).toEqual([`=${FINANCIAL}`, `=${RANKING}`, "Fuji"]);
  });

  it.each(['FEED.FINANCIAL(A2,2023,"Revenue")', "SUM(FEED.FINANCIALS($B$1,F:F))", "FEED.COMPANY([@Id])"])(
    "are listed and left where their text reads cells, which Excel does not adjust: %s",
    async (text) => {
      excel.enterFormula("A1", toDead(text, 123), 123);
      const listed = {
        sheet: "Sheet1",
        address: "A1",
        filled: "A1",
        formula: `=${text}`,
        label: "",
        isAsFrozen: false,
      };
      expect(await workbook.listFrozen("workbook")).toContainEqual(listed);
      expect(await workbook.thaw("workbook")).toEqual({ formulas: 1, left: [listed], gone: 0 });
      expect((await workbook.freeze("workbook")).left).toMatchObject([{ address: "A1" }]);
      expect(look("A1")).toEqual([toDead(text, 123)]);
    },
  );

  it("come back where a person calculates on with them, and where they stand in a name", async () => {
    define("Old", toDead(FINANCIAL, 5));
    excel.enterFormula("A1", `${toDead(FINANCIAL, 5)}*2`, 10);
    excel.enterFormula("A3", "=Old/5", 1);
    expect(await workbook.readFeedCell()).toMatchObject({ address: "A1", isDead: true });
    expect((await workbook.thaw("workbook")).formulas).toBe(3);
    expect(look("A1", "A3")).toEqual([`=(${FINANCIAL})*2`, `=((${FINANCIAL}))/5`]);
  });

  it("take no cells that may be another dead table's", async () => {
    excel.enterFormula("A3", toDead(FINANCIAL, 5), 5);
    await workbook.thaw("workbook");
    expect(look("A3")).toEqual([`=${FINANCIAL}`]);
    expect([excel.cell("B3").value, excel.cell("C3").value]).toEqual([1, "Sakura"]);
  });

  it("are left alone by a repair, even with the text #NAME?", async () => {
    excel.enterFormula("A1", toDead(FINANCIAL, "#NAME?"), "#NAME?");
    expect(await workbook.repair([])).toEqual({ formulas: 0, refused: [] });
  });
});

describe("array formulas that other programs write (exceljs #2942), on the genuine Office.js", () => {
  it("count once, and are frozen whole", async () => {
    enterArray(`=${RANKING}`, TABLE);
    await excel.select("C4");
    expect(await workbook.listFeedCells("selection")).toMatchObject([
      { address: "B2", formula: `=${RANKING}`, array: [3, 2] },
    ]);
    expect(await workbook.freeze("workbook")).toEqual({ formulas: 1, left: [] });
    expect(look("B2", "C2", "C4")).toEqual(["Rank", "Name", "Fuji"]);
  });

  it("come back as a formula that spills", async () => {
    enterArray(`=${RANKING}`, TABLE);
    await workbook.freeze("workbook");
    expect((await workbook.thaw("workbook")).formulas).toBe(1);
    expect(look("B2", "C2", "C4")).toEqual([`=${RANKING}`, "Name", "Fuji"]);
    expect(excel.cell("B2").spill).not.toBeNull();
  });

  it("are known by their ranges where they show numbers alone", async () => {
    enterArray("=FEED.FINANCIAL(E1:E3,F1:G1)", [
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    expect(await workbook.freeze("workbook")).toEqual({ formulas: 1, left: [] });
  });

  it.each(CASES)("are not seen in equal formulas %s", async (_, formula, ...values) => {
    enterArray(formula, [values.slice(0, 2), values.slice(2, 4), values.slice(4)]);
    expect(await workbook.listFeedCells("workbook")).toHaveLength(6);
  });
});
