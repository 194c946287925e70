import { InternalError } from "../../client/errors";
import { loadScript } from "../../feed/script";
import { nextTask } from "../slices";
import type { Checked } from "./check";
import type { CheckInput, FeedFact } from "./input";

/** What goes to the worker: the sheets and facts in parts, so that copying blocks the page for moments only. */
export type CheckMessage =
  | { type: "sheet"; sheet: CheckInput["sheets"][number] }
  | { type: "facts"; facts: readonly FeedFact[] }
  | ({ type: "run" } & Pick<CheckInput, "names" | "tables" | "namespace">);

export type CheckAnswer =
  | { type: "progress"; done: number; all: number }
  | { type: "done"; checked: Checked }
  | { type: "failed"; reason: string };

/** Called before each rule with how many are done. */
type Notify = (done: number, all: number) => void;

export interface CheckThread {
  /** @throws Error where the check is cancelled, or fails */
  check(input: CheckInput, notify: Notify): Promise<Checked>;
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
  const end = () => {
    worker?.terminate();
    worker = null;
    stop?.();
    stop = null;
  };
  return {
    async check(input, notify) {
      worker ??= tryCreate(createWorker);
      const own = worker;
      if (own === null) return (await loadHere()).checkModel(input, undefined, undefined, notify);
      return new Promise<Checked>((resolve, reject) => {
        stop = () => reject(new CheckCancelled());
        own.onmessage = ({ data }: MessageEvent<CheckAnswer>) => {
          if (data.type === "progress") notify(data.done, data.all);
          else if (data.type === "done") resolve(data.checked);
          else reject(new InternalError(data.reason));
        };
        own.onerror = ({ message }) => {
          worker = null;
          reject(new InternalError(message));
        };
        send(own, input, () => worker === own).catch(reject);
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
async function send(worker: Worker, input: CheckInput, isWanted: () => boolean): Promise<void> {
  for (const message of listMessages(input)) {
    if (!isWanted()) return;
    worker.postMessage(message);
    await nextTask();
  }
}

function* listMessages({ sheets, facts, names, tables, namespace }: CheckInput): Iterable<CheckMessage> {
  for (const sheet of sheets) yield* listSheetParts(sheet);
  for (let from = 0; from < facts.length; from += FACTS_AT_ONCE) {
    yield { type: "facts", facts: facts.slice(from, from + FACTS_AT_ONCE) };
  }
  yield { type: "run", names, tables, namespace };
}

function* listSheetParts(sheet: CheckInput["sheets"][number]): Iterable<CheckMessage> {
  for (let from = 0; from < sheet.values.length; from += ROWS_AT_ONCE) {
    const [values, formulas] = [sheet.values, sheet.formulas].map((rows) => rows.slice(from, from + ROWS_AT_ONCE));
    yield { type: "sheet", sheet: { ...sheet, row: sheet.row + from, values, formulas } as typeof sheet };
  }
}
