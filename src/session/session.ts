import type { Families } from "../client/http/families";
import { toOwner, toProvider } from "../client/owner";
import type { Ports } from "../client/ports";
import { createSubscribers } from "../client/subscribers";
import { createFeed, type FeedEvent } from "../feed/feed";
import type { Refreshed, ToMaxAge } from "../feed/query-cache";
import { createWaits, type Waits } from "../feed/waits";
import {
  type Call,
  type Calls,
  type Changes,
  createCalls,
  createChanges,
  createFormulas,
  type Formulas,
  type Placement,
  type PlacementSlot,
} from "./calls";
import { type Confirmation, createConfirmation, createProviderGuard } from "./confirmation";
import { type Connecting, createConnecting, type SessionState } from "./connecting";
import { createDrifts, type Drifts } from "./drifts";
import type { Freshness } from "./freshness";
import type { Connectivity } from "./recovering";
import { createRefreshes } from "./refreshes";
import type { Refreshing } from "./refreshing";
import type { Schedule } from "./schedule";
import { createScheduler, type Scheduler } from "./scheduler";
import { DEFAULT_SETTINGS, FORMULA_SETTINGS, type Settings } from "./settings";

/** The objects that pane and cells of one shared runtime share. */
export interface Session extends Connecting {
  readonly ports: Ports;
  /** Origin of the companion. */
  readonly companionUrl: string;
  /** The live formulas of cells. */
  calls: Calls;
  drifts: Drifts;
  /** Runs the formulas' tasks. */
  scheduler: Scheduler;
  /** Cells without a value yet. */
  waits: Waits;
  /** All formulas, to run without a cell. */
  formulas: Formulas;
  readonly settings: Settings;
  /** Changes settings; the affected live formulas are reread, and load only new queries. */
  change(settings: Partial<Settings>): void;
  /** Sets the workbook's own settings; before that nothing is refreshed automatically. */
  adopt(persisted: Partial<Settings>): void;
  /** Begin of the outage that the browser reports, unless a later connection disproves it; null while there is none. */
  offlineSinceMs: Connectivity["offlineSinceMs"];
  /** The families with an open circuit breaker or failed queries, and an immediate probe of them. */
  pauses: { list: Families["list"]; tryNow: Families["tryNow"] };
  /** The scheduled refresh. */
  schedule: Pick<Schedule, "nextAtMs">;
  /** Whether an answer is older than the settings allow. */
  isStale: Freshness["isStale"];
  /** The time until which an answer counts as fresh, by the settings. */
  freshUntilMs: Freshness["freshUntilMs"];
  /** Calls `listener` after each change of state, network, journey, settings or schedule. */
  subscribe(listener: () => void): () => void;
  /**
   * Refetches live queries, or joins the refresh under way. Formulas with relative dates are reread first.
   *
   * @param calls formulas of the queries; default all
   */
  refresh(calls?: readonly Call[]): Promise<Refreshed>;
  /**
   * Refetches the queries of formulas by a schedule: nothing is presented to a person again, and a family's pause goes on.
   *
   * @param toMaxAgeMs maximum age of the companion's answers
   */
  refreshDue(calls: readonly Call[], toMaxAgeMs: ToMaxAge): Promise<Refreshed>;
  /** Where the live formulas stand. */
  readonly placement: PlacementSlot;
  /** Gives the session the placement, for which the workbook's policies wait if sheets have schedules of their own. */
  place(placement: Placement): void;
  /** The refresh under way, and the last one. */
  refreshing: Pick<Refreshing, "state" | "cancel">;
  /** The confirmation of many requests, or of another provider. */
  confirmation: Confirmation;
  /** The changes of cells by the last refresh. */
  changes: Pick<Changes, "state" | "each" | "onChange">;
  /** Restores the answers before the last refresh. */
  undoRefresh(): void;
  /** Calls `listener` when formulas that depend on today must be reread. */
  onReread(listener: () => void): () => void;
  /** Calls `listener` when formulas without a cell must be reread for new settings. */
  onSettings(listener: () => void): () => void;
}

interface SessionOptions {
  ports: Ports;
  /** Origin of the companion: the page's own. */
  companionUrl: string;
  /** Makes the worker that searches names; default none. */
  createWorker?: (() => Worker) | undefined;
}

/** Maximum time of a cell's #BUSY!, in milliseconds, for any number of requests. */
export const CELL_DEADLINE_MS = 30_000;

/** Makes the session of a page, which is not connected yet. */
export function createSession(options: SessionOptions): Session {
  const { connecting, refreshes, settings, listeners, ...parts } = createParts(options);
  const { refreshCalls, schedule, connectivity, freshness } = refreshes;
  const { families } = connecting.feed;
  return {
    ...connecting,
    ...parts,
    ports: options.ports,
    companionUrl: options.companionUrl,
    pauses: {
      list: () => [...families.list(), ...refreshes.recovering.list()],
      tryNow() {
        families.tryNow();
        refreshes.recovering.tryNow();
      },
    },
    schedule,
    isStale: freshness.isStale,
    freshUntilMs: freshness.freshUntilMs,
    formulas: createFormulas(),
    refreshing: refreshes.refreshing,
    offlineSinceMs: connectivity.offlineSinceMs,
    get settings() {
      return settings.current();
    },
    change: settings.change,
    adopt: settings.adopt,
    subscribe: listeners.changes.subscribe,
    refresh(some) {
      parts.confirmation.present();
      families.tryNow();
      return some === undefined ? schedule.refresh() : refreshCalls(some);
    },
    refreshDue: refreshCalls,
    place(placement) {
      parts.placement.current = placement;
      listeners.changes.notify();
    },
    undoRefresh: parts.changes.undo,
    onReread: listeners.rereads.subscribe,
    onSettings: listeners.settings.subscribe,
  };
}

/**
 * Makes the parts of a session, and connects them. The feed tells what happens by `onEvent`; each part tells of a change
 * by `notify`, which the parts at the end follow. The functions here name parts that are made below them: none is called
 * before all are made.
 */
function createParts({ ports, companionUrl, createWorker }: SessionOptions) {
  const waits = createWaits(ports, CELL_DEADLINE_MS);
  const scheduler = createScheduler(ports);
  const listeners = { changes: createSubscribers(), rereads: createSubscribers(), settings: createSubscribers() };
  const { notify } = listeners.changes;
  const calls = createCalls();
  const drifts = createDrifts(ports.nowMs);
  const notifyFormulas = () => {
    listeners.settings.notify();
    // Cached answers show without a request.
    for (const call of calls.list()) call.reread(true);
  };
  const onEvent = (event: FeedEvent) => {
    if (event.type === "persisted-found") refreshes.reopening.record(event.query, event.asOfMs);
    else if (event.type === "provider-refused") guard.refuse(event.provider);
    else followEvent(event);
  };
  const isMoreToCome = () => scheduler.areWaiting(); // formulas whose queries are not known yet
  const feed = createFeed({ ports, companionUrl, onEvent, isMoreToCome, createWorker });
  const apply = ({ provider, requestLimit }: Settings) => {
    feed.expectProvider(provider);
    feed.budget.setLimit(requestLimit);
  };
  const settings = createSettings({ apply, notify, notifyFormulas });
  const provider = () => toCurrentProvider(connecting.state());
  const guard = createProviderGuard({ ports, settings, calls, provider, reset: feed.queryCache.reset, notify });
  const left = () => changes.clear();
  const { follow: followEvent, ...connecting } = createConnecting({ ports, companionUrl, feed, left, notify });
  const placement: PlacementSlot = { current: null, isWanted: false };
  const reread = listeners.rereads.notify;
  const refreshes = createRefreshes({ ports, connecting, calls, settings, placement, reread, notify });
  const { refreshing, schedule, reopening, connectivity, recovering } = refreshes;
  const changes = createChanges(calls, { nowMs: ports.nowMs, putBack: feed.queryCache.undo });
  refreshing.onBegin(changes.begin);
  listeners.settings.subscribe(changes.clear);
  for (const part of [schedule, reopening, connectivity, guard, recovering]) listeners.changes.subscribe(part.follow);
  const confirmation = createConfirmation({ feed, guard, refresh: refreshing.refresh, notify });
  return {
    listeners,
    settings,
    calls,
    drifts,
    scheduler,
    waits,
    connecting,
    placement,
    refreshes,
    changes,
    confirmation,
  };
}

const toCurrentProvider = ({ configuration }: SessionState): string | null =>
  configuration && toProvider(toOwner(configuration));

interface SettingsOptions {
  /** Called with all settings, before the listeners of a change. */
  apply: (settings: Settings) => void;
  notify: () => void;
  notifyFormulas: () => void;
}

function createSettings({ apply, notify, notifyFormulas }: SettingsOptions) {
  let settings = DEFAULT_SETTINGS;
  let isAdopted = false;
  apply(settings);
  const change = (changed: Partial<Settings>) => {
    const names = Object.keys(changed) as (keyof Settings)[];
    const fresh = names.filter((name) => changed[name] !== settings[name]);
    if (fresh.length === 0) return;
    settings = { ...settings, ...changed };
    apply(settings);
    if (fresh.some((name) => FORMULA_SETTINGS.includes(name))) notifyFormulas();
    notify();
  };
  return {
    current: () => settings,
    isAdopted: () => isAdopted,
    change,
    adopt(persisted: Partial<Settings>) {
      isAdopted = true;
      change(persisted);
      notify();
    },
  };
}
