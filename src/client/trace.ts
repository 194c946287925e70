/** What a load of a query has led to so far. */
export interface Trace {
  /** Numbers of the requests that went out for it, and of those behind the answers that it waited for. */
  readonly requests: Set<number>;
  /** Hashes of the queries that it waited for. */
  readonly parts: Set<string>;
  /** Whether the query was answered before and is asked again. */
  isAgain: boolean;
  /** When the provider gave the oldest answer of those that the companion had already; else infinite. */
  asOfMs: number;
  /** From when on the companion asks for newer ones than it had; 0 where they were as new as was wanted. */
  newerAtMs: number;
  /** How old its answers may be that the companion has already; else infinite. */
  maxAgeMs: number;
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
    newerAtMs: 0,
    maxAgeMs: Number.POSITIVE_INFINITY,
  };
  traces.set(signal, trace);
  return trace;
}

/** When the provider gave what the companion had already, and from when on there may be a newer one; default now. */
interface Age {
  asOfMs?: number | undefined;
  newerAtMs?: number | undefined;
}

/** Takes note that a load owes something to these requests, and how old that is. */
export function addRequests(signal: AbortSignal, requests: Iterable<number>, age: Age = {}): void {
  const trace = traceOf(signal);
  for (const request of requests) trace.requests.add(request);
  trace.asOfMs = Math.min(trace.asOfMs, age.asOfMs ?? trace.asOfMs);
  trace.newerAtMs = Math.max(trace.newerAtMs, age.newerAtMs ?? 0);
}
