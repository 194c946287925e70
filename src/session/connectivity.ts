import { hasCode } from "../feed/errors";
import type { Ports } from "../feed/ports";
import type { Watch } from "../feed/query-cache";
import type { Connecting } from "./connecting";

/** Whether the browser says that there is no network. */
export interface Connectivity {
  /** Since when there is none, also across openings of the page; null while there is one. */
  offlineSinceMs(): number | null;
  /** Goes on where the network's return found a connection under way, after the state of that has changed. */
  follow(): void;
}

export interface ConnectivityOptions {
  ports: Pick<Ports, "network" | "nowMs" | "storage">;
  connecting: Pick<Connecting, "state" | "connect">;
  watch: Pick<Watch, "retryFailed">;
  /** Has data be tried at once that kept failing. */
  tryNow: () => void;
  /** Is called after each change. */
  tell: () => void;
}

const STORAGE_KEY = "feed.offline-since";

/** What may have failed because there was no network. */
const isForWantOfNetwork = hasCode("FEED_NETWORK_FAILED", "FEED_TIMED_OUT", "FEED_SIGNER_UNREACHABLE");

/** Watches the network; once it is back, what failed for want of it is asked again, once, and nothing else. */
export function createConnectivity({ ports, connecting, watch, tryNow, tell }: ConnectivityOptions): Connectivity {
  const kept = createKeptTime(ports);
  let sinceMs: number | null = null;
  let isBack = false;
  const look = () => {
    const isOffline = !ports.network.isThere();
    if (isOffline === (sinceMs !== null)) return;
    sinceMs = isOffline ? kept.begin() : null;
    isBack = !isOffline;
    if (isBack) kept.end();
    tell();
    void follow();
  };
  const follow = async () => {
    if (!isBack || connecting.state().status === "connecting") return;
    isBack = false;
    if (connecting.state().status === "failed") await connecting.connect();
    if (connecting.state().status !== "connected") return;
    tryNow(); // what kept failing did so for want of the network
    void watch.retryFailed(isForWantOfNetwork);
  };
  ports.network.watch(look);
  if (ports.network.isThere()) kept.end();
  else sinceMs = kept.begin();
  return {
    offlineSinceMs() {
      const state = connecting.state();
      // A connection made since shows that whom we ask is reached, as on the person's own machine.
      return state.status === "connected" && sinceMs !== null && state.connectedAtMs > sinceMs ? null : sinceMs;
    },
    follow: () => void follow(),
  };
}

/** When the network went, kept for the page's next opening; where nothing can be kept, each opening counts from itself. */
function createKeptTime({ nowMs, storage }: ConnectivityOptions["ports"]) {
  return {
    begin(): number {
      const ms = nowMs();
      try {
        const keptMs = Number(storage().getItem(STORAGE_KEY));
        if (keptMs > 0 && keptMs <= ms) return keptMs;
        storage().setItem(STORAGE_KEY, String(ms));
      } catch {
        // blocked or full
      }
      return ms;
    },
    end(): void {
      try {
        storage().removeItem(STORAGE_KEY);
      } catch {
        // nothing was kept
      }
    },
  };
}
