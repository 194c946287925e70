import { createOfficeRuntime } from "./runtime";

/** Rows of cell values; an error is the text `CODE message`. */
export type Shown = unknown[][];

let namespace: unknown;

/** Sets the global `CustomFunctions` to the namespace of the genuine runtime. */
export function installCustomFunctions(): void {
  namespace ??= evaluateCustomFunctions();
  Object.assign(globalThis, { CustomFunctions: namespace });
}

function evaluateCustomFunctions(): unknown {
  const runtime = createOfficeRuntime({ origin: "http://localhost" });
  runtime.dispose(); // the namespace works without the timers
  return runtime.evaluate("CustomFunctions");
}

export function toShown(value: unknown): Shown {
  const rows = Array.isArray(value) ? value : [[value]];
  return rows.map((row: unknown[]) =>
    row.map((cell) => (cell instanceof CustomFunctions.Error ? `${cell.code} ${cell.message}`.trim() : cell)),
  );
}
