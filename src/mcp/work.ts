import type { FormulaResult } from "../refresh/formula-results";
import type { Host } from "../refresh/host";
import type { OpenedProvider } from "../refresh/provider";
import { refusePersonal } from "./personal";
import { ToolError } from "./tool-error";

/** The formulas of a process, and where their figures come from. */
export interface Formulas {
  readonly host: Host;
  readonly source: OpenedProvider["describe"];
}

/** What a call of a tool may use, and for how long. */
export interface WorkOptions {
  formulas: Formulas;
  /** Requests that the call may take without asking. */
  requestLimit: number;
  /** Asks the person whether so many requests may go out; absent where the client cannot. */
  confirm?: ((requests: number) => Promise<boolean>) | undefined;
  signal: AbortSignal;
  /** Called with the number of requests sent so far by this call. */
  onProgress?: ((requests: number) => void) | undefined;
}

/** Calculates the formulas of a call of a tool, within its request budget. */
export async function calculate(formulas: readonly string[], options: WorkOptions): Promise<FormulaResult[]> {
  const {
    formulas: { host },
    requestLimit,
    confirm,
  } = options;
  const run = (requests: number) => calculateWithin(requests, formulas, options);
  const results = await run(requestLimit);
  const requests = host.heldBack();
  if (requests === 0) return results;
  if (!(await confirm?.(requests))) throw toHeldBack(requests, requestLimit, confirm !== undefined);
  return run(requests);
}

async function calculateWithin(requests: number, formulas: readonly string[], options: WorkOptions) {
  const {
    formulas: { host },
    signal,
    onProgress,
  } = options;
  const { calculateFormulas } = await import("../refresh/formula-results");
  const { activity } = host.session.feed;
  const before = activity.requests();
  host.allow(requests);
  const release = () => {
    for (const nth of formulas.keys()) host.runtime.beginCell(`${nth + 1}!A1`);
    host.runtime.commit();
  };
  const stop = activity.onChange(() => onProgress?.(activity.requests() - before));
  signal.addEventListener("abort", release);
  try {
    return await calculateFormulas(
      formulas,
      { ...host, runtime: refusePersonal(host.runtime, host.metadata) },
      { signal },
    );
  } finally {
    signal.removeEventListener("abort", release);
    stop();
  }
}

const toHeldBack = (requests: number, limit: number, wasAsked: boolean): ToolError =>
  new ToolError(
    "FEED_CONFIRM_NEEDED",
    `this takes about ${requests} requests to the provider, and a call may take ${limit}`,
    wasAsked ? "the person did not allow it" : `ask for less, or start feed mcp with --max-requests ${requests}`,
  );
