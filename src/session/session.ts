import type { Feed } from "../feed/feed";
import type { Ports } from "../feed/ports";
import type { Refreshed } from "../feed/watch";
import { type Call, type Calls, createCalls } from "./calls";
import { createConnecting, type SessionState } from "./connecting";
import { createFormulas, type Formulas } from "./formulas";
import type { Journey } from "./journey";
import type { PairingStatus } from "./pairing";
import { DEFAULT_SETTINGS, type Settings } from "./settings";

/** What the pane and the cells of one shared runtime have in common. */
export interface Session {
  feed: Feed;
  /** The formulas that are live in cells. */
  calls: Calls;
  /** All formulas, to be shown without a cell. */
  formulas: Formulas;
  /** Clock and network, as they were handed in. */
  readonly ports: Ports;
  readonly settings: Settings;
  /** Changes settings; where any is new, live formulas are read again, and ask only what they have not asked yet. */
  change(settings: Partial<Settings>): void;
  state(): SessionState;
  /** How far the credentials came, step by step, when a connection was last made or tried. */
  journey(): Journey;
  /** Is told of each change of state, journey or settings. */
  subscribe(listener: () => void): () => void;
  /** Fetches the configuration and exchanges an assertion for a token; never rejects, the state tells. */
  connect(): Promise<void>;
  /** Drops the token; cells keep their values and ask no more. */
  disconnect(): void;
  /** Whether the companion knows this page, or wants a code. */
  pairing(): PairingStatus;
  /** Pairs by a code of the companion's terminal, then connects. @throws SignerError, RequestError when the code is not taken */
  pair(code: string): Promise<void>;
  /** Ends the pairing, and disconnects. @throws SignerError when the companion is not there */
  unpair(): Promise<void>;
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
  let settings = DEFAULT_SETTINGS;
  const changes = createListeners();
  const rereads = createListeners();
  const settingsChanges = createListeners();
  const connecting = createConnecting({ ports, companionUrl, createWorker, tell: changes.tell });
  return {
    ports,
    feed: connecting.feed,
    calls: createCalls(),
    formulas: createFormulas(),
    get settings() {
      return settings;
    },
    change(changed) {
      const names = Object.keys(changed) as (keyof Settings)[];
      if (names.every((name) => changed[name] === settings[name])) return;
      settings = { ...settings, ...changed };
      settingsChanges.tell();
      changes.tell();
    },
    state: connecting.state,
    journey: connecting.journey,
    subscribe: changes.add,
    connect: connecting.connect,
    disconnect: connecting.disconnect,
    pairing: connecting.pairing,
    pair: connecting.pair,
    unpair: connecting.unpair,
    async refresh(calls) {
      const { watch } = connecting.feed;
      if (calls === undefined) {
        rereads.tell();
        return watch.refresh();
      }
      for (const call of calls) call.reread();
      return watch.refresh(calls.flatMap(({ questions }) => questions.map(({ key }) => key)));
    },
    onReread: rereads.add,
    onSettings: settingsChanges.add,
  };
}

function createListeners() {
  const listeners = new Set<() => void>();
  return {
    add(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell() {
      for (const listener of [...listeners]) listener();
    },
  };
}
