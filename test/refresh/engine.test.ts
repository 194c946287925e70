import { describe, expect, it } from "@jest/globals";
import { CustomFunctionError } from "../../src/playground/custom-functions";
import { calculate, listFeedCells } from "../../src/refresh/engine";
import { type Answers, createBook, createFormulas, listWritten, type Written } from "./book-of-cells";

const ANSWERS: Answers = {
  NUMBER: (of) => Number(of) * 10,
  SAME: (what) => what,
  ALL: (rows) => rows,
  TABLE: (rows, columns) =>
    Array.from({ length: Number(rows) }, (_, row) =>
      Array.from({ length: Number(columns) || 1 }, (_, column) => `${row + 1}${"abc"[column]}`),
    ),
  FAILING: (code) => new CustomFunctionError("#N/A", `${code}: why it failed`),
};

const TABLE = { name: "Table1", columns: ["a", "b"], hasHeaders: true, hasTotals: false };

type Extra = Parameters<typeof createBook>[1];

async function refreshSheets(sheets: Record<string, Record<string, Written>>, extra: Extra = {}) {
  const host = createFormulas(ANSWERS);
  const result = await calculate(createBook(sheets, extra), host);
  return { ...result, written: listWritten(result.changes), asked: host.asked };
}

const refresh = (cells: Record<string, Written>, extra: Extra = {}) => refreshSheets({ S: cells }, extra);

const of = (formula: string, value: Written = null, rows = 0, columns = 1) => ({
  formula,
  value: value as never,
  ...(rows > 0 && { array: { rows, columns, isDynamic: true } }),
});
const error = (code: string) => ({ error: code });

it("writes a cell of the add-in, and what depends on it", async () => {
  const { written, feed, dependants } = await refresh({
    A1: 4,
    A2: of("_xldudf_FEED_NUMBER(A1)", 30),
    A3: of("A2*2", 60),
    A4: of("A1+1", 5),
  });
  expect(written).toEqual({ "S!A2": 40, "S!A3": 80 });
  expect(feed).toMatchObject([{ formula: "=FEED.NUMBER(A1)", before: [[30]], after: [[40]], isOld: false }]);
  expect(dependants).toEqual([{ sheet: "S", row: 2, column: 0, state: "written" }]);
});

it("writes nothing where nothing has changed", async () => {
  const { written, dependants } = await refresh({ A1: of("FEED.NUMBER(4)", 40), A2: of("A1/3", 13.3333333333333) });
  expect(written).toEqual({});
  expect(dependants).toEqual([]);
});

describe("calls of the add-in", () => {
  it.each([
    ["within other functions", "IFERROR(FEED.NUMBER(4)/2,0)", 20],
    ["within each other", "FEED.NUMBER(FEED.NUMBER(4))", 400],
    ["as Excel stores them", "_xldudf_FEED_NUMBER(4)", 40],
    ["behind the file of a former add-in", "[1]!_xldudf_FEED_NUMBER(4)", 40],
    ["with the mark for one value", "_xlfn.SINGLE(FEED.NUMBER(4))", 40],
    ["in a name", "Sales*2", 80],
    ["with a name for an argument", "FEED.NUMBER(Four)", 40],
    ["with names of LET", "_xlfn.LET(_xlpm.x,FEED.NUMBER(4),_xlpm.y,_xlpm.x+1,_xlpm.x*_xlpm.y)", 1640],
    ["of a table, whose first value a formula without a spill shows", "FEED.TABLE(2,2)", "1a"],
    ["with texts that hold quotes", 'FEED.SAME("a""b")&""""', 'a"b"'],
  ])("%s", async (_, formula, shown) => {
    const names = [
      { name: "Sales", sheet: null, formula: "FEED.NUMBER(4)" },
      { name: "Four", sheet: null, formula: "S!$B$1" },
    ];
    const { written } = await refresh({ B1: 4, A1: of(formula, 1) }, { names });
    expect(written).toEqual({ "S!A1": shown });
  });

  it("ask for nothing before their arguments have answers", async () => {
    const { asked } = await refresh({
      A1: of("FEED.NUMBER(1)"),
      A2: of("FEED.NUMBER(IFERROR(A1,0))"),
      A3: of("FEED.NUMBER(A1+A2)"),
    });
    expect(asked).toEqual(["NUMBER(1,null,null)", "NUMBER(10,null,null)", "NUMBER(110,null,null)"]);
  });

  it("ask only for what a formula takes", async () => {
    const { asked, written } = await refresh({ A1: of('IF(B1="",0,FEED.NUMBER(B1))', 1) });
    expect({ asked, written }).toEqual({ asked: [], written: { "S!A1": 0 } });
  });

  it("keep the old value, and that of what depends on them, where they fail", async () => {
    const { written, feed } = await refresh({ A1: of('FEED.FAILING("FEED_TIMED_OUT")', 7), A2: of("A1*2", 14) });
    expect(written).toEqual({});
    expect(feed).toMatchObject([{ failure: { code: "FEED_TIMED_OUT", sentence: "why it failed" }, isOld: true }]);
  });

  it("keep the old value behind IFERROR too", async () => {
    const { written } = await refresh({ A1: of('IFERROR(FEED.FAILING("FEED_RATE_LIMITED"),0)', 7) });
    expect(written).toEqual({});
  });

  it("show an answer that is an error", async () => {
    const { written, feed } = await refresh({ A1: of('FEED.FAILING("FEED_NO_VALUE")', 7), A2: of("IFERROR(A1,0)", 7) });
    expect(written).toEqual({ "S!A1": "#N/A", "S!A2": 0 });
    expect(feed).toMatchObject([{ isOld: false, failure: { code: "FEED_NO_VALUE", sentence: "why it failed" } }]);
  });

  it("keep the old value where a function is not known for sure", async () => {
    const { written, feed } = await refresh({ A1: of("FEED.NUMBER(1)*AGGREGATE(9,6,B1:B2)", 7) });
    expect(written).toEqual({});
    const sentence = expect.stringMatching(/; put it into a cell of its own$/);
    expect(feed).toMatchObject([{ failure: { code: "FEED_UNREADABLE", sentence }, isOld: true }]);
  });

  it.each([
    "FEED.NUMBER(1)+SEQUENCE(9000,9000)",
    "FEED.NUMBER(1)+SEQUENCE(1000)*SEQUENCE(1,1000)",
    "FEED.NUMBER(1)&SEQUENCE(1000)&SEQUENCE(1,1000)",
    "LET(a,SEQUENCE(1000,300),VSTACK(FEED.NUMBER(1),a,a))",
    "LET(a,SEQUENCE(1000,300),HSTACK(FEED.NUMBER(1),a,a))",
  ])("keep the old value of %s, which is too large, and say so", async (formula) => {
    const { written, feed } = await refresh({ A1: of(formula, 7, 1), D1: of(`IFERROR(${formula},0)`, 7, 1) });
    expect(written).toEqual({});
    const sentence = expect.stringMatching(/^a result of more than 500,000 cells/);
    expect(feed).toMatchObject([{ failure: { code: "FEED_RESULT_TOO_LARGE", sentence } }, { isOld: true }]);
  });

  it.each(["SUM(EXPAND(A1,9000,9000))", "SUM(MUNIT(9000))+A1", "SUM(MMULT(A1+SEQUENCE(9000),SEQUENCE(1,9000)))"])(
    "leave %s to Excel, which is too large",
    async (formula) => {
      const { written } = await refresh({ A1: of("FEED.NUMBER(1)", 7), B1: of(formula, 7, 1) });
      expect(written).toEqual({ "S!A1": 10, "S!B1": null });
    },
  );

  it.each([
    ["_xldudf_FEED_NUMBERS(1)", "there is no function FEED.NUMBERS; correct its name"],
    ["FEED.NUMBER(1,2,3,4)", "FEED.NUMBER takes fewer arguments; leave the last ones out"],
  ])("keep the old value where Excel could not read %s, and say why", async (formula, sentence) => {
    const { written, feed } = await refresh({ A1: of(formula, 7) });
    expect(written).toEqual({});
    expect(feed).toMatchObject([{ failure: { code: "FEED_UNREADABLE", sentence }, isOld: true }]);
  });
});

describe("spills", () => {
  it("grow and shrink", async () => {
    const { written, changes } = await refresh({
      A1: of("FEED.TABLE(3)", "1a", 2),
      A2: "2a",
      C1: of("FEED.TABLE(1)", "1a", 2),
      C2: "2a",
    });
    expect(written).toEqual({ "S!A1": "1a", "S!A3": "3a", "S!C1": "1a", "S!C2": null });
    expect(changes.get("S")).toContainEqual({ row: 0, column: 0, value: "1a", array: { rows: 3, columns: 1 } });
  });

  it("are blocked by contents, and come back", async () => {
    const { written, feed } = await refresh({
      A1: of("FEED.TABLE(3)", "1a", 2),
      A2: "2a",
      A3: "mine",
      C1: of("FEED.TABLE(2)", error("#SPILL!"), 1),
    });
    expect(written).toEqual({ "S!A1": "#SPILL!", "S!A2": null, "S!C1": "1a", "S!C2": "2a" });
    expect(feed[0]).toMatchObject({ failure: { code: "#SPILL!" }, isOld: false });
  });

  it.each<[string, Extra]>([
    ["merged cells", { merged: new Map([["S", [{ top: 2, left: 0, bottom: 3, right: 1 }]]]) }],
    ["a table around the formula", { tables: [{ ...TABLE, sheet: "S", reference: "A1:B9" }] }],
  ])("are blocked by %s, as in Excel, and not elsewhere", async (_, extra) => {
    const cells = {
      A1: of("FEED.TABLE(3)", "1a", 1),
      D1: of("FEED.TABLE(3)", "1a", 1),
      A5: of("FEED.TABLE(1)", "1a", 1),
    };
    const { written } = await refreshSheets({ S: cells, T: { A1: of("FEED.TABLE(2)", "1a", 1) } }, extra);
    expect(written).toEqual({
      "S!A1": "#SPILL!",
      "S!D1": "1a",
      "S!D2": "2a",
      "S!D3": "3a",
      "T!A1": "1a",
      "T!A2": "2a",
    });
  });

  it("end at the sheet's edge", async () => {
    const { written } = await refresh({ XFD1: of("FEED.TABLE(1,2)", "1a", 1) });
    expect(written).toEqual({ "S!XFD1": "#SPILL!" });
  });

  it("are followed by the formulas that read them, and their new cells too", async () => {
    const { written } = await refresh({
      A1: of("FEED.TABLE(3)", "1a", 2),
      A2: "2a",
      B1: of("COUNTA(A1:A9)", 2),
      B2: of("COUNTA(_xlfn.ANCHORARRAY(A1))", 2),
      B3: of('IF(A3="","none",A3)', "none"),
      D1: of("_xlfn._xlws.SORT(_xlfn.ANCHORARRAY(A1),1,-1)", "2a", 2),
      D2: "1a",
    });
    expect(written).toEqual({
      ...{ "S!A1": "1a", "S!A3": "3a", "S!B1": 3, "S!B2": 3, "S!B3": "3a" },
      ...{ "S!D1": "3a", "S!D2": "2a", "S!D3": "1a" },
    });
  });

  it("fill a fixed array exactly", async () => {
    const fixed = { formula: "FEED.TABLE(2)", value: "x", array: { rows: 3, columns: 1, isDynamic: false } };
    const { written } = await refresh({ A1: fixed, A2: "x", A3: "x" });
    expect(written).toEqual({ "S!A1": "1a", "S!A2": "2a", "S!A3": "#N/A" });
  });
});

describe("dependants", () => {
  it("are left to Excel where its own value is not confirmed, with all behind them", async () => {
    const { written, dependants } = await refresh({
      A1: of("FEED.NUMBER(4)", 30),
      A2: of("A1*2", 61),
      A3: of("A2+1", 62),
      A4: of("A1+1", 31),
    });
    expect(written).toEqual({ "S!A1": 40, "S!A2": null, "S!A3": null, "S!A4": 41 });
    expect(dependants.map(({ row, state }) => [row, state])).toEqual([
      [1, "left"],
      [2, "left"],
      [3, "written"],
    ]);
  });

  it.each([
    ["a function that is not known", "AGGREGATE(9,6,A1:A2)"],
    ["a function of hidden rows", "SUBTOTAL(109,A1:A2)"],
    ["LAMBDA", "_xlfn.LAMBDA(_xlpm.x,_xlpm.x+1)(A1)"],
    ["several sheets", "SUM(S:T!A1)"],
    ["a moved reference", "OFFSET(A1,0,0)"],
    ["a random number", "A1+RAND()"],
    ["a cell whose text reads like an error", "IF(ISERROR(B9),1,A1)"],
    ["a text that reads like an error", 'IF(A1=0,"#N/A",30)'],
    ["a comparison of which Excel may take the other branch", "IF(0.1+0.2=0.3,A1,5)"],
    ["a union", "SUM((A1,A2))"],
    ["a range in LET that an older Excel reads otherwise", "_xlfn.LET(_xlpm.x,A1:A3*2,SUM(_xlpm.x))"],
    ["what is left of equal numbers", "A1-39.99999999999999"],
  ])("are left to Excel where they have %s", async (_, formula) => {
    const { written } = await refresh({ A1: of("FEED.NUMBER(4)", 30), A2: 1, B9: "#N/A", A3: of(formula, 30) });
    expect(written).toEqual({ "S!A1": 40, "S!A3": null });
  });

  it("without a value of Excel are written where each function is proven", async () => {
    const { written } = await refresh({
      A1: of("FEED.NUMBER(4)"),
      A2: of("SUM(A1:A1)+1"),
      A3: of("STDEV(A1,1)"),
      A4: of("A1+2", error("#NAME?")),
    });
    expect(written).toEqual({ "S!A1": 40, "S!A2": 41, "S!A4": 42 });
  });

  it("know whole columns, names and other sheets", async () => {
    const names = [{ name: "All", sheet: null, formula: "Data!$A:$A" }];
    const { written } = await refreshSheets(
      {
        Data: { A1: of("FEED.NUMBER(4)", 30), A2: 1 },
        S: { A1: of("SUM(Data!A:A)", 31), A2: of("SUM(All)", 31), A3: of("SUM(Data!1:1)", 30), A4: of("Data!A2", 1) },
      },
      { names },
    );
    expect(written).toEqual({ "Data!A1": 40, "S!A1": 41, "S!A2": 41, "S!A3": 40 });
  });

  it("know the columns of tables", async () => {
    const tables = [
      { name: "T", sheet: "S", reference: "A1:B4", columns: ["Id", "Sales"], hasHeaders: true, hasTotals: true },
    ];
    const { written } = await refresh(
      {
        ...{ A1: "Id", B1: "Sales", A2: 1, A3: 2 },
        B2: of("FEED.NUMBER(T[[#This Row],[Id]])", 1),
        B3: of("FEED.NUMBER([@Id])", 2),
        B4: of("SUM(T[Sales])", 3),
        D1: of("T[[#Headers],[Sales]]&T[[#Totals],[Sales]]", "Sales3"),
      },
      { tables },
    );
    expect(written).toEqual({ "S!B2": 10, "S!B3": 20, "S!B4": 30, "S!D1": "Sales30" });
  });

  it("take the one cell of a range that is beside them", async () => {
    const { written } = await refresh({
      A1: of("FEED.NUMBER(1)", 1),
      A2: of("FEED.NUMBER(2)", 2),
      B2: of("A1:A2*2", 4),
    });
    expect(written).toEqual({ "S!A1": 10, "S!A2": 20, "S!B2": 40 });
  });

  it("know references by their texts", async () => {
    const { written } = await refresh({ A1: of("FEED.NUMBER(1)", 1), A2: of('SUM(INDIRECT("A1:A"&1))', 1) });
    expect(written).toEqual({ "S!A1": 10, "S!A2": 10 });
  });

  it("keep texts as texts", async () => {
    const { written } = await refresh({
      A1: "007",
      A2: of("FEED.SAME(A1)", "x"),
      A3: of('A2&"|"', "x|"),
      A4: of("FEED.SAME(TRUE)", false),
      A5: of('FEED.SAME("=1+1")', "x"),
      A6: of("ISNUMBER(A2)", false),
    });
    expect(written).toEqual({ "S!A2": "007", "S!A3": "007|", "S!A4": true, "S!A5": "=1+1" });
  });

  it("are left where dates count from 1904", async () => {
    const { written } = await refresh({ A1: of("FEED.NUMBER(4)", 30), A2: of("MONTH(A1)", 1) }, { isDate1904: true });
    expect(written).toEqual({ "S!A1": 40, "S!A2": null });
  });
});

describe("cycles", () => {
  it("of other cells keep their values, so that the add-in's functions get no error from them", async () => {
    const { asked, written } = await refresh({
      A1: of("FEED.NUMBER(4)", 40),
      A2: of("A3+A1*0", 5),
      A3: of("A2", 5),
      A4: of("FEED.NUMBER(A3)", 1),
    });
    expect(asked).toContain("NUMBER(5,null,null)");
    expect(written).toEqual({ "S!A4": 50 });
  });

  it("keep the old values, and name the cells", async () => {
    const { written, feed } = await refresh({
      A1: of("FEED.NUMBER(A2)", 1),
      A2: of("A1+1", 2),
      A3: of("FEED.NUMBER(1)"),
    });
    expect(written).toEqual({ "S!A3": 10 });
    expect(feed[0]).toMatchObject({ failure: { code: "FEED_CYCLE", sentence: expect.stringContaining("S!A1, S!A2") } });
  });

  it("are told where each answer leads to another question, and the old value stays", async () => {
    const host = createFormulas(ANSWERS);
    const endless = { ...host, runtime: { ...host.runtime, call: () => ({ kind: "busy" as const }) } };
    const { feed, changes } = await calculate(
      createBook({ S: { A1: of("FEED.NUMBER(1)", 7), A2: of("A1*2", 14) } }),
      endless,
    );
    expect(feed[0]).toMatchObject({
      failure: { code: "FEED_CYCLE", sentence: expect.stringContaining("S!A1") },
      isOld: true,
    });
    expect(listWritten(changes)).toEqual({});
  });

  it("end where a table is longer each time", async () => {
    const { written, feed } = await refresh({
      A1: of("FEED.TABLE(COUNTA(B1:B99)+1)", "1a", 1),
      B1: of("FEED.ALL(A1:A9)", 1, 1),
    });
    expect(feed.map(({ isOld }) => isOld)).toBeDefined();
    expect(written).toBeDefined();
  });
});

it("follows a chain of any depth, from its end too", async () => {
  const chain = Array.from({ length: 5_000 }, (_, row) => [`A${row + 1}`, of(`A${row + 2}+1`, 5_000 - row)] as const);
  const { written } = await refresh({ ...Object.fromEntries(chain), A5001: of("FEED.NUMBER(1)", 0) });
  expect(written["S!A1"]).toBe(5_010);
});

it("calculates a formula without a value where the add-in's formulas read it, and writes it into no file", async () => {
  const { asked, written } = await refresh({
    A1: of("2+2"),
    A2: of("FEED.NUMBER(A1)", 1),
    A3: of("FEED.NUMBER(A4)", 1),
    A4: of("STDEV(1,3)"),
  });
  expect(asked).toEqual(["NUMBER(4,null,null)"]);
  expect(written).toEqual({ "S!A2": 40 });
});

it("refreshes the named sheets alone", async () => {
  const book = createBook({ S: { A1: of("FEED.NUMBER(1)", 1) }, T: { A1: of("FEED.NUMBER(2)", 1) } });
  const { changes } = await calculate(book, createFormulas(ANSWERS), { only: new Set(["T"]) });
  expect(listWritten(changes)).toEqual({ "T!A1": 20 });
});

it("lists the formulas of the add-in, and those that Google Sheets has left", () => {
  const book = createBook({
    S: {
      A1: of('IFERROR(__xludf.DUMMYFUNCTION("FEED.NUMBER(""x"")"),5)', 5),
      A2: of("SUM(_xldudf_FEED_NUMBER(1),1)", 1),
      A3: of('"FEED.NUMBER(1)"', "FEED.NUMBER(1)"),
    },
  });
  expect(listFeedCells(book, createFormulas(ANSWERS).metadata)).toMatchObject([
    { row: 0, formula: '=FEED.NUMBER("x")', kind: "sheets" },
    { row: 1, formula: "=SUM(FEED.NUMBER(1),1)", kind: "live" },
  ]);
});
