import { createOfficeRuntime } from "./office-runtime";

/** What a cell shows: rows of values, where an error stands as `CODE text`. */
export type Shown = unknown[][];

let namespace: unknown;

/** Puts the genuine CustomFunctions namespace where the sources look for it. */
export function installCustomFunctions(): void {
  namespace ??= evaluateCustomFunctions();
  Object.assign(globalThis, { CustomFunctions: namespace });
}

function evaluateCustomFunctions(): unknown {
  const runtime = createOfficeRuntime({ origin: "http://localhost" });
  runtime.dispose(); // only the namespace is wanted, not its timers
  return runtime.evaluate("CustomFunctions");
}

/** Puts what a formula hands to its host into words. */
export function toShown(value: unknown): Shown {
  const rows = Array.isArray(value) ? value : [[value]];
  return rows.map((row: unknown[]) =>
    row.map((cell) => (cell instanceof CustomFunctions.Error ? `${cell.code} ${cell.message}`.trim() : cell)),
  );
}
