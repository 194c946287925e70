import type { Ports } from "../client/ports";

/** A window closes when nobody asked for this long, and nobody is known to be about to. */
const WINDOW_MS = 4;

/**
 * Where asks keep coming, as while a host hands over a large workbook on a busy machine, the window is held open
 * for this long at most: cut in two, a burst costs more requests than the wait.
 */
const LONGEST_WINDOW_MS = 10_000;

/** Those who ask together. */
interface Asking {
  /** How many have asked so far. */
  asked: () => number;
  /** Whether others are known to be about to. */
  isMoreToCome: () => boolean;
}

/**
 * Opens a window for those who ask together: a host's message of 14,000 cells is one burst.
 *
 * @param close is called once, when no more of them come
 */
export function debounce(
  { nowMs, after }: Pick<Ports, "nowMs" | "after">,
  { asked, isMoreToCome }: Asking,
  close: () => void,
): void {
  const closesAtMs = nowMs() + LONGEST_WINDOW_MS;
  const wait = (seen: number) =>
    after(WINDOW_MS, () => {
      if ((asked() === seen && !isMoreToCome()) || nowMs() >= closesAtMs) close();
      else wait(asked());
    });
  wait(asked());
}
