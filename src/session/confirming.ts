import { FeedError, hasCode } from "../client/errors";
import type { Refusal } from "../feed/budget";
import type { Feed } from "../feed/feed";
import type { Query } from "../feed/query-cache";
import type { ProviderGuard } from "./provider-guard";
import type { Refreshing } from "./refreshing";

/** What cells wait for that only a person can say. */
export type Waiting =
  /** Requests, about as many, above the limit. */
  | { reason: "requests"; requests: number; isDeclined: boolean }
  /** Figures of another provider than those that the workbook has shown. */
  | { reason: "provider"; from: string; to: string; isDeclined: boolean };

/** Keeps from the cells what a person has not confirmed. */
export interface Confirming {
  /** Null where nothing waits; the same object for as long as it says the same. */
  waiting(): Waiting | null;
  /** Goes on with what {@link Confirming.waiting} has told last: what came since is put to the person first. */
  confirm(): void;
  /** Leaves it as it is, until somebody asks for more. */
  decline(): void;
  /** Puts it to the person again. */
  ask(): void;
}

interface ConfirmingOptions {
  feed: Pick<Feed, "budget" | "queryCache">;
  guard: ProviderGuard;
  refresh: Refreshing["refresh"];
  /** Is called when something has been confirmed or declined. */
  notify: () => void;
}

interface Context extends ConfirmingOptions {
  /** What the person has declined, by its errors; null where that is nothing. */
  declined: ReadonlySet<unknown> | null;
  last: Waiting | null;
  /** What the person was told of. */
  told: readonly Refusal[];
}

export function createConfirming(options: ConfirmingOptions): Confirming {
  const { notify } = options;
  const context: Context = { ...options, declined: null, last: null, told: [] };
  const change = (declined: Context["declined"]) => {
    context.declined = declined;
    notify();
  };
  return {
    waiting() {
      const now = toWaiting(context);
      if (JSON.stringify(now) !== JSON.stringify(context.last)) context.last = now;
      return context.last;
    },
    confirm() {
      confirm(context);
      change(null);
    },
    decline: () => change(new Set(options.feed.budget.refusals().map(({ error }) => error))),
    ask: () => change(null),
  };
}

function toWaiting(context: Context): Waiting | null {
  const { feed, guard, declined } = context;
  const [from, to] = [guard.own(), guard.refused()];
  if (from !== null && to !== null) return { reason: "provider", from, to, isDeclined: declined !== null };
  const open = listOpen(feed);
  context.told = open;
  const requests = open.reduce((sum, each) => sum + each.requests, 0);
  // A refresh that comes by itself every few minutes is put to the person once.
  const isDeclined = open.every(({ error, isRefresh }) => isRefresh || declined?.has(error)) && declined !== null;
  return open.length === 0 ? null : { reason: "requests", requests, isDeclined };
}

/** What cells wait for, or a refresh does; what nobody watches any more is forgotten. */
function listOpen(feed: Context["feed"]): readonly Refusal[] {
  const { budget, queryCache } = feed;
  if (budget.refusals().length === 0) return [];
  const shown = new Set<unknown>(listErrors(feed).map(({ error }) => error));
  const isWatched = (key: readonly unknown[]) => queryCache.find({ key } as Query<unknown>) !== null;
  budget.drop(budget.refusals().filter(({ error, keys }) => !shown.has(error) && !keys.some(isWatched)));
  return budget.refusals().filter(({ error, isRefresh }) => isRefresh || shown.has(error));
}

/** What is live and not asked for want of a word. */
const listErrors = ({ queryCache }: Context["feed"]) =>
  queryCache.live().flatMap(({ key, state }) => {
    const error = state.status === "pending" ? null : state.error;
    return error instanceof FeedError && error.code === "FEED_CONFIRM_NEEDED" ? [{ key, error }] : [];
  });

function confirm({ feed, guard, refresh, told }: Context): void {
  const { budget, queryCache } = feed;
  if (guard.refused() !== null) {
    guard.adopt();
    void queryCache.retryFailed(hasCode("FEED_CONFIRM_NEEDED"));
    return;
  }
  // What waits for a refused query failed with it, and is what asks it again.
  const errors = new Set<unknown>(told.map(({ error }) => error));
  const waiting = listErrors(feed).filter(({ error }) => errors.has(error));
  budget.confirm(told);
  void refresh([...told.flatMap(({ keys }) => keys), ...waiting.map(({ key }) => key)]);
}
