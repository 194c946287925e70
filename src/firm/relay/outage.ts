import { randomUUID } from "node:crypto";
import { Refusal } from "../../companion/refusal";
import type { FirmStores, PubSub, Throttle } from "../stores";
import type { Paused } from "./circuit-breaker";

const TOPIC = "provider outage";
/** Failures in a row, and the different queries among them: one person's companies may fail alone. */
const MOST_FAILURES = 6;
const FEWEST_QUERIES = 4;
/** A provider that answers nothing for so long, while several requests wait, hangs. */
const SILENT_MS = 5000;
const FEWEST_WAITING = 2;
/** All instances together send so many probes a minute: one each second and a half. */
const PROBES_PER_MINUTE = 40;
/** How long a request waits for the provider to be back, or to be the probe itself. */
const LONGEST_WAIT_MS = 4000;
const RETRY_SECONDS = 2;

/** How a request ended: null where that says nothing about the provider. */
type Ended = "answered" | "failed" | null;

/**
 * Finds out that the provider fails or hangs for everybody, in all instances together. A pause that it asks for is the
 * circuit breaker's.
 *
 * | state | event                                                                     | next                         |
 * |-------|---------------------------------------------------------------------------|------------------------------|
 * | well  | six failures in a row, of at least four queries                           | out                          |
 * | well  | a request while several wait and none was answered for 5 s                | out                          |
 * | out   | a request, unless the latest probe is younger than 1.5 s                  | goes out as the probe        |
 * | out   | any other request                                                         | waits for 4 s, then refused  |
 * | out   | any answer, in any instance                                               | well; waiting requests go    |
 */
export interface Outage {
  /**
   * Waits until a request may go out.
   * @throws Refusal (FEED_SERVER_FAILED) while the provider is out.
   */
  awaitTurn(paused: Paused): Promise<void>;
  /**
   * Records a request that goes out. Call the result once, with the request's end.
   * @param query Equal for equal queries.
   */
  begin(paused: Paused, query: string): (ended: Ended) => void;
}

export function createOutage({ pubSub, createThrottle }: Pick<FirmStores, "pubSub" | "createThrottle">): Outage {
  const watched = new Map<string, Watched>();
  const instance = randomUUID();
  const watch = (name: string): Watched => {
    const found = watched.get(name) ?? createWatched(createThrottle(`probe ${name}`, PROBES_PER_MINUTE));
    watched.set(name, found);
    return found;
  };
  const publish = (name: string, isOut: boolean) =>
    pubSub.publish(TOPIC, JSON.stringify({ name, isOut, from: instance } satisfies Message));
  receive(pubSub, ({ name, isOut, from }) => {
    if (from !== instance) watch(name).set(isOut);
  });
  return {
    async awaitTurn(paused) {
      const name = toName(paused);
      const provider = watch(name);
      if (provider.isSilent() && provider.set(true)) publish(name, true);
      await provider.awaitTurn();
    },
    begin(paused, query) {
      const name = toName(paused);
      const provider = watch(name);
      const end = provider.begin(query);
      return (ended) => {
        const isOut = end(ended);
        if (isOut !== undefined && provider.set(isOut)) publish(name, isOut);
      };
    },
  };
}

const toName = ({ baseUrl, family }: Paused): string => `${family} ${baseUrl}`;

interface Message {
  name: string;
  isOut: boolean;
  /** The instance that found out. */
  from: string;
}

function receive(pubSub: PubSub, listener: (message: Message) => void): void {
  pubSub.subscribe(TOPIC, (said) => listener(JSON.parse(said)));
}

type Watched = ReturnType<typeof createWatched>;

/** The requests of one family at one provider, and what they show. */
function createWatched(probes: Throttle) {
  const waiting = new Set<{ query: string; sinceMs: number }>();
  const failed = new Set<string>();
  const turns = createTurns(probes);
  let failures = 0;
  let answeredAtMs = performance.now();
  return {
    /** Sets the state; gives whether it is new. */
    set: turns.set,
    awaitTurn: turns.awaitTurn,
    isSilent(): boolean {
      const latestMs = performance.now() - SILENT_MS;
      const late = [...waiting].filter(({ sinceMs }) => sinceMs < latestMs);
      return answeredAtMs < latestMs && new Set(late.map(({ query }) => query)).size >= FEWEST_WAITING;
    },
    /** Records a request that goes out; its end gives what it shows, if anything. */
    begin(query: string) {
      const entry = { query, sinceMs: performance.now() };
      waiting.add(entry);
      return (ended: Ended): boolean | undefined => {
        waiting.delete(entry);
        if (ended === null) return undefined;
        if (ended === "answered") {
          answeredAtMs = performance.now();
          failures = 0;
          failed.clear();
          return false;
        }
        failures += 1;
        if (failed.size < FEWEST_QUERIES) failed.add(query);
        return failures >= MOST_FAILURES && failed.size >= FEWEST_QUERIES ? true : undefined;
      };
    },
  };
}

/** Lets all requests through while the provider is well, and one after the other as probes while it is out. */
function createTurns(probes: Throttle) {
  let isOut = false;
  let last: Promise<unknown> = Promise.resolve();
  let release = () => {};
  let back: Promise<void> = Promise.resolve();
  const tryProbe = async (untilMs: number): Promise<void> => {
    while (isOut) {
      const waitMs = await probes.take();
      if (waitMs === 0) return;
      if (performance.now() + waitMs > untilMs) throw toRefusal();
      await waitAtMost(waitMs, back);
    }
  };
  return {
    set(next: boolean): boolean {
      if (next === isOut) return false;
      isOut = next;
      release();
      if (next) {
        back = new Promise((resolve) => {
          release = resolve;
        });
      }
      return true;
    },
    async awaitTurn(): Promise<void> {
      if (!isOut) return;
      const untilMs = performance.now() + LONGEST_WAIT_MS;
      const turn = last.then(() => tryProbe(untilMs));
      last = turn.catch(() => {});
      await turn;
    },
  };
}

async function waitAtMost(ms: number, event: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms).unref();
  });
  await Promise.race([late, event]);
  clearTimeout(timer);
}

const toRefusal = () =>
  new Refusal(
    503,
    `The provider does not answer anybody: try again in ${RETRY_SECONDS} s.`,
    "FEED_SERVER_FAILED",
    RETRY_SECONDS,
  );
