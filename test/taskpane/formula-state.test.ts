import { describe, expect, it, jest } from "@jest/globals";
import { ArgumentError, type FeedCode, FeedError, NoValueError } from "../../src/client/errors";
import type { CellValue, FeedCell } from "../../src/contract/workbook";
import type { Query } from "../../src/feed/query-cache";
import type { Call, Shown } from "../../src/session/calls";
import { findCause, mayRefreshMend } from "../../src/taskpane/activity/formula-state";
import { readLiveCalls, toLabel } from "../../src/taskpane/activity/live-calls";
import { findCells, findFormulaCells, toShownPlace } from "../../src/taskpane/cells";
import { runSteps } from "../support/run-steps";
import { toCall } from "./call";
import CASES from "./cells.json";
import { createFakeWorkbook } from "./fake-workbook";

const ANSWERED = {
  state: { status: "answered", answer: { asOfMs: 1, value: {} }, error: null },
  requests: () => [],
};
const PENDING = { state: { status: "pending" }, requests: () => [] };
const LATE = { code: "#N/A", message: "FEED_TIMED_OUT: no answer within 30 seconds" };
const DONE = ["answered", null, null];
const FAILED = ["failed", null, "FEED_TIMED_OUT"];
const RETRIED = "failed, and a refresh is offered";
/** The state of a formula after each error there is. */
const AFTER: Readonly<Record<FeedCode, string>> = {
  FEED_ARGUMENT_INVALID: "wrong",
  FEED_REQUEST_INVALID: "wrong",
  FEED_RESULT_TOO_LARGE: "wrong",
  FEED_NO_VALUE: "wrong",
  FEED_NOT_FOUND: "wrong",
  FEED_AMBIGUOUS: "wrong",
  FEED_INDEX_NOT_READY: "wrong",
  FEED_SCOPE_MISSING: "failed", // until somebody grants the right
  FEED_NOT_CONNECTED: RETRIED,
  FEED_UNAUTHORISED: RETRIED,
  FEED_SIGNER_UNREACHABLE: RETRIED,
  FEED_SIGNER_REFUSED: RETRIED,
  FEED_TOKEN_REFUSED: RETRIED,
  FEED_TOKEN_MALFORMED: RETRIED,
  FEED_CONFIRM_NEEDED: RETRIED,
  FEED_RATE_LIMITED: RETRIED,
  FEED_SERVER_FAILED: RETRIED,
  FEED_NETWORK_FAILED: RETRIED,
  FEED_TIMED_OUT: RETRIED,
  FEED_RESPONSE_MALFORMED: RETRIED,
  FEED_INTERNAL: RETRIED,
};
const QUERY: Query<unknown> = { key: ["rankCompanies"], load: async () => null };

const callOf = (more: Partial<Call> = {}) =>
  toCall({ given: { start: "-7d" }, address: "Model!A1", queries: [QUERY], shown: [[1]], ...more });

const formula = '=FEED.RANKING("-7d")';
const cellOf = (value: CellValue, address = "A1"): FeedCell => ({ sheet: "Model", address, formula, value });

interface Given {
  /** Values of the formula's cells; default none is known. */
  cells?: FeedCell[];
  /** The output when those were read; default the present one. */
  output?: Shown;
  live?: object;
}

function read(call: Call, { cells = [], output, live = ANSWERED }: Given = {}) {
  const queryCache = { find: () => live as never };
  const outputs = new Map([[call, output ?? call.shown]]);
  return runSteps(readLiveCalls([call], queryCache, undefined, { cells: new Map([[call, cells]]), outputs }));
}

const stateOf = (call: Call, given?: Given) => {
  const [{ state, hiddenBy, error } = {}] = read(call, given).calls;
  return [state, hiddenBy, error instanceof Error && "code" in error ? error.code : error];
};

describe("a formula's state", () => {
  it.each<[string, Partial<Call>, Given, unknown[]]>([
    ["is answered where its cell shows its output", {}, { cells: [cellOf(1)] }, ["answered", null, null]],
    ["is waiting before its first output, though its query is answered", { shown: null }, {}, ["asking", null, null]],
    ["is waiting while its cell shows #BUSY!", {}, { cells: [cellOf("#BUSY!")] }, ["asking", null, null]],
    ["is waiting while its cell shows #GETTING_DATA", {}, { cells: [cellOf("#GETTING_DATA")] }, ["asking", null, null]],
    ["is to correct where its cell shows #SPILL!", {}, { cells: [cellOf("#SPILL!")] }, ["wrong", "#SPILL!", null]],
    ["is to correct where its cell shows #VALUE!", {}, { cells: [cellOf("#VALUE!")] }, ["wrong", "#VALUE!", null]],
    ["is to correct where its cell shows #CALC!", {}, { cells: [cellOf("#CALC!")] }, ["wrong", "#CALC!", null]],
    ["does not follow a cell that was read before the output", {}, { cells: [cellOf("#VALUE!")], output: [[0]] }, DONE],
    ["is failed by an output that is an error, even before its query ends", { shown: LATE }, { live: PENDING }, FAILED],
  ])("%s", (_, call, given, state) => expect(stateOf(callOf(call), given)).toEqual(state));

  it.each([
    ["a typing error", new ArgumentError("start is missing"), "FEED_ARGUMENT_INVALID"],
    ["an argument that nothing fits", new NoValueError("FEED_NO_VALUE", "none"), "FEED_NO_VALUE"],
    ["an ambiguous name", new NoValueError("FEED_AMBIGUOUS", "several"), "FEED_AMBIGUOUS"],
  ])("is to correct after %s", (_, error, code) => {
    expect(stateOf(callOf({ error, queries: [] }))).toEqual(["wrong", null, code]);
    const live = { state: { status: "failed", error }, requests: () => [] };
    expect(stateOf(callOf({ error }), { live })).toEqual(["wrong", null, code]);
  });

  it.each(Object.entries(AFTER) as [FeedCode, string][])("after %s is %s", (code, said) => {
    const error = new FeedError(code, "why");
    const [state] = stateOf(callOf({ error }));
    const retried = mayRefreshMend(error) ? "failed, and a refresh is offered" : "failed";
    expect(state === "failed" ? retried : state).toBe(said);
  });

  it.each([
    ["FEED_SERVER_FAILED", undefined, "failed"],
    ["FEED_SERVER_FAILED", {}, "stale"],
    ["FEED_ARGUMENT_INVALID", undefined, "wrong"],
  ] as const)("with an unknown company beside others with %s and %j is %s", (code, value, state) => {
    const [unknown, other] = [new FeedError("FEED_NOT_FOUND", "none"), new FeedError(code, "why")];
    const toLive = (error: FeedError, answer?: object) => ({
      state: answer ? { status: "answered", answer: { asOfMs: 1, value: answer }, error } : { status: "failed", error },
      requests: () => [],
    });
    const queries: Query<unknown>[] = [QUERY, { ...QUERY, key: ["other"] }];
    const find = (query: Query<unknown>) => (query === QUERY ? toLive(unknown) : toLive(other, value)) as never;
    expect(runSteps(readLiveCalls([callOf({ queries })], { find })).calls[0]?.state).toBe(state);
  });

  it("is to correct where an argument is an error, and names that cell", () => {
    const given = { company: [["a"], [{ type: "Error", basicValue: "#VALUE!" }]], year: [[2023]] };
    const call = callOf({ name: "FINANCIAL", given, error: new Error("passed"), queries: [] });
    expect(stateOf(call)[0]).toBe("wrong");
    const own = { sheet: "Model", address: "C1" };
    expect(findCause(call, "=FEED.FINANCIAL(Names!$B$3:$B$4,2023)", own)).toEqual({ sheet: "Names", address: "B4" });
    expect(findCause(call, "=FEED.FINANCIAL(B3:B4,2023)", own)).toEqual({ sheet: "Model", address: "B4" });
    expect(findCause(call, '=FEED.FINANCIAL(FEED.COMPANY.ID("x"),2023)', own)).toBeNull();
  });
});

describe("the number of formulas", () => {
  it("counts each cell that shares a formula, and lists those to correct apart", () => {
    const live = read(callOf(), { cells: [cellOf(1, "A1"), cellOf("#SPILL!", "B1"), cellOf(1, "C1")] });
    expect(live.calls).toHaveLength(3);
    expect(live.counts).toMatchObject({ answered: 2, wrong: 1 });
    expect(live.wrong.map(({ place }) => place?.address)).toEqual(["B1"]);
    expect(live.sheets.map(({ calls }) => calls.length)).toEqual([2]);
  });

  it("counts a cell once where the host runs equal formulas as several streams", async () => {
    const calls = [callOf({ address: "Model!A1" }), callOf({ address: "Model!B1" })];
    const workbook = { listFeedCells: async () => [cellOf(1, "A1"), cellOf(1, "B1")], readSheets: async () => [] };
    const cells = await findFormulaCells(workbook, calls);
    expect(calls.map((call) => cells.get(call)?.map(({ address }) => address))).toEqual([["A1"], ["B1"]]);
  });
});

const financialOf = (given: Call["given"], more: Partial<Call> = {}) => toCall({ name: "FINANCIAL", given, ...more });

describe("the live formulas", () => {
  const query = { key: ["financials", "7203"], load: async () => null };
  const calls = Array.from({ length: 14_000 }, (_, row) =>
    financialOf({}, { address: `Model!A${row}`, queries: [query] }),
  );

  it("read a query once for all formulas that share it, and come again where nothing has changed", () => {
    const find = jest.fn(() => null);
    const first = runSteps(readLiveCalls(calls, { find }));
    const second = runSteps(readLiveCalls([...calls], { find }, first));
    expect(find).toHaveBeenCalledTimes(2);
    expect(second.counts.asking).toBe(14_000);
    expect(second.sheets[0]).toBe(first.sheets[0]);
    expect(second.calls[0]).toBe(first.calls[0]);
  });
});

describe("a formula's label", () => {
  const companies = [["3f2b8c1e-77aa-4c0d-9e51-0a1b2c3d4e5f"], ["b"], [null], ["c"]];
  const figure = { company: [["7203"]], year: [[2023]], metric: "Revenue", basis: null, unit: "" };

  it.each([
    ["lists its arguments in order, without omitted ones", figure, "7203 · 2023 · Revenue"],
    [
      "shows a range by its first value and count",
      { companies, year: [[null]], headers: false },
      "3f2b8c1e… +2 · false",
    ],
    ["is truncated if it is too long", { text: "x".repeat(200) }, `${"x".repeat(80)}…`],
  ])("%s", (_, given, label) => expect(toLabel(financialOf(given))).toBe(label));

  it("shows the days of a ranking as they are sent", () => {
    const key = ["rankCompanies", "2024-01-01T00:00:00", "2024-01-31T23:59:59", 5];
    const queries = [{ key, load: async () => null }];
    const call = financialOf({ start: 45_292, end: 45_322, top: 5 }, { name: "RANKING", queries });
    expect(toLabel(call)).toBe("2024-01-01 – 2024-01-31 · 5");
  });
});

const FINANCIAL = { company: null, year: null, metric: null, basis: null, unit: null };

/** A live formula; default a FINANCIAL, whose omitted arguments are null. */
const toFinancial = (given: Call["given"], { name = "FINANCIAL", address = null }: Partial<Call> = {}) =>
  toCall({ name, given: name === "FINANCIAL" ? { ...FINANCIAL, ...given } : given, address });

const toListed = (address: string, formula: string): FeedCell => ({ sheet: "Sheet1", address, formula, value: 1 });

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
  const revenue = toFinancial({ company: [["7203"]], year: [[2023]], metric: [["Revenue"]] });
  const assets = toFinancial({ company: [["7203"]], year: [[2023]], metric: [["Assets"]] });

  it.each(CASES as unknown as Case[])("$title", async ({ values, cells, calls, pairs, unknown }) => {
    const feedCells = Object.entries(cells).map(([address, formula]) => toListed(address, formula));
    const live = calls.map((call) => toFinancial(call.given, call));
    const found = await findCells(createWorkbook(values, feedCells), live, "workbook");
    expect(found.pairs.map(({ cell, call }) => `${cell.address} ${live.indexOf(call)}`)).toEqual(pairs);
    expect(found.unknown.map(({ address }) => address)).toEqual(unknown);
  });

  it.each(['=FEED.FINANCIAL([@Id],2023,"Revenue")', '=FEED.FINANCIAL(A1&"",2023,"Revenue")'])(
    "may be those of a cell with an unreadable argument: %s",
    async (formula) => {
      const cells = ["C1", "C2", "C3"].map((address) => toListed(address, formula));
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
    const cells = ["A1:A3", "A2:A3"].map((range, row) => toListed(`C${row + 1}`, `=FEED.FINANCIAL("7203",${range})`));
    const calls = [toFinancial({ company: [["7203"]], year: 2023 })];
    const { findUndetermined } = await findCells(createWorkbook({ A1: 2023 }, cells), calls, "workbook");
    expect(await findUndetermined()).toEqual(cells);
    const whole = [toFinancial({ company: [["7203"]], year: [[2023], [2022], [2021]] })];
    const found = await findCells(createWorkbook({ A1: 2023 }, cells), whole, "workbook");
    expect(await found.findUndetermined()).toEqual([]);
  });

  it("leave a cell undetermined if another of its calls is live, as in a branch of IF", async () => {
    const cells = [
      toListed("C1", '=IF(A1,FEED.FINANCIAL("7203",2023,"Revenue"),FEED.FINANCIAL("6758",2023,"Revenue"))'),
      toListed("C2", '=FEED.FINANCIAL("6758",2023,"Revenue")'),
    ];
    const { unknown, findUndetermined } = await findCells(createWorkbook({}, cells), [revenue], "workbook");
    expect(unknown).toEqual(cells);
    expect(await findUndetermined()).toEqual([cells[0]]);
  });

  it("are found by one read for all sheets referred to, and none without a reference", async () => {
    const cells = [toListed("C1", "=FEED.COMPANY(A1,data!B1)"), toListed("C2", "=FEED.COMPANY('Data'!B2,$A$2)")];
    const book = createWorkbook({ A1: "1", "data!B1": "name" }, cells);
    await findCells(book, [], "workbook");
    expect(book.readings.map((names) => [...names].sort())).toEqual([["Data", "Sheet1"]]);
    const literal = createWorkbook({}, [toListed("C1", '=FEED.COMPANY("7203","name")')]);
    await findCells(literal, [], "workbook");
    expect(literal.readings).toEqual([]);
  });

  it("give the address of a cell of their tables", () => {
    expect(toShownPlace({ sheet: "Sheet1", address: "Y9" }, 2, 3)).toEqual({ sheet: "Sheet1", address: "AB11" });
  });
});
