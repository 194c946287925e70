import { NoValueError } from "../client/errors";
import type { Ports } from "../client/ports";
import { toHash } from "./query-cache/sources";
import type { LoadContext, Query } from "./query-cache/types";

/** What was not asked because it takes too many requests. */
export interface Refusal {
  /** What the queries failed with, all of them with this one object. */
  readonly error: NoValueError;
  /** How many requests they take, about. */
  readonly requests: number;
  readonly keys: readonly (readonly unknown[])[];
  /** Whether they were to be asked again, and keep their answers of before. */
  readonly isRefresh: boolean;
}

/** Sends nothing above a number of requests before a person has said so. */
export interface Budget {
  /**
   * Lets a query load, together with those that come within a few milliseconds, where all that is under way stays
   * within the limit; else none of its kind.
   *
   * @param isPart tells whether it is loaded for another query, which has paid for it
   * @throws NoValueError (FEED_CONFIRM_NEEDED)
   */
  run<T>(
    query: Query<T>,
    by: { isPart: () => boolean; signal: AbortSignal },
    load: (expect: LoadContext<T>["expect"]) => Promise<T>,
  ): Promise<T>;
  /** Says that a query may be about to be let load; the function says that it is known by now whether it is. */
  announce(): () => void;
  /** Why these cannot all be asked again without a person's word; null where they can. */
  refuse(queries: readonly Query<unknown>[]): NoValueError | null;
  /** What waits for a person's word. */
  refusals(): readonly Refusal[];
  /** Lets these through, when they are asked next. */
  confirm(refusals: readonly Refusal[]): void;
  /** Forgets these, whose answers nobody wants any more. */
  drop(refusals: readonly Refusal[]): void;
  /** Sets how many requests are sent without being confirmed, 1 or more; any number before that. */
  setLimit(requests: number): void;
  forget(): void;
}

export interface BudgetOptions {
  ports: Pick<Ports, "nowMs" | "after">;
  /** About how many requests these queries take together. */
  count: (queries: readonly Query<unknown>[]) => number;
  /** Whether queries are about to come of which nothing is known yet; default no. */
  isMoreToCome?: (() => boolean) | undefined;
  /** Is called when there is something to confirm, and when there is nothing any more. */
  notify: () => void;
}

export const NO_BUDGET: Budget = {
  run: (_query, _by, load) => load(() => {}),
  announce: () => () => {},
  refuse: () => null,
  refusals: () => [],
  confirm: () => {},
  drop: () => {},
  setLimit: () => {},
  forget: () => {},
};

interface Waiting {
  query: Query<unknown>;
  signal: AbortSignal;
  pass: () => void;
  fail: (reason: unknown) => void;
}

interface Context extends BudgetOptions {
  /** Requests that are sent without being confirmed. */
  limit: number;
  /** Requests of what is under way, confirmed ones left out. */
  spent: number;
  /** Loads that are under way; when there are none, the count starts anew. */
  underWay: number;
  burst: Waiting[];
  /** How many queries have come; of how many it is not known yet whether they will wait; who of them has not waited. */
  came: number;
  announced: number;
  expected: number;
  /** Whether those that come now are counted together. */
  isOpen: boolean;
  refusals: Refusal[];
  /** Hashes of queries that a person has let through and that are not loaded yet. */
  confirmed: Set<string>;
}

export function createBudget(options: BudgetOptions): Budget {
  const nothing = { spent: 0, underWay: 0, came: 0, announced: 0, expected: 0, isOpen: false };
  const limit = Number.POSITIVE_INFINITY;
  const context: Context = { ...options, ...nothing, limit, burst: [], refusals: [], confirmed: new Set() };
  const { confirmed, notify } = context;
  return {
    async run(query, { isPart, signal }, load) {
      const hash = toHash(query.key);
      context.underWay++;
      try {
        await null; // whoever waits for it has said so by now
        if (!isPart() && !confirmed.has(hash)) await wait(context, query as Query<unknown>, signal);
        return await load(createExpect(context, query as Query<unknown>));
      } finally {
        confirmed.delete(hash);
        if (--context.underWay === 0) context.spent = 0;
      }
    },
    announce: () => announce(context),
    refuse(queries) {
      const open = queries.filter(({ key }) => !confirmed.has(toHash(key)));
      const requests = context.count(open);
      context.refusals = context.refusals.filter(({ isRefresh }) => !isRefresh); // this one takes its place
      if (context.spent + requests <= context.limit) return null;
      return refuse(context, open, requests, true);
    },
    refusals: () => context.refusals,
    confirm(refusals) {
      for (const { keys } of refusals) for (const key of keys) confirmed.add(toHash(key));
      drop(context, refusals);
      notify();
    },
    drop: (refusals) => drop(context, refusals),
    setLimit(requests) {
      context.limit = requests;
    },
    forget() {
      confirmed.clear();
      context.refusals = [];
      notify();
    },
  };
}

function announce(context: Context): () => void {
  context.announced++;
  context.expected++;
  context.came++;
  openBurst(context);
  return () => void context.announced--;
}

function drop(context: Context, refusals: readonly Refusal[]): void {
  context.refusals = context.refusals.filter((refusal) => !refusals.includes(refusal));
}

function wait(context: Context, query: Query<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((pass, fail) => {
    context.burst.push({ query, signal, pass, fail });
    if (context.expected > 0)
      context.expected--; // it has come already
    else context.came++;
    openBurst(context);
  });
}

/** Whatever comes keeps the burst open: a query is looked up in what is kept before it waits here. */
function openBurst(context: Context): void {
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

/** The kinds that take the fewest requests go first, so that figures show while a thousand records wait. */
function decide(context: Context): void {
  const { burst, count, limit } = context;
  context.burst = [];
  for (const { signal, fail } of burst) if (signal.aborted) fail(signal.reason);
  const kinds = toKinds(burst.filter(({ signal }) => !signal.aborted));
  const counted = kinds.map((waiting) => ({ waiting, requests: count(waiting.map(({ query }) => query)) }));
  counted.sort((one, other) => one.requests - other.requests);
  const refused: Waiting[] = [];
  let missing = 0;
  for (const { waiting, requests } of counted) {
    if (context.spent + requests <= limit) {
      context.spent += requests;
      for (const { pass } of waiting) pass();
    } else {
      missing += requests;
      refused.push(...waiting);
    }
  }
  if (refused.length === 0) return;
  const queries = refused.map(({ query }) => query);
  const error = refuse(context, queries, missing, false);
  for (const { fail } of refused) fail(error);
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

/** How long a list is shows with its pages: what it takes beyond what it has been let through for is counted then. */
function createExpect(context: Context, query: Query<unknown>): (requests: number) => void {
  let allowed: number | null = null; // most queries are no lists and never get here
  return (requests) => {
    allowed ??= context.count([query]);
    const more = requests - allowed;
    if (more <= 0 || context.confirmed.has(toHash(query.key))) return;
    if (context.spent + more > context.limit) throw refuse(context, [query], requests, false);
    context.spent += more;
    allowed = requests;
  };
}

function refuse(
  context: Context,
  queries: readonly Query<unknown>[],
  requests: number,
  isRefresh: boolean,
): NoValueError {
  const text = `this takes about ${requests} requests; confirm in the FEED pane`;
  const error = new NoValueError("FEED_CONFIRM_NEEDED", text);
  const keys = queries.map(({ key }) => key);
  context.refusals = [...context.refusals, { error, requests, keys, isRefresh }];
  context.notify();
  return error;
}

/** A window closes when no query came for this long, and none is known to follow. */
const WINDOW_MS = 4;

/**
 * Where queries keep coming, as while a host hands over a large workbook on a busy machine, the window is held open
 * for this long at most: cut in two, a burst costs more requests than the wait.
 */
const LONGEST_WINDOW_MS = 10_000;

/** Queries that come together. */
interface Burst {
  /** How many have come so far. */
  size: () => number;
  /** Whether others are known to follow. */
  isMoreToCome: () => boolean;
}

/**
 * Opens a window for queries that come together: a host's message of 14,000 cells is one burst.
 *
 * @param close is called once, when no more of them come
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
