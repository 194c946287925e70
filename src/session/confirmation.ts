import { FeedError, hasCode } from "../client/errors";
import type { Ports } from "../client/ports";
import type { Unconfirmed } from "../feed/budget";
import type { Feed } from "../feed/feed";
import type { Query } from "../feed/query-cache";
import type { Call, Calls } from "./calls";
import type { Refreshing } from "./refreshing";
import type { Settings } from "./settings";

/** A question that cells wait for, which only a person can answer. */
export type Waiting =
  /** Requests above the limit, about as many. */
  | { reason: "requests"; requests: number; isDeclined: boolean }
  /** Figures of another provider than the workbook's. */
  | { reason: "provider"; from: string; to: string; isDeclined: boolean };

/** The confirmation of requests by a person. */
export interface Confirmation {
  /** Null where nothing waits; the same object while nothing changes. */
  waiting(): Waiting | null;
  /** Confirms the last result of {@link Confirmation.waiting}; later queries need another confirmation. */
  confirm(): void;
  /** Declines it, until there are further queries. */
  decline(): void;
  /** Presents it again. */
  present(): void;
}

interface ConfirmationOptions {
  feed: Pick<Feed, "budget" | "queryCache">;
  guard: ReturnType<typeof createProviderGuard>;
  refresh: Refreshing["refresh"];
  /** Called after each answer of the person. */
  notify: () => void;
}

interface ConfirmationState extends ConfirmationOptions {
  /** Errors of the declined queries; null where none was declined. */
  declined: ReadonlySet<unknown> | null;
  last: Waiting | null;
  /** The unconfirmed queries that the pane shows. */
  presented: readonly Unconfirmed[];
}

export function createConfirmation(options: ConfirmationOptions): Confirmation {
  const { notify } = options;
  const context: ConfirmationState = { ...options, declined: null, last: null, presented: [] };
  const change = (declined: ConfirmationState["declined"]) => {
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
    decline: () => change(new Set(options.feed.budget.unconfirmed().map(({ error }) => error))),
    present: () => change(null),
  };
}

function toWaiting(context: ConfirmationState): Waiting | null {
  const { feed, guard, declined } = context;
  const [from, to] = [guard.own(), guard.refused()];
  if (from !== null && to !== null) return { reason: "provider", from, to, isDeclined: declined !== null };
  const open = listOpen(feed);
  context.presented = open;
  const requests = open.reduce((sum, each) => sum + each.requests, 0);
  // An automatic refresh, every few minutes, is presented once.
  const isDeclined = open.every(({ error, isRefresh }) => isRefresh || declined?.has(error)) && declined !== null;
  return open.length === 0 ? null : { reason: "requests", requests, isDeclined };
}

/** Lists the unconfirmed queries of cells and refreshes; forgets those without subscribers. */
function listOpen(feed: ConfirmationState["feed"]): readonly Unconfirmed[] {
  const { budget, queryCache } = feed;
  if (budget.unconfirmed().length === 0) return [];
  const shown = new Set<unknown>(listErrors(feed).map(({ error }) => error));
  const isWatched = (key: readonly unknown[]) => queryCache.find({ key } as Query<unknown>) !== null;
  budget.drop(budget.unconfirmed().filter(({ error, keys }) => !shown.has(error) && !keys.some(isWatched)));
  return budget.unconfirmed().filter(({ error, isRefresh }) => isRefresh || shown.has(error));
}

/** Lists the live queries that wait for a confirmation. */
const listErrors = ({ queryCache }: ConfirmationState["feed"]) =>
  queryCache.live().flatMap(({ key, state }) => {
    const error = state.status === "pending" ? null : state.error;
    return error instanceof FeedError && error.code === "FEED_CONFIRM_NEEDED" ? [{ key, error }] : [];
  });

function confirm({ feed, guard, refresh, presented }: ConfirmationState): void {
  const { budget, queryCache } = feed;
  if (guard.refused() !== null) {
    guard.adopt();
    void queryCache.retryFailed(hasCode("FEED_CONFIRM_NEEDED"));
    return;
  }
  // A query fails with its unconfirmed part, and its refresh requests that part again.
  const errors = new Set<unknown>(presented.map(({ error }) => error));
  const waiting = listErrors(feed).filter(({ error }) => errors.has(error));
  budget.confirm(presented);
  void refresh([...presented.flatMap(({ keys }) => keys), ...waiting.map(({ key }) => key)]);
}

interface GuardOptions {
  ports: Pick<Ports, "after">;
  settings: {
    current(): Settings;
    /** Whether the workbook's settings have been read. */
    isAdopted(): boolean;
    change(changed: Partial<Settings>): void;
  };
  calls: Calls;
  /** The connected provider; null while unknown. */
  provider: () => string | null;
  /** Reloads all queries. */
  reset: () => void;
  notify: () => void;
}

/** Formulas change by thousands; this delay makes one check of them. */
const LOOK_AFTER_MS = 250;

/** Prevents figures of two providers in one workbook. */
export function createProviderGuard(options: GuardOptions) {
  const { settings, calls, provider, reset, notify } = options;
  let refused: string | null = null;
  let isForeign = false;
  const own = () => settings.current().provider;
  const remember = createProviderMemory(options);
  calls.onChange(remember);
  return {
    /** The provider of the workbook's figures; null while it has none. */
    own,
    /** Records a provider whose queries were refused. */
    refuse(provider: string): void {
      const isNew = refused !== provider;
      refused = provider;
      if (isNew) notify();
    },
    /** The refused provider; null where there is none. */
    refused: (): string | null => refused,
    /** Makes the refused provider the workbook's own. */
    adopt(): void {
      const adopted = refused;
      refused = null;
      settings.change({ provider: adopted });
    },
    /** Follows a change of settings or connection. */
    follow(): void {
      remember();
      const [persisted, current] = [own(), provider()];
      const wasForeign = isForeign;
      isForeign = persisted !== null && current !== null && persisted !== current;
      if (current !== null && !isForeign) refused = null;
      if (isForeign && !wasForeign) reset(); // cells may run before the workbook's settings have been read
    },
  };
}

/** Makes a function that stores the provider of the first figures as the workbook's own. */
function createProviderMemory({ ports, settings, calls, provider }: GuardOptions): () => void {
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
