import type { Family } from "../../contract/constants";
import { type FeedCode, FeedError } from "../errors";
import type { Ports } from "../ports";
import { createSubscribers } from "../subscribers";
import { afterOutcome, atTime, type BreakerState, isProviderPause, mayRetry, tryNow, WELL } from "./circuit-breaker";
import { type Deadline, pauseWithin } from "./deadline";
import { toStatusError } from "./response";
import { isFailure } from "./retry";

/** What answers, and so may come to pause: a family of data, or what gives the tokens for all of them. */
export type Server = Family | "credentials";

/** A family that pauses, or is being tried after that. */
export interface Pause {
  readonly family: Server;
  /** Milliseconds since the Unix epoch; it is over while one request tries whether the family is well again. */
  readonly untilMs: number;
  /** FEED_RATE_LIMITED where the provider asked for it, and no person ends it; else what the family failed with. */
  readonly code: FeedCode;
}

/** A family of which a request failed with all its tries, and what may be learned of it since. */
export interface Failing {
  readonly family: Server;
  readonly code: FeedCode;
  /** Whether it pauses, or is to be tried after a pause. */
  readonly isBroken: boolean;
  /** Whether it has answered anything since its last failure. */
  readonly hasAnswered: boolean;
}

/** What a request failed for: its family's state, or that its family paused, so that it was not sent. */
interface Cause {
  readonly family: Server;
  readonly wasSent: boolean;
}

/** Takes how a request ended: nothing for an answer, null where nobody knows, or why it failed; call it once. */
export type EndRequest = (error?: unknown) => void;

/** What lets a request out. */
export interface Pass {
  /** Whether it still does: its family may have come to pause since. */
  isOpen(): boolean;
  /** Whether a second request may go beside it: none to what is no family, and while a pause is tried one goes alone. */
  mayHedge(): boolean;
  end: EndRequest;
}

/** How long a request waits until its family may be asked. */
export type Patience = Pick<Deadline, "remainingMs" | "race" | "awaitSlot" | "restart">;

/** Lets no request go out to a family that pauses; the other families go on. After a pause one goes first. */
export interface Families {
  /**
   * Waits until the family may be asked.
   *
   * @param family of what is neither data nor a token there is none, and nothing to wait for
   * @throws FeedError (what asked to wait, where that outlasts the deadline; what the family kept failing with); why the
   *   deadline ended
   */
  enter(family: Server | undefined, deadline: Patience): Promise<Pass>;
  /** Takes note of how a request ended that others sent, such as another process. */
  record(family: Server, error: unknown): void;
  /** Whether another try of a request that failed is worth it. */
  mayRetry(family: Server | undefined): boolean;
  /** Takes note that a request has failed with all its tries, or was not sent. */
  giveUp(family: Server | undefined, error: unknown): void;
  /** Those of which something failed that is still to be asked again. */
  listFailing(): readonly Failing[];
  /** Takes note that what failed has been asked again. */
  settle(family: Server): void;
  /** Those that pause, or are being tried. */
  list(): readonly Pause[];
  /** Why a request failed; undefined where no family's state was the reason. */
  findCause(error: unknown): Cause | undefined;
  /** Has families that failed be tried at once; the pause of a limit stays. */
  tryNow(): void;
  /** Is told when one begins to pause or to be tried, and when that is over. */
  onChange(listener: () => void): () => void;
  forget(): void;
}

const FREE: Pass = { isOpen: () => true, mayHedge: () => false, end: () => {} };

interface Entry {
  breaker: BreakerState;
  /** The one request after a pause; the others wait for what becomes of it. */
  probe: Promise<void> | null;
  /** What the last request failed with whose tries are used up; null once it has been asked again. */
  failed: FeedCode | null;
}

interface Context {
  ports: Pick<Ports, "nowMs" | "after" | "random">;
  entries: Map<Server, Entry>;
  causes: WeakMap<object, Cause>;
  notify: () => void;
}

export function createFamilies(ports: Context["ports"]): Families {
  const { subscribe: onChange, notify } = createSubscribers();
  const context: Context = { ports, entries: new Map(), causes: new WeakMap(), notify };
  const { entries, causes } = context;
  return {
    enter: async (family, deadline) => (family === undefined ? FREE : enter(context, family, deadline)),
    record(family, error) {
      const entry = entryOf(context, family);
      recordOutcome(context, family, { entry, pauses: entry.breaker.pauses, error });
    },
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

/** As it is now, by a clock that may have been set back. */
function entryOf({ ports, entries }: Context, family: Server): Entry {
  const entry = entries.get(family) ?? { breaker: WELL, probe: null, failed: null };
  entries.set(family, entry);
  entry.breaker = atTime(entry.breaker, ports.nowMs());
  return entry;
}

function toPause(context: Context, family: Server): Pause[] {
  const { breaker, probe } = entryOf(context, family);
  const { untilMs, reason } = breaker;
  if (reason === null || (context.ports.nowMs() >= untilMs && probe === null)) return [];
  return [{ family, untilMs, code: reason.code }];
}

/** Where it was another server's failure, such as a token's, its cause is known. */
function giveUp(context: Context, family: Server | undefined, error: unknown): void {
  if (family === undefined || !isFailure(error)) return;
  const cause = context.causes.get(error) ?? { family, wasSent: false };
  context.causes.set(error, cause);
  const entry = entryOf(context, cause.family);
  const isNew = entry.failed === null;
  entry.failed = error.code;
  if (isNew) context.notify();
}

function toFailing(context: Context, family: Server): Failing[] {
  const { failed, breaker } = entryOf(context, family);
  if (failed === null) return [];
  return [{ family, code: failed, isBroken: breaker.reason !== null, hasAnswered: breaker.failures === 0 }];
}

async function enter(context: Context, family: Server, deadline: Patience): Promise<Pass> {
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
      // Whoever goes first after a pause may have waited for it between two tries. A read waits for its token by its own time.
      if (family !== "credentials" && (hasWaited || reason)) deadline.restart();
      return begin(context, family, entry);
    }
  }
}

/** An error of its own, since one that was sent and failed is tried after those that were not; it tells what is left. */
function toHeld({ code, message, facts }: FeedError, waitMs: number): FeedError {
  const { status, refusal, retryAfterMs } = facts;
  if (status === undefined || refusal !== undefined || retryAfterMs === undefined) {
    return new FeedError(code, message, facts);
  }
  return toStatusError(status, { ...facts, retryAfterMs: waitMs });
}

function begin(context: Context, family: Server, entry: Entry): Pass {
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
  /** How many pauses there had been when the request was let out. */
  pauses: number;
  error: unknown;
}

function recordOutcome({ ports, causes, notify }: Context, family: Server, { entry, pauses, error }: Ended): void {
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
