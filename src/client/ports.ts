/** What the client needs from its surroundings; injected, so that tests own the clock, chance, storage and the network. */
export interface Ports {
  fetch: typeof fetch;
  /** Milliseconds since the Unix epoch. */
  nowMs: () => number;
  /** A number from 0 up to, not including, 1. */
  random: () => number;
  /**
   * Calls back once after `delayMs`, or after 24 days where that is longer, and after 0 as soon as the page has had its
   * turn; the returned function calls it off.
   */
  after: (delayMs: number, callback: () => void) => () => void;
  /** What the origin keeps beyond the page. @throws where a browser blocks it, or there is none */
  storage: () => Pick<Storage, "getItem" | "setItem" | "removeItem">;
  network: Network;
}

/** What the browser says of the network; that there is one does not mean that anybody answers. */
export interface Network {
  /** False where it says that there is none. */
  isThere: () => boolean;
  /** Calls back whenever that may have changed. */
  watch: (listener: () => void) => void;
}

/** A browser takes a longer delay for none. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The browser's (and Node's) own clock, chance, storage and network. */
export function createPorts(): Ports {
  return {
    fetch: (input, init) => fetch(input, init),
    nowMs: () => Date.now(),
    random: () => Math.random(),
    after: (delayMs, callback) => {
      if (delayMs === 0 && typeof MessageChannel !== "undefined") return afterCurrentTask(callback);
      const timer = setTimeout(callback, Math.min(delayMs, LONGEST_TIMER_MS));
      return () => clearTimeout(timer);
    },
    storage: () => localStorage,
    network: {
      isThere: () => globalThis.navigator?.onLine !== false,
      watch: (listener) => NETWORK_EVENTS.forEach((event) => void globalThis.addEventListener?.(event, listener)),
    },
  };
}

/** By a message: browsers hold timers that follow one another back, by a second where the page is hidden. */
function afterCurrentTask(callback: () => void): () => void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    callback();
  };
  port2.postMessage(null);
  return () => port1.close();
}

const NETWORK_EVENTS = ["online", "offline"];
