import type { Ports } from "../client/ports";
import { FAMILIES } from "../contract/constants";
import type { Query, ToMaxAge } from "../feed/query-cache";
import type { Call, Calls, PlacementSlot } from "./calls";
import type { Connecting, SessionState } from "./connecting";
import { createFreshness } from "./freshness";
import { createConnectivity, createRecovering } from "./recovering";
import { createRefreshing } from "./refreshing";
import { createSchedule } from "./schedule";
import type { Settings } from "./settings";

interface RefreshesOptions {
  ports: Ports;
  connecting: Connecting;
  calls: Calls;
  settings: {
    current(): Settings;
    /** Whether the workbook's settings have been read. */
    isAdopted(): boolean;
  };
  placement: PlacementSlot;
  /** Rereads the formulas that depend on today. */
  reread: () => void;
  notify: () => void;
}

type IsWanted = (query: Query<unknown>) => boolean | undefined;

/** Makes all refreshes: on demand, at the opening of a workbook, after an outage, and by schedule. */
export function createRefreshes(options: RefreshesOptions) {
  const { ports, connecting, calls, settings, placement, reread, notify } = options;
  const { feed, state } = connecting;
  const { families, queryCache } = feed;
  const connectivity = createConnectivity({ ports, connecting, queryCache, tryNow: families.tryNow, notify });
  const refreshing = createRefreshing({ ports, queryCache: feed.queryCache, requests: feed.activity.requests, notify });
  const freshness = createFreshness(ports.nowMs, () => settings.current().refresh);
  const refreshCalls = (some: readonly Call[], toMaxAgeMs?: ToMaxAge, isWanted: IsWanted = () => true) => {
    for (const call of some) call.reread();
    const keys = some.flatMap(({ queries }) => queries.filter(isWanted).map(toKey));
    return refreshing.refresh(keys, toMaxAgeMs);
  };
  const hasOwnSchedules = () => settings.current().sheets.some(({ schedule }) => schedule);
  const mayFollowPolicies = () => placement.current !== null || !hasOwnSchedules();
  const mayRequest = (...statuses: SessionState["status"][]) =>
    connectivity.offlineSinceMs() === null && statuses.includes(state().status);
  const isShown = (query: Query<unknown>, asOfMs: number) => {
    const shown = feed.queryCache.find(query)?.state;
    return shown?.status === "answered" && shown.answer.asOfMs === asOfMs;
  };
  const reopening = createReopening({
    ports,
    isDue: (query, asOfMs) => isShown(query, asOfMs) && freshness.isDue(query, asOfMs),
    isReady: () => settings.isAdopted() && mayFollowPolicies() && mayRequest("connected"),
    async refresh(queries) {
      const some = (hasOwnSchedules() && (await placement.current?.leaveQueries(queries))) || queries;
      return refreshing.refresh(some.map(toKey), freshness.toMaxAgeMs);
    },
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
    isFree: () => refreshing.state().running === null && mayFollowPolicies() && mayRequest("connected", "failed"),
    async refresh(families, isDue) {
      const isAll = families.length === FAMILIES.length;
      const hasOwn = isDue && hasOwnSchedules();
      const toMaxAgeMs = isDue ? freshness.toMaxAgeMs : undefined;
      if (isAll && !hasOwn) {
        reread();
        return refreshing.refresh(undefined, toMaxAgeMs);
      }
      const isOne: IsWanted = ({ persistence }) => isAll || (persistence && families.includes(persistence.family));
      const some = calls.list().filter(({ queries }) => queries.some(isOne));
      const common = (hasOwn && (await placement.current?.leaveCalls(some))) || some;
      return refreshCalls(common, toMaxAgeMs, isOne);
    },
    notify,
  });
  return { refreshing, refreshCalls, reopening, schedule, connectivity, recovering, freshness };
}

const toKey = ({ key }: Query<unknown>) => key;

interface ReopeningOptions {
  ports: Pick<Ports, "after">;
  /** Whether an answer of this age must be refetched. */
  isDue: (query: Query<unknown>, asOfMs: number) => boolean;
  /** Whether there is a connection, and the workbook's settings have been read. */
  isReady: () => boolean;
  refresh: (queries: readonly Query<unknown>[]) => Promise<unknown>;
}

/** The cells of a workbook come together, and make one refresh. */
const WAIT_MS = 250;

/** Refetches persisted answers that are too old, when a workbook opens. */
function createReopening({ ports, isDue, isReady, refresh }: ReopeningOptions) {
  let recorded: { query: Query<unknown>; asOfMs: number }[] = [];
  let callOff: (() => void) | null = null;
  const follow = () => {
    if (recorded.length === 0 || callOff !== null || !isReady()) return;
    callOff = ports.after(WAIT_MS, () => {
      callOff = null;
      if (!isReady()) return;
      const due = recorded.filter(({ query, asOfMs }) => isDue(query, asOfMs));
      recorded = [];
      if (due.length > 0) void refresh(due.map(({ query }) => query));
    });
  };
  return {
    /** Records a query that a persisted answer served. */
    record(query: Query<unknown>, asOfMs: number): void {
      recorded.push({ query, asOfMs });
      callOff?.();
      callOff = null;
      follow();
    },
    /** Begins once it is ready. */
    follow,
  };
}
