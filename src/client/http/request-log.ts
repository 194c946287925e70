import { type FeedCode, FeedError } from "../errors";

/** A request that an answer came by. */
export interface Source {
  /** The API's operation. */
  readonly operation: string;
  /** Milliseconds since the Unix epoch. */
  readonly sentAtMs: number;
  /** The provider's id for support; null where it gave none. */
  readonly traceId: string | null;
}

/** A request that went out: nothing of what it or its answer carried, and no address, in which an id could stand. */
export interface LoggedRequest {
  /** Counts all requests since the page opened, from 1. */
  readonly number: number;
  /** Credentials are what comes before data: configuration, pairing, assertion and token. */
  readonly kind: RequestKind;
  /** The API's operation, or the path of the companion's door. */
  readonly operation: string;
  /** Milliseconds since the Unix epoch. */
  readonly sentAtMs: number;
  /** In milliseconds; null while it is under way. */
  readonly tookMs: number | null;
  /** HTTP status; null where no answer came. */
  readonly status: number | null;
  /** How it ended: with an answer, with an error's code, or because nobody waited any more; null while it is under way. */
  readonly outcome: "answered" | "left" | FeedCode | null;
  /** Length of what came of the answer's body, unpacked. */
  readonly bytes: number;
  /** The provider's id for support. */
  readonly traceId: string | null;
}

type RequestKind = "data" | "credentials";

/** Takes note of requests while they are under way. */
export interface RequestRecorder {
  begin(operation: string): OpenRequest;
}

export interface OpenRequest {
  readonly number: number;
  /** An answer begins. */
  answer(status: number): void;
  /** A part of its body came. */
  receive(bytes: number): void;
  /** It ended well, or as `error` says. */
  end(error?: unknown): void;
}

export interface RequestLog {
  recorderOf(kind: RequestKind): RequestRecorder;
  /** The last 200, oldest first. */
  list(): readonly LoggedRequest[];
  /** What is known of requests by their numbers, as it is kept with the answers that came by them. */
  listSources(numbers: readonly number[]): Source[];
  /** How many of a kind went out since the page opened. */
  count(kind: RequestKind): number;
}

const KEPT = 200;

/** Makes an empty log; `notify` is called whenever it changes. */
export function createRequestLog(nowMs: () => number, notify = () => {}): RequestLog {
  const counts = { data: 0, credentials: 0 };
  let persisted: LoggedRequest[] = [];
  /** A request is a new object after each change; one that is no longer kept stays away. */
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
      answer: (status) => change(number, { status }),
      receive: (more) => {
        bytes += more;
      },
      end: (error) => change(number, { bytes, tookMs: nowMs() - sentAtMs, ...toEnd(error) }),
    };
  };
  return {
    recorderOf: (kind) => ({ begin: (operation) => begin(kind, operation) }),
    list: () => persisted,
    listSources: (numbers) =>
      persisted
        .filter(({ number }) => numbers.includes(number))
        .map(({ operation, sentAtMs, traceId }) => ({ operation, sentAtMs, traceId })),
    count: (kind) => counts[kind],
  };
}

const SENT = { tookMs: null, status: null, outcome: null, bytes: 0, traceId: null };

function toEnd(error: unknown): Partial<LoggedRequest> {
  if (error === undefined) return { outcome: "answered" };
  if (!(error instanceof FeedError)) return { outcome: "left" };
  return { outcome: error.code, traceId: error.facts.traceId ?? null };
}
