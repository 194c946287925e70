import { beforeEach, describe, expect, it } from "@jest/globals";
import { openExcel } from "../office/adapter-page";
import type { ExcelWorkbook } from "../office/workbook";

const FINANCIAL = '=FEED.FINANCIAL("c1",2024,"Revenue")';
const RANKING = '=FEED.RANKING("-7d",,3)';
const TABLE = [
  ["Rank", "Name"],
  [1, "Sakura"],
  [2, "Fuji"],
];

const { open, workbook } = openExcel();
let excel: ExcelWorkbook;

beforeEach(() => {
  excel = open();
});

const look = (reference: string) => {
  const { formula, value, type, format } = excel.cell(reference);
  return { formula, value, type, format };
};

const readValues = (...references: string[]) => references.map((reference) => look(reference).value);
const readFormulas = (...references: string[]) => references.map((reference) => look(reference).formula);

const at = (address: string, sheet = "Sheet1") => ({ sheet, address });
const listPlaces = (...addresses: string[]) => addresses.map((address) => at(address));

const listAddresses = async (scope: "selection" | "sheet" | "workbook") =>
  (await workbook.listFeedCells(scope)).map(({ sheet, address }) => `${sheet}!${address}`);

describe("the cells with FEED formulas, on the genuine Office.js", () => {
  it("are listed with place, formula and value, of all sheets in three requests", async () => {
    excel.addSheet("My sheet");
    excel.addSheet("Empty");
    excel.enterFormula("B3", FINANCIAL, 1200);
    excel.enterFormula("'My sheet'!C7", `=IFERROR(${FINANCIAL.slice(1)},0)*2`, "#N/A");
    excel.enter("'My sheet'!A1", "=SUM(A2:A9)");
    await excel.select(); // a chart, which is no cell
    expect(await workbook.listFeedCells("workbook")).toEqual([
      { sheet: "Sheet1", address: "B3", formula: FINANCIAL, value: 1200 },
      { sheet: "My sheet", address: "C7", formula: `=IFERROR(${FINANCIAL.slice(1)},0)*2`, value: "#N/A" },
    ]);
    expect(excel.requests).toBe(3);
  });

  it("exclude texts that look like a formula", async () => {
    await workbook.write({ cells: [[FINANCIAL]] });
    expect(await listAddresses("workbook")).toEqual([]);
  });

  it("have the function's usual name if the file stores another one", async () => {
    excel.enterFormula("A1", "=_xldudf_FEED_RANKING_PAGES(1)", "#NAME?");
    expect(await workbook.listFeedCells("sheet")).toEqual([
      { sheet: "Sheet1", address: "A1", formula: "=FEED.RANKING.PAGES(1)", value: "#NAME?" },
    ]);
  });

  it("can be those of the active sheet or the selection, whole columns included", async () => {
    excel.addSheet("Other");
    for (const reference of ["A1", "C5", "D9", "Other!A1"]) excel.enterFormula(reference, FINANCIAL, 1);
    await excel.select("A1:B9", "D:D");
    expect(await listAddresses("selection")).toEqual(["Sheet1!A1", "Sheet1!D9"]);
    expect(await listAddresses("sheet")).toEqual(["Sheet1!A1", "Sheet1!C5", "Sheet1!D9"]);
  });

  it.each([true, false])("count a spill once (its formula repeated by the host: %s)", async (repeats) => {
    excel = open({ repeatsSpilledFormulas: repeats });
    excel.enterFormula("B2", RANKING, TABLE);
    excel.enterFormula("E2", FINANCIAL, 5);
    expect(await listAddresses("workbook")).toEqual(["Sheet1!B2", "Sheet1!E2"]);
    await excel.select("C4");
    expect(await listAddresses("selection")).toEqual(["Sheet1!B2"]);
  });

  it("are found on a sheet that is too large for one answer", async () => {
    excel = open({ payload: 1_000_000 });
    for (let row = 1; row <= 30_000; row += 1) excel.enter(`A${row}`, `Company number ${row}`);
    excel.enterFormula("B29999", FINANCIAL, 5);
    expect(await listAddresses("workbook")).toEqual(["Sheet1!B29999"]);
  });
});

describe("freezing, on the genuine Office.js", () => {
  it("replaces formulas by their values: numbers, texts and booleans, with their formats", async () => {
    excel.enterFormula("A1", FINANCIAL, 1200);
    excel.cell("A1").format = "yyyy-mm-dd";
    excel.enterFormula("A2", "=FEED.COMPANY(B1)", "007");
    excel.enterFormula("A3", "=FEED.COMPANY(B1)>1", true);
    excel.enterFormula("A4", "=SUM(B1:B9)", 5);
    expect(await workbook.freeze("sheet")).toEqual({ formulas: 3, left: [] });
    expect(look("A1")).toEqual({ formula: null, value: 1200, type: "Double", format: "yyyy-mm-dd" });
    expect(look("A2")).toEqual({ formula: null, value: "007", type: "String", format: "General" });
    expect(look("A3")).toMatchObject({ formula: null, value: true });
    expect(look("A4").formula).toBe("=SUM(B1:B9)");
  });

  it("makes no formula of a text, not even when the cell is edited later", async () => {
    excel.enterFormula("A1", "=FEED.COMPANY(B1)", "=cmd()");
    excel.enterFormula("C1", RANKING, [["+81 3"], ["@home"], ["-7d"], ["'x"]]);
    await workbook.freeze("workbook");
    for (const reference of ["A1", "C1", "C2", "C3", "C4"]) {
      expect(look(reference)).toMatchObject({ formula: null, type: "String", format: "@" });
    }
    expect(look("A1").value).toBe("=cmd()");
  });

  it.each(["B2", "C4"])("freezes the whole spill of which %s is selected, and nothing else", async (selected) => {
    excel.enterFormula("B2", RANKING, TABLE);
    excel.enterFormula("E2", FINANCIAL, 5);
    await excel.select(selected);
    expect(await workbook.freeze("selection")).toEqual({ formulas: 1, left: [] });
    expect(readValues("B2", "C2", "B3", "C3", "B4", "C4")).toEqual(TABLE.flat());
    expect(look("B2").formula).toBeNull();
    expect(look("E2").formula).toBe(FINANCIAL);
    expect(await listAddresses("workbook")).toEqual(["Sheet1!E2"]);
  });

  it("freezes a spill that has any value, errors among them too", async () => {
    excel.enterFormula("A1", RANKING, [["#N/A"], [1]]);
    excel.enterFormula("B1", RANKING, [["#N/A"], ["#N/A"]]);
    excel.enterFormula("C1", RANKING, [[1], ["#BUSY!"]]);
    const { formulas, left } = await workbook.freeze("sheet");
    expect([formulas, left.map(({ address }) => address)]).toEqual([1, ["B1", "C1"]]);
    expect(readFormulas("A1", "A2", "B1", "C1")).toEqual([null, null, RANKING, RANKING]);
    expect(readValues("A1", "A2", "B1", "C1")).toEqual(["#N/A", 1, "#N/A", 1]);
  });

  it("skips formulas without a value, and reports them", async () => {
    excel.enter("A1", FINANCIAL);
    excel.enterFormula("A2", FINANCIAL, "#N/A");
    excel.enter("C2", "in the way");
    excel.enterFormula("C1", RANKING, [["Rank"], [1]]);
    excel.enterFormula("A3", FINANCIAL, 7);
    const left = [
      { sheet: "Sheet1", address: "A1", formula: FINANCIAL, value: "#BUSY!" },
      { sheet: "Sheet1", address: "C1", formula: RANKING, value: "#SPILL!" },
      { sheet: "Sheet1", address: "A2", formula: FINANCIAL, value: "#N/A" },
    ];
    expect(await workbook.freeze("workbook")).toEqual({ formulas: 1, left });
    expect(readFormulas("A1", "A2", "C1")).toEqual([FINANCIAL, FINANCIAL, RANKING]);
    expect(look("A3")).toMatchObject({ formula: null, value: 7 });
  });

  it("freezes a grid of figures in a few requests", async () => {
    for (let row = 1; row <= 500; row += 1) {
      for (const column of ["A", "B", "C"]) excel.enterFormula(`${column}${row}`, FINANCIAL, row);
    }
    expect(await workbook.freeze("workbook")).toEqual({ formulas: 1500, left: [] });
    expect([readFormulas("A1", "C500"), readValues("A1", "C500")]).toEqual([
      [null, null],
      [1, 500],
    ]);
    expect(excel.requests).toBe(11);
  });

  it("names a protected sheet, after the previous ones are done", async () => {
    excel.addSheet("Sheet2");
    excel.enterFormula("A1", FINANCIAL, 5);
    excel.enterFormula("Sheet2!B3", FINANCIAL, 7);
    excel.sheet("Sheet2").isProtected = true;
    const report = { fault: "protected", place: { sheet: "Sheet2", address: "B3" } };
    await expect(workbook.freeze("workbook")).rejects.toMatchObject(report);
    expect(readFormulas("A1", "Sheet2!B3")).toEqual([null, FINANCIAL]);
  });
});

describe("repairing, on the genuine Office.js", () => {
  it("rewrites #NAME? formulas by the names that Excel looks up, and touches no others", async () => {
    excel = open({ calculate: (formula) => [[formula.includes("_xldudf") ? "#NAME?" : 42]] });
    excel.enter("A1", '=_xldudf_FEED_FINANCIAL("c1",2024,"Revenue")');
    excel.enterFormula("A2", "=FEED.STATUS()", "#NAME?");
    excel.enterFormula("A3", FINANCIAL, 7);
    excel.enterFormula("B1", "=NOSUCH()", "#NAME?");
    expect(await workbook.repair([])).toEqual({ formulas: 2, refused: [] });
    expect(look("A1")).toMatchObject({ formula: FINANCIAL, value: 42 });
    expect(look("A2")).toMatchObject({ formula: "=FEED.STATUS()", value: 42 });
    expect(readValues("A3", "B1")).toEqual([7, "#NAME?"]);
  });

  // github.com/OfficeDev/office-js/issues/3872 and /2051
  it.each([
    "BloombergUI.xla!_xldudf_FEED_STATUS()",
    "'C:\\blp\\API\\Office Tools\\BloombergUI.xla'!_xldudf_FEED_STATUS()",
    "'O''Neill.xlam'!_xldudf_FEED_STATUS()",
    "[1]!_xldudf_FEED_STATUS()",
    "[2]Book-2.xlsm!_xldudf_FEED_STATUS()",
    "FDSXL.XLAM!_xludf._xldudf_FEED_STATUS()",
    "アドイン.xlam!_xldudf_FEED_STATUS()",
    "ciqfunctions.xll!_xlfn.FEED.STATUS()",
  ])("rewrites a name that has the file of another add-in before it: %s", async (call) => {
    excel = open({ calculate: (formula) => [[formula === "=A9+FEED.STATUS()*2" ? 42 : "#NAME?"]] });
    excel.enterFormula("A1", `=A9+${call}*2`, "#NAME?");
    expect(await workbook.repair([])).toEqual({ formulas: 1, refused: [] });
    expect(look("A1")).toMatchObject({ formula: "=A9+FEED.STATUS()*2", value: 42 });
  });

  it("repairs nothing if nothing is broken", async () => {
    excel.enterFormula("A1", FINANCIAL, 7);
    expect(await workbook.repair([at("A1")])).toEqual({ formulas: 0, refused: [] });
  });

  it("enters #VALUE! and #BUSY! formulas again that have no live stream, and no others", async () => {
    excel = open({ calculate: () => [[42]] });
    for (const column of ["A", "B"]) {
      excel.enterFormula(`${column}1`, FINANCIAL, "#VALUE!");
      excel.enterFormula(`${column}2`, FINANCIAL, "#BUSY!");
      excel.enterFormula(`${column}3`, FINANCIAL, "#N/A");
    }
    excel.enterFormula("C1", "=SUM(D1)", "#VALUE!");
    expect(await workbook.repair(listPlaces("A1", "A2", "A3", "C1"))).toEqual({ formulas: 2, refused: [] });
    expect(readFormulas("A1", "A2")).toEqual([FINANCIAL, FINANCIAL]);
    expect(readValues("A1", "A2", "A3")).toEqual([42, 42, "#N/A"]);
    expect(readValues("B1", "B2", "C1")).toEqual(["#VALUE!", "#BUSY!", "#VALUE!"]);
  });

  it.each([true, false])("enters a spill again by its anchor alone (its formula repeated: %s)", async (repeats) => {
    const RESULT = [["Rank"], [1], [2]];
    excel = open({ repeatsSpilledFormulas: repeats, calculate: () => RESULT });
    excel.enterFormula("B2", RANKING, [["#VALUE!"], ["#VALUE!"], ["#VALUE!"]]);
    excel.enterFormula("C2", RANKING, [["#BUSY!"], [8]]);
    expect(await workbook.repair(listPlaces("B2", "B3", "B4", "C2"))).toEqual({ formulas: 2, refused: [] });
    expect(readValues("B2", "B3", "B4")).toEqual(["Rank", 1, 2]);
    expect(readFormulas("B2", "C2")).toEqual([RANKING, RANKING]);
    expect(await listAddresses("workbook")).toEqual(["Sheet1!B2", "Sheet1!C2"]);
  });

  it.each(["#NAME?", "#VALUE!"])("enters a formula that shows %s again in a cell formatted as text", async (shown) => {
    excel = open({ calculate: () => [[42]] });
    const formats = { A1: "0.00", A2: "@", A3: "General" };
    for (const [reference, format] of Object.entries(formats)) {
      excel.enterFormula(reference, FINANCIAL.replace("c1", reference), shown);
      excel.cell(reference).format = format;
    }
    expect(await workbook.repair(listPlaces("A1", "A2", "A3"))).toEqual({ formulas: 3, refused: [] });
    for (const [reference, format] of Object.entries({ ...formats, A2: "General" }))
      expect(look(reference)).toMatchObject({ formula: FINANCIAL.replace("c1", reference), value: 42, format });
  });

  it("leaves and names the cells of an array formula, and enters the others again", async () => {
    excel = open({ calculate: () => [[42]] });
    const addresses = ["A1", "A2", "A3", "A4", "B2", "B3"];
    for (const address of addresses) excel.enterFormula(address, "=FEED.FINANCIAL(D1:D2,2024)", "#VALUE!");
    for (const address of ["A2", "A3"]) excel.cell(address).isPartOfArray = true;
    const { formulas, refused } = await workbook.repair(listPlaces(...addresses));
    expect(formulas).toBe(4);
    expect(refused.map(({ address }) => address)).toEqual(["A2", "A3"]);
    expect(readValues(...addresses)).toEqual([42, "#VALUE!", "#VALUE!", 42, 42, 42]);
  });

  it("names the cells of a protected sheet, and goes on with the next", async () => {
    excel = open({ calculate: () => [[42]] });
    excel.addSheet("Sheet2");
    excel.enterFormula("A1", FINANCIAL, "#BUSY!");
    excel.enterFormula("Sheet2!B3", FINANCIAL, "#VALUE!");
    excel.sheet("Sheet1").isProtected = true;
    const { formulas, refused } = await workbook.repair([at("A1"), at("B3", "Sheet2")]);
    expect([formulas, refused]).toMatchObject([1, [at("A1")]]);
    expect(readValues("A1", "Sheet2!B3")).toEqual(["#BUSY!", 42]);
  });
});

describe("the formulas of a pane under another namespace, on the genuine Office.js", () => {
  const { open: openAcme, workbook: acme } = openExcel("?namespace=ACME");
  const formula = '=ACME.FINANCIAL("c1",2024,"Revenue")';
  beforeEach(() => {
    excel = openAcme();
  });

  it("are those that call its functions, under their usual names", async () => {
    excel.enterFormula("A1", formula, 1200);
    excel.enterFormula("A2", "=FEED.STATUS()", "ready");
    excel.enterFormula("A3", "=_xldudf_ACME_RANKING_PAGES(1)", 5);
    expect(await acme.listFeedCells("workbook")).toEqual([
      { sheet: "Sheet1", address: "A1", formula: formula, value: 1200 },
      { sheet: "Sheet1", address: "A3", formula: "=ACME.RANKING.PAGES(1)", value: 5 },
    ]);
    expect(await acme.readSelection()).toMatchObject({ formula });
  });

  it("are frozen, and repaired if their name was lost", async () => {
    excel.enterFormula("A1", formula, 1200);
    excel.enterFormula("A2", "=_xldudf_ACME_STATUS()", "#NAME?");
    await acme.repair([]);
    expect(excel.cell("A2").formula).toBe("=ACME.STATUS()");
    await acme.freeze("workbook");
    expect(excel.cell("A1")).toMatchObject({ formula: null, value: 1200 });
  });
});
