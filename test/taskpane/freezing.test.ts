import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import type { FrozenCell, Workbook } from "../../src/contract/workbook";
import { putBack } from "../../src/taskpane/frozen-cells";
import { openExcel } from "../office/adapter-page";
import type { ExcelWorkbook } from "../office/workbook";
import { type OpenedWorkbook, openWorkbook, prepareEngine } from "../playground/open-workbook";

const NUMBER = '=FEED.SAY("number")';
const TABLE = '=FEED.SAY("table")';

type Port = Pick<Workbook, "freeze" | "listFrozen" | "thaw" | "readSelection" | "write">;

/** What a person does in a workbook; rows and columns are counted from 1. */
interface Host {
  workbook: Port;
  /** Formulas show 42, and the table its rows. */
  enter(cells: Readonly<Record<string, string | number>>): void;
  /** The formula of a cell, or its value. */
  look(address: string): string | number;
  select(address: string): Promise<void> | void;
  /** Inserts rows or columns before one, or deletes as many from it on. */
  shift(side: "row" | "column", from: number, count: number): void;
  addSheet(name: string): void;
  renameSheet(name: string, to: string): void;
}

const SHOWN = [
  ["Rank", "Company"],
  [1, "@SUM(1)"],
  [2, ""],
  [3, "2024-01-31"],
];

function createExcelHost(excel: ExcelWorkbook, workbook: Port): Host {
  return {
    workbook,
    enter(cells) {
      for (const [address, content] of Object.entries(cells)) {
        if (content === TABLE) excel.enterFormula(address, TABLE, SHOWN);
        else if (String(content).startsWith("=")) excel.enterFormula(address, String(content), 42);
        else excel.enter(address, content);
      }
    },
    look: (address) => excel.cell(address).formula ?? (excel.cell(address).value as string | number),
    select: (address) => excel.select(address),
    shift: (side, from, count) => excel.shift(excel.sheet("Sheet1"), side, from, count),
    addSheet: (name) => void excel.addSheet(name),
    renameSheet(name, to) {
      excel.sheet(name).name = to;
    },
  };
}

function createPlaygroundHost({ model, pane, enter, read }: OpenedWorkbook): Host {
  const dispatch = (type: string, given: object) => model.dispatch(type as "REQUEST_UNDO", given as never);
  const sheetOne = { sheetId: "sheet1", sheetName: "Sheet1" };
  return {
    workbook: pane,
    enter: (cells) => enter(...Object.entries(cells).map(([address, content]) => [address, String(content)] as const)),
    look(address) {
      const shown = read(address);
      return shown !== "" && Number.isFinite(Number(shown)) ? Number(shown) : shown;
    },
    select(address) {
      const { zone } = model.getters.getRangeFromSheetXC("sheet1", address);
      model.selection.selectZone({ cell: { col: zone.left, row: zone.top }, zone });
    },
    shift(side, from, count) {
      const dimension = side === "row" ? "ROW" : "COL";
      const elements = Array.from({ length: Math.abs(count) }, (_, index) => from - 1 + index);
      if (count < 0) dispatch("REMOVE_COLUMNS_ROWS", { ...sheetOne, dimension, elements });
      else
        dispatch("ADD_COLUMNS_ROWS", { ...sheetOne, dimension, base: from - 1, quantity: count, position: "before" });
    },
    addSheet: (name) => dispatch("CREATE_SHEET", { sheetId: name, name, position: 1, cols: 26, rows: 100 }),
    renameSheet: (oldName, newName) => dispatch("RENAME_SHEET", { sheetId: oldName, oldName, newName }),
  };
}

const { open, workbook } = openExcel();
beforeAll(prepareEngine);
afterAll(() => void jest.restoreAllMocks());

/** A formula that names its company; it shows the same for each. */
const ofCompany = (company: number) => `${NUMBER}*(${company}>0)`;

describe.each([
  ["Excel", () => createExcelHost(open(), workbook)],
  ["the playground", () => createPlaygroundHost(openWorkbook())],
])("formulas frozen in %s", (_, openHost) => {
  let host: Host;
  /** Names in column A from row 2 on, and beside each its company's formula. */
  const enterCompanies = (companies: readonly number[], toFormula = ofCompany) => {
    for (const [index, company] of companies.entries())
      host.enter({ [`A${index + 2}`]: `c${company}`, [`B${index + 2}`]: toFormula(company) });
  };
  /** Writes rows from row 2 on as a sort does: names of cells stay where they are. */
  const sortTo = (names: readonly string[], values: readonly number[] = names.map(() => 42)) => {
    for (const [index, name] of names.entries())
      host.enter({ [`A${index + 2}`]: name, [`B${index + 2}`]: values[index] ?? "" });
  };
  const freeze = async () => expect((await host.workbook.freeze("workbook")).left).toEqual([]);
  const byPlace = (one: FrozenCell, other: FrozenCell) => (one.address < other.address ? -1 : 1);
  const list = async () => [...(await host.workbook.listFrozen("workbook"))].sort(byPlace);
  /** Thaws; gives how many came back and were dropped, and what stays, with its label. */
  const thaw = async () => {
    const { formulas, left, gone } = await host.workbook.thaw("workbook");
    return {
      formulas,
      gone,
      left: [...left].sort(byPlace).map(({ address, label }) => [address, label].join(" ").trim()),
    };
  };
  const look = (...addresses: string[]) => addresses.map(host.look);

  beforeEach(() => {
    host = openHost();
  });

  it("come back, tables too, and nothing stays remembered", async () => {
    enterCompanies([2, 3]);
    host.enter({ D2: TABLE });
    await freeze();
    expect(look("B2", "D2", "E3")).toEqual([42, "Rank", "@SUM(1)"]);
    const listed = { sheet: "Sheet1", label: "", isAsFrozen: true, frozenAtMs: expect.any(Number) };
    expect(await list()).toEqual([
      { ...listed, address: "B2", filled: "B2", formula: ofCompany(2) },
      { ...listed, address: "B3", filled: "B3", formula: ofCompany(3) },
      { ...listed, address: "D2", filled: "D2:E5", formula: TABLE },
    ]);
    expect(await thaw()).toEqual({ formulas: 3, left: [], gone: 0 });
    expect(look("B2", "B3", "D2", "E3")).toEqual([ofCompany(2), ofCompany(3), TABLE, ""]);
    expect(await list()).toEqual([]);
  });

  it("find their cells and references after rows and columns came in and a sheet was renamed", async () => {
    host.addSheet("Inputs");
    host.enter({ A1: "number", "Inputs!A1": "number", B3: "=FEED.SAY($A$1)", B4: "=FEED.SAY(Inputs!A1)" });
    host.enter({ A5: "Akane", B5: ofCompany(5) });
    await freeze();
    host.shift("row", 1, 1);
    host.shift("row", 3, 2);
    host.shift("column", 1, 1);
    host.enter({ A8: "a note in front" });
    host.renameSheet("Inputs", "My inputs");
    expect(await thaw()).toEqual({ formulas: 3, left: [], gone: 0 });
    expect(look("C6", "C7", "C8")).toEqual(["=FEED.SAY($B$2)", "=FEED.SAY('My inputs'!A1)", ofCompany(5)]);
  });

  it("stay where anything was typed over them, until it is as it was", async () => {
    enterCompanies([2, 3]);
    host.enter({ D2: TABLE });
    await freeze();
    host.enter({ B2: 7, B3: "=1+1", E4: "mine" });
    expect(await thaw()).toEqual({ formulas: 0, left: ["B2 c2", "B3 c3", "D2 c2"], gone: 0 });
    expect(look("B2", "B3", "D2", "E4")).toEqual([7, "=1+1", "Rank", "mine"]);
    host.enter({ B2: 42, B3: 42, E4: "" });
    expect(await thaw()).toEqual({ formulas: 3, left: [], gone: 0 });
  });

  it("are dropped with their cells, and stay where a cell is gone that they read", async () => {
    enterCompanies([2, 3]);
    host.enter({ A9: "number", D2: "=FEED.SAY(A9)" });
    await freeze();
    host.shift("row", 9, -1);
    host.shift("row", 3, -1);
    expect(await thaw()).toEqual({ formulas: 1, left: ["D2 c2"], gone: 1 });
    expect(look("B2", "D2")).toEqual([ofCompany(2), 42]);
  });

  it("come back as the last that a cell had, and are forgotten where they were typed again", async () => {
    enterCompanies([2, 3]);
    await freeze();
    host.enter({ B2: ofCompany(7), B3: ofCompany(3) });
    expect((await list()).map(({ address }) => address)).toEqual(["B2"]);
    await freeze();
    expect(await thaw()).toEqual({ formulas: 2, left: [], gone: 0 });
    expect(look("B2", "B3")).toEqual([ofCompany(7), ofCompany(3)]);
    expect(await list()).toEqual([]);
  });

  it("come back in no exchanged row of an equal value, until the rows are back", async () => {
    enterCompanies([2, 3, 4]);
    await freeze();
    sortTo(["c4", "c3", "c2"]);
    expect(await thaw()).toEqual({ formulas: 1, left: ["B2 c2", "B4 c4"], gone: 0 });
    expect(look("B2", "B3", "B4")).toEqual([42, ofCompany(3), 42]);
    host.enter({ A2: "c2", A4: "c4" });
    expect(await thaw()).toEqual({ formulas: 2, left: [], gone: 0 });
  });

  it("stay where nothing identifies equal values, once another cell of their column has changed", async () => {
    enterCompanies([2, 3, 4]);
    host.enter({ A2: "", A3: "", A4: "" });
    await freeze();
    host.enter({ B2: 7 });
    expect(await thaw()).toEqual({ formulas: 0, left: ["B2", "B3", "B4"], gone: 0 });
    host.enter({ B2: 42 });
    expect((await thaw()).formulas).toBe(3);
  });

  it("stay alone in their column, too, where a sort brings an equal value there", async () => {
    enterCompanies([2]);
    host.enter({ A3: "Fuji", B3: 42 });
    await freeze();
    sortTo(["Fuji", "c2"]);
    expect(await thaw()).toEqual({ formulas: 0, left: ["B2 c2"], gone: 0 });
  });

  it("come back in a row that was renamed where they read it", async () => {
    host.enter({ A2: "number", A3: "number", B2: "=FEED.SAY($A2)", B3: "=FEED.SAY($A3)", D3: "=FEED.SAY($A3)" });
    await freeze();
    host.enter({ A2: "text", A3: "none" });
    expect(await thaw()).toEqual({ formulas: 3, left: [], gone: 0 });
    expect(look("B3", "D3")).toEqual(["=FEED.SAY($A3)", "=FEED.SAY($A3)"]);
  });

  it("are known by the years of their rows, and not by the numbers and notes beside them", async () => {
    for (const row of [2, 3]) host.enter({ [`A${row}`]: "Fuji", [`B${row}`]: 2020 + row, [`C${row}`]: ofCompany(row) });
    await freeze();
    host.enter({ D2: 5, E3: "ask again", B2: 2023, B3: 2022 });
    expect(await thaw()).toEqual({ formulas: 0, left: ["C2 Fuji 2022", "C3 Fuji 2023"], gone: 0 });
    host.enter({ B2: 2022, B3: 2023 });
    expect(await thaw()).toEqual({ formulas: 2, left: [], gone: 0 });
  });

  it("can be put into the selected cell, with their references moved, and are forgotten", async () => {
    enterCompanies([2, 3]);
    host.enter({ D1: "number", C2: "=FEED.SAY(D$1)" });
    await freeze();
    host.enter({ A2: "c9", C2: 7 });
    const [first, second] = (await host.workbook.thaw("workbook")).left.toSorted(byPlace);
    for (const [to, cell] of [
      ["B9", first],
      ["D9", second],
    ] as const) {
      await host.select(to);
      expect(await putBack(host.workbook, cell as FrozenCell)).toEqual({ sheet: "Sheet1", address: to });
    }
    expect(look("B2", "B9", "C2", "D9")).toEqual([42, ofCompany(2), 7, "=FEED.SAY(E$1)"]);
    expect(await list()).toEqual([]);
  });

  it("ask before their table takes the place of other cells", async () => {
    host.enter({ B2: TABLE });
    await freeze();
    host.enter({ B2: "Place", C9: "mine" });
    const [cell] = await list();
    await host.select("B8");
    const place = { sheet: "Sheet1", address: "B8:C11" };
    await expect(putBack(host.workbook, cell as FrozenCell)).rejects.toMatchObject({ fault: "occupied", place });
    expect(look("B8", "C9")).toEqual(["", "mine"]);
    await host.select("A1"); // the person looks elsewhere before answering
    await putBack(host.workbook, cell as FrozenCell, place);
    expect(look("B8", "C9")).toEqual([TABLE, ""]);
    expect(await list()).toEqual([]);
  });

  it("are left as they are where others stand there than the person confirmed", async () => {
    enterCompanies([2, 3]);
    const places = [{ sheet: "Sheet1", address: "B2" }];
    await expect(host.workbook.freeze("workbook", places)).rejects.toMatchObject({ fault: "missing" });
    expect(look("B2")).toEqual([ofCompany(2)]);
    await freeze();
    await expect(host.workbook.thaw("workbook", places)).rejects.toMatchObject({ fault: "missing" });
    expect(look("B2")).toEqual([42]);
    expect((await host.workbook.thaw("workbook", await host.workbook.listFrozen("workbook"))).formulas).toBe(2);
  });
});
