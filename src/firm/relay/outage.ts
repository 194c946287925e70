import { setMaxListeners } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { Refusal } from "../../companion/refusal";
import type { Paused } from "./circuit-breaker";
import { createSpacing } from "./rate-limit";

/** Failures in a row, and the different queries among them: one person's companies may fail alone. */
const MOST_FAILURES = 6;
const FEWEST_QUERIES = 4;
/** A provider that answers nothing for so long, while several requests wait, hangs. */
const SILENT_MS = 5000;
const FEWEST_WAITING = 2;
/** From one probe to the next. */
const PROBE_MS = 1500;
/** How long a request waits for the provider to be back, or to be the probe itself. */
const OUTAGE_WAIT_MS = 4000;
const RETRY_SECONDS = 2;

/** How a request ended: null where that says nothing about the provider. */
type Ended = "answered" | "failed" | null;

/**
 * Finds out that the provider fails or hangs for everybody. A pause that it asks for is the circuit breaker's.
 *
 * | state | event                                                                     | next                         |
 * |-------|---------------------------------------------------------------------------|------------------------------|
 * | well  | six failures in a row, of at least four queries                           | out                          |
 * | well  | a request while several wait and none was answered for 5 s                | out                          |
 * | out   | a request, unless the latest probe is younger than 1.5 s                  | goes out as the probe        |
 * | out   | any other request                                                         | waits for 4 s, then refused  |
 * | out   | any answer                                                                | well; waiting requests go    |
 */
export type Outage = (paused: Paused) => Watched;

/** The requests of one family at one provider. */
type Watched = ReturnType<typeof createWatched>;

export function createOutage(): Outage {
  const watched = new Map<string, Watched>();
  return ({ baseUrl, family }) => {
    const name = `${family} ${baseUrl}`;
    const found = watched.get(name) ?? createWatched();
    watched.set(name, found);
    return found;
  };
}

function createWatched() {
  const waiting = new Set<{ query: string; sinceMs: number }>();
  const failed = new Set<string>();
  const gate = createGate();
  let failures = 0;
  let answeredAtMs = performance.now();
  const isSilent = () => {
    const latestMs = performance.now() - SILENT_MS;
    const late = [...waiting].filter(({ sinceMs }) => sinceMs < latestMs);
    return answeredAtMs < latestMs && new Set(late.map(({ query }) => query)).size >= FEWEST_WAITING;
  };
  return {
    /**
     * Waits until a request may go out.
     * @throws Refusal (FEED_SERVER_FAILED) while the provider is out.
     */
    async awaitOpen(): Promise<void> {
      if (isSilent()) gate.set(true);
      await gate.awaitOpen();
    },
    /**
     * Records a request that goes out. Call the result once, with the request's end.
     * @param query Equal for equal queries.
     */
    begin(query: string) {
      const entry = { query, sinceMs: performance.now() };
      waiting.add(entry);
      return (ended: Ended): void => {
        waiting.delete(entry);
        if (ended === "answered") {
          answeredAtMs = performance.now();
          failures = 0;
          failed.clear();
          gate.set(false);
        } else if (ended === "failed") {
          failures += 1;
          if (failed.size < FEWEST_QUERIES) failed.add(query);
          if (failures >= MOST_FAILURES && failed.size >= FEWEST_QUERIES) gate.set(true);
        }
      };
    },
  };
}

/** Lets all requests through while the provider is well, and one after the other as probes while it is out. */
function createGate() {
  const takeProbe = createSpacing(PROBE_MS);
  /** Present while the provider is out; aborted once it is back. */
  let out: AbortController | undefined;
  return {
    set(isOut: boolean): void {
      if (isOut && out === undefined) {
        out = new AbortController();
        setMaxListeners(0, out.signal);
      } else if (!isOut) {
        out?.abort();
        out = undefined;
      }
    },
    async awaitOpen(): Promise<void> {
      const untilMs = performance.now() + OUTAGE_WAIT_MS;
      while (out !== undefined) {
        const waitMs = takeProbe();
        if (waitMs === 0) return;
        if (performance.now() + waitMs > untilMs) throw toRefusal();
        await wait(waitMs, undefined, { signal: out.signal, ref: false }).catch(() => {});
      }
    },
  };
}

const toRefusal = () =>
  new Refusal(
    503,
    `The provider does not answer anybody: try again in ${RETRY_SECONDS} s.`,
    "FEED_SERVER_FAILED",
    RETRY_SECONDS,
  );
