import type { Ports } from "../client/ports";

/** A burst ends after this time without a query, if none is known to follow. */
const WINDOW_MS = 4;

/**
 * Maximum length of a burst, as while a host hands over a large workbook on a busy machine. A burst cut in two costs
 * more requests than the wait.
 */
const LONGEST_WINDOW_MS = 10_000;

interface Burst {
  /** Queries so far. */
  size: () => number;
  /** Whether others are known to follow. */
  isMoreToCome: () => boolean;
}

/**
 * Waits for the end of a burst of queries: a host's message of 14,000 cells is one burst.
 *
 * @param close called once, at the end
 */
export function debounce(
  { nowMs, after }: Pick<Ports, "nowMs" | "after">,
  { size, isMoreToCome }: Burst,
  close: () => void,
): void {
  const closesAtMs = nowMs() + LONGEST_WINDOW_MS;
  const wait = (seen: number) =>
    after(WINDOW_MS, () => {
      if ((size() === seen && !isMoreToCome()) || nowMs() >= closesAtMs) close();
      else wait(size());
    });
  wait(size());
}
