import type { Ports } from "../../client/ports";
import { loadScript } from "../script";
import type { NameEngine } from "./engine";
import { toEngine } from "./engine-calls";

/**
 * Gives the engine in a worker, whose script is loaded on demand: most pages look no name up.
 *
 * @param createWorker makes the worker of `names/worker`; undefined where the page has none
 */
export function createLazyEngine(after: Ports["after"], createWorker: (() => Worker) | undefined): NameEngine {
  let opening: Promise<NameEngine> | null = null;
  const open = () => {
    opening ??= loadThread(after, createWorker).catch((error) => {
      opening = null; // the network may be back for the next call
      throw error;
    });
    return opening;
  };
  return toEngine(async (method, parameters) => {
    if (method === "forget" && opening === null) return; // nothing is in memory yet
    const run = (await open())[method] as (...parameters: unknown[]) => Promise<unknown>;
    return run(...parameters);
  });
}

async function loadThread(after: Ports["after"], createWorker: (() => Worker) | undefined): Promise<NameEngine> {
  const load = () => import(/* webpackChunkName: "lists" */ "./thread");
  return (await loadScript(load)).createEngineThread(after, createWorker);
}
