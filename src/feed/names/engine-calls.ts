import type { NameEngine } from "./engine";

const METHODS: readonly (keyof NameEngine)[] = [
  "open",
  "resume",
  "add",
  "finish",
  "search",
  "searchFamily",
  "match",
  "matchNames",
  "forget",
  "size",
  "drop",
];

/** Makes an engine that passes its calls on: to a worker, or to an engine whose script is loaded first. */
export function toEngine(call: (method: keyof NameEngine, parameters: unknown[]) => Promise<unknown>): NameEngine {
  const toMethod = (method: keyof NameEngine) => [method, (...parameters: unknown[]) => call(method, parameters)];
  return Object.fromEntries(METHODS.map(toMethod));
}
