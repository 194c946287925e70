import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import fc from "fast-check";
import type { FunctionMetadata, Outcome, ParameterMetadata, ResultCell } from "../../src/playground/custom-functions";
import { createCustomFunctionsRuntime } from "../../src/playground/excel-runtime";
import { toOutcome } from "../office/deliveries";
import { createOfficeRuntime } from "../office/runtime";
import CASES from "./cases.json";

/** Longer than any runtime delays a result, on the test's clock. */
const LONG_MS = 5000;

const TOYS = `
  const values = [${CASES.values.join(",")}];
  const streams = new Map();
  const cancels = [];
  CustomFunctions.associate("STREAM", (key, invocation) => {
    streams.set(key, invocation);
    invocation.onCanceled = () => cancels.push(key);
  });
  CustomFunctions.associate("FAILING", (key, value, invocation) => { throw values[value](); });
  const tell = (key, given, invocation) => invocation.setResult([given].flat(2).map((each) =>
    each instanceof CustomFunctions.Error ? "error " + each.code + each.message : typeof each + " " + each).join());
  CustomFunctions.associate("SEEN", tell);
  CustomFunctions.associate("SEEN.RANGE", tell);
  const emit = (key, value) => streams.get(key)?.setResult(values[value]());
`;

/** The test functions of one runtime, driven from outside. */
interface Toys {
  emit(key: string, value: number): void;
  cancels: string[];
}

/** A sheet whose cells each hold one call; both runtimes implement this interface. */
interface Sheet {
  toys: Toys;
  /** Puts a call into a cell in place of the old one; the cancel comes before or after the new call. */
  put(cell: number, name: string, parameters: unknown[], cancelFirst: boolean): void;
  clear(cell: number): void;
  read(cell: number): unknown;
}

const NOTHING = "busy";
const OUTPUT_CODES = ["#VALUE!", "#N/A", "#DIV/0!", "#NUM!", "#NULL!"];

function createGenuineSheet(runtime: ReturnType<typeof createOfficeRuntime>): Sheet {
  const cells = new Map<number, number>();
  runtime.load(`${TOYS}; globalThis.toys = { emit, cancels };`);
  const toys = runtime.evaluate("toys") as Toys;
  const cancel = (id: number | undefined) => id !== undefined && runtime.cancel(id);
  return {
    toys,
    put(cell, name, parameters, cancelFirst) {
      const old = cells.get(cell);
      if (cancelFirst) cancel(old);
      cells.set(cell, runtime.call(name, parameters, { stream: true, allowErrors: true }));
      if (!cancelFirst) cancel(old);
    },
    clear(cell) {
      cancel(cells.get(cell));
      cells.delete(cell);
    },
    read(cell) {
      const delivery = runtime.results(cells.get(cell) ?? 0).at(-1);
      return delivery ? toShown(toOutcome(delivery)) : NOTHING;
    },
  };
}

function createPlaygroundSheet(): Sheet {
  const runtime = createCustomFunctionsRuntime({ onResults: () => undefined });
  const functions = ["STREAM", "FAILING", "SEEN", "SEEN.RANGE"].map(toMetadata);
  runtime.load({ functions });
  const toys = new Function("CustomFunctions", `${TOYS}; return { emit, cancels };`)(runtime.customFunctions);
  const calls = new Map<number, [name: string, parameters: never[]]>();
  const evaluate = (cell: number): Outcome => {
    const call = calls.get(cell);
    return call ? runtime.call(...call, String(cell)) : { kind: "busy" };
  };
  const change = (cell: number) => {
    runtime.beginCell(String(cell));
    evaluate(cell);
    runtime.commit();
  };
  return {
    toys,
    put(cell, name, given) {
      calls.set(cell, [name, given as never[]]);
      change(cell);
    },
    clear(cell) {
      calls.delete(cell);
      change(cell);
    },
    read(cell) {
      const outcome = evaluate(cell);
      if (outcome.kind === "busy") return NOTHING;
      return outcome.kind === "array" ? outcome.rows.map((row) => row.map(toShownCell)) : toShownCell(outcome);
    },
  };
}

function toMetadata(name: string): FunctionMetadata {
  const dimensionality = name === "SEEN.RANGE" ? "matrix" : "scalar";
  const parameters: ParameterMetadata[] = [{ name: "key" }];
  if (name !== "STREAM") parameters.push({ name: "value", dimensionality });
  return { id: name, name, parameters };
}

function toShownCell(cell: ResultCell): unknown {
  if (cell.kind === "error") return { code: cell.code, message: cell.message ?? "" };
  return cell.format === undefined ? cell.value : { value: cell.value, format: cell.format };
}

/** Converts a bridge result as Excel does: null is 0, and unsupported values are #VALUE!. */
function toShown(outcome: ReturnType<typeof toOutcome>): unknown {
  if ("value" in outcome) {
    if (!Array.isArray(outcome.value)) return toShownElement(outcome.value);
    return outcome.value.map((row: unknown[]) => row.map(toShownElement));
  }
  return toShownElement(outcome);
}

function toShownElement(element: unknown): unknown {
  if (typeof element !== "object") return element;
  if (element === null) return 0;
  if ("basicValue" in element) return toShownNumber(element);
  const { error = { code: "#VALUE!", message: "" } } = element as { error?: { code: string; message: string } };
  return OUTPUT_CODES.includes(error.code) ? error : { code: "#VALUE!", message: "" };
}

/** A cell shows a number's format; its properties are on a card. */
function toShownNumber({ basicValue, numberFormat }: { basicValue: unknown; numberFormat?: string }): unknown {
  return numberFormat === undefined ? basicValue : { value: basicValue, format: numberFormat };
}

const cell = fc.nat({ max: 3 });
const value = fc.nat({ max: CASES.values.length - 1 });
const cancelFirst = fc.boolean();
const step = fc.oneof(
  fc.record({ act: fc.constant("stream" as const), cell, cancelFirst }),
  fc.record({ act: fc.constant("failing" as const), cell, value, cancelFirst }),
  fc.record({ act: fc.constant("emit" as const), nth: fc.nat({ max: 9 }), value }),
  fc.record({ act: fc.constant("clear" as const), cell }),
  fc.record({ act: fc.constant("wait" as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Takes a step in a sheet; every call has a unique key, so that none is shared. */
function take(sheet: Sheet, taken: Step, key: string, keys: string[]) {
  switch (taken.act) {
    case "stream":
      return sheet.put(taken.cell, "STREAM", [key], taken.cancelFirst);
    case "failing":
      return sheet.put(taken.cell, "FAILING", [key, taken.value], taken.cancelFirst);
    case "clear":
      return sheet.clear(taken.cell);
    case "emit":
      // Old streams too: their results after the cancel must be ignored.
      return keys.length > 0 ? sheet.toys.emit(keys[taken.nth % keys.length]!, taken.value) : undefined;
    case "wait":
      return undefined;
  }
}

async function settle() {
  await jest.advanceTimersByTimeAsync(LONG_MS);
}

async function withSheets(check: (sheets: [Sheet, Sheet]) => Promise<void>) {
  const office = createOfficeRuntime({ origin: "http://127.0.0.1:3000" });
  await settle();
  await office.ready;
  await check([createGenuineSheet(office), createPlaygroundSheet()]);
  office.dispose();
}

describe("the playground's runtime and the genuine one", () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it("show the same in every cell, and cancel the same streams, in any order of calls and cancels", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        await withSheets(async ([genuine, ours]) => {
          const keys: string[] = [];
          for (const [index, taken] of [...steps, { act: "wait" as const }].entries()) {
            for (const sheet of [genuine, ours]) take(sheet, taken, `call ${index}`, keys);
            if (taken.act === "stream") keys.push(`call ${index}`);
            if (taken.act !== "wait") continue;
            await settle();
            const shown = [0, 1, 2, 3].map((each) => genuine.read(each));
            expect([0, 1, 2, 3].map((each) => ours.read(each))).toEqual(shown);
            expect([...ours.toys.cancels].sort()).toEqual([...genuine.toys.cancels].sort());
          }
        });
      }),
      { seed: 20240101, numRuns: 150 },
    );
  });

  it.each(CASES.values.map((text, index) => [text, index] as const))("show the same for %s", async (_text, index) => {
    await withSheets(async (sheets) => {
      for (const sheet of sheets) {
        sheet.put(0, "STREAM", ["emitted"], true);
        sheet.put(1, "FAILING", ["thrown", index], true);
        sheet.toys.emit("emitted", index);
      }
      await settle();
      const [shown, ours] = sheets.map((sheet) => [0, 1].map((each) => sheet.read(each)));
      expect(ours).toEqual(shown);
      expect(shown).not.toContain(NOTHING);
    });
  });

  it("pass the same parameters, errors among them", async () => {
    const bad = { code: "#N/A", type: "CustomFunctionError" };
    const content = fc.oneof(fc.constantFrom(0, "", "text", true, bad), fc.double({ noNaN: true }), fc.string());
    const matrix = fc.array(fc.array(content, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 3 });
    await withSheets(async (sheets) => {
      let calls = 0;
      const given = fc.sample(fc.oneof(content, matrix), { seed: 20240101, numRuns: 100 });
      for (const parameter of given) {
        const name = Array.isArray(parameter) ? "SEEN.RANGE" : "SEEN";
        for (const sheet of sheets) sheet.put(calls, name, [`call ${calls}`, parameter], true);
        calls += 1;
      }
      await settle();
      const [shown, ours] = sheets.map((sheet) => given.map((_, index) => sheet.read(index)));
      expect(ours).toEqual(shown);
      expect(shown).not.toContain(NOTHING);
    });
  });
});
