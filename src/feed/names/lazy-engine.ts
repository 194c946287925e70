import type { Ports } from "../../client/ports";
import { loadScript } from "../script";
import type { NameEngine } from "./engine";

const METHODS: Readonly<Record<keyof NameEngine, true>> = {
  open: true,
  resume: true,
  add: true,
  finish: true,
  search: true,
  match: true,
  matchNames: true,
  forget: true,
  size: true,
  drop: true,
};

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
  const toMethod = (method: string) => [
    method,
    (...parameters: unknown[]) => call(method as keyof NameEngine, parameters),
  ];
  return Object.fromEntries(Object.keys(METHODS).map(toMethod));
}

async function loadThread(after: Ports["after"], createWorker: (() => Worker) | undefined) {
  const load = () => import(/* webpackChunkName: "lists" */ "./thread");
  return (await loadScript(load)).createEngineThread(after, createWorker);
}
