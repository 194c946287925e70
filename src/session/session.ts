import { loadAssertion } from "../feed/assertion";
import { type FeedCode, SessionError } from "../feed/errors";
import { createFeed, type Feed } from "../feed/feed";
import type { Ports } from "../feed/ports";
import type { Refreshed } from "../feed/watch";
import { type Configuration, loadConfiguration, toConnection } from "./configuration";
import { createJourney, type Journey } from "./journey";
import { DEFAULT_SETTINGS, type Settings } from "./settings";

export type SessionState =
  | { status: "idle" | "disconnected"; configuration: Configuration | null }
  | { status: "connecting"; configuration: Configuration | null }
  | { status: "connected"; configuration: Configuration; connectedAtMs: number }
  | { status: "failed"; configuration: Configuration | null; error: unknown };

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

/** What a new connection can mend. */
const MENDED_BY_CONNECTING: readonly FeedCode[] = [
  "FEED_NOT_CONNECTED",
  "FEED_SIGNER_UNREACHABLE",
  "FEED_SIGNER_REFUSED",
  "FEED_TOKEN_REFUSED",
  "FEED_TOKEN_MALFORMED",
  "FEED_UNAUTHORISED",
];

export function createSession({ ports, companionUrl }: SessionOptions): Session {
  let state: SessionState = { status: "idle", configuration: null };
  let settings = DEFAULT_SETTINGS;
  let configuring: Promise<Configuration> | null = null;
  let attempts = 0;
  const listeners = new Set<() => void>();
  const rereaders = new Set<() => void>();

  const tell = () => {
    for (const listener of [...listeners]) listener();
  };
  const move = (next: SessionState) => {
    state = next;
    tell();
  };
  const journey = createJourney(ports.nowMs, tell);
  const reread = () => {
    for (const listener of [...rereaders]) listener();
  };

  const configure = (): Promise<Configuration> => {
    configuring ??= loadConfiguration(feed.http, companionUrl);
    return configuring;
  };

  const feed = createFeed({
    ports,
    async sign(http) {
      // A renewal in the background is no part of the connection that the user watches.
      if (!isConnecting()) return loadAssertion(http, companionUrl);
      journey.enter("assertion");
      const signed = await loadAssertion(http, companionUrl);
      if (isConnecting()) journey.enter("token");
      return signed;
    },
    async connection() {
      if (state.status === "disconnected") throw new SessionError("not connected; connect in the FEED pane");
      if (state.status === "idle" || state.status === "failed") void connect();
      return toConnection(await configure(), companionUrl);
    },
  });

  const isConnecting = () => state.status === "connecting";

  const connect = async () => {
    if (isConnecting()) return;
    if (state.status === "connected") feed.token.forget(); // to connect again is to exchange again
    const attempt = ++attempts;
    // Asked anew after each wait: the user may have disconnected meanwhile, and even connected again.
    const isCurrent = () => attempt === attempts;
    const before = state.configuration;
    move({ status: "connecting", configuration: before });
    configuring = null;
    journey.enter("companion");
    try {
      const configuration = await configure();
      if (!isCurrent()) return;
      journey.leave();
      if (before !== null && !isSameClient(before, configuration)) {
        feed.token.forget();
        feed.watch.reset();
      }
      move({ status: "connecting", configuration });
      await feed.token.bearer();
      if (!isCurrent()) return;
      journey.leave();
      move({ status: "connected", configuration, connectedAtMs: ports.nowMs() });
      feed.watch.retryFailed(MENDED_BY_CONNECTING);
    } catch (error) {
      if (!isCurrent()) return;
      journey.fail(error);
      move({ status: "failed", configuration: state.configuration, error });
    }
  };

  return {
    feed,
    ports,
    get settings() {
      return settings;
    },
    change(changed) {
      settings = { ...settings, ...changed };
      reread();
    },
    state: () => state,
    journey: journey.current,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    connect,
    disconnect() {
      attempts++;
      feed.token.forget();
      journey.reset();
      move({ status: "disconnected", configuration: state.configuration });
    },
    async refresh() {
      reread();
      return feed.watch.refresh();
    },
    onReread(listener) {
      rereaders.add(listener);
      return () => rereaders.delete(listener);
    },
  };
}

function isSameClient(one: Configuration, other: Configuration): boolean {
  return one.baseUrl === other.baseUrl && one.clientId === other.clientId;
}
