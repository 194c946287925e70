import type { OperationId } from "../contract/constants";

/** The faults of a successful answer's body. */
export type BodyFault = "html" | "truncated" | "empty";

/** A status to answer instead of the real answer. */
interface ForcedAnswer {
  status: number;
  /** How many requests get it; default 1, Infinity for all. */
  times?: number;
  /** Value of the Retry-After header: seconds or an HTTP date; default none. */
  retryAfter?: number | string;
}

/** A request as it arrived, and the status it was answered with (0 while it is under way). */
export interface RequestRecord {
  operationId: OperationId;
  method: string;
  url: string;
  /** The body of a POST with JSON. */
  body: unknown;
  status: number;
  atMs: number;
}

/** Everything that can be set; each entry is off by default. */
interface ControlSettings {
  /** Waits this long before each answer, in milliseconds. */
  latencyMs: number;
  /** Waits this long instead, by operation. */
  latencyMsOf: Partial<Record<OperationId, number>>;
  answers: Partial<Record<OperationId, ForcedAnswer>>;
  /** Answers 429 to data requests beyond so many within the window. */
  rateLimit: { requests: number; windowMs: number; retryAfterSeconds: number } | null;
  /** Serves at most so many items a page; total stays true. */
  pageCap: number | null;
  /** Refuses a larger page_size with 400. */
  pageSizeRefusedAbove: number | null;
  /** POST /financials serves at most so many of the requested companies, and total omits the rest. */
  postFirst: number | null;
  /** POST /financials leaves out periodYear, financialPeriodStart and financialPeriodEnd (§2.3). */
  postWithoutPeriods: boolean;
  bodyFaults: Partial<Record<OperationId, BodyFault>>;
  /** Changes the token response: expires_in becomes this, of any type; access_token can be left out. */
  tokenFaults: { expiresIn?: unknown; withoutAccessToken?: boolean };
  /** Replaces the amounts, page views and employee counts of answers. */
  perturb: ((value: number) => number) | null;
}

/** The controls of a running sandbox, for tests in its own process; none is reachable by HTTP. */
export interface Controls extends ControlSettings {
  /** The latest requests since the last reset, oldest first: 5,000 at most. */
  readonly requests: RequestRecord[];
  /** Adds a request to the log and to the counts. */
  record(request: RequestRecord): void;
  /** How many requests came since the last reset: of one operation, or of all. */
  count(operationId?: OperationId): number;
  /** Tokens of an older generation are revoked. */
  readonly tokenGeneration: number;
  /** Revokes every access token that was issued so far. */
  dropTokens(): void;
  /** Turns everything off and forgets the requests. */
  reset(): void;
}

const createSettings = (): ControlSettings => ({
  latencyMs: 0,
  latencyMsOf: {},
  answers: {},
  rateLimit: null,
  pageCap: null,
  pageSizeRefusedAbove: null,
  postFirst: null,
  postWithoutPeriods: false,
  bodyFaults: {},
  tokenFaults: {},
  perturb: null,
});

/** A sandbox may run for weeks: the log must not grow with it. */
const MOST_RECORDED = 5_000;

/** Creates controls with everything off. */
export function createControls(): Controls {
  const requests: RequestRecord[] = [];
  const counts = new Map<OperationId, number>();
  let tokenGeneration = 0;
  const controls: Controls = {
    ...createSettings(),
    requests,
    get tokenGeneration() {
      return tokenGeneration;
    },
    record(request) {
      requests.push(request);
      if (requests.length > MOST_RECORDED) requests.shift();
      counts.set(request.operationId, (counts.get(request.operationId) ?? 0) + 1);
    },
    count(operationId) {
      if (operationId !== undefined) return counts.get(operationId) ?? 0;
      return [...counts.values()].reduce((sum, count) => sum + count, 0);
    },
    dropTokens() {
      tokenGeneration += 1;
    },
    reset() {
      Object.assign(controls, createSettings());
      requests.length = 0;
      counts.clear();
    },
  };
  return controls;
}
