import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { checkModel } from "../../../src/taskpane/check/check";
import {
  type CheckAnswer,
  CheckCancelled,
  type CheckMessage,
  type CheckResult,
  createCheckThread,
} from "../../../src/taskpane/check/thread";
import { createChance } from "../../support/chance";
import { Book } from "./book";
import { FAULTS } from "./faults";
import { addTable } from "./seeded-tables";

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

function createModel() {
  const book = new Book();
  const chance = createChance(7);
  for (const fault of FAULTS.typedNumber) fault(book, chance, `Sheet${FAULTS.typedNumber.indexOf(fault)}`);
  addTable(book, chance, "Long", { companies: 250, years: 5 });
  return book.toInput();
}

const open = (worker: FakeWorker) => createCheckThread(() => worker as unknown as Worker);

describe("the check in a worker", () => {
  it("gets the whole workbook in parts, and no part is large", async () => {
    const input = createModel();
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
    const input = createModel();
    const seen: number[] = [];
    const worker = new FakeWorker((own) => {
      own.answer({ type: "progress", done: 3, all: 14 });
      own.answer({ type: "done", checked: checkModel(input) });
    });
    await open(worker).check(input, Promise.resolve(input.facts), (done) => seen.push(done));
    expect(seen).toEqual([3]);
  });

  it("ends when it is cancelled, and begins anew after that", async () => {
    const input = createModel();
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
    const input = createModel();
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
    const input = createModel();
    const failing = new FakeWorker((own) => own.answer({ type: "failed", reason: "no memory" }));
    await expect(open(failing).check(input, Promise.resolve([]), () => {})).rejects.toThrow("no memory");
    const unread = open(new FakeWorker(() => {})).check(input, Promise.reject(new Error("being edited")), () => {});
    await expect(unread).rejects.toThrow("being edited");
  });

  it("checks in the page where that forbids workers", async () => {
    const input = createModel();
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
  await import("../../../src/taskpane/check/worker");
});
afterAll(() => void Object.assign(page, before));

describe("the script of the worker", () => {
  it("drops what is left of a check that another has ended", () => {
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
});
