import { hasCode } from "../client/errors";
import type { Ports } from "../client/ports";
import { createStoredText } from "../client/stored-text";
import type { QueryCache } from "../feed/query-cache";
import type { Connecting } from "./connecting";

/** Whether the browser says that there is no network. */
export interface Connectivity {
  /** Since when there is none, also across openings of the page; null while there is one. */
  offlineSinceMs(): number | null;
  /** Goes on where the network's return found a connection under way, after the state of that has changed. */
  follow(): void;
}

interface ConnectivityOptions {
  ports: Pick<Ports, "network" | "nowMs" | "storage">;
  connecting: Pick<Connecting, "state" | "connect">;
  queryCache: Pick<QueryCache, "retryFailed">;
  /** Has data be tried at once that kept failing. */
  tryNow: () => void;
  /** Is called after each change. */
  notify: () => void;
}

const STORAGE_KEY = "feed.offline-since";

/** What may have failed because there was no network. */
const isForWantOfNetwork = hasCode("FEED_NETWORK_FAILED", "FEED_TIMED_OUT", "FEED_SIGNER_UNREACHABLE");

/** Watches the network; once it is back, what failed for want of it is asked again, once, and nothing else. */
export function createConnectivity({
  ports,
  connecting,
  queryCache,
  tryNow,
  notify,
}: ConnectivityOptions): Connectivity {
  const persisted = createPersistedTime(ports);
  let sinceMs: number | null = null;
  let isBack = false;
  const look = () => {
    const isOffline = !ports.network.isThere();
    if (isOffline === (sinceMs !== null)) return;
    sinceMs = isOffline ? persisted.begin() : null;
    isBack = !isOffline;
    if (isBack) persisted.end();
    notify();
    void follow();
  };
  const follow = async () => {
    if (!isBack || connecting.state().status === "connecting") return;
    isBack = false;
    if (connecting.state().status === "failed") await connecting.connect();
    if (connecting.state().status !== "connected") return;
    tryNow(); // what kept failing did so for want of the network
    void queryCache.retryFailed(isForWantOfNetwork);
  };
  ports.network.watch(look);
  if (ports.network.isThere()) persisted.end();
  else sinceMs = persisted.begin();
  return {
    offlineSinceMs() {
      const state = connecting.state();
      // A connection made since shows that whom we ask is reached, as on the person's own machine.
      return state.status === "connected" && sinceMs !== null && state.connectedAtMs > sinceMs ? null : sinceMs;
    },
    follow: () => void follow(),
  };
}

/** When the network went, also for the page's next opening; where nothing can be stored, each opening counts from itself. */
function createPersistedTime({ nowMs, storage }: ConnectivityOptions["ports"]) {
  const stored = createStoredText(storage, STORAGE_KEY);
  return {
    begin(): number {
      const ms = nowMs();
      const persistedMs = Number(stored.read());
      if (persistedMs > 0 && persistedMs <= ms) return persistedMs;
      stored.write(String(ms));
      return ms;
    },
    end: stored.remove,
  };
}
