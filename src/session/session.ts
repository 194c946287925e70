import type { Feed } from "../feed/feed";
import type { Ports } from "../feed/ports";
import type { Refreshed } from "../feed/watch";
import { createConnecting, type SessionState } from "./connecting";
import type { Journey } from "./journey";
import { DEFAULT_SETTINGS, type Settings } from "./settings";

/** What the pane and the cells of one shared runtime have in common. */
export interface Session {
  feed: Feed;
  /** Clock and network, as they were handed in. */
  readonly ports: Ports;
  readonly settings: Settings;
  /** Changes settings; live formulas that depend on them are read again. */
  change(settings: Partial<Settings>): void;
  state(): SessionState;
  /** How far the credentials came, step by step, when a connection was last made or tried. */
  journey(): Journey;
  /** Is told of each change of state or journey. */
  subscribe(listener: () => void): () => void;
  /** Fetches the configuration and exchanges an assertion for a token; never rejects, the state tells. */
  connect(): Promise<void>;
  /** Drops the token; cells keep their values and ask no more. */
  disconnect(): void;
  /** Asks all live questions again. Formulas with relative dates are read again first. */
  refresh(): Promise<Refreshed>;
  /** Is told when a formula that depends on today or on settings must be read again. */
  onReread(listener: () => void): () => void;
}

export interface SessionOptions {
  ports: Ports;
  /** Origin of the companion: the page's own. */
  companionUrl: string;
}

export function createSession({ ports, companionUrl }: SessionOptions): Session {
  let settings = DEFAULT_SETTINGS;
  const changes = createListeners();
  const rereads = createListeners();
  const connecting = createConnecting(ports, companionUrl, changes.tell);
  return {
    ports,
    feed: connecting.feed,
    get settings() {
      return settings;
    },
    change(changed) {
      settings = { ...settings, ...changed };
      rereads.tell();
    },
    state: connecting.state,
    journey: connecting.journey,
    subscribe: changes.add,
    connect: connecting.connect,
    disconnect: connecting.disconnect,
    async refresh() {
      rereads.tell();
      return connecting.feed.watch.refresh();
    },
    onReread: rereads.add,
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
