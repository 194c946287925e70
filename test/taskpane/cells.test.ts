import { describe, expect, it } from "@jest/globals";
import type { FeedCell } from "../../src/contract/workbook";
import type { Call } from "../../src/session/calls";
import { findCells, toShownPlace } from "../../src/taskpane/cells";
import { toCall } from "./call";
import CASES from "./cells.json";
import { createFakeWorkbook } from "./fake-workbook";

const FINANCIAL = { company: null, year: null, metric: null, basis: null, unit: null };

/** A live formula; default a FINANCIAL, whose omitted arguments are null. */
const callOf = (given: Call["given"], { name = "FINANCIAL", address = null }: Partial<Call> = {}) =>
  toCall({ name, given: name === "FINANCIAL" ? { ...FINANCIAL, ...given } : given, address });

const cellOf = (address: string, formula: string): FeedCell => ({ sheet: "Sheet1", address, formula, value: 1 });

type Values = Record<string, string | number | boolean>;

/** A case of cells.json: formulas by cell, and what is found of each cell, as "C1 0" for the first call. */
interface Case {
  title: string;
  values: Values;
  cells: Record<string, string>;
  calls: (Pick<Call, "given"> & Partial<Call>)[];
  pairs: string[];
  unknown: string[];
}

/** A workbook with values, and formulas that are only listed. */
function createWorkbook(values: Values, cells: readonly FeedCell[]) {
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

describe("the live formulas of cells", () => {
  const revenue = callOf({ company: [["7203"]], year: [[2023]], metric: [["Revenue"]] });
  const assets = callOf({ company: [["7203"]], year: [[2023]], metric: [["Assets"]] });

  it.each(CASES as unknown as Case[])("$title", async ({ values, cells, calls, pairs, unknown }) => {
    const feedCells = Object.entries(cells).map(([address, formula]) => cellOf(address, formula));
    const live = calls.map((call) => callOf(call.given, call));
    const found = await findCells(createWorkbook(values, feedCells), live, "workbook");
    expect(found.pairs.map(({ cell, call }) => `${cell.address} ${live.indexOf(call)}`)).toEqual(pairs);
    expect(found.unknown.map(({ address }) => address)).toEqual(unknown);
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
