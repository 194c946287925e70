/** What a load of a question has led to so far. */
export interface Trace {
  /** Numbers of the requests that went out for it, and of those behind the answers that it waited for. */
  readonly requests: Set<number>;
  /** Hashes of the questions that it waited for. */
  readonly parts: Set<string>;
  /** Whether the question was answered before and is asked again. */
  isAgain: boolean;
  /** When the provider gave the oldest answer of those that the companion had already; else infinite. */
  asOfMs: number;
}

const traces = new WeakMap<AbortSignal, Trace>();

/** The trace of a load, which is known by the signal that ends it: whatever works for the load has that already. */
export function traceOf(signal: AbortSignal): Trace {
  const known = traces.get(signal);
  if (known !== undefined) return known;
  const trace = {
    requests: new Set<number>(),
    parts: new Set<string>(),
    isAgain: false,
    asOfMs: Number.POSITIVE_INFINITY,
  };
  traces.set(signal, trace);
  return trace;
}

/** Takes note that a load owes something to these requests, and to what the provider gave at this time; default now. */
export function addRequests(signal: AbortSignal, requests: Iterable<number>, asOfMs = Number.POSITIVE_INFINITY): void {
  const trace = traceOf(signal);
  for (const request of requests) trace.requests.add(request);
  trace.asOfMs = Math.min(trace.asOfMs, asOfMs);
}
