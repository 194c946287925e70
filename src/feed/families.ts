import { OPERATIONS, type OperationId } from "../contract/constants";
import { type Deadline, waitFor } from "./deadline";
import { type FeedCode, FeedError, RequestError } from "./errors";
import type { Family } from "./keeping";
import { createListeners } from "./listeners";
import type { Ports } from "./ports";
import { afterOutcome, type Health, isAsked, isFailure, mayRetry, tryAgain, WELL } from "./retry";

/** A family that is left alone, or is being tried after that. */
export interface Pause {
  readonly family: Family;
  /** Milliseconds since the Unix epoch; it is over while one request tries whether the family is well again. */
  readonly untilMs: number;
  /** FEED_RATE_LIMITED where the provider asked for it; else what the family kept failing with. */
  readonly code: FeedCode;
}

/** What a request failed for: its family's state, or that its family was left alone, so that it was not sent. */
export interface Cause {
  readonly family: Family;
  readonly wasSent: boolean;
}

/** Takes how a request ended: nothing for an answer, null where nobody knows, or why it failed; call it once. */
export type EndRequest = (error?: unknown) => void;

/** What lets a request out. */
export interface Pass {
  /** Whether it still does: its family may have come to be left alone since. */
  isOpen(): boolean;
  end: EndRequest;
}

/** Lets no request go out to a family that is left alone; the other families go on. After a pause one goes first. */
export interface Families {
  /**
   * Waits until the family may be asked.
   *
   * @param family of what is no data there is none, and nothing to wait for
   * @throws FeedError (FEED_RATE_LIMITED) where the pause that was asked for outlasts the deadline; what the family kept
   *   failing with; why the deadline ended
   */
  enter(family: Family | undefined, deadline: Deadline): Promise<Pass>;
  /** Whether another try of a request that failed is worth it. */
  mayRetry(family: Family | undefined): boolean;
  /** Those that are left alone, or being tried. */
  list(): readonly Pause[];
  /** Why a request failed; undefined where no family's state was the reason. */
  findCause(error: unknown): Cause | undefined;
  /** Has families that kept failing be tried at once; a pause that the provider asked for stays. */
  tryAgain(): void;
  /** Is told when one begins to be left alone or tried, and when that is over. */
  onChange(listener: () => void): () => void;
  forget(): void;
}

/** What one server of the provider answers, as far as paths tell (§4). */
export function toFamily(operation: OperationId): Family {
  const { path } = OPERATIONS[operation];
  if (path.includes("/financials")) return "financials";
  if (path.includes("/industry-taxonomies/")) return "taxonomies";
  return path.includes("/ranking/") ? "rankings" : "companies";
}

const FREE: Pass = { isOpen: () => true, end: () => {} };

interface Known {
  health: Health;
  /** The one request after a pause; the others wait for what becomes of it. */
  trial: Promise<void> | null;
}

interface Context {
  ports: Pick<Ports, "nowMs" | "after" | "random">;
  known: Map<Family, Known>;
  causes: WeakMap<object, Cause>;
  tell: () => void;
}

export function createFamilies(ports: Context["ports"]): Families {
  const { add: onChange, tell } = createListeners();
  const context: Context = { ports, known: new Map(), causes: new WeakMap(), tell };
  const { known, causes } = context;
  return {
    enter: async (family, deadline) => (family === undefined ? FREE : enter(context, family, deadline)),
    mayRetry: (family) => family === undefined || mayRetry(find(context, family).health, ports.nowMs()),
    list: () => [...known].flatMap(([family, one]) => toPause(family, one, ports.nowMs())),
    findCause: (error) => causes.get(error as object),
    tryAgain() {
      for (const one of known.values()) one.health = tryAgain(one.health);
      tell();
    },
    onChange,
    forget() {
      known.clear();
      tell();
    },
  };
}

function find({ known }: Context, family: Family): Known {
  const one = known.get(family) ?? { health: WELL, trial: null };
  known.set(family, one);
  return one;
}

function toPause(family: Family, { health: { untilMs, reason }, trial }: Known, nowMs: number): Pause[] {
  return reason !== null && (nowMs < untilMs || trial !== null) ? [{ family, untilMs, code: reason.code }] : [];
}

async function enter(context: Context, family: Family, deadline: Deadline): Promise<Pass> {
  const { ports, causes } = context;
  const one = find(context, family);
  for (;;) {
    const { untilMs, reason } = one.health;
    const waitMs = untilMs - ports.nowMs();
    if (reason !== null && waitMs > 0) {
      if (!isAsked(one.health) || waitMs >= deadline.remainingMs()) {
        const error = toHeld(reason, waitMs);
        causes.set(error, { family, wasSent: false });
        throw error;
      }
      await waitFor(ports, deadline, waitMs);
    } else if (one.trial !== null) await deadline.race(one.trial);
    else return begin(context, family, one);
  }
}

/** An error of its own, since one that was sent and failed is tried after those that were not. */
function toHeld(reason: FeedError, waitMs: number): FeedError {
  if (reason.code !== "FEED_RATE_LIMITED") return new FeedError(reason.code, reason.message, reason.facts);
  const seconds = Math.ceil(waitMs / 1000);
  const text = `the provider asked for a pause; this is asked by itself in ${seconds} seconds`;
  return new RequestError("FEED_RATE_LIMITED", text, { ...reason.facts, retryAfterMs: waitMs });
}

function begin(context: Context, family: Family, one: Known): Pass {
  const { pauses } = one.health;
  const isOpen = () => one.health.pauses <= pauses;
  const end = (error?: unknown) => note(context, family, { one, pauses, error });
  if (pauses === 0) return { isOpen, end };
  let endTrial = () => {};
  one.trial = new Promise((resolve) => {
    endTrial = resolve;
  });
  context.tell();
  return {
    isOpen,
    end(error) {
      one.trial = null;
      end(error);
      endTrial();
      context.tell();
    },
  };
}

/** @param pauses how many there had been when the request was let out */
function note(
  { ports, causes, tell }: Context,
  family: Family,
  { one, pauses, error }: { one: Known; pauses: number; error: unknown },
): void {
  const before = one.health;
  const outcome = { error, nowMs: ports.nowMs(), random: ports.random(), isLate: pauses < before.pauses };
  one.health = afterOutcome(before, outcome);
  if (isFailure(error)) causes.set(error, { family, wasSent: true });
  if (one.health.untilMs !== before.untilMs) tell();
}
