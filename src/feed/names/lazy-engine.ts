import type { Ports } from "../../client/ports";
import { loadScript } from "../script";
import type { NameEngine } from "./engine";

const METHODS: readonly (keyof NameEngine)[] = [
  "open",
  "resume",
  "add",
  "finish",
  "search",
  "match",
  "matchNames",
  "forget",
  "size",
  "drop",
];

/**
 * Gives the engine in a worker, which starts at the first call, as does its script: most pages look no name up.
 *
 * @param createWorker makes the worker of `names/worker`; undefined where the page has none
 */
export function createLazyEngine(after: Ports["after"], createWorker: (() => Worker) | undefined): NameEngine {
  let opening: ReturnType<typeof loadThread> | null = null;
  const call = async (method: keyof NameEngine, parameters: unknown[]) => {
    if (method === "forget" && opening === null) return; // nothing is in memory yet
    opening ??= loadThread(after, createWorker).catch((error) => {
      opening = null; // the network may be back for the next call
      throw error;
    });
    return (await opening)(method, parameters);
  };
  const toMethod = (method: keyof NameEngine) => [method, (...parameters: unknown[]) => call(method, parameters)];
  return Object.fromEntries(METHODS.map(toMethod));
}

async function loadThread(after: Ports["after"], createWorker: (() => Worker) | undefined) {
  const load = () => import(/* webpackChunkName: "lists" */ "./thread");
  return (await loadScript(load)).createEngineThread(after, createWorker);
}
