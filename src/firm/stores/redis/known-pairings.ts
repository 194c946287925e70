import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { LRUCache } from "lru-cache";
import { toGroups } from "../../../client/batch/planner";
import type { Pairing } from "../../../companion/api/pairing";
import type { Link } from "./link";
import { type Change, GENERATION, makeChange, OVER, PAIRINGS, readPairing, TOPIC, toPairings } from "./pairing-changes";
import type { SharedPubSub } from "./pub-sub";

/** Pairings in memory. With more on the server, an instance reads each at its first use, so that its start waits for none. */
const MOST_KNOWN = 10_000;
const MOST_OVER = 20_000;
const AT_ONCE = 1000;

interface Known {
  generation: string | null;
  /** By bearer hash: all of the server's, or those used last. */
  pairings: LRUCache<string, Pairing>;
  /** Hashes of ended pairings, which are never valid again. */
  over: Set<string>;
}

/** The pairings in memory. */
export interface KnownPairings {
  /** Whether the server has answered yet. */
  isReady(): boolean;
  /** Lists them: all of the server's, if these are 10,000 at most. */
  list(): readonly Pairing[];
  /** Gives a pairing, null for one that has ended, or undefined for one that only the server can know. */
  find(hash: string): Pairing | null | undefined;
  /** Holds a pairing that the server gave, unless its end was announced meanwhile; gives it in that case. */
  hold(pairing: Pairing): Pairing | undefined;
  apply(change: Change): void;
}

/**
 * Mirrors the server's pairings in memory by messages, and reads them again whenever a message may have been missed.
 */
export function followPairings(link: Link, notices: SharedPubSub): KnownPairings {
  let known: Known | undefined;
  let reading: Change[] | undefined;
  const apply = (change: Change) => {
    reading?.push(change);
    if (known !== undefined) applyTo(known, change);
  };
  notices.subscribe(TOPIC, (said) => {
    const { added, ended }: Change = JSON.parse(said);
    apply({ added: [...added], ended: [...ended] });
  });
  link.onBeat(async (redis, isNew) => {
    if (!isNew && (await redis.hget(PAIRINGS, GENERATION)) === known?.generation) return;
    const changes: Change[] = [];
    reading = changes;
    const read = await readAnew(redis, notices, known);
    if (reading !== changes) return;
    known = read;
    // Messages that came during the read may be newer than its result.
    for (const change of changes) applyTo(read, change);
    reading = undefined;
  });
  return {
    isReady: () => known !== undefined,
    list: () => listPairings(known),
    find: (hash) => (known?.over.has(hash) ? null : known?.pairings.get(hash)),
    hold(pairing) {
      if (known?.over.has(pairing.hash)) return undefined;
      known?.pairings.set(pairing.hash, pairing);
      return pairing;
    },
    apply,
  };
}

/**
 * Restores what a server lost on a restart, and ends again what had ended: otherwise everybody would pair again, or an
 * ended pairing would be valid again. A server that takes no writes, such as a full one, fails on the first line and
 * counts as away.
 */
async function readAnew(redis: Redis, notices: SharedPubSub, known: Known | undefined): Promise<Known> {
  await redis.hsetnx(PAIRINGS, GENERATION, randomUUID());
  const before = listPairings(known);
  const { generation, pairings, over: stored } = await readStored(redis, before);
  const over = new Set([...stored, ...(known?.over ?? [])]);
  const revived = await readSome(redis, [...over]);
  const added = before.filter(({ hash }) => !pairings.has(hash) && !over.has(hash));
  const ended = [...over].filter((hash) => revived.has(hash) || !stored.has(hash));
  const read: Known = { generation, pairings: new LRUCache({ max: MOST_KNOWN }), over: stored };
  for (const [hash, pairing] of pairings) read.pairings.set(hash, pairing);
  const changes = toGroups(added, AT_ONCE).map((some): Change => ({ added: some, ended: [] }));
  if (ended.length > 0) changes.unshift({ added: [], ended });
  for (const change of changes) {
    await makeChange(redis, notices, change);
    applyTo(read, change);
  }
  return read;
}

/**
 * Reads all pairings, or of many only those that were in memory before. In this order, so that a pairing that ends
 * meanwhile is among the ended ones.
 */
async function readStored(redis: Redis, before: readonly Pairing[]) {
  const isMany = (await redis.hlen(PAIRINGS)) > MOST_KNOWN + 1; // the generation is an entry too
  const hashes = before.map(({ hash }) => hash);
  const pairings = isMany ? await readSome(redis, hashes) : toPairings(await redis.hgetall(PAIRINGS));
  const over = new Set(await redis.zrange(OVER, 0, "-1"));
  return { generation: await redis.hget(PAIRINGS, GENERATION), pairings, over };
}

/** Lists those in memory; the one used last comes last, so that it stays when they are stored again in this order. */
const listPairings = (known: Known | undefined): Pairing[] =>
  known === undefined
    ? []
    : known.pairings
        .dump()
        .reverse()
        .map(([, { value }]) => value);

async function readSome(redis: Redis, hashes: readonly string[]): Promise<Map<string, Pairing>> {
  const found = new Map<string, Pairing>();
  for (const some of toGroups(hashes, AT_ONCE)) {
    for (const text of await redis.hmget(PAIRINGS, ...some)) {
      const pairing = text === null ? undefined : readPairing(text);
      if (pairing !== undefined) found.set(pairing.hash, pairing);
    }
  }
  return found;
}

function applyTo({ pairings, over }: Known, { added, ended }: Change): void {
  for (const hash of ended) over.add(hash);
  for (const hash of over) {
    if (over.size <= MOST_OVER) break;
    over.delete(hash);
  }
  for (const pairing of added) if (!over.has(pairing.hash)) pairings.set(pairing.hash, pairing);
  for (const hash of ended) pairings.delete(hash);
}
