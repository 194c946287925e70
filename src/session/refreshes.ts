import type { Ports } from "../client/ports";
import { FAMILIES, type Family } from "../contract/constants";
import type { Query, Refreshed, ToMaxAge } from "../feed/query-cache";
import type { Call, Calls } from "./calls";
import type { Connecting, SessionState } from "./connecting";
import { createConnectivity, createRecovering } from "./recovering";
import { createRefreshing, type Refreshing } from "./refreshing";
import { createReopening } from "./reopening";
import { createSchedule } from "./schedule";
import { createFreshness, type Settings } from "./settings";

interface RefreshesOptions {
  ports: Ports;
  connecting: Connecting;
  calls: Calls;
  settings: {
    current(): Settings;
    /** Whether the workbook's settings have been read. */
    isAdopted(): boolean;
  };
  /** Rereads the formulas that depend on today. */
  reread: () => void;
  notify: () => void;
}

/** Makes all refreshes: on demand, at the opening of a workbook, after an outage, and by schedule. */
export function createRefreshes({ ports, connecting, calls, settings, reread, notify }: RefreshesOptions) {
  const { feed, state } = connecting;
  const { families, queryCache } = feed;
  const connectivity = createConnectivity({ ports, connecting, queryCache, tryNow: families.tryNow, notify });
  const refreshing = createRefreshing({ ports, queryCache: feed.queryCache, requests: feed.activity.requests, notify });
  const freshness = createFreshness(ports.nowMs, () => settings.current().refresh);
  const refreshCalls = (some: readonly Call[]) => refreshQueries(refreshing, some, () => true);
  const mayRequest = (...statuses: SessionState["status"][]) =>
    connectivity.offlineSinceMs() === null && statuses.includes(state().status);
  const isShown = (query: Query<unknown>, asOfMs: number) => {
    const shown = feed.queryCache.find(query)?.state;
    return shown?.status === "answered" && shown.answer.asOfMs === asOfMs;
  };
  const reopening = createReopening({
    ports,
    isDue: (query, asOfMs) => isShown(query, asOfMs) && freshness.isDue(query, asOfMs),
    isReady: () => settings.isAdopted() && mayRequest("connected"),
    refresh: (keys) => refreshing.refresh(keys, freshness.toMaxAgeMs),
  });
  const recovering = createRecovering({
    ports,
    families,
    queryCache,
    mayRequest: () => mayRequest("connected", "failed"),
    notify,
  });
  families.onChange(notify);
  feed.activity.onChange(recovering.follow);
  const schedule = createSchedule({
    ports,
    everyMs: freshness.everyMs,
    // A refresh connects after a failure, but not without a network.
    isFree: () => refreshing.state().running === null && mayRequest("connected", "failed"),
    async refresh(families, isDue) {
      const toMaxAgeMs = isDue ? freshness.toMaxAgeMs : undefined;
      if (families.length < FAMILIES.length) return refreshFamilies(refreshing, calls, families, toMaxAgeMs);
      reread();
      return refreshing.refresh(undefined, toMaxAgeMs);
    },
    notify,
  });
  return { refreshing, refreshCalls, reopening, schedule, connectivity, recovering, freshness };
}

function refreshFamilies(
  refreshing: Pick<Refreshing, "refresh">,
  calls: Calls,
  families: readonly Family[],
  toMaxAgeMs: ToMaxAge | undefined,
): Promise<Refreshed> {
  const isOne = ({ persistence }: Query<unknown>) => persistence !== undefined && families.includes(persistence.family);
  const some = calls.list().filter(({ queries }) => queries.some(isOne));
  return refreshQueries(refreshing, some, isOne, toMaxAgeMs);
}

function refreshQueries(
  { refresh }: Pick<Refreshing, "refresh">,
  calls: readonly Call[],
  isWanted: (query: Query<unknown>) => boolean,
  toMaxAgeMs?: ToMaxAge,
): Promise<Refreshed> {
  for (const call of calls) call.reread();
  return refresh(
    calls.flatMap(({ queries }) => queries.filter(isWanted).map(({ key }) => key)),
    toMaxAgeMs,
  );
}
