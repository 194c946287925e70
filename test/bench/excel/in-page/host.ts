// Runs in the page as a separate script before Office.js; imports types alone.
import type { CellCall } from "../sheet";

export interface FillTimes {
  /** Until every cell had a result in the host, in milliseconds. */
  tookMs: number;
  /** Until the first request, in milliseconds; infinite where none went out. */
  firstRequestMs: number;
  /** The number of results in the host once the page was idle. */
  results: number;
  /** The longest task of the page until then without the host's share; 0 if none took 50 ms. */
  ownMs: number;
}

declare global {
  interface Window {
    bench: typeof bench;
  }
}

type Action = { Name?: string; ArgumentInfo: { Arguments: [results: [id: number, ok: boolean, value: unknown][]] } };
type Run = (...given: unknown[]) => void;

/** Work after a fill, such as storing answers, counts as part of the fill. */
const QUIET_MS = 500;
/** Excel's flags of a call: cancelable, streaming, errors among its arguments. */
const FLAGS = 7;

const bridge = window._richApiNativeBridge;
const values = new Map<number, unknown>();
let firstId = 1;
let lastId = 0;
/** Cells with a result since an action started, and the callback once there are enough. */
let answered = new Set<number>();
let wanted = 0;
let wantedRows = 0;
let results = 0;
let notifyDone: (atMs: number) => void = () => {};
/** The time of the last calls, by the page's clock. */
let beganMs = 0;

/** When requests went out, by the page's clock. */
const requestedAtMs: number[] = [];
const fetchNow = window.fetch;
window.fetch = (...given) => {
  requestedAtMs.push(performance.now());
  return fetchNow(...given);
};

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

let notifyReady = () => {};
const ready = new Promise<void>((resolve) => {
  notifyReady = resolve;
});

const sendOther = bridge.sendMessageToHost;
bridge.sendMessageToHost = (text) => {
  if (text.includes('"_SetOsfControlContainerReadyForCustomFunctions"')) notifyReady();
  if (!text.includes('"SetInvocationArrayResults"')) return sendOther(text);
  flushedAtMs.push(performance.now());
  const { id, message } = JSON.parse(text) as { id: string; message: { body: string | { Actions: Action[] } } };
  const { Actions } =
    typeof message.body === "string" ? (JSON.parse(message.body) as { Actions: Action[] }) : message.body;
  const setting = Actions.filter(({ Name }) => Name === "SetInvocationArrayResults");
  for (const [cell, , value] of setting.flatMap(({ ArgumentInfo }) => ArgumentInfo.Arguments[0])) record(cell, value);
  const answer = { statusCode: 200, headers: {}, body: JSON.stringify({ Results: [] }) };
  setTimeout(() => bridge.onMessageFromHost?.(JSON.stringify({ id, type: 2, message: answer })));
};

function record(id: number, value: unknown): void {
  values.set(id, value);
  results++;
  if (Array.isArray(value) && value.length < wantedRows) return;
  if (answered.size < wanted && answered.add(id).size === wanted) notifyDone(performance.now());
}

function toMessage(calls: readonly CellCall[]): string {
  firstId = lastId + 1;
  const entries = calls.map(([functionName, parameterValues, address], index) => {
    const place = { invocationId: ++lastId, address: address ?? `Sheet1!A${index + 1}` };
    const message = { ...place, functionName, parameterValues, flags: FLAGS };
    return { messageCategory: 1, messageType: 1000, targetId: "", id: "0", message };
  });
  return JSON.stringify({ type: 3, message: { entries } });
}

/** The task in which the runtime sent results, and the duration of calls with the functions' share. */
const flushedAtMs: number[] = [];
const dispatches: { atMs: number; tookMs: number; functionsMs: number }[] = [];
const tasks: PerformanceEntry[] = [];
let functionsMs = 0;
new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ entryTypes: ["longtask"] });

function dispatch(message: string): void {
  const before = functionsMs;
  const atMs = performance.now();
  bridge.onMessageFromHost?.(message);
  dispatches.push({ atMs, tookMs: performance.now() - atMs, functionsMs: functionsMs - before });
}

/** The runtime sends results in its own timer; the functions' share of its calls is not the host's. */
function toOwnMs({ startTime, duration }: PerformanceEntry): number {
  const isInTask = (atMs: number) => atMs >= startTime && atMs < startTime + duration;
  if (flushedAtMs.some(isInTask)) return 0;
  return dispatches
    .filter(({ atMs }) => isInTask(atMs))
    .reduce((ownMs, { tookMs, functionsMs: ours }) => ownMs - tookMs + ours, duration);
}

const toTimed =
  (run: Run): Run =>
  (...given) => {
    const atMs = performance.now();
    run(...given);
    functionsMs += performance.now() - atMs;
  };

/** Performs an action and waits for a new result in a number of cells. */
async function measure(cells: number, act: () => void): Promise<FillTimes> {
  await wait(0); // the action gets its own task
  [answered, wanted, results] = [new Set(), cells, 0];
  const done = new Promise<number>((resolve) => {
    notifyDone = resolve;
  });
  beganMs = performance.now();
  act();
  const tookMs = (await done) - beganMs;
  await wait(QUIET_MS);
  const during = tasks.filter(({ startTime, duration }) => startTime + duration > beganMs);
  const firstRequestMs = Math.min(...requestedAtMs.filter((atMs) => atMs >= beganMs)) - beganMs;
  return { tookMs, firstRequestMs, results, ownMs: Math.max(0, ...during.map(toOwnMs)) };
}

/** Makes all calls in one message, and waits for a result of each, of a table for so many rows. */
function call(calls: readonly CellCall[], rows = 0): Promise<FillTimes> {
  const message = toMessage(calls);
  wantedRows = rows;
  return measure(calls.length, () => dispatch(message));
}

const listFunctions = () =>
  (CustomFunctions as unknown as { _association: { mappings: Record<string, Run> } })._association.mappings;

/** Excel's side of custom functions inside the page, so that no result leaves the browser. */
const bench = {
  /** Settled when the runtime has reported that it accepts calls. */
  ready,
  ...{ call, measure },
  values: () => Array.from({ length: lastId - firstId + 1 }, (_, index) => values.get(firstId + index)),
  /** Starts measuring the functions' time inside the host's calls. */
  timeFunctions() {
    for (const [name, run] of Object.entries(listFunctions())) CustomFunctions.associate(name, toTimed(run));
  },
};
window.bench = bench;
