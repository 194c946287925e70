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

/**
 * Calculates the formulas of a call of a tool, within its request budget.
 * @throws ToolError (FEED_CONFIRM_NEEDED) above it, unless the person allows that
 */
export async function calculate(formulas: readonly string[], options: WorkOptions): Promise<FormulaResult[]> {
  const { host } = options.formulas;
  for (let limit = options.requestLimit; ; limit = host.heldBack()) {
    const results = await calculateWithin(limit, formulas, options);
    const requests = host.heldBack();
    if (requests === 0) return results;
    if (!(await options.confirm?.(requests))) throw toHeldBack(requests, limit, options.confirm !== undefined);
  }
}

async function calculateWithin(limit: number, formulas: readonly string[], options: WorkOptions) {
  const { signal, onProgress } = options;
  const { host } = options.formulas;
  const { calculateFormulas } = await import("../refresh/formula-results");
  const { activity } = host.session.feed;
  const before = activity.requests();
  const runtime = refusePersonal(host.runtime, host.metadata);
  const stop = activity.onChange(() => onProgress?.(activity.requests() - before));
  const end = () => release(host);
  signal.addEventListener("abort", end);
  try {
    host.allow(limit);
    return await calculateFormulas(formulas, { ...host, runtime }, { signal });
  } finally {
    signal.removeEventListener("abort", end);
    stop();
  }
}

/** More than a call has formulas; each is in a cell of its own. */
const MOST_FORMULAS = 20;

/** Ends the formulas of a call; their requests end a little later. */
export function release({ runtime }: Formulas["host"]): void {
  for (let nth = 1; nth <= MOST_FORMULAS; nth++) runtime.beginCell(`${nth}!A1`);
  runtime.commit();
}

const toHeldBack = (requests: number, limit: number, wasAsked: boolean): ToolError =>
  new ToolError(
    "FEED_CONFIRM_NEEDED",
    `this takes about ${requests} requests to the provider, and a call may take ${limit}`,
    wasAsked ? "the person did not allow it" : `ask for less, or have feed mcp started with --max-requests ${requests}`,
  );
