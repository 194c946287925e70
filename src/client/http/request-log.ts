import { type FeedCode, FeedError } from "../errors";

/** A request that brought an answer. */
export interface Source {
  /** The API's operation. */
  readonly operation: string;
  /** Milliseconds since the Unix epoch. */
  readonly sentAtMs: number;
  /** The provider's id for support; null where it gave none. */
  readonly traceId: string | null;
}

/** A request that went out: without its contents and its URL, which may hold an id. */
export interface LoggedRequest {
  /** Counts all requests since the page opened, from 1. */
  readonly number: number;
  /** "credentials" are configuration, pairing, assertion and token. */
  readonly kind: RequestKind;
  /** The API's operation, or the path at the companion. */
  readonly operation: string;
  /** Milliseconds since the Unix epoch. */
  readonly sentAtMs: number;
  /** In milliseconds; null while it is under way. */
  readonly tookMs: number | null;
  /** HTTP status; null where no answer came. */
  readonly status: number | null;
  /** Its end: an answer, an error's code, or "left" where nobody waited any more; null while it is under way. */
  readonly outcome: "answered" | "left" | FeedCode | null;
  /** Length of the received body, unpacked. */
  readonly bytes: number;
  /** The provider's id for support. */
  readonly traceId: string | null;
  /** The companion's id of it, which its log has; null where another server answered. */
  readonly requestId: string | null;
}

type RequestKind = "data" | "credentials";

/** Records requests while they are under way. */
export interface RequestRecorder {
  begin(operation: string): OpenRequest;
}

export interface OpenRequest {
  readonly number: number;
  /**
   * An answer begins.
   * @param requestId The companion's id of the request, as the answer names it.
   */
  answer(status: number, requestId: string | null): void;
  /** A part of its body came. */
  receive(bytes: number): void;
  /** It ended well, or as `error` says. */
  end(error?: unknown): void;
}

const KEPT = 200;

/** Makes an empty log; `notify` is called whenever it changes. */
export function createRequestLog(nowMs: () => number, notify = () => {}) {
  const counts = { data: 0, credentials: 0 };
  let persisted: LoggedRequest[] = [];
  /** Replaces a request by a changed copy; one that left the log stays away. */
  const change = (number: number, changes: Partial<LoggedRequest>) => {
    const before = persisted.find((each) => each.number === number);
    if (before === undefined) return;
    persisted = persisted.map((each) => (each === before ? { ...before, ...changes } : each));
    notify();
  };
  const begin = (kind: RequestKind, operation: string): OpenRequest => {
    counts[kind]++;
    const number = counts.data + counts.credentials;
    const sentAtMs = nowMs();
    persisted = [...persisted, { ...SENT, number, kind, operation, sentAtMs }].slice(-KEPT);
    notify();
    let bytes = 0;
    return {
      number,
      answer: (status, requestId) =>
        change(number, { status, requestId: REQUEST_ID.test(requestId ?? "") ? requestId : null }),
      receive: (more) => {
        bytes += more;
      },
      end: (error) => change(number, { bytes, tookMs: nowMs() - sentAtMs, ...toEnd(error) }),
    };
  };
  return {
    recorderOf: (kind: RequestKind): RequestRecorder => ({ begin: (operation) => begin(kind, operation) }),
    /** The last 200, oldest first. */
    list: (): readonly LoggedRequest[] => persisted,
    /** The sources of the requests with these numbers, as stored with their answers. */
    listSources: (numbers: readonly number[]): Source[] =>
      persisted
        .filter(({ number }) => numbers.includes(number))
        .map(({ operation, sentAtMs, traceId }) => ({ operation, sentAtMs, traceId })),
    /** Number of requests of a kind since the page opened. */
    count: (kind: RequestKind): number => counts[kind],
  };
}

const SENT = { tookMs: null, status: null, outcome: null, bytes: 0, traceId: null, requestId: null };
/** Anything else in that header is another server's, and must not enter a text for support. */
const REQUEST_ID = /^[0-9a-z-]{1,40}$/;

function toEnd(error: unknown): Partial<LoggedRequest> {
  if (error === undefined) return { outcome: "answered" };
  if (!(error instanceof FeedError)) return { outcome: "left" };
  return { outcome: error.code, traceId: error.facts.traceId ?? null };
}
