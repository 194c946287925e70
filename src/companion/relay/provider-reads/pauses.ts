import { Refusal } from "../../refusal";
import type { PubSub } from "../../stores";

const TOPIC = "provider pause";
/** Where it names no time. */
const SHORT_MS = 2000;

/** What of a provider waits together. */
export interface Paused {
  baseUrl: string;
  family: string;
}

/** What a provider asked to wait for, as all instances know it. */
export interface Pauses {
  /** @throws Refusal (FEED_RATE_LIMITED) while the provider wants nothing of this. */
  refuse(paused: Paused): void;
  /** Whether there is none, and none that a single request is trying the end of. */
  isNone(paused: Paused): boolean;
  /**
   * Asks when the pause is over: after one, a single request goes first, and others wait for what becomes of it.
   * @throws Refusal (FEED_RATE_LIMITED) as `refuse`; what `ask` throws.
   */
  run<T>(paused: Paused, ask: () => Promise<T>): Promise<T>;
  /**
   * Begins a pause, or prolongs it, on all instances.
   * @param forMs How long the provider wants it; default 2 seconds.
   */
  begin(paused: Paused, forMs?: number): void;
}

interface Pause {
  untilMs: number;
  /** The request that goes first. */
  trial?: Promise<unknown>;
}

/** Creates the pauses; instances tell each other how long, since their clocks may differ. */
export function createPauses(pubSub: PubSub, nowMs: () => number): Pauses {
  const pauses = new Map<string, Pause>();
  const enter = (key: string, forMs: number) => {
    const untilMs = Math.max(pauses.get(key)?.untilMs ?? 0, nowMs() + forMs);
    pauses.set(key, { untilMs });
  };
  const refuse = (key: string) => {
    const waitMs = (pauses.get(key)?.untilMs ?? 0) - nowMs();
    if (waitMs > 0) throw toRefusal(waitMs);
  };
  receivePauses(pubSub, (paused, forMs) => enter(toKey(paused), forMs));
  return {
    refuse: (paused) => refuse(toKey(paused)),
    isNone: (paused) => !pauses.has(toKey(paused)),
    async run(paused, ask) {
      const key = toKey(paused);
      for (;;) {
        refuse(key);
        const pause = pauses.get(key);
        if (pause === undefined) return ask();
        if (pause.trial === undefined) {
          const asked = ask();
          pause.trial = asked.catch(() => {}).then(() => pauses.get(key) === pause && pauses.delete(key));
          return asked;
        }
        await pause.trial;
      }
    },
    begin(paused, forMs = SHORT_MS) {
      enter(toKey(paused), forMs);
      pubSub.publish(TOPIC, JSON.stringify({ ...paused, forMs }));
    },
  };
}

/** Hears of each pause that an instance begins, and how long it is. */
export function receivePauses(pubSub: PubSub, listener: (paused: Paused, forMs: number) => void): void {
  pubSub.subscribe(TOPIC, (said) => {
    const { baseUrl, family, forMs } = JSON.parse(said);
    listener({ baseUrl, family }, forMs);
  });
}

const toKey = ({ baseUrl, family }: Paused): string => `${family} ${baseUrl}`;

function toRefusal(waitMs: number): Refusal {
  const seconds = Math.ceil(waitMs / 1000);
  return new Refusal(429, `The provider asked to wait: try again in ${seconds} s.`, "FEED_RATE_LIMITED", seconds);
}
