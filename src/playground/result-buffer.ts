import type { Outcome } from "./results";

/** The first flush waits this long for more results. */
const FIRST_FLUSH_MS = 50;
/** Later flushes keep this distance from the one before. */
const FLUSH_INTERVAL_MS = 200;

export interface ResultBuffer<Source> {
  /** Keeps a source's latest result for the next flush; it is converted only then, as Office.js does. */
  put(source: Source, convert: () => Outcome): void;
}

/**
 * Makes the buffer between functions and cells: of all results a source sets between two flushes only the last one counts.
 * @param accept Takes a result into its source; false when it is no news.
 * @param deliver Called once per flush with the sources that have news.
 */
export function createResultBuffer<Source>(
  accept: (source: Source, result: Outcome) => boolean,
  deliver: (news: Source[]) => void,
): ResultBuffer<Source> {
  const waiting = new Map<Source, () => Outcome>();
  let isScheduled = false;
  let lastFlushMs = Number.NEGATIVE_INFINITY;

  function flush() {
    isScheduled = false;
    lastFlushMs = Date.now();
    const results = [...waiting];
    waiting.clear();
    const news = results.filter(([source, convert]) => accept(source, convert())).map(([source]) => source);
    if (news.length > 0) deliver(news);
  }

  return {
    put(source, convert) {
      waiting.set(source, convert);
      if (isScheduled) return;
      isScheduled = true;
      setTimeout(flush, Math.max(FIRST_FLUSH_MS, lastFlushMs + FLUSH_INTERVAL_MS - Date.now()));
    },
  };
}
