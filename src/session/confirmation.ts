import { FeedError, hasCode } from "../client/errors";
import type { Ports } from "../client/ports";
import type { Refusal } from "../feed/budget";
import type { Feed } from "../feed/feed";
import type { Query } from "../feed/query-cache";
import type { Call, Calls } from "./calls";
import type { Refreshing } from "./refreshing";
import type { Settings } from "./settings";

/** What cells wait for that only a person can say. */
export type Waiting =
  /** Requests, about as many, above the limit. */
  | { reason: "requests"; requests: number; isDeclined: boolean }
  /** Figures of another provider than those that the workbook has shown. */
  | { reason: "provider"; from: string; to: string; isDeclined: boolean };

/** Keeps from the cells what a person has not confirmed. */
export interface Confirmation {
  /** Null where nothing waits; the same object for as long as it says the same. */
  waiting(): Waiting | null;
  /** Goes on with what {@link Confirmation.waiting} has told last: what came since is put to the person first. */
  confirm(): void;
  /** Leaves it as it is, until somebody asks for more. */
  decline(): void;
  /** Puts it to the person again. */
  present(): void;
}

interface ConfirmationOptions {
  feed: Pick<Feed, "budget" | "queryCache">;
  guard: ProviderGuard;
  refresh: Refreshing["refresh"];
  /** Is called when something has been confirmed or declined. */
  notify: () => void;
}

interface Context extends ConfirmationOptions {
  /** What the person has declined, by its errors; null where that is nothing. */
  declined: ReadonlySet<unknown> | null;
  last: Waiting | null;
  /** What the person was told of. */
  presented: readonly Refusal[];
}

export function createConfirmation(options: ConfirmationOptions): Confirmation {
  const { notify } = options;
  const context: Context = { ...options, declined: null, last: null, presented: [] };
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
    present: () => change(null),
  };
}

function toWaiting(context: Context): Waiting | null {
  const { feed, guard, declined } = context;
  const [from, to] = [guard.own(), guard.refused()];
  if (from !== null && to !== null) return { reason: "provider", from, to, isDeclined: declined !== null };
  const open = listOpen(feed);
  context.presented = open;
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

function confirm({ feed, guard, refresh, presented: told }: Context): void {
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

/** Keeps a workbook from showing figures of two providers as if they were one's. */
interface ProviderGuard {
  /** Whose figures the workbook shows; null as long as it shows none. */
  own(): string | null;
  /** Notes a provider that queries were refused for. */
  refuse(provider: string): void;
  /** The provider that was refused; null where none was. */
  refused(): string | null;
  /** Makes the refused one the workbook's own. */
  adopt(): void;
  /** Goes on after settings or connection have changed. */
  follow(): void;
}

/** Settings as the session has them. */
interface PersistedSettings {
  current(): Settings;
  /** Whether it is known what the workbook keeps. */
  isAdopted(): boolean;
  change(changed: Partial<Settings>): void;
}

interface GuardOptions {
  ports: Pick<Ports, "after">;
  settings: PersistedSettings;
  calls: Calls;
  /** The provider that is asked now; null while that is not known. */
  provider: () => string | null;
  /** Has everything asked anew. */
  reset: () => void;
  notify: () => void;
}

/** Formulas say something new thousands of times at once, and are looked through once. */
const LOOK_AFTER_MS = 250;

export function createProviderGuard(options: GuardOptions): ProviderGuard {
  const { settings, calls, provider, reset, notify } = options;
  let refused: string | null = null;
  let isForeign = false;
  const own = () => settings.current().provider;
  const remember = createMemory(options);
  calls.onChange(remember);
  return {
    own,
    refuse(provider) {
      const isNew = refused !== provider;
      refused = provider;
      if (isNew) notify();
    },
    refused: () => refused,
    adopt() {
      const adopted = refused;
      refused = null;
      settings.change({ provider: adopted });
    },
    follow() {
      remember();
      const [persisted, current] = [own(), provider()];
      const wasForeign = isForeign;
      isForeign = persisted !== null && current !== null && persisted !== current;
      if (current !== null && !isForeign) refused = null;
      if (isForeign && !wasForeign) reset(); // cells may run before it is known what the workbook keeps
    },
  };
}

/** Makes the provider of the first figures the workbook's own. */
function createMemory({ ports, settings, calls, provider }: GuardOptions): () => void {
  let isDue = false;
  return () => {
    if (isDue || !settings.isAdopted() || settings.current().provider !== null || provider() === null) return;
    isDue = true;
    ports.after(LOOK_AFTER_MS, () => {
      isDue = false;
      if (settings.current().provider === null && calls.list().some(isShown)) settings.change({ provider: provider() });
    });
  };
}

const isShown = ({ queries, shown }: Call): boolean => queries.length > 0 && Array.isArray(shown);
