import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { CellValue, Place } from "../../../src/contract/workbook";
import type { FinancialYear } from "../../../src/feed/decode";
import type { Query } from "../../../src/feed/query-cache";
import type { Call } from "../../../src/session/calls";
import type { Session } from "../../../src/session/session";
import { toTexts } from "../../../src/taskpane/texts";
import { checkModel } from "../../../src/tools/check/check";
import { type FactSource, readFacts } from "../../../src/tools/check/facts";
import {
  type CheckAnswer,
  CheckCancelled,
  type CheckMessage,
  type CheckResult,
  type CheckThread,
  createCheckThread,
} from "../../../src/tools/check/thread";
import { runCheck } from "../../../src/tools/check/use-check";
import { createChance } from "../../support/chance";
import { createFakeWorkbook } from "../../taskpane/fake-workbook";
import { Book } from "./book";
import { FAULTS } from "./faults";
import { addTable } from "./seeded-tables";

/** Checks a workbook with one number among formulas, which the host knows more of. */
async function check(known: (place: Place) => { spilled?: Place[]; frozen?: Place[] }) {
  const book = new Book();
  const [address = ""] = FAULTS.typedNumber[0]?.(book, createChance(7), "Model") ?? [];
  const { spilled = [], frozen = [] } = known({ sheet: "Model", address });
  const workbook = {
    ...createFakeWorkbook(),
    readContents: async () => book.toInput(),
    listSpilled: async () => spilled,
    listFrozen: async () =>
      frozen.map((place) => ({ ...place, filled: place.address, formula: "", label: "", isAsFrozen: true })),
  };
  const thread: CheckThread = { check: async () => checkModel(book.toInput()), cancel: () => {} };
  const session = { calls: { list: () => [] }, isStale: () => false, feed: {} } as unknown as Session;
  const { findings } = await runCheck(workbook, session, toTexts("en"), thread, () => {});
  return findings.map(({ rule }) => rule);
}

it.each<[string, Parameters<typeof check>[0], string[]]>([
  ["is reported where somebody typed it", () => ({}), ["typedNumber"]],
  ["is left alone where another cell's formula fills it", (place) => ({ spilled: [place] }), []],
  ["is left alone where it is a frozen value, whose formula is stored", (place) => ({ frozen: [place] }), []],
])("a number among formulas %s", async (_, known, found) => expect(await check(known)).toEqual(found));

it("a sheet that is deleted while the check runs is left out: the check begins again", async () => {
  const [before, after] = [new Book(), new Book()];
  FAULTS.typedNumber[0]?.(before, createChance(7), "Model");
  after.enter("Other", "A1", "=1+1");
  const read = [before, after];
  let reads = 0;
  const readContents = async () => (read[reads++] as Book).toInput();
  const gone = Object.assign(new Error("gone"), { fault: "missing" });
  const workbook = { ...createFakeWorkbook(), readContents, listSpilled: () => Promise.reject(gone) };
  const thread: CheckThread = {
    check: async (contents, facts) =>
      checkModel({ ...contents, facts: (await facts) && (read[reads - 1]?.toInput().facts ?? []) }),
    cancel: () => {},
  };
  const session = { calls: { list: () => [] }, isStale: () => false, feed: {} } as unknown as Session;
  const { findings, formulas } = await runCheck(workbook, session, toTexts("en"), thread, () => {});
  expect([findings, formulas, reads]).toEqual([[], 1, 2]);
});

interface Cell {
  company: string;
  /** Whether the answer names its company. */
  isNamed?: boolean;
  amount: number;
  shown: number;
  unit?: string | null;
  /** Whether the answer that holds the figure is still the query's. */
  isCurrent?: boolean;
}

const toYear = (): FinancialYear =>
  ({ year: 2024, fields: { currency: "JPY", financialPeriodEnd: "2024-03-31" }, statements: [] }) as never;

/** A column of revenues in A1, A2 …, and the session that shows them. */
function createColumn(cells: readonly Cell[]) {
  const states = new Map<Query<unknown>, unknown>();
  const calls = cells.map(({ company, amount, shown, unit = null, isCurrent = true, isNamed = true }): Call => {
    const [query, year] = [{} as Query<unknown>, toYear()];
    const years = isCurrent ? [year] : [toYear()];
    states.set(query, {
      status: "answered",
      answer: { value: { companyId: isNamed ? company : undefined, years }, asOfMs: 5 },
      error: null,
    });
    const place = { value: amount, name: "Revenue", statementType: "INCOME_STATEMENT", consolidationType: "", year };
    return {
      name: "FINANCIAL",
      given: { company: [[company]], year: [[2024]], metric: [["Revenue"]], basis: null, unit },
      address: null,
      queries: [query],
      error: null,
      shown: [[shown]],
      readOrigins: () => () => ({ error: null, places: [place] }),
      reread() {},
    };
  });
  const formulas = cells.map(({ company, unit }) => [
    unit == null
      ? `=FEED.FINANCIAL("${company}",2024,"Revenue")`
      : `=FEED.FINANCIAL("${company}",2024,"Revenue",,"${unit}")`,
  ]);
  const values = cells.map(({ shown }) => [shown]);
  const contents = {
    sheets: [{ id: "1", sheet: "Model", row: 0, column: 0, values, formulas }],
    names: [],
    tables: [],
  };
  const source = {
    calls: { list: () => calls },
    isStale: () => false,
    feed: { queryCache: { find: (query: Query<unknown>) => ({ state: states.get(query) }) } },
  } as unknown as FactSource;
  return { contents, source };
}

async function checkFacts(cells: readonly Cell[], totals: readonly string[] = []) {
  const { contents, source } = createColumn(cells);
  const { facts } = await readFacts(contents, source, () => undefined);
  const [model] = contents.sheets;
  for (const total of totals) {
    model?.values.push([1]);
    model?.formulas.push([total]);
  }
  const { findings } = checkModel({ ...contents, facts, namespace: "FEED" });
  return { facts, rules: findings.map(({ rule }) => rule) };
}

describe("what stands behind a figure", () => {
  it("has the unit that the formula divides by", async () => {
    const { facts } = await checkFacts([{ company: "a", amount: 5e9, shown: 5000, unit: "m" }]);
    expect(facts[0]?.parts).toMatchObject([{ companyId: "a", year: 2024, amount: 5e9, divisor: 1e6, currency: "JPY" }]);
  });

  it("has no unit where it is zero, which is the same in each", async () => {
    const cells = [
      { company: "a", amount: 5e9, shown: 5000, unit: "m" },
      { company: "b", amount: 0, shown: 0, unit: "m" },
      { company: "c", amount: 7e9, shown: 7000, unit: "m" },
    ];
    const { facts, rules } = await checkFacts(cells, ["=SUM(A1:A3)"]);
    expect(facts[1]?.parts).toMatchObject([{ companyId: "b", amount: 0, divisor: null }]);
    expect(rules).toEqual([]);
  });

  it("is not known where the answer that held it is gone: two companies' figures are never taken for one's", async () => {
    const cells = [
      { company: "a", amount: 5, shown: 5, isCurrent: false },
      { company: "b", amount: 7, shown: 7, isCurrent: false },
    ];
    const { facts, rules } = await checkFacts(cells);
    expect(facts.map(({ parts }) => parts)).toEqual([[null], [null]]);
    expect(rules).toEqual([]);
  });

  it("is not known where its answer names no company", async () => {
    const { facts } = await checkFacts([{ company: "a", amount: 5, shown: 5, isNamed: false }]);
    expect(facts.map(({ parts }) => parts)).toEqual([[null]]);
  });
});

/** A name with the call of createColumn's company "a". */
const REV = { name: "Rev", sheet: null, formula: '=FEED.FINANCIAL("a",2024,"Revenue")' };

it.each<[title: string, formula: string, parts: string[], notes?: object]>([
  ["a name (office-js #1870)", "=Rev*2", ["a"]],
  ["a name and a call", '=Rev-FEED.FINANCIAL("b",2024,"Revenue")', ["a", "b"]],
  ["@ (ClosedXML #1714)", '=@FEED.FINANCIAL("a",2024,"Revenue")', ["a"]],
  ["LET", '=LET(id,"b",FEED.FINANCIAL(id,2024,"Revenue"))', ["b"]],
  [
    "MAP, whose runs the host's address tells",
    '=SUM(MAP(A3:A4,LAMBDA(c,FEED.FINANCIAL(c,2024,"Revenue"))))',
    [],
    { unknown: ["A1"] },
  ],
  ["a dead copy", '=IFERROR(__xludf.DUMMYFUNCTION("FEED.FINANCIAL(""a"",2024,""Revenue"")"),5)', [], { dead: ["A1"] }],
  ["a sum with a dead copy", '=2*IFERROR(__xludf.DUMMYFUNCTION("FEED.FINANCIAL(""a"",2024)"),5)', [], { dead: ["A1"] }],
])("the companies behind a cell are known, or the cell is named: %s", async (_, formula, companies, named = {}) => {
  const { contents, source } = createColumn([
    { company: "a", amount: 5, shown: 5 },
    { company: "b", amount: 7, shown: 7 },
  ]);
  for (const call of source.calls.list()) Object.assign(call, { address: "Model!A1" });
  const [model] = contents.sheets;
  model?.formulas.splice(0, 2, [formula], [""]);
  model?.values.push(["a" as never], ["b" as never]);
  const { facts, notes } = await readFacts({ ...contents, names: [REV] }, source, () => undefined);
  expect(facts.flatMap(({ parts }) => parts.map((part) => part?.companyId))).toEqual(companies);
  const addresses = Object.entries<readonly Place[]>({ ...notes }).map(([note, cells]) => [
    note,
    cells.map(({ address }) => address),
  ]);
  expect(Object.fromEntries(addresses)).toEqual({ dead: [], cut: [], unknown: [], ...named });
});

it.each<[title: string, formula: string, values: CellValue[][]]>([
  ["@ (XLSX.jl #324)", '=@FEED.FINANCIAL("a",2024,"Revenue")', [["Company"], [7]]],
  [
    "an array formula (exceljs #2942)",
    '=FEED.FINANCIAL("a",2024,"Revenue")',
    [
      ["Company", "Revenue"],
      ["a", 5],
      [7, 8],
    ],
  ],
])("a table that is cut by %s is named, and ends where its formula does", async (_, formula, values) => {
  const { contents, source } = createColumn([{ company: "a", amount: 5, shown: 5 }]);
  const shown = [
    ["Company", "Revenue"],
    ["a", 5],
    ["b", 6],
  ];
  for (const call of source.calls.list()) Object.assign(call, { shown });
  const formulas = values.map((row, r) => row.map(() => (r < values.length - 1 ? formula : null)));
  const sheets = contents.sheets.map((sheet) => ({ ...sheet, values, formulas }));
  const { facts, notes } = await readFacts({ ...contents, sheets }, source, () => undefined);
  expect(notes.cut.map(({ address }) => address)).toEqual(["A1"]);
  expect(Math.max(...facts.map(({ row }) => row))).toBe(values.length - 2);
});

/** A worker that collects its messages, and answers when it is told. */
class FakeWorker {
  readonly messages: CheckMessage[] = [];
  isTerminated = false;
  onmessage: ((event: { data: CheckAnswer }) => void) | null = null;
  onerror: ((event: { message: string }) => void) | null = null;
  readonly #whenRun: (worker: FakeWorker) => void;

  constructor(whenRun: (worker: FakeWorker) => void) {
    this.#whenRun = whenRun;
  }

  postMessage(message: CheckMessage) {
    this.messages.push(message);
    if (message.type === "run") this.#whenRun(this);
  }

  /** Answers a run; default the last. */
  answer(result: CheckResult, run = this.messages.at(-1)?.run ?? 0) {
    this.onmessage?.({ data: { ...result, run } });
  }

  terminate() {
    this.isTerminated = true;
  }
}

/** A workbook with three faults and a long table. */
const input = (() => {
  const book = new Book();
  const chance = createChance(7);
  for (const fault of FAULTS.typedNumber) fault(book, chance, `Sheet${FAULTS.typedNumber.indexOf(fault)}`);
  addTable(book, chance, "Long", { companies: 250, years: 5 });
  return book.toInput();
})();

const open = (worker: FakeWorker) => createCheckThread(() => worker as unknown as Worker);

describe("the check in a worker", () => {
  it("gets the whole workbook in parts, and no part is large", async () => {
    const worker = new FakeWorker((own) => own.answer({ type: "done", checked: checkModel(input) }));
    const { findings } = await open(worker).check(input, Promise.resolve(input.facts), () => {});
    expect(findings.map(({ rule }) => rule)).toEqual(["typedNumber", "typedNumber", "typedNumber"]);
    const sheets = worker.messages.flatMap((message) => (message.type === "sheet" ? [message.sheet] : []));
    for (const { sheet, values, formulas } of input.sheets) {
      const parts = sheets.filter((part) => part.sheet === sheet);
      expect(parts.flatMap((part) => part.values)).toEqual(values);
      expect(parts.flatMap((part) => part.formulas)).toEqual(formulas);
    }
    const facts = worker.messages.flatMap((message) => (message.type === "facts" ? [message.facts] : []));
    expect(facts.flat()).toEqual(input.facts);
    expect(Math.max(...facts.map(({ length }) => length))).toBeLessThanOrEqual(1_000);
    expect(Math.max(...sheets.map(({ values }) => values.length))).toBeLessThanOrEqual(200);
  });

  it("tells its progress", async () => {
    const seen: number[] = [];
    const worker = new FakeWorker((own) => {
      own.answer({ type: "progress", done: 3, all: 14 });
      own.answer({ type: "done", checked: checkModel(input) });
    });
    await open(worker).check(input, Promise.resolve(input.facts), (done) => seen.push(done));
    expect(seen).toEqual([3]);
  });

  it("ends when it is cancelled, and begins anew after that", async () => {
    const workers: FakeWorker[] = [];
    const thread = createCheckThread(() => {
      const worker = new FakeWorker((own) => {
        if (workers.length > 1) own.answer({ type: "done", checked: checkModel(input) });
        else thread.cancel();
      });
      workers.push(worker);
      return worker as unknown as Worker;
    });
    await expect(thread.check(input, Promise.resolve(input.facts), () => {})).rejects.toThrow(CheckCancelled);
    expect(workers[0]?.isTerminated).toBe(true);
    expect((await thread.check(input, Promise.resolve(input.facts), () => {})).findings).toHaveLength(3);
  });

  it("ends a check when the next begins, and takes no answer to the first for the second's", async () => {
    const other = new Book();
    addTable(other, createChance(8), "Other");
    const worker = new FakeWorker((own) => {
      own.answer({ type: "failed", reason: "the first run's" }, 1);
      own.answer({ type: "done", checked: checkModel(other.toInput()) });
    });
    const thread = open(worker);
    const ignore = () => {};
    const first = thread.check(input, new Promise<never>(ignore), ignore);
    const second = thread.check(other.toInput(), Promise.resolve(other.toInput().facts), ignore);
    await expect(first).rejects.toThrow(CheckCancelled);
    expect((await second).findings).toEqual([]);
    const late = worker.messages.slice(worker.messages.findIndex(({ run }) => run === 2));
    expect(new Set(late.map(({ run }) => run))).toEqual(new Set([2]));
    expect(late[0]?.type).toBe("begin");
  });

  it("reports a failure of the worker, and of reading the facts", async () => {
    const failing = new FakeWorker((own) => own.answer({ type: "failed", reason: "no memory" }));
    await expect(open(failing).check(input, Promise.resolve([]), () => {})).rejects.toThrow("no memory");
    const unread = open(new FakeWorker(() => {})).check(input, Promise.reject(new Error("being edited")), () => {});
    await expect(unread).rejects.toThrow("being edited");
  });

  it("checks in the page where that forbids workers", async () => {
    const thread = createCheckThread(() => {
      throw new Error("no workers here");
    });
    expect((await thread.check(input, Promise.resolve(input.facts), () => {})).findings).toHaveLength(3);
  });
});

type Listener = (event: { data: CheckMessage }) => void;

const page = globalThis as unknown as { addEventListener: unknown; postMessage: unknown };
const before = { addEventListener: page.addEventListener, postMessage: page.postMessage };
const answers: CheckAnswer[] = [];
let post: (message: CheckMessage) => void = () => {};

beforeAll(async () => {
  page.addEventListener = (_: string, listener: Listener) => {
    post = (data) => listener({ data });
  };
  page.postMessage = (answer: CheckAnswer) => void answers.push(answer);
  await import("../../../src/tools/check/worker");
});
afterAll(() => void Object.assign(page, before));

it("the script of the worker drops what is left of a check that another has ended", () => {
  const [faulty, clean] = [new Book(), new Book()];
  FAULTS.typedNumber[0]?.(faulty, createChance(7), "Model");
  addTable(clean, createChance(8), "Model");
  const [old, next] = [faulty.toInput(), clean.toInput()];
  const { names, tables, namespace } = next;
  post({ run: 1, type: "begin" });
  for (const sheet of old.sheets) post({ run: 1, type: "sheet", sheet });
  post({ run: 2, type: "begin" });
  for (const sheet of next.sheets) post({ run: 2, type: "sheet", sheet });
  post({ run: 1, type: "facts", facts: old.facts });
  post({ run: 1, type: "run", names, tables, namespace });
  post({ run: 2, type: "facts", facts: next.facts });
  expect(answers).toEqual([]);
  post({ run: 2, type: "run", names, tables, namespace });
  expect(new Set(answers.map(({ run }) => run))).toEqual(new Set([2]));
  const last = answers.at(-1);
  expect(last).toMatchObject({ type: "done", checked: { findings: [], figures: next.facts.length, unchecked: 0 } });
});
