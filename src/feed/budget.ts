import { NoValueError } from "../client/errors";
import { msg } from "../client/messages";
import type { Ports } from "../client/ports";
import { toHash } from "./query-cache/sources";
import type { LoadContext, Query } from "./query-cache/types";

/** Queries that wait for a confirmation, because they take too many requests. */
export interface Unconfirmed {
  /** The error of all these queries, one object. */
  readonly error: NoValueError;
  /** How many requests they take, about. */
  readonly requests: number;
  readonly keys: readonly (readonly unknown[])[];
  /** Whether it was a refresh, whose queries have former answers. */
  readonly isRefresh: boolean;
}

/** The request budget: above its limit, a person must confirm. */
export interface Budget {
  /**
   * Loads a query if its burst, with all loads under way, stays within the limit; else no query of its kind.
   *
   * @param isPart whether it is a part of another query, which has paid for it
   * @throws NoValueError (FEED_CONFIRM_NEEDED)
   */
  run<T>(
    query: Query<T>,
    by: { isPart: () => boolean; signal: AbortSignal },
    load: (expect: LoadContext["expect"]) => Promise<T>,
  ): Promise<T>;
  /** Reserves a place in the burst; call the result once the cache lookup is done. */
  announce(): () => void;
  /**
   * Announces queries of a formula that is entered anew again and again: their requests add up, though each is within the
   * limit, until a person confirms.
   */
  drift(queries: readonly Query<unknown>[]): void;
  /** Gives the error of a refresh that takes too many requests; null where it may begin. */
  checkRefresh(queries: readonly Query<unknown>[]): NoValueError | null;
  /** Lists what waits for a confirmation. */
  unconfirmed(): readonly Unconfirmed[];
  /** Lets these queries load next time. */
  confirm(unconfirmed: readonly Unconfirmed[]): void;
  /** Forgets these, which have no subscribers any more. */
  drop(unconfirmed: readonly Unconfirmed[]): void;
  /** Sets the limit of unconfirmed requests, 1 or more; unlimited before that. */
  setLimit(requests: number): void;
  forget(): void;
}

export interface BudgetOptions {
  ports: Pick<Ports, "nowMs" | "after">;
  /** Estimates the requests of these queries together. */
  count: (queries: readonly Query<unknown>[]) => number;
  /**
   * Whether only a query's first page shows how many requests it and others of its kind take: then the others wait for
   * it. Default no.
   */
  awaitsLength?: ((query: Query<unknown>) => boolean) | undefined;
  /** Whether formulas still wait to run, whose queries belong to the burst; default no. */
  isMoreToCome?: (() => boolean) | undefined;
  /** Called after each change of `unconfirmed`. */
  notify: () => void;
}

interface Waiting {
  query: Query<unknown>;
  signal: AbortSignal;
  /** Whether it has waited for the length of another query. */
  hasWaited: boolean;
  pass: () => void;
  fail: (reason: unknown) => void;
}

interface LimitState extends BudgetOptions {
  /** Limit of unconfirmed requests. */
  limit: number;
  /** Unconfirmed requests of the loads under way. */
  spent: number;
  /** Hashes of announced queries of formulas that are entered anew again and again. */
  drifting: Set<string>;
  /** Their requests since the last confirmation. */
  drifted: number;
  /** Loads under way; at 0 `spent` starts anew. */
  underWay: number;
  burst: Waiting[];
  /** Queries that have come, announced or not. */
  came: number;
  /** Cache lookups under way. */
  announced: number;
  /** Announced queries of the burst that have not come to wait. */
  expected: number;
  /** Whether a burst is open. */
  isOpen: boolean;
  /** Queries that wait for the length of another one, by its hash. */
  behind: Map<string, Waiting[]>;
  unconfirmed: Unconfirmed[];
  /** Hashes of confirmed queries that have not loaded yet. */
  confirmed: Set<string>;
}

export function createBudget(options: BudgetOptions): Budget {
  const nothing = { spent: 0, drifted: 0, underWay: 0, came: 0, announced: 0, expected: 0, isOpen: false };
  const limit = Number.POSITIVE_INFINITY;
  const context: LimitState = {
    ...options,
    ...nothing,
    limit,
    burst: [],
    drifting: new Set(),
    behind: new Map(),
    unconfirmed: [],
    confirmed: new Set(),
  };
  const { confirmed, notify } = context;
  return {
    async run(query, { isPart, signal }, load) {
      const hash = toHash(query.key);
      context.underWay++;
      try {
        await null; // its subscribers are known after this
        if (context.drifting.delete(hash) && !confirmed.has(hash)) countDrift(context, query);
        if (!isPart() && !confirmed.has(hash)) await wait(context, query, signal);
        return await load(createExpect(context, query, hash));
      } finally {
        confirmed.delete(hash);
        release(context, hash);
        if (--context.underWay === 0) context.spent = 0;
      }
    },
    announce: () => announce(context),
    drift(queries) {
      for (const { key } of queries) context.drifting.add(toHash(key));
    },
    checkRefresh(queries) {
      const open = queries.filter(({ key }) => !confirmed.has(toHash(key)));
      const requests = context.count(open);
      context.unconfirmed = context.unconfirmed.filter(({ isRefresh }) => !isRefresh); // replaced by this one
      if (context.spent + requests <= context.limit) return null;
      return addUnconfirmed(context, open, requests, true);
    },
    unconfirmed: () => context.unconfirmed,
    confirm(unconfirmed) {
      for (const { keys } of unconfirmed) for (const key of keys) confirmed.add(toHash(key));
      context.drifted = 0;
      drop(context, unconfirmed);
      notify();
    },
    drop: (unconfirmed) => drop(context, unconfirmed),
    setLimit(requests) {
      context.limit = requests;
    },
    forget() {
      confirmed.clear();
      context.unconfirmed = [];
      notify();
    },
  };
}

function countDrift(context: LimitState, query: Query<unknown>): void {
  const requests = context.drifted + context.count([query]);
  if (requests > context.limit) throw addUnconfirmed(context, [query], requests, false);
  context.drifted = requests;
}

function announce(context: LimitState): () => void {
  context.announced++;
  context.expected++;
  context.came++;
  openBurst(context);
  return () => void context.announced--;
}

function drop(context: LimitState, unconfirmed: readonly Unconfirmed[]): void {
  context.unconfirmed = context.unconfirmed.filter((each) => !unconfirmed.includes(each));
}

function wait(context: LimitState, query: Query<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((pass, fail) => {
    context.burst.push({ query, signal, hasWaited: false, pass, fail });
    if (context.expected > 0)
      context.expected--; // counted by its announcement
    else context.came++;
    openBurst(context);
  });
}

/** Opens a burst, which also waits for cache lookups: their queries may follow. */
function openBurst(context: LimitState): void {
  const { ports, isMoreToCome = () => false } = context;
  if (context.isOpen) return;
  context.isOpen = true;
  const burst = { size: () => context.came, isMoreToCome: () => context.announced > 0 || isMoreToCome() };
  debounce(ports, burst, () => {
    context.isOpen = false;
    context.expected = 0;
    decide(context);
  });
}

/** Admits the kinds with the fewest requests first, so that figures show while a thousand records wait. */
function decide(context: LimitState): void {
  const { burst, count, limit } = context;
  context.burst = [];
  for (const { signal, fail } of burst) if (signal.aborted) fail(signal.reason);
  const kinds = toKinds(burst.filter(({ signal }) => !signal.aborted));
  const counted = kinds.map((waiting) => ({ waiting, requests: count(waiting.map(({ query }) => query)) }));
  counted.sort((one, other) => one.requests - other.requests);
  const held: Waiting[] = [];
  let missing = 0;
  for (const { waiting, requests } of counted) {
    if (context.spent + requests <= limit) {
      const first = holdBehindFirst(context, waiting);
      context.spent += first.length < waiting.length ? count(first.map(({ query }) => query)) : requests;
      for (const { pass } of first) pass();
    } else {
      missing += requests;
      held.push(...waiting);
    }
  }
  if (held.length === 0) return;
  const queries = held.map(({ query }) => query);
  const error = addUnconfirmed(context, queries, missing, false);
  for (const { fail } of held) fail(error);
}

/** Holds queries behind the first one that shows how long they are; gives those that may go. */
function holdBehindFirst({ behind, awaitsLength = () => false }: LimitState, waiting: readonly Waiting[]) {
  const [first, ...others] = waiting.filter(({ query, hasWaited }) => !hasWaited && awaitsLength(query));
  if (first === undefined || others.length === 0) return waiting;
  behind.set(toHash(first.query.key), others);
  return waiting.filter((each) => !others.includes(each));
}

/** Lets those that waited for the length of a query be counted, also where it failed. */
function release(context: LimitState, hash: string): void {
  const others = context.behind.get(hash);
  if (others === undefined) return;
  context.behind.delete(hash);
  for (const each of others) context.burst.push({ ...each, hasWaited: true });
  context.came += others.length;
  openBurst(context);
}

function toKinds(burst: readonly Waiting[]): Waiting[][] {
  const kinds = new Map<unknown, Waiting[]>();
  for (const waiting of burst) {
    const kind = waiting.query.key[0];
    const known = kinds.get(kind);
    if (known === undefined) kinds.set(kind, [waiting]);
    else known.push(waiting);
  }
  return [...kinds.values()];
}

/** Makes a query's `expect`: a list's length shows with its pages, and its additional requests are counted then. */
function createExpect(context: LimitState, query: Query<unknown>, hash: string): (requests: number) => void {
  let allowed = context.awaitsLength?.(query) ? 1 : null; // else counted on demand: most queries are no lists
  return (requests) => {
    release(context, hash);
    allowed ??= context.count([query]);
    const more = requests - allowed;
    if (more <= 0 || context.confirmed.has(hash)) return;
    if (context.spent + more > context.limit) throw addUnconfirmed(context, [query], requests, false);
    context.spent += more;
    allowed = requests;
  };
}

function addUnconfirmed(
  context: LimitState,
  queries: readonly Query<unknown>[],
  requests: number,
  isRefresh: boolean,
): NoValueError {
  const text = msg`this takes about ${requests} requests; confirm in the FEED pane`;
  const error = new NoValueError("FEED_CONFIRM_NEEDED", text);
  const keys = queries.map(({ key }) => key);
  context.unconfirmed = [...context.unconfirmed, { error, requests, keys, isRefresh }];
  context.notify();
  return error;
}

/** A burst ends after this time without a query, if none is known to follow. */
const WINDOW_MS = 4;

/**
 * Maximum length of a burst, as while a host hands over a large workbook on a busy machine. A burst cut in two costs
 * more requests than the wait.
 */
const LONGEST_WINDOW_MS = 10_000;

interface Burst {
  /** Queries so far. */
  size: () => number;
  /** Whether others are known to follow. */
  isMoreToCome: () => boolean;
}

/**
 * Waits for the end of a burst of queries: a host's message of 14,000 cells is one burst.
 *
 * @param close called once, at the end
 */
export function debounce(
  { nowMs, after }: Pick<Ports, "nowMs" | "after">,
  { size, isMoreToCome }: Burst,
  close: () => void,
): void {
  const closesAtMs = nowMs() + LONGEST_WINDOW_MS;
  const wait = (seen: number) =>
    after(WINDOW_MS, () => {
      if ((size() === seen && !isMoreToCome()) || nowMs() >= closesAtMs) close();
      else wait(size());
    });
  wait(size());
}
