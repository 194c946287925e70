import { InternalError } from "../../client/errors";
import type { Ports } from "../../client/ports";
import { loadScript, toUnreached } from "../script";
import type { NameEngine } from "./engine";
import { toLost } from "./not-ready";

/** Calls a method of the engine. */
type CallEngine = (method: keyof NameEngine, parameters: unknown[]) => Promise<unknown>;

/** A call of the engine, as it goes to the worker. */
export interface EngineCall {
  id: number;
  method: keyof NameEngine;
  parameters: unknown[];
}

/** The worker's answer to a call; the code tells a lost index or an unreached script from a defect. */
export type EngineAnswer = { id: number; value: unknown } | { id: number; reason: string; code: string | null };

interface Waiting {
  call: EngineCall;
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/** A worker that answers no call for so long counts as dead. */
const SILENCE_MS = 60_000;

/**
 * Calls the engine in a worker; in this page without a worker, or after it fails to load, crashes or stops answering.
 *
 * @param createWorker makes the worker of `names/worker`; undefined where the page has none
 */
export function createEngineThread(after: Ports["after"], createWorker: (() => Worker) | undefined): CallEngine {
  let send: ((caller: Waiting) => void) | null = null;
  let local: Promise<NameEngine> | null = null;
  let calls = 0;
  const openHere = () => {
    local ??= loadEngine().catch((error) => {
      local = null; // the network may be back for the next call
      throw error;
    });
    return local;
  };
  const callHere = async ({ call, resolve, reject }: Waiting) => {
    try {
      const run = (await openHere())[call.method] as (...parameters: unknown[]) => Promise<unknown>;
      resolve(await run(...call.parameters));
    } catch (error) {
      reject(error as Error);
    }
  };
  // The page's own engine reads the same store; a build whose pages only the worker had fails as lost.
  const fallBack = (open: readonly Waiting[]) => {
    send = null;
    void openHere().catch(() => {}); // each call reports the error by itself
    for (const caller of open) void callHere(caller);
  };
  return (method, parameters) =>
    new Promise((resolve, reject) => {
      if (send === null && local === null) send = startWorker(after, createWorker, fallBack);
      const caller = { call: { id: ++calls, method, parameters }, resolve, reject };
      if (send === null) void callHere(caller);
      else send(caller);
    });
}

/** The errors that a worker's answer may stand for, by their codes. */
const FAILURES: Readonly<Record<string, () => Error>> = {
  FEED_INDEX_NOT_READY: toLost,
  FEED_NETWORK_FAILED: toUnreached,
};

/** Loaded on demand: hardly any page needs it. */
async function loadEngine(): Promise<NameEngine> {
  const load = () => import(/* webpackChunkName: "names-here" */ "./engine");
  return (await loadScript(load)).createPersistedEngine();
}

/**
 * Starts the worker; gives the function that sends it a call, or null where there is no worker.
 *
 * @param fallBack receives the unanswered calls when the worker fails to load, crashes or stops answering
 */
function startWorker(
  after: Ports["after"],
  createWorker: (() => Worker) | undefined,
  fallBack: (open: readonly Waiting[]) => void,
) {
  const worker = tryCreate(createWorker);
  if (worker === null) return null;
  const waiting = new Map<number, Waiting>();
  let callOff = () => {};
  const watchSilence = () => {
    callOff();
    callOff = waiting.size === 0 ? () => {} : after(SILENCE_MS, end);
  };
  const receive = ({ data }: MessageEvent<EngineAnswer>) => {
    const caller = waiting.get(data.id);
    waiting.delete(data.id);
    if ("value" in data) caller?.resolve(data.value);
    else caller?.reject((FAILURES[data.code ?? ""] ?? (() => new InternalError(data.reason)))());
    watchSilence();
  };
  const end = () => {
    worker.terminate();
    const open = [...waiting.values()];
    waiting.clear();
    watchSilence();
    fallBack(open);
  };
  worker.addEventListener("message", receive);
  worker.addEventListener("error", end);
  worker.addEventListener("messageerror", end);
  return (caller: Waiting) => {
    waiting.set(caller.call.id, caller);
    worker.postMessage(caller.call);
    if (waiting.size === 1) watchSilence();
  };
}

/** A page may forbid workers. */
function tryCreate(createWorker: (() => Worker) | undefined): Worker | null {
  try {
    return createWorker?.() ?? null;
  } catch {
    return null;
  }
}
