import type { Family } from "../../contract/constants";
import { type FeedCode, FeedError } from "../errors";
import type { Ports } from "../ports";
import { createSubscribers } from "../subscribers";
import { afterOutcome, atTime, type BreakerState, isProviderPause, mayRetry, tryNow, WELL } from "./circuit-breaker";
import { type Deadline, pauseWithin } from "./deadline";
import { toStatusError } from "./response";
import { isFailure } from "./retry";

/** A server that may pause: a family of data, or the source of tokens for all of them. */
export type Server = Family | "credentials";

/** A family that pauses or is half-open. */
export interface Pause {
  readonly family: Server;
  /** Milliseconds since the Unix epoch; in the past while a probe is under way. */
  readonly untilMs: number;
  /** FEED_RATE_LIMITED where the provider requested the pause, which no user can end; else the failure's code. */
  readonly code: FeedCode;
}

/** A family with a request that failed in all its attempts. */
export interface Failing {
  readonly family: Server;
  readonly code: FeedCode;
  /** Whether it pauses or is half-open. */
  readonly isBroken: boolean;
  /** Whether it has answered anything since its last failure. */
  readonly hasAnswered: boolean;
}

/** The cause of a failed request: the family, and whether the request was sent or held by a pause. */
interface Cause {
  readonly family: Server;
  readonly wasSent: boolean;
}

/** Takes the end of a request: nothing for an answer, null where it is unknown, else the error; call it once. */
export type EndRequest = (error?: unknown) => void;

/** Permission to send one request. */
export interface Pass {
  /** Whether it still holds: the family may have begun to pause since. */
  isOpen(): boolean;
  /** Whether a hedge may go out: not beside a probe, and not for a request outside the families. */
  mayHedge(): boolean;
  end: EndRequest;
}

/** How long a request waits for its family. */
export type Patience = Pick<Deadline, "remainingMs" | "race" | "awaitSlot" | "restart">;

/** The circuit breakers of all families. A pausing family gets no request, and one probe first afterwards. */
export interface Families {
  /**
   * Waits until the family takes requests.
   *
   * @param family undefined for a request that is neither data nor a token, which never waits
   * @throws FeedError (the pause, where it outlasts the deadline; the last failure while the breaker is open); the
   *   deadline's reason
   */
  enter(family: Server | undefined, deadline: Patience): Promise<Pass>;
  /** Whether a failed request is worth another attempt. */
  mayRetry(family: Server | undefined): boolean;
  /** Records that a request failed in all its attempts, or was not sent. */
  giveUp(family: Server | undefined, error: unknown): void;
  /** Families with a failed request that has not been repeated yet. */
  listFailing(): readonly Failing[];
  /** Records that the failed requests were repeated. */
  settle(family: Server): void;
  /** Families that pause or are half-open. */
  list(): readonly Pause[];
  /** The cause of an error; undefined where no family's state caused it. */
  findCause(error: unknown): Cause | undefined;
  /** Ends the pauses of failed families; a rate limit's pause stays. */
  tryNow(): void;
  /** Calls back when a pause or a probe begins or ends. */
  onChange(listener: () => void): () => void;
  forget(): void;
}

const FREE: Pass = { isOpen: () => true, mayHedge: () => false, end: () => {} };

interface Entry {
  breaker: BreakerState;
  /** The one request after a pause; the others wait for its outcome. */
  probe: Promise<void> | null;
  /** Error of the last request without attempts left; null once it was repeated. */
  failed: FeedCode | null;
}

interface FamiliesState {
  ports: Pick<Ports, "nowMs" | "after" | "random">;
  entries: Map<Server, Entry>;
  causes: WeakMap<object, Cause>;
  notify: () => void;
}

export function createFamilies(ports: FamiliesState["ports"]): Families {
  const { subscribe: onChange, notify } = createSubscribers();
  const context: FamiliesState = { ports, entries: new Map(), causes: new WeakMap(), notify };
  const { entries, causes } = context;
  return {
    enter: async (family, deadline) => (family === undefined ? FREE : enter(context, family, deadline)),
    mayRetry: (family) => family === undefined || mayRetry(entryOf(context, family).breaker, ports.nowMs()),
    giveUp: (family, error) => giveUp(context, family, error),
    listFailing: () => [...entries.keys()].flatMap((family) => toFailing(context, family)),
    settle(family) {
      entryOf(context, family).failed = null;
    },
    list: () => [...entries.keys()].flatMap((family) => toPause(context, family)),
    findCause: (error) => causes.get(error as object),
    tryNow() {
      for (const entry of entries.values()) entry.breaker = tryNow(entry.breaker);
      notify();
    },
    onChange,
    forget() {
      entries.clear();
      notify();
    },
  };
}

/** Gives the current state, also after the clock was set back. */
function entryOf({ ports, entries }: FamiliesState, family: Server): Entry {
  const entry = entries.get(family) ?? { breaker: WELL, probe: null, failed: null };
  entries.set(family, entry);
  entry.breaker = atTime(entry.breaker, ports.nowMs());
  return entry;
}

function toPause(context: FamiliesState, family: Server): Pause[] {
  const { breaker, probe } = entryOf(context, family);
  const { untilMs, reason } = breaker;
  if (reason === null || (context.ports.nowMs() >= untilMs && probe === null)) return [];
  return [{ family, untilMs, code: reason.code }];
}

/** The cause may be another server, such as the token endpoint. */
function giveUp(context: FamiliesState, family: Server | undefined, error: unknown): void {
  if (family === undefined || !isFailure(error)) return;
  const cause = context.causes.get(error) ?? { family, wasSent: false };
  context.causes.set(error, cause);
  const entry = entryOf(context, cause.family);
  const isNew = entry.failed === null;
  entry.failed = error.code;
  if (isNew) context.notify();
}

function toFailing(context: FamiliesState, family: Server): Failing[] {
  const { failed, breaker } = entryOf(context, family);
  if (failed === null) return [];
  return [{ family, code: failed, isBroken: breaker.reason !== null, hasAnswered: breaker.failures === 0 }];
}

async function enter(context: FamiliesState, family: Server, deadline: Patience): Promise<Pass> {
  const { ports, causes } = context;
  for (let hasWaited = false; ; hasWaited = true) {
    const entry = entryOf(context, family);
    const { untilMs, reason } = entry.breaker;
    const waitMs = untilMs - ports.nowMs();
    if (reason && waitMs > 0) {
      if (!isProviderPause(entry.breaker) || waitMs >= deadline.remainingMs()) {
        const error = toHeld(reason, waitMs);
        causes.set(error, { family, wasSent: false });
        throw error;
      }
      await pauseWithin(ports, deadline, waitMs);
    } else if (entry.probe !== null) await deadline.awaitSlot(entry.probe);
    else {
      // The wait for a pause does not count towards the deadline. Tokens keep theirs: the read has its own.
      if (family !== "credentials" && (hasWaited || reason)) deadline.restart();
      return begin(context, family, entry);
    }
  }
}

/** Creates the error of a request that was not sent: a new one, since its cause differs, with the time that is left. */
function toHeld({ code, text, facts }: FeedError, waitMs: number): FeedError {
  const { status, refusal, retryAfterMs } = facts;
  if (status === undefined || refusal !== undefined || retryAfterMs === undefined) {
    return new FeedError(code, text, facts);
  }
  return toStatusError(status, { ...facts, retryAfterMs: waitMs });
}

function begin(context: FamiliesState, family: Server, entry: Entry): Pass {
  const { pauses } = entry.breaker;
  const isOpen = () => entry.breaker.pauses <= pauses;
  const end = (error?: unknown) => recordOutcome(context, family, { entry, pauses, error });
  if (pauses === 0) return { isOpen, mayHedge: isOpen, end };
  let endProbe = () => {};
  entry.probe = new Promise((resolve) => {
    endProbe = resolve;
  });
  context.notify();
  return {
    isOpen,
    mayHedge: () => false,
    end(error) {
      entry.probe = null;
      end(error);
      endProbe();
      context.notify();
    },
  };
}

interface Ended {
  entry: Entry;
  /** The number of pauses when the request went out. */
  pauses: number;
  error: unknown;
}

function recordOutcome(
  { ports, causes, notify }: FamiliesState,
  family: Server,
  { entry, pauses, error }: Ended,
): void {
  const nowMs = ports.nowMs();
  const before = atTime(entry.breaker, nowMs);
  const outcome = {
    error,
    nowMs,
    random: ports.random(),
    isLate: pauses < before.pauses,
    isForAll: family === "credentials",
  };
  entry.breaker = afterOutcome(before, outcome);
  if (isFailure(error)) causes.set(error, { family, wasSent: true });
  const isBack = entry.failed !== null && before.failures > 0 && entry.breaker.failures === 0;
  if (isBack || entry.breaker.untilMs !== before.untilMs) notify();
}
