import { InternalError } from "../../client/errors";
import { loadScript } from "../../feed/script";
import { nextTask } from "../../taskpane/slices";
import type { Checked } from "./check";
import type { CheckInput, FeedFact } from "./finding";

/**
 * What goes to the worker: the sheets and facts in parts, so that copying blocks the page for moments only. Each has its
 * run's number: a check that begins ends the one before, whose parts may still come.
 */
export type CheckMessage = { run: number } & CheckPart;

export type CheckPart =
  | { type: "begin" }
  | { type: "sheet"; sheet: CheckInput["sheets"][number] }
  | { type: "facts"; facts: readonly FeedFact[] }
  | ({ type: "run" } & Pick<CheckInput, "names" | "tables" | "namespace">);

export type CheckAnswer = { run: number } & CheckResult;

export type CheckResult =
  | { type: "progress"; done: number; all: number }
  | { type: "done"; checked: Checked }
  | { type: "failed"; reason: string };

/** Called before each rule with how many are done. */
type Notify = (done: number, all: number) => void;

/** All but the facts, which are read while the worker parses. */
type Contents = Omit<CheckInput, "facts">;

export interface CheckThread {
  /** @throws CheckCancelled; Error where it fails */
  check(contents: Contents, facts: Promise<readonly FeedFact[]>, notify: Notify): Promise<Checked>;
  /** Ends the check under way. */
  cancel(): void;
}

const FACTS_AT_ONCE = 1_000;
const ROWS_AT_ONCE = 200;

/**
 * Checks in a worker, which knows the formulas of the check before; in this page where it has none.
 *
 * @param createWorker makes the worker of `check/worker`; may throw where a page forbids workers
 */
export function createCheckThread(createWorker: () => Worker): CheckThread {
  let worker: Worker | null = null;
  let stop: (() => void) | null = null;
  let runs = 0;
  const end = () => {
    worker?.terminate();
    worker = null;
    stop?.();
    stop = null;
  };
  return {
    async check(contents, facts, notify) {
      worker ??= tryCreate(createWorker);
      const own = worker;
      if (own === null) {
        const input = { ...contents, facts: await facts };
        return (await loadHere()).checkModel(input, undefined, undefined, notify);
      }
      facts.catch(() => {}); // it is awaited once the sheets are sent
      stop?.();
      const run = ++runs;
      return new Promise<Checked>((resolve, reject) => {
        stop = () => reject(new CheckCancelled());
        own.onmessage = ({ data }: MessageEvent<CheckAnswer>) => {
          if (data.run !== run) return;
          if (data.type === "progress") notify(data.done, data.all);
          else if (data.type === "done") resolve(data.checked);
          else reject(new InternalError(data.reason));
        };
        own.onerror = ({ message }) => {
          worker = null;
          reject(new InternalError(message || "the script of the check did not start"));
        };
        const isWanted = () => worker === own && run === runs;
        send(own, run, listParts(contents, facts), isWanted).catch(reject);
      });
    },
    cancel: end,
  };
}

/** The person has ended a check. */
export class CheckCancelled extends Error {}

function tryCreate(createWorker: () => Worker): Worker | null {
  try {
    return createWorker();
  } catch {
    return null;
  }
}

const loadHere = () => loadScript(() => import(/* webpackChunkName: "check-here" */ "./check"));

/** Copies the workbook to the worker in parts, each in a task of its own. */
async function send(
  worker: Worker,
  run: number,
  parts: AsyncIterable<CheckPart>,
  isWanted: () => boolean,
): Promise<void> {
  for await (const part of parts) {
    if (!isWanted()) return;
    const message: CheckMessage = { ...part, run };
    worker.postMessage(message);
    await nextTask();
  }
}

async function* listParts(
  { sheets, names, tables, namespace }: Contents,
  reading: Promise<readonly FeedFact[]>,
): AsyncIterable<CheckPart> {
  yield { type: "begin" };
  for (const sheet of sheets) yield* listSheetParts(sheet);
  const facts = await reading;
  for (let from = 0; from < facts.length; from += FACTS_AT_ONCE) {
    yield { type: "facts", facts: facts.slice(from, from + FACTS_AT_ONCE) };
  }
  yield { type: "run", names, tables, namespace };
}

function* listSheetParts(sheet: CheckInput["sheets"][number]): Iterable<CheckPart> {
  for (let from = 0; from < sheet.values.length; from += ROWS_AT_ONCE) {
    const [values, formulas] = [sheet.values, sheet.formulas].map((rows) => rows.slice(from, from + ROWS_AT_ONCE));
    yield { type: "sheet", sheet: { ...sheet, row: sheet.row + from, values, formulas } as typeof sheet };
  }
}
