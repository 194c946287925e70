import type { Ports } from "./ports";

/** A window closes when nobody asked for this long: a host's message of 14,000 cells is one burst. */
const WINDOW_MS = 4;

/**
 * Where asks keep coming, as while a host hands over a large workbook on a busy machine, the window is held open
 * for this long at most: cut in two, a burst costs more requests than the wait.
 */
const LONGEST_WINDOW_MS = 10_000;

/**
 * Opens a window for those who ask together.
 *
 * @param asked how many have asked so far
 * @param close is called once, when no more of them come
 */
export function openWindow({ nowMs, after }: Pick<Ports, "nowMs" | "after">, asked: () => number, close: () => void) {
  const closesAtMs = nowMs() + LONGEST_WINDOW_MS;
  const wait = (seen: number) =>
    after(WINDOW_MS, () => {
      if (asked() === seen || nowMs() >= closesAtMs) close();
      else wait(asked());
    });
  wait(asked());
}
