import type { Redis } from "ioredis";
import type { Pairing, RevokedPairing } from "../../../companion/api/pairing";
import { isPairing } from "../../../companion/api/pairing-state";
import { execute } from "./link";
import type { SharedPubSub } from "./pub-sub";

/** A hash of all pairings by bearer hash, and a random word, which changes when the server loses its data. */
export const PAIRINGS = "pairings";
export const GENERATION = "generation";
/** Hashes of the latest ended pairings: a server may return with an older copy, or with none. */
export const OVER = "ended";
/** What administrators ended and no instance has put into its audit log yet. */
export const REVOKED = "revoked";
export const TOPIC = "pairings";
const MOST_OVER = 20_000;
const MOST_REVOKED = 20_000;

/** The message between instances: new pairings, and the hashes of ended ones. */
export interface Change {
  added: readonly Pairing[];
  ended: readonly string[];
}

/** Changes the server's pairings and publishes the change; gives how many ended. */
export async function makeChange(
  redis: Redis,
  notices: SharedPubSub,
  { added, ended }: Change,
  revoked: readonly RevokedPairing[] = [],
): Promise<number> {
  const message = notices.toMessage(TOPIC, JSON.stringify({ added, ended }));
  // No entry has the empty name, which fills the command.
  const transaction = redis.multi().hdel(PAIRINGS, "", ...ended);
  if (ended.length > 0) transaction.zadd(OVER, ...ended.flatMap((hash) => [Date.now(), hash]));
  transaction.zremrangebyrank(OVER, 0, -MOST_OVER - 1);
  const stored = added.map((pairing) => [pairing.hash, JSON.stringify(pairing)]);
  if (added.length > 0) transaction.hset(PAIRINGS, Object.fromEntries(stored));
  if (revoked.length > 0) transaction.rpush(REVOKED, ...revoked.map((each) => JSON.stringify(each)));
  if (revoked.length > 0) transaction.ltrim(REVOKED, -MOST_REVOKED, -1);
  const [count] = await execute(transaction.publish(notices.channel, message));
  return count as number;
}

/** Reads entries of the hash; an unreadable one is ignored, and does not affect the others. */
export function toPairings(texts: Readonly<Record<string, string>>): Map<string, Pairing> {
  const pairings = Object.entries(texts).map(([hash, text]) => [hash, readPairing(text)] as const);
  return new Map(pairings.filter((entry): entry is [string, Pairing] => entry[1]?.hash === entry[0]));
}

export const readPairing = (text: string): Pairing | undefined => readJson(text, isPairing);

/** Reads a stored value, or gives undefined for one of another shape. */
export function readJson<T>(text: string, isValue: (read: T) => boolean): T | undefined {
  try {
    const value: T = JSON.parse(text);
    return isValue(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
