import { FAMILIES, type Family } from "../feed/persistence-policy";
import type { Ports } from "../feed/ports";
import type { Question, Refreshed, ToMaxAge } from "../feed/query-cache";
import type { Call, Calls } from "./calls";
import type { Connecting, SessionState } from "./connecting";
import { createConnectivity } from "./connectivity";
import { createFreshness } from "./freshness";
import { createRecovering } from "./recovering";
import { createRefreshing, type Refreshing } from "./refreshing";
import { createReopening } from "./reopening";
import { createSchedule } from "./schedule";
import type { Settings } from "./settings";

export interface RefreshesOptions {
  ports: Ports;
  connecting: Connecting;
  calls: Calls;
  settings: {
    current(): Settings;
    /** Whether it is known what the workbook wants. */
    isAdopted(): boolean;
  };
  /** Has formulas read anew that depend on today. */
  reread: () => void;
  tell: () => void;
}

/** What asks again: on demand, when a workbook opens, when network or provider are back, and every so many minutes. */
export function createRefreshes({ ports, connecting, calls, settings, reread, tell }: RefreshesOptions) {
  const { feed, state } = connecting;
  const { families, watch } = feed;
  const connectivity = createConnectivity({ ports, connecting, watch, tryNow: families.tryNow, tell });
  const refreshing = createRefreshing({ ports, watch: feed.watch, requests: feed.activity.requests, tell });
  const freshness = createFreshness(ports.nowMs, () => settings.current().refresh);
  const refreshCalls = (some: readonly Call[]) => refreshQuestions(refreshing, some, () => true);
  const mayAsk = (...statuses: SessionState["status"][]) =>
    connectivity.offlineSinceMs() === null && statuses.includes(state().status);
  const isShown = (question: Question<unknown>, asOfMs: number) => {
    const shown = feed.watch.find(question)?.state;
    return shown?.status === "answered" && shown.answer.asOfMs === asOfMs;
  };
  const reopening = createReopening({
    ports,
    isDue: (question, asOfMs) => isShown(question, asOfMs) && freshness.isDue(question, asOfMs),
    isReady: () => settings.isAdopted() && mayAsk("connected"),
    refresh: (keys) => refreshing.refresh(keys, freshness.toMaxAgeMs),
  });
  const recovering = createRecovering({ ports, families, watch, mayAsk: () => mayAsk("connected", "failed"), tell });
  families.onChange(tell);
  feed.activity.onChange(recovering.follow);
  const schedule = createSchedule({
    ports,
    everyMs: freshness.everyMs,
    // A refresh connects after a failure, but not without a network.
    isFree: () => refreshing.state().running === null && mayAsk("connected", "failed"),
    async refresh(families, isDue) {
      const toMaxAgeMs = isDue ? freshness.toMaxAgeMs : undefined;
      if (families.length < FAMILIES.length) return refreshFamilies(refreshing, calls, families, toMaxAgeMs);
      reread();
      return refreshing.refresh(undefined, toMaxAgeMs);
    },
    tell,
  });
  return { refreshing, refreshCalls, reopening, schedule, connectivity, recovering, freshness };
}

function refreshFamilies(
  refreshing: Pick<Refreshing, "refresh">,
  calls: Calls,
  families: readonly Family[],
  toMaxAgeMs: ToMaxAge | undefined,
): Promise<Refreshed> {
  const isOne = ({ keeping }: Question<unknown>) => keeping !== undefined && families.includes(keeping.family);
  const some = calls.list().filter(({ questions }) => questions.some(isOne));
  return refreshQuestions(refreshing, some, isOne, toMaxAgeMs);
}

function refreshQuestions(
  { refresh }: Pick<Refreshing, "refresh">,
  calls: readonly Call[],
  isWanted: (question: Question<unknown>) => boolean,
  toMaxAgeMs?: ToMaxAge,
): Promise<Refreshed> {
  for (const call of calls) call.reread();
  return refresh(
    calls.flatMap(({ questions }) => questions.filter(isWanted).map(({ key }) => key)),
    toMaxAgeMs,
  );
}
