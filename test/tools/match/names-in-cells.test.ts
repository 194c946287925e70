import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { NoValueError } from "../../../src/client/errors";
import { msg } from "../../../src/client/messages";
import type { CellValue, Workbook } from "../../../src/contract/workbook";
import type { NameMatches, NameToMatch } from "../../../src/feed/names";
import type { QueryCache } from "../../../src/feed/query-cache";
import type { Session } from "../../../src/session/session";
import { listNames, readNames } from "../../../src/tools/match/names-in-cells";
import { matchDue } from "../../../src/tools/match/use-run";
import { createClock } from "../../support/clock";
import { createPlainQueryCache } from "../../support/query-cache";
import { createFakeWorkbook } from "../../taskpane/fake-workbook";

describe("the names of rows", () => {
  it("are the texts of the first column, each once with all its rows and hints", () => {
    const rows: CellValue[][] = [
      ["Sakura Foods", "7203", "Osaka"],
      [" Takashima ", null, ""],
      ["Sakura Foods", "7203", "www.sakura.example"],
    ];
    expect(listNames(rows, 4).names).toEqual([
      { text: "Sakura Foods", hints: ["7203", "Osaka", "www.sakura.example"], rows: [4, 6] },
      { text: "Takashima", hints: [], rows: [5] },
    ]);
  });

  it("are no blanks, errors, truth values and very long texts, which are counted", () => {
    const column: CellValue[] = [null, "  ", "#N/A", "#VALUE!", true, "x".repeat(301), "#1 Foods", 7203];
    const rows = column.map((value) => [value]);
    expect(listNames(rows, 0)).toEqual({
      names: [
        { text: "#1 Foods", hints: [], rows: [6] },
        { text: "7203", hints: [], rows: [7] },
      ],
      blanks: 2,
      unreadable: 4,
    });
  });
});

describe("reading names", () => {
  const idle = { signal: new AbortController().signal, progress: () => {} };

  /** A workbook with a name in each row of column A. */
  function createLong(rows: number) {
    const workbook = createFakeWorkbook();
    for (let row = 1; row <= rows; row++) workbook.cells.set(`Sheet1!A${row}`, `Name ${row}`);
    return workbook;
  }

  it("reads a whole column as far as it is used, and knows the rows", async () => {
    const workbook = createLong(3);
    const { area, names } = await readNames(workbook, { sheet: "Sheet1", address: "A:A" }, idle);
    expect(area).toEqual({ row: 0, column: 0, rows: 3, columns: 1 });
    expect(names.map(({ rows }) => rows)).toEqual([[0], [1], [2]]);
  });

  it.each([["Company"], ["Company name"], ["NAMES"], ["企業名"], ["取引先名"], ["会社名称"]])(
    "leaves the heading %s out, with what stands beside it",
    async (heading) => {
      const workbook = createLong(3);
      workbook.cells.set("Sheet1!A1", heading).set("Sheet1!B1", "Ticker").set("Sheet1!B2", "7203");
      const list = await readNames(workbook, { sheet: "Sheet1", address: "A:B" }, idle);
      expect([list.area, list.headings]).toEqual([{ row: 1, column: 0, rows: 2, columns: 2 }, 1]);
      expect(list.names).toEqual([
        { text: "Name 2", hints: ["7203"], rows: [1] },
        { text: "Name 3", hints: [], rows: [2] },
      ]);
    },
  );

  it.each([["Name Foods"], ["Target"], ["会社更生"], ["Client Earth"]])("keeps the name %s", async (name) => {
    const workbook = createLong(2);
    workbook.cells.set("Sheet1!A1", name);
    const list = await readNames(workbook, { sheet: "Sheet1", address: "A1:A2" }, idle);
    expect(list.names.map(({ text }) => text)).toEqual([name, "Name 2"]);
  });

  it("includes names in hidden rows, each in its own row, and counts them", async () => {
    const workbook = createLong(6);
    workbook.cells.set("Sheet1!A1", "Company").delete("Sheet1!A4");
    for (const row of [0, 2, 3, 4, 9]) workbook.hiddenRows.add(row);
    const list = await readNames(workbook, { sheet: "Sheet1", address: "A1:B6" }, idle);
    expect(list.names.map(({ text, rows }) => [text, rows])).toEqual([
      ["Name 2", [1]],
      ["Name 3", [2]],
      ["Name 5", [4]],
      ["Name 6", [5]],
    ]);
    expect(list.hidden).toBe(2);
  });

  it("finds nothing on an empty sheet", async () => {
    const { names } = await readNames(createFakeWorkbook(), { sheet: "Sheet1", address: "A:C" }, idle);
    expect(names).toEqual([]);
  });

  it("reads 1,000 rows at a time, tells its progress, and ends when it is stopped", async () => {
    const long = createLong(2_500);
    const abort = new AbortController();
    const read: string[] = [];
    const workbook: Workbook = {
      ...long,
      readValues(reference) {
        read.push(reference);
        if (read.length === 2) abort.abort(new Error("stopped"));
        return long.readValues(reference);
      },
    };
    const shares: number[] = [];
    const watching = { signal: abort.signal, progress: (share: number) => void shares.push(share) };
    const reading = readNames(workbook, { sheet: "Sheet1", address: "A1:A2500" }, watching);
    await expect(reading).rejects.toThrow("stopped");
    expect(read).toEqual(["Sheet1!A1:A1000", "Sheet1!A1001:A2000"]);
    expect(shares).toEqual([0.4, 0.8]);
  });
});

const NOT_READY = new NoValueError("FEED_INDEX_NOT_READY", msg`the index is not built`);

let queryCache: QueryCache;
let calls: string[][];
let failures: unknown[];
let found: string[];

const toName = (_: unknown, index: number) => ({ text: `Name ${index}`, hints: [], rows: [index] });
const toNames = (length: number) => Array.from({ length }, toName);

function match(length: number, signal = new AbortController().signal) {
  const query = (names: readonly NameToMatch[], country: string) => ({
    key: ["matchNames", country, names],
    async load(): Promise<NameMatches> {
      calls.push(names.map(({ name }) => name));
      const [failure] = failures.splice(0, 1);
      if (failure !== undefined) throw failure;
      const none = { state: "none", candidates: [], alike: 0, isDecided: false, sameAs: null } as const;
      return { matches: names.map(() => none) };
    },
  });
  const feed = { queryCache, names: { queryMatches: query } } as unknown as Session["feed"];
  const receive = (matches: ReadonlyMap<string, unknown>) => {
    found = [...matches.keys()];
  };
  return matchDue(feed, toNames(length), { country: "JPN", signal, known: new Map(), found: receive });
}

const toTexts = (names: readonly { text: string }[]) => names.map(({ text }) => text);

beforeEach(() => {
  queryCache = createPlainQueryCache(createClock().ports);
  [calls, failures, found] = [[], [], []];
});
afterEach(() => queryCache.close());

describe("matching names", () => {
  it("takes 50 at a time, and gives all in their order", async () => {
    expect(await match(120)).toBeNull();
    expect(calls.map(({ length }) => length)).toEqual([50, 50, 20]);
    expect(found).toEqual(toTexts(toNames(120)));
  });

  it("ends with an error, after the names that were found", async () => {
    failures = [undefined, NOT_READY];
    expect(await match(120)).toBe(NOT_READY);
    expect(found).toHaveLength(50);
  });

  it("tries again at once after each failure, as when the index has been built meanwhile", async () => {
    failures = [NOT_READY, NOT_READY];
    expect(await match(1)).toBe(NOT_READY);
    expect(await match(1)).toBe(NOT_READY);
    await match(1);
    expect(calls).toHaveLength(3);
    expect(found).toEqual(["Name 0"]);
  });

  it("ends by an abort", async () => {
    const abort = new AbortController();
    const matching = match(1, abort.signal);
    abort.abort(new Error("stopped"));
    expect(await matching).toBeNull();
    expect(found).toEqual([]);
  });
});
