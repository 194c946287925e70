import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { CheckAnswer, CheckMessage } from "../../../src/taskpane/check/thread";
import { createChance } from "../../support/chance";
import { Book } from "./book";
import { FAULTS } from "./faults";
import { addTable } from "./seeded-tables";

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
