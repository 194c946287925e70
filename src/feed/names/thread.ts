import { NoValueError } from "../errors";
import { createNameEngine, type NameEngine } from "./engine";
import { createNameStore } from "./store";

/** A call of the engine, as it goes to the worker. */
export interface EngineCall {
  id: number;
  method: keyof NameEngine;
  parameters: unknown[];
}

/** What came of it. */
export type EngineAnswer = { id: number; value: unknown } | { id: number; reason: string };

interface Waiting {
  call: EngineCall;
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/**
 * The engine in a worker; in this page where there is no worker, or from when it does not load or crashes on.
 *
 * @param createWorker makes the worker of `names/worker`; undefined where the page has none
 */
export function createEngineThread(createWorker: (() => Worker) | undefined): NameEngine {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let local: NameEngine | null = null;
  let calls = 0;
  const callHere = ({ call, resolve, reject }: Waiting) => {
    local ??= createNameEngine(createNameStore());
    const run = local[call.method] as (...parameters: unknown[]) => Promise<unknown>;
    run(...call.parameters).then(resolve, reject);
  };
  // The page's own engine knows what was kept; a build whose pages the worker alone had says that they are lost.
  const fallBack = () => {
    worker?.terminate();
    worker = null;
    local ??= createNameEngine(createNameStore());
    const open = [...waiting.values()];
    waiting.clear();
    open.forEach(callHere);
  };
  const hear = ({ data }: MessageEvent<EngineAnswer>) => {
    const caller = waiting.get(data.id);
    waiting.delete(data.id);
    if ("reason" in data) caller?.reject(new NoValueError("FEED_INDEX_NOT_READY", data.reason));
    else caller?.resolve(data.value);
  };
  const start = () => {
    try {
      worker = createWorker?.() ?? null;
    } catch {
      worker = null;
    }
    worker?.addEventListener("message", hear);
    worker?.addEventListener("error", fallBack);
    worker?.addEventListener("messageerror", fallBack);
  };
  const call = (method: keyof NameEngine, parameters: unknown[]) =>
    new Promise<unknown>((resolve, reject) => {
      const caller = { call: { id: ++calls, method, parameters }, resolve, reject };
      if (worker === null && local === null) start(); // only when names are asked for: most pages never need it
      if (worker === null) return callHere(caller);
      waiting.set(caller.call.id, caller);
      worker.postMessage(caller.call);
    });
  const toMethod = (method: keyof NameEngine) => [method, (...parameters: unknown[]) => call(method, parameters)];
  return Object.fromEntries(METHODS.map(toMethod));
}

const METHODS: readonly (keyof NameEngine)[] = ["open", "resume", "add", "finish", "search", "match", "list", "forget"];
