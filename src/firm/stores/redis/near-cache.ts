import { LRUCache } from "lru-cache";
import type { CachedAnswer, PubSub } from "../../stores";
import type { Link } from "./link";

/** Messages that tell which answers were replaced. */
const TOPIC = "answers";
/** Some 20,000 companies. */
const LARGEST_BYTES = 32 * 1024 * 1024;
/** Overhead per entry. */
const ENTRY_BYTES = 200;
/** A message may be lost, so nothing stays longer. */
const LONGEST_MS = 60_000;

/** An answer and its end, in milliseconds since 1970. */
export interface EndingAnswer extends CachedAnswer {
  endsAtMs: number;
}

/** Answers of the server that this process read or stored lately, so that they are not transferred again. */
export interface NearCache {
  read(key: string): CachedAnswer | undefined;
  /**
   * Begins a read from the server. Call the result with what was found: what another instance stored meanwhile is not
   * kept.
   */
  begin(): (found: ReadonlyMap<string, EndingAnswer>) => void;
  /** Keeps answers that this instance stored, and removes them from other instances. */
  store(answers: ReadonlyMap<string, EndingAnswer>): void;
  /** Gives the size of what it holds, in bytes. */
  bytes(): number;
}

/** @param nowMs The time that all instances share. */
export function createNearCache(link: Link, pubSub: PubSub, nowMs: () => number): NearCache {
  const near = new LRUCache<string, CachedAnswer>({
    maxSize: LARGEST_BYTES,
    sizeCalculation: ({ body }, key) => body.length + key.length + ENTRY_BYTES,
  });
  const reading = new Set<Set<string>>();
  const add = (key: string, { endsAtMs, body, atMs }: EndingAnswer) => {
    const ttl = Math.min(LONGEST_MS, endsAtMs - nowMs());
    if (ttl > 0) near.set(key, { body, atMs }, { ttl });
  };
  pubSub.subscribe(TOPIC, (said) => {
    for (const key of JSON.parse(said)) {
      near.delete(key);
      for (const replaced of reading) replaced.add(key);
    }
  });
  link.onBeat(async (_redis, isNew) => {
    if (isNew) near.clear();
  });
  return {
    read: (key) => near.get(key),
    bytes: () => near.calculatedSize,
    begin() {
      const replaced = new Set<string>();
      reading.add(replaced);
      return (found) => {
        reading.delete(replaced);
        for (const [key, answer] of found) if (!replaced.has(key)) add(key, answer);
      };
    },
    store(answers) {
      pubSub.publish(TOPIC, JSON.stringify([...answers.keys()]));
      for (const [key, answer] of answers) add(key, answer);
    },
  };
}
