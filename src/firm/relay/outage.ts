import { setTimeout as wait } from "node:timers/promises";
import { Refusal } from "../../companion/refusal";
import { FAMILIES, type Family } from "../../contract/constants";
import { createSpacing } from "./rate-limit";

/** Failures in a row, and the different queries among them: one person's companies may fail alone. */
const MOST_FAILURES = 6;
const FEWEST_QUERIES = 4;
/** A provider that answers nothing for so long, while several requests wait, hangs. */
const SILENT_MS = 5000;
const FEWEST_WAITING = 2;
/** From one probe to the next. */
const PROBE_MS = 1500;
/** How often a waiting request looks whether it may go. */
const LOOK_MS = 50;
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
export type Outages = ReadonlyMap<Family, ReturnType<typeof createOutage>>;

export const createOutages = (): Outages => new Map(FAMILIES.map((family) => [family, createOutage()]));

function createOutage() {
  const waiting = new Set<{ query: string; sinceMs: number }>();
  const failed = new Set<string>();
  const takeProbe = createSpacing(PROBE_MS);
  let isOut = false;
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
      isOut ||= isSilent();
      const untilMs = performance.now() + OUTAGE_WAIT_MS;
      while (isOut && takeProbe() > 0) {
        if (performance.now() > untilMs) throw toRefusal();
        await wait(LOOK_MS, undefined, { ref: false });
      }
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
          isOut = false;
        } else if (ended === "failed") {
          failures += 1;
          if (failed.size < FEWEST_QUERIES) failed.add(query);
          if (failures >= MOST_FAILURES && failed.size >= FEWEST_QUERIES) isOut = true;
        }
      };
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
