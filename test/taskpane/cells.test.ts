import { describe, expect, it } from "@jest/globals";
import type { FeedCell } from "../../src/contract/workbook";
import type { Call } from "../../src/session/calls";
import { findCells, toShownPlace } from "../../src/taskpane/cells";
import { toCall } from "./call";
import { createFakeWorkbook } from "./fake-workbook";

const FINANCIAL = { company: null, year: null, metric: null, basis: null, unit: null };

const callOf = (given: Partial<Record<keyof typeof FINANCIAL, unknown>>, more: Partial<Call> = {}) =>
  toCall({ name: "FINANCIAL", given: { ...FINANCIAL, ...given }, ...more });

const cellOf = (address: string, formula: string, sheet = "Sheet1"): FeedCell => ({
  sheet,
  address,
  formula,
  value: 1,
});

/** A workbook with values, and formulas that are only listed. */
function createWorkbook(values: Record<string, string | number | boolean>, cells: readonly FeedCell[]) {
  const fake = createFakeWorkbook(cells);
  for (const [address, value] of Object.entries(values)) {
    fake.cells.set(address.includes("!") ? address : `Sheet1!${address}`, value);
  }
  const readings: (readonly string[])[] = [];
  const readSheets: typeof fake.readSheets = (names) => {
    readings.push(names);
    return fake.readSheets(names);
  };
  return { ...fake, readSheets, readings };
}

async function find(
  values: Record<string, string | number | boolean>,
  cells: readonly FeedCell[],
  calls: readonly Call[],
) {
  const { pairs, unknown } = await findCells(createWorkbook(values, cells), calls, "workbook");
  return {
    pairs: pairs.map(({ cell, call }) => `${cell.address} ${calls.indexOf(call)}`),
    unknown: unknown.map(({ address }) => address),
  };
}

describe("the live formulas of cells", () => {
  const revenue = callOf({ company: [["7203"]], year: [[2023]], metric: [["Revenue"]] });
  const assets = callOf({ company: [["7203"]], year: [[2023]], metric: [["Assets"]] });

  it("are found by their arguments, whatever address the host reported", async () => {
    const cells = [
      cellOf("D9", '=FEED.FINANCIAL(A9,B9,"Assets")'),
      cellOf("C9", '=FEED.FINANCIAL("7203",2023,"Revenue")'),
    ];
    const moved = [revenue, { ...assets, address: "Sheet1!D2" }];
    expect(await find({ A9: "7203", B9: 2023 }, cells, moved)).toEqual({
      pairs: ["D9 1", "C9 0"],
      unknown: [],
    });
  });

  it("are one for all cells that share it", async () => {
    const cells = ["C1", "C2", "C3"].map((address) => cellOf(address, '=FEED.FINANCIAL($A$1,2023,"Revenue")'));
    const found = await find({ A1: "7203" }, cells, [{ ...revenue, address: "Sheet1!C1" }]);
    expect(found).toEqual({
      pairs: ["C1 0", "C2 0", "C3 0"],
      unknown: [],
    });
  });

  it("are not matched by an address that has another formula now", async () => {
    const cells = [
      cellOf("C1", '=FEED.FINANCIAL("7203",2022,"Revenue")'),
      cellOf("C2", '=FEED.COMPANY("7203","name")'),
    ];
    const calls = [
      { ...revenue, address: "Sheet1!C1" },
      { ...assets, address: "Sheet1!C2" },
    ];
    expect(await find({}, cells, calls)).toEqual({ pairs: [], unknown: ["C1", "C2"] });
  });

  it("are found inside other formulas, all of them, and nested", async () => {
    const id = callOf({}, { name: "COMPANY.ID", given: { text: "Toyota", country: null }, address: "Sheet1!C1" });
    const nested = { ...revenue, address: "Sheet1!C1" };
    const cells = [
      cellOf("C1", '=IFERROR(FEED.FINANCIAL(FEED.COMPANY.ID("Toyota"),2023,"Revenue"),"a) FEED.COMPANY(")'),
      cellOf("C2", '=FEED.FINANCIAL("7203",2023,"Revenue")/feed.financial("7203",2023,"Assets")'),
    ];
    expect(await find({}, cells, [nested, assets, id])).toEqual({
      pairs: ["C1 0", "C1 2", "C2 0", "C2 1"],
      unknown: [],
    });
  });

  it("are matched by address if an argument cannot be evaluated and the rest fits", async () => {
    const cells = ["C1", "C2", "C3"].map((address) =>
      cellOf(address, '=FEED.FINANCIAL("7203",YEAR(TODAY()),"Revenue")'),
    );
    const calls = [
      { ...revenue, address: "'[Book.xlsx]Sheet1'!$C$1" },
      { ...assets, address: "Sheet1!C2" },
    ];
    expect(await find({}, cells, calls)).toEqual({ pairs: ["C1 0"], unknown: ["C2", "C3"] });
  });

  it.each(['=FEED.FINANCIAL([@Id],2023,"Revenue")', '=FEED.FINANCIAL(A1&"",2023,"Revenue")'])(
    "may be those of a cell with an unreadable argument: %s",
    async (formula) => {
      const cells = ["C1", "C2", "C3"].map((address) => cellOf(address, formula));
      const findUndetermined = async (...calls: Call[]) => {
        const found = await findCells(createWorkbook({ A1: "7203" }, cells), calls, "workbook");
        return [found.unknown, await found.findUndetermined()].map((each) => each.map(({ address }) => address));
      };
      const all = ["C1", "C2", "C3"];
      expect(await findUndetermined(revenue)).toEqual([all, all]); // a host without addresses
      expect(await findUndetermined({ ...revenue, address: "Sheet1!C1" })).toEqual([all.slice(1), all.slice(1)]);
      expect(await findUndetermined(assets)).toEqual([all, []]);
      expect(await findUndetermined()).toEqual([all, []]);
    },
  );

  it("leave a cell undetermined if it is called for each cell of a range", async () => {
    const cells = ["A1:A3", "A2:A3"].map((range, row) => cellOf(`C${row + 1}`, `=FEED.FINANCIAL("7203",${range})`));
    const calls = [callOf({ company: [["7203"]], year: 2023 })];
    const { findUndetermined } = await findCells(createWorkbook({ A1: 2023 }, cells), calls, "workbook");
    expect(await findUndetermined()).toEqual(cells);
    const whole = [callOf({ company: [["7203"]], year: [[2023], [2022], [2021]] })];
    const found = await findCells(createWorkbook({ A1: 2023 }, cells), whole, "workbook");
    expect(await found.findUndetermined()).toEqual([]);
  });

  it("leave a cell undetermined if another of its calls is live, as in a branch of IF", async () => {
    const cells = [
      cellOf("C1", '=IF(A1,FEED.FINANCIAL("7203",2023,"Revenue"),FEED.FINANCIAL("6758",2023,"Revenue"))'),
      cellOf("C2", '=FEED.FINANCIAL("6758",2023,"Revenue")'),
    ];
    const { unknown, findUndetermined } = await findCells(createWorkbook({}, cells), [revenue], "workbook");
    expect(unknown).toEqual(cells);
    expect(await findUndetermined()).toEqual([cells[0]]);
  });

  it("are reported incomplete for every cell with an unknown call", async () => {
    const cells = [cellOf("C1", '=FEED.FINANCIAL("7203",2023,"Revenue")-FEED.FINANCIAL("7203",2022,"Revenue")')];
    expect(await find({}, cells, [revenue])).toEqual({ pairs: ["C1 0"], unknown: ["C1"] });
  });

  it.each([
    ["0 on the desktop", 0],
    ["null on the web", null],
  ])("match a blank argument given as %s", async (_how, blank) => {
    const cells = [cellOf("C1", "=FEED.FINANCIAL(A1:B2,2023,Sheet2!A1)")];
    const call = callOf({
      company: [
        ["7203", blank],
        [blank, "6758"],
      ],
      year: [[2023]],
      metric: [[blank]],
    });
    expect(await find({ A1: "7203", B2: "6758" }, cells, [call])).toEqual({ pairs: ["C1 0"], unknown: [] });
  });

  it("differ by a blank cell and an omitted argument", async () => {
    const given = { company: [["7203"]], year: [[2023]], metric: [["Revenue"]] };
    const calls = [callOf(given), callOf({ ...given, unit: 0 }, { address: "Sheet1!C2" })];
    const cells = [
      cellOf("C1", '=FEED.FINANCIAL("7203",2023,"Revenue")'),
      cellOf("C2", '=FEED.FINANCIAL("7203",2023,"Revenue",,A1)'),
      cellOf("C3", '=FEED.FINANCIAL("7203",2023,"Revenue",,A1)'),
    ];
    expect(await find({}, cells, calls)).toEqual({
      pairs: ["C1 0", "C2 1"],
      unknown: ["C3"],
    });
  });

  it("differ by numbers and equal texts, by flags, and by the shape of a range", async () => {
    const calls = [
      callOf({ company: [["7203"]], year: [["2023"]] }),
      callOf({ company: [["7203"]], year: [[2023]] }),
      callOf({ company: [["1"], ["2"]], unit: true }),
      callOf({ company: [["1", "2"]], unit: 1 }),
    ];
    const cells = [
      cellOf("C1", '=FEED.FINANCIAL("7203",2023)'),
      cellOf("C2", '=FEED.FINANCIAL("7203","2023")'),
      cellOf("C3", "=FEED.FINANCIAL(A1:A2,,,,TRUE)"),
      cellOf("C4", "=FEED.FINANCIAL(A1:B1,,,,1)"),
    ];
    const found = await find({ A1: "1", A2: "2", B1: "2" }, cells, calls);
    expect(found).toEqual({
      pairs: ["C1 1", "C2 0", "C3 2", "C4 3"],
      unknown: [],
    });
  });

  it("match an error or a number with properties as argument", async () => {
    const calls = [callOf({ company: [[{ code: "#N/A" }]], year: [[{ type: "Double", basicValue: 2023 }]] })];
    const cells = [cellOf("C1", "=FEED.FINANCIAL(A1,B1)")];
    expect((await find({ A1: "#N/A", B1: 2023 }, cells, calls)).pairs).toEqual(["C1 0"]);
  });

  it("are both found if the host opened a stream twice", async () => {
    const cells = [cellOf("C1", '=FEED.FINANCIAL("7203",2023,"Revenue")')];
    expect((await find({}, cells, [revenue, { ...revenue }])).pairs).toEqual(["C1 0", "C1 1"]);
  });

  it("are found by one read for all sheets referred to, and none without a reference", async () => {
    const cells = [cellOf("C1", "=FEED.COMPANY(A1,data!B1)"), cellOf("C2", "=FEED.COMPANY('Data'!B2,$A$2)")];
    const book = createWorkbook({ A1: "1", "data!B1": "name" }, cells);
    await findCells(book, [], "workbook");
    expect(book.readings.map((names) => [...names].sort())).toEqual([["Data", "Sheet1"]]);
    const literal = createWorkbook({}, [cellOf("C1", '=FEED.COMPANY("7203","name")')]);
    await findCells(literal, [], "workbook");
    expect(literal.readings).toEqual([]);
  });

  it("give the address of a cell of their tables", () => {
    expect(toShownPlace({ sheet: "Sheet1", address: "Y9" }, 2, 3)).toEqual({ sheet: "Sheet1", address: "AB11" });
  });
});
