import type { Ports } from "../client/ports";

/** Who waits. */
export interface Waiter {
  /** Is told once that it has been too long. */
  late(): void;
}

/** Those who began to wait together. */
export interface Wait {
  end(waiter: Waiter): void;
}

/** Tells who has waited for too long, by one timer for all who begin together: cells come and go by thousands. */
export interface Waits {
  begin(waiter: Waiter): Wait;
  /** How many wait. */
  size(): number;
}

/** Who begins so much later still waits together with the others, and so is told that much too early at most. */
const TOGETHER_MS = 100;

/** @param longestMs how long is too long */
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
      // A clock that was set back parts them, too.
      if (latest === null || Math.abs(nowMs() - latest.beganAtMs) > TOGETHER_MS) latest = open();
      latest.add(waiter);
      size++;
      return latest.wait;
    },
    size: () => size,
  };
}
