import type { Ports } from "../client/ports";

export interface Waiter {
  /** Called once at the timeout. */
  late(): void;
}

/** Waiters that share one timer. */
export interface Wait {
  end(waiter: Waiter): void;
}

/** Timeouts with one timer for all waiters that begin together: cells come and go by thousands. */
export interface Waits {
  begin(waiter: Waiter): Wait;
  /** Number of waiters. */
  size(): number;
}

/** Waiters that begin within this time share a timer, so that a timeout is that much too early at most. */
const TOGETHER_MS = 100;

/** @param longestMs the timeout */
export function createWaits({ nowMs, after }: Pick<Ports, "nowMs" | "after">, longestMs: number): Waits {
  let size = 0;
  let latest: { wait: Wait; add: (waiter: Waiter) => void; beganAtMs: number } | null = null;
  const open = () => {
    const waiters = new Set<Waiter>();
    const callOff = after(longestMs, () => {
      size -= waiters.size;
      const late = [...waiters];
      waiters.clear();
      for (const waiter of late) waiter.late();
    });
    const wait: Wait = {
      end(waiter) {
        if (!waiters.delete(waiter)) return;
        size--;
        if (waiters.size > 0) return;
        callOff();
        if (latest?.wait === wait) latest = null;
      },
    };
    return { wait, add: (waiter: Waiter) => void waiters.add(waiter), beganAtMs: nowMs() };
  };
  return {
    begin(waiter) {
      // A clock that was set back begins a new wait, too.
      if (latest === null || Math.abs(nowMs() - latest.beganAtMs) > TOGETHER_MS) latest = open();
      latest.add(waiter);
      size++;
      return latest.wait;
    },
    size: () => size,
  };
}
