import { FeedError } from "../feed/errors";
import type { Feed } from "../feed/feed";
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
  /** Goes on with what waits. */
  confirm(): void;
  /** Leaves it as it is, until somebody asks for more. */
  decline(): void;
  /** Puts it to the person again. */
  ask(): void;
}

export interface ConfirmingOptions {
  feed: Pick<Feed, "budget" | "watch">;
  guard: ProviderGuard;
  refresh: Refreshing["refresh"];
  /** Is called when something has been confirmed or declined. */
  tell: () => void;
}

interface Context extends ConfirmingOptions {
  /** What the person has declined, by its errors; null where that is nothing. */
  declined: ReadonlySet<unknown> | null;
  last: Waiting | null;
}

export function createConfirming(options: ConfirmingOptions): Confirming {
  const { tell } = options;
  const context: Context = { ...options, declined: null, last: null };
  const change = (declined: Context["declined"]) => {
    context.declined = declined;
    tell();
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

function toWaiting({ feed, guard, declined }: Context): Waiting | null {
  const [from, to] = [guard.own(), guard.refused()];
  if (from !== null && to !== null) return { reason: "provider", from, to, isDeclined: declined !== null };
  const all = feed.budget.refusals();
  if (all.length === 0) return null;
  const shown = new Set(listErrors(feed).map(({ error }) => error));
  const open = all.filter(({ error, isRefresh }) => isRefresh || shown.has(error));
  const requests = open.reduce((sum, each) => sum + each.requests, 0);
  // A refresh that comes by itself every few minutes is put to the person once.
  const isDeclined = open.every(({ error, isRefresh }) => isRefresh || declined?.has(error)) && declined !== null;
  return open.length === 0 ? null : { reason: "requests", requests, isDeclined };
}

/** What is live and not asked for want of a word. */
const listErrors = ({ watch }: Context["feed"]) =>
  watch.live().flatMap(({ key, state }) => {
    const error = state.status === "pending" ? null : state.error;
    return error instanceof FeedError && error.code === "FEED_CONFIRM_NEEDED" ? [{ key, error }] : [];
  });

function confirm({ feed, guard, refresh }: Context): void {
  const { budget, watch } = feed;
  if (guard.refused() !== null) {
    guard.adopt();
    watch.retryFailed(["FEED_CONFIRM_NEEDED"]);
    return;
  }
  // What waits for a refused question failed with it, and is what asks it again.
  const keys = [...budget.refusals().flatMap((refusal) => refusal.keys), ...listErrors(feed).map(({ key }) => key)];
  budget.confirm();
  void refresh(keys);
}
