import { createListeners } from "../feed/listeners";
import type { Ports } from "../feed/ports";
import type { Refreshed } from "../feed/watch";
import { type Call, type Calls, createCalls } from "./calls";
import { type Connecting, createConnecting } from "./connecting";
import { createFormulas, type Formulas } from "./formulas";
import { createSchedule, type Schedule } from "./schedule";
import { DEFAULT_SETTINGS, FORMULA_SETTINGS, type Settings } from "./settings";

/** What the pane and the cells of one shared runtime have in common. */
export interface Session extends Connecting {
  /** Clock and network, as they were handed in. */
  readonly ports: Ports;
  /** The formulas that are live in cells. */
  calls: Calls;
  /** All formulas, to be shown without a cell. */
  formulas: Formulas;
  readonly settings: Settings;
  /** Changes settings; live formulas that go by them are read again, and ask only what they have not asked yet. */
  change(settings: Partial<Settings>): void;
  /** Refreshes everything by itself, as the settings say. */
  schedule: Pick<Schedule, "state">;
  /** Is told of each change of state, journey, access, settings or schedule. */
  subscribe(listener: () => void): () => void;
  /**
   * Asks live questions again. Formulas with relative dates are read again first.
   *
   * @param calls whose; default those of all formulas
   */
  refresh(calls?: readonly Call[]): Promise<Refreshed>;
  /** Is told when a formula that depends on today must be read again. */
  onReread(listener: () => void): () => void;
  /** Is told when a formula must be read again because settings changed. */
  onSettings(listener: () => void): () => void;
}

export interface SessionOptions {
  ports: Ports;
  /** Origin of the companion: the page's own. */
  companionUrl: string;
  /** Makes the worker that searches names; default none. */
  createWorker?: (() => Worker) | undefined;
}

/** Makes the session of a page, which is not connected yet. */
export function createSession({ ports, companionUrl, createWorker }: SessionOptions): Session {
  const changes = createListeners();
  const rereads = createListeners();
  const settingsChanges = createListeners();
  const settings = createSettings({ tell: changes.tell, tellFormulas: settingsChanges.tell });
  const country = () => settings.current().country;
  const connecting = createConnecting({ ports, companionUrl, createWorker, country, tell: changes.tell });
  const { watch } = connecting.feed;
  const schedule = createSchedule({
    ports,
    minutes: () => settings.current().refreshMinutes,
    isConnected: () => ["connected", "failed"].includes(connecting.state().status), // a refresh connects after a failure
    async refresh() {
      rereads.tell();
      return watch.refresh();
    },
    tell: changes.tell,
  });
  changes.add(schedule.follow);
  return {
    ...connecting,
    ports,
    schedule,
    calls: createCalls(),
    formulas: createFormulas(),
    get settings() {
      return settings.current();
    },
    change: settings.change,
    subscribe: changes.add,
    async refresh(calls) {
      if (calls === undefined) return schedule.refresh();
      for (const call of calls) call.reread();
      return watch.refresh(calls.flatMap(({ questions }) => questions.map(({ key }) => key)));
    },
    onReread: rereads.add,
    onSettings: settingsChanges.add,
  };
}

function createSettings({ tell, tellFormulas }: { tell: () => void; tellFormulas: () => void }) {
  let settings = DEFAULT_SETTINGS;
  return {
    current: () => settings,
    change(changed: Partial<Settings>) {
      const names = Object.keys(changed) as (keyof Settings)[];
      const fresh = names.filter((name) => changed[name] !== settings[name]);
      if (fresh.length === 0) return;
      settings = { ...settings, ...changed };
      if (fresh.some((name) => FORMULA_SETTINGS.includes(name))) tellFormulas();
      tell();
    },
  };
}
