import type { NameEngine } from "./engine";

const METHODS: readonly (keyof NameEngine)[] = [
  "open",
  "resume",
  "add",
  "finish",
  "search",
  "match",
  "forget",
  "size",
  "drop",
];

/** Makes an engine of what carries its calls to another: a worker's, or one whose script is still to come. */
export function toEngine(call: (method: keyof NameEngine, parameters: unknown[]) => Promise<unknown>): NameEngine {
  const toMethod = (method: keyof NameEngine) => [method, (...parameters: unknown[]) => call(method, parameters)];
  return Object.fromEntries(METHODS.map(toMethod));
}
