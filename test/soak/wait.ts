import { setTimeout as pause } from "node:timers/promises";

/** Checks of thousands of cells run less and less often. */
const LONGEST_PAUSE_MS = 100;

/** Waits in real time for work that needs no clock; false if it has not ended in time. */
export async function within(limitMs: number, isSo: () => boolean): Promise<boolean> {
  const endsAtMs = Date.now() + limitMs;
  for (let pauseMs = 1; !isSo() && Date.now() < endsAtMs; pauseMs = Math.min(pauseMs * 1.1, LONGEST_PAUSE_MS))
    await pause(pauseMs);
  return isSo();
}

/**
 * Waits until each of these counts is 0.
 * @returns what is left after the time; null if nothing is
 */
export async function waitUntilEmpty(limitMs: number, count: () => Record<string, number>): Promise<string | null> {
  const list = () => Object.entries(count()).filter(([, many]) => many > 0);
  const isOver = await within(limitMs, () => list().length === 0);
  return isOver ? null : `these are left: ${JSON.stringify(Object.fromEntries(list()))}`;
}
