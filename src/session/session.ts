import type { Families } from "../client/http/families";
import { toOwner, toProvider } from "../client/owner";
import type { Ports } from "../client/ports";
import { createSubscribers } from "../client/subscribers";
import { createFeed, type FeedEvent } from "../feed/feed";
import type { Refreshed } from "../feed/query-cache";
import { createWaits, type Waits } from "../feed/waits";
import { type Call, type Calls, type Changes, createCalls, createChanges } from "./calls";
import { type Confirmation, createConfirmation, createProviderGuard } from "./confirmation";
import { type Connecting, createConnecting, type SessionState } from "./connecting";
import { createFormulas, type Formulas } from "./formulas";
import type { Connectivity } from "./recovering";
import { createRefreshes } from "./refreshes";
import type { Refreshing } from "./refreshing";
import type { Schedule } from "./schedule";
import { createScheduler, type Scheduler } from "./scheduler";
import { DEFAULT_SETTINGS, FORMULA_SETTINGS, type Freshness, type Settings } from "./settings";

/** What the pane and the cells of one shared runtime have in common. */
export interface Session extends Connecting {
  /** Clock and network, as they were handed in. */
  readonly ports: Ports;
  /** Origin of the companion. */
  readonly companionUrl: string;
  /** The formulas that are live in cells. */
  calls: Calls;
  /** In which they work. */
  scheduler: Scheduler;
  /** Cells without a value yet. */
  waits: Waits;
  /** All formulas, to be shown without a cell. */
  formulas: Formulas;
  readonly settings: Settings;
  /** Changes settings; live formulas that go by them are read again, and ask only what they have not asked yet. */
  change(settings: Partial<Settings>): void;
  /** Changes settings to what the workbook keeps. Before that nothing is refreshed by itself, for it may not want that. */
  adopt(persisted: Partial<Settings>): void;
  /** Since when there is no network, as the browser says and no connection made since denies; null while there is one. */
  offlineSinceMs: Connectivity["offlineSinceMs"];
  /** Which data pauses, and a person's wish that what kept failing be tried now. */
  pauses: { list: Families["list"]; tryNow: Families["tryNow"] };
  /** Refreshes by itself, as the settings say. */
  schedule: Pick<Schedule, "nextAtMs">;
  /** Whether an answer of this age is older than the settings say that it may be. */
  isStale: Freshness["isStale"];
  /** Until when an answer of this age counts as fresh, by the settings. */
  freshUntilMs: Freshness["freshUntilMs"];
  /** Is told of each change of state, network, journey, access, settings or schedule. */
  subscribe(listener: () => void): () => void;
  /**
   * Asks live queries again, or joins the refresh that is under way. Formulas with relative dates are read again first.
   *
   * @param calls whose; default those of all formulas
   */
  refresh(calls?: readonly Call[]): Promise<Refreshed>;
  /** The refresh that is under way, and the last one. */
  refreshing: Pick<Refreshing, "state" | "cancel">;
  /** What is kept from the cells until a person has confirmed it. */
  confirmation: Confirmation;
  /** What the last refresh changed in cells. */
  changes: Pick<Changes, "state" | "list" | "onChange">;
  /** Brings back what was shown before the last refresh. */
  undoRefresh(): void;
  /** Is told when a formula that depends on today must be read again. */
  onReread(listener: () => void): () => void;
  /** Is told when a formula that is in no cell must be read again because settings changed. */
  onSettings(listener: () => void): () => void;
}

export interface SessionOptions {
  ports: Ports;
  /** Origin of the companion: the page's own. */
  companionUrl: string;
  /** Makes the worker that searches names; default none. */
  createWorker?: (() => Worker) | undefined;
}

/** How long a cell may be #BUSY!, however many requests its answer takes. */
const CELL_DEADLINE_MS = 30_000;

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
    undoRefresh: parts.changes.undo,
    onReread: listeners.rereads.subscribe,
    onSettings: listeners.settings.subscribe,
  };
}

/** Makes what a session is put together of, and has each part hear of the others. */
function createParts({ ports, companionUrl, createWorker }: SessionOptions) {
  const waits = createWaits(ports, CELL_DEADLINE_MS);
  const scheduler = createScheduler({ ports, isMoreToShow: () => waits.size() > 0 });
  const listeners = { changes: createSubscribers(), rereads: createSubscribers(), settings: createSubscribers() };
  const { notify } = listeners.changes;
  const calls = createCalls();
  const notifyFormulas = () => {
    listeners.settings.notify();
    // What is known already is shown without a request.
    for (const call of calls.list()) call.reread(true);
  };
  const onEvent = (event: FeedEvent) => {
    if (event.type === "persisted-found") refreshes.reopening.record(event.query, event.asOfMs);
    else if (event.type === "provider-refused") guard.refuse(event.provider);
    else follow(event);
  };
  const isMoreToCome = () => scheduler.areWaiting(); // formulas that have not said yet what they ask
  const feed = createFeed({ ports, companionUrl, onEvent, isMoreToCome, createWorker });
  const apply = ({ provider, requestLimit }: Settings) => {
    feed.expectProvider(provider);
    feed.budget.setLimit(requestLimit);
  };
  const settings = createSettings({ apply, notify, notifyFormulas });
  const provider = () => toCurrentProvider(connecting.state());
  const guard = createProviderGuard({ ports, settings, calls, provider, reset: feed.queryCache.reset, notify });
  const country = () => settings.current().country;
  const left = () => changes.clear();
  const { follow, ...connecting } = createConnecting({ ports, companionUrl, feed, country, left, notify });
  const refreshes = createRefreshes({ ports, connecting, calls, settings, reread: listeners.rereads.notify, notify });
  const { refreshing, schedule, reopening, connectivity, recovering } = refreshes;
  const changes = createChanges(calls, { nowMs: ports.nowMs, putBack: feed.queryCache.undo });
  refreshing.onBegin(changes.begin);
  listeners.settings.subscribe(changes.clear);
  for (const { follow } of [schedule, reopening, connectivity, guard, recovering]) listeners.changes.subscribe(follow);
  const confirmation = createConfirmation({ feed, guard, refresh: refreshing.refresh, notify });
  return { listeners, settings, calls, scheduler, waits, connecting, refreshes, changes, confirmation };
}

const toCurrentProvider = ({ configuration }: SessionState): string | null =>
  configuration && toProvider(toOwner(configuration));

interface SettingsOptions {
  /** Is called with all settings before anybody else hears of a change. */
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
