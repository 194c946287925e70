/** The client's surroundings, injected so that tests control clock, randomness, storage and network. */
export interface Ports {
  fetch: typeof fetch;
  /** Milliseconds since the Unix epoch. */
  nowMs: () => number;
  /** A number from 0 up to, not including, 1. */
  random: () => number;
  /**
   * Calls back once after `delayMs`, at most 24 days; 0 means after the current task. The returned function cancels it.
   */
  after: (delayMs: number, callback: () => void) => () => void;
  /**
   * The origin's storage. Builds of Excel of early 2021 crashed by its use (OfficeDev/office-js issue 1568), so no page
   * may call this while it starts.
   *
   * @throws where a browser blocks it, or there is none
   */
  storage: () => Items;
  network: Network;
}

export type Items = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** The browser's view of the network; online does not mean that a server answers. */
export interface Network {
  /** False where the browser is offline. */
  isThere: () => boolean;
  /** Calls back whenever that may have changed. */
  watch: (listener: () => void) => void;
}

/** Browsers treat a longer delay as 0. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * The clock, randomness, storage and network of the browser or Node.
 *
 * @param partition gives the prefix of the storage's keys; default none
 */
export function createPorts(partition: () => string = () => ""): Ports {
  return {
    fetch: (input, init) => fetch(input, init),
    nowMs: () => Date.now(),
    random: () => Math.random(),
    after: (delayMs, callback) => {
      if (delayMs === 0) return afterCurrentTask(callback);
      const timer = setTimeout(callback, Math.min(delayMs, LONGEST_TIMER_MS));
      return () => clearTimeout(timer);
    },
    storage: () => toPartition(localStorage, partition()),
    network: {
      isThere: () => globalThis.navigator?.onLine !== false,
      watch: (listener) => NETWORK_EVENTS.forEach((event) => void globalThis.addEventListener?.(event, listener)),
    },
  };
}

const toPartition = (items: Items, prefix: string): Items => ({
  getItem: (key) => items.getItem(prefix + key),
  setItem: (key, value) => items.setItem(prefix + key, value),
  removeItem: (key) => items.removeItem(prefix + key),
});

/**
 * Calls back by a message where there are messages: browsers throttle chained timers, to one a second in hidden pages.
 *
 * @returns takes the call back
 */
export function afterCurrentTask(callback: () => void): () => void {
  if (typeof MessageChannel === "undefined") {
    const timer = setTimeout(callback);
    return () => clearTimeout(timer);
  }
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    callback();
  };
  port2.postMessage(null);
  return () => port1.close();
}

const NETWORK_EVENTS = ["online", "offline"];
