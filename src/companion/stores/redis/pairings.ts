import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { toGroups } from "../../../client/batch/planner";
import type { Pairing, PairingStore, RevokedPairing } from "../../api/pairing";
import type { PairingRequest, PairingRequestStore } from "../../api/pairing-codes";
import { isPairing, isRequest, isRevoked, toRevoked } from "../../api/pairing-state";
import { execute, type Link, refuseAway } from "./link";
import type { SharedPubSub } from "./pub-sub";

/** A hash of all pairings by bearer hash, and a random word, which changes when the server loses its data. */
const PAIRINGS = "pairings";
const GENERATION = "generation";
/** Hashes of the latest ended pairings: a server may return with an older copy, or with none. */
const OVER = "ended";
const MOST_OVER = 20_000;
const AT_ONCE = 1000;
const CODE = "code";
/** Longer than any code's lifetime. */
const CODE_KEPT_MS = 3_600_000;
const REQUESTS = "requests";
const MOST_REQUESTS = 1000;
const TOPIC = "pairings";
/** What administrators ended and no instance has put into its audit log yet. */
const REVOKED = "revoked";
const MOST_REVOKED = 20_000;

const TAKE_CODE = `
local hash, expiresAtMs = unpack(redis.call('HMGET', KEYS[1], 'hash', 'expiresAtMs'))
if not hash or tonumber(expiresAtMs) <= tonumber(ARGV[2]) then return 0 end
if hash == ARGV[1] then return redis.call('DEL', KEYS[1]) end
if redis.call('HINCRBY', KEYS[1], 'triesLeft', -1) <= 0 then redis.call('DEL', KEYS[1]) end
return 0`;

/** The message between instances: new pairings, and the hashes of ended ones. */
interface Change {
  added: readonly Pairing[];
  ended: readonly string[];
}

interface Stored {
  generation: string | undefined;
  /** By bearer hash. */
  pairings: Map<string, Pairing>;
  /** Hashes of ended pairings, which are never valid again. */
  over: Set<string>;
}

/**
 * Creates the shared pairings. Each instance has all of them in memory, since every request needs them, and goes on
 * with these during an outage; then no page is paired and no pairing ends.
 */
export function createRedisPairings(link: Link, notices: SharedPubSub): PairingStore {
  const known = followPairings(link, notices);
  const change = async (redis: Redis, changed: Change, revoked: readonly RevokedPairing[] = []): Promise<number> => {
    const count = await makeChange(redis, notices, changed, revoked);
    known.apply(changed);
    return count;
  };
  return {
    list: () =>
      link.attempt(
        async (redis) => inOrder(toPairings(await redis.hgetall(PAIRINGS))),
        () => inOrder(known.read()?.pairings ?? refuseAway()),
      ),
    async find(hash) {
      const { pairings, over } = known.read() ?? {};
      const pairing = pairings?.get(hash);
      if (pairing !== undefined || over?.has(hash)) return pairing;
      // It may be new. It is not added to memory: its end may have been announced during this lookup.
      const text = await link.attempt((redis) => redis.hget(PAIRINGS, hash), refuseAway);
      return text === null ? undefined : readPairing(text);
    },
    add: (pairing) =>
      link.need(async (redis) => {
        const isOver = ({ endsAtMs = Infinity }: Pairing) => endsAtMs <= pairing.pairedAtMs;
        await change(redis, { added: [pairing], ended: listHashes(known.read()?.pairings, isOver) });
      }),
    end: (id, atMs) =>
      link.need(async (redis) => {
        if (id === undefined) await redis.del(CODE);
        const stored = [...toPairings(await redis.hgetall(PAIRINGS)).values()];
        const meant = stored.filter((pairing) => id === undefined || pairing.id === id);
        const revoked = meant.map((pairing) => toRevoked(pairing, atMs));
        return change(redis, { added: [], ended: meant.map(({ hash }) => hash) }, revoked);
      }),
    async endOwn({ hash }) {
      const ended: Change = { added: [], ended: [hash] };
      await link.attempt(
        async (redis) => void (await change(redis, ended)),
        // The server learns of it when it answers again, as of all that ended here.
        () => (known.read() === undefined ? refuseAway() : known.apply(ended)),
      );
    },
    takeRevoked: () =>
      link.attempt(
        async (redis) => {
          const texts = (await redis.lpop(REVOKED, AT_ONCE)) ?? [];
          return texts.map((text) => readJson(text, isRevoked)).filter((each) => each !== undefined);
        },
        () => [],
      ),
    ...createCode(link),
    ...createRequests(link),
  };
}

/** The terminal's code. */
function createCode(link: Link): Pick<PairingStore, "storeCode" | "takeCode"> {
  return {
    storeCode: (code) =>
      link.need(async (redis) => {
        await execute(
          redis
            .multi()
            .hset(CODE, { ...code })
            .pexpire(CODE, CODE_KEPT_MS),
        );
      }),
    takeCode: (hash, nowMs) => link.need(async (redis) => (await redis.eval(TAKE_CODE, 1, CODE, hash, nowMs)) === 1),
  };
}

/** The pairing requests by name. */
function createRequests(link: Link): PairingRequestStore {
  const read = async (redis: Redis) => {
    const requests = Object.values(await redis.hgetall(REQUESTS)).map((text) => readJson(text, isRequest));
    return requests.filter((each) => each !== undefined).sort((one, other) => one.expiresAtMs - other.expiresAtMs);
  };
  const drop = (redis: Redis, requests: readonly PairingRequest[]) =>
    redis.hdel(REQUESTS, "", ...requests.map(({ name }) => name)); // no entry has the empty name, which fills the command
  return {
    listRequests: () => link.need(read),
    storeRequest: (request, nowMs) =>
      link.need(async (redis) => {
        const requests = await read(redis);
        const standing = requests.filter(({ expiresAtMs }) => expiresAtMs > nowMs).slice(1 - MOST_REQUESTS);
        await drop(
          redis,
          requests.filter((each) => !standing.includes(each)),
        );
        await redis.hset(REQUESTS, request.name, JSON.stringify(request));
        await redis.pexpire(REQUESTS, request.expiresAtMs - nowMs);
      }),
    dropRequest: (page) =>
      link.need(async (redis) => {
        await drop(
          redis,
          (await read(redis)).filter((request) => request.page === page),
        );
      }),
  };
}

/**
 * Mirrors the server's pairings in memory by messages, and reads all of them whenever a message may have been missed.
 */
function followPairings(link: Link, notices: SharedPubSub) {
  let known: Stored | undefined;
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
  return { read: () => known, apply };
}

/**
 * Restores what a server lost on a restart, and ends again what had ended: otherwise everybody would pair again, or an
 * ended pairing would be valid again. A server that takes no writes, such as a full one, fails on the first line and
 * counts as away.
 */
async function readAnew(redis: Redis, notices: SharedPubSub, known: Stored | undefined): Promise<Stored> {
  await redis.hsetnx(PAIRINGS, GENERATION, randomUUID());
  const before = [...(known?.pairings.values() ?? [])];
  const cache = await readStored(redis);
  const over = new Set([...cache.over, ...(known?.over ?? [])]);
  const added = before.filter(({ hash }) => !cache.pairings.has(hash) && !over.has(hash));
  const ended = [...over].filter((hash) => cache.pairings.has(hash) || !cache.over.has(hash));
  const changes = toGroups(added, AT_ONCE).map((some): Change => ({ added: some, ended: [] }));
  if (ended.length > 0) changes.unshift({ added: [], ended });
  for (const change of changes) {
    await makeChange(redis, notices, change);
    applyTo(cache, change);
  }
  return cache;
}

/** In this order, so that a pairing that ends meanwhile is among the ended ones. */
async function readStored(redis: Redis): Promise<Stored> {
  const texts = await redis.hgetall(PAIRINGS);
  const over = new Set(await redis.zrange(OVER, 0, "-1"));
  return { generation: texts[GENERATION], pairings: toPairings(texts), over };
}

/** Changes the server's pairings and publishes the change; gives how many ended. */
async function makeChange(
  redis: Redis,
  notices: SharedPubSub,
  { added, ended }: Change,
  revoked: readonly RevokedPairing[] = [],
): Promise<number> {
  const message = notices.toMessage(TOPIC, JSON.stringify({ added, ended }));
  // No entry has the empty name, which fills the command.
  const transaction = redis.multi().hdel(PAIRINGS, "", ...ended);
  for (const hash of ended) transaction.zadd(OVER, Date.now(), hash);
  transaction.zremrangebyrank(OVER, 0, -MOST_OVER - 1);
  for (const pairing of added) transaction.hset(PAIRINGS, pairing.hash, JSON.stringify(pairing));
  for (const each of revoked) transaction.rpush(REVOKED, JSON.stringify(each));
  if (revoked.length > 0) transaction.ltrim(REVOKED, -MOST_REVOKED, -1);
  const [count] = await execute(transaction.publish(notices.channel, message));
  return count as number;
}

function toPairings(texts: Readonly<Record<string, string>>): Map<string, Pairing> {
  const pairings = Object.entries(texts).map(([hash, text]) => [hash, readPairing(text)] as const);
  return new Map(pairings.filter((entry): entry is [string, Pairing] => entry[1]?.hash === entry[0]));
}

/** An unreadable entry is ignored, and does not affect the others. */
const readPairing = (text: string): Pairing | undefined => readJson(text, isPairing);

function readJson<T>(text: string, isValue: (read: T) => boolean): T | undefined {
  try {
    const value: T = JSON.parse(text);
    return isValue(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function applyTo({ pairings, over }: Stored, { added, ended }: Change): void {
  for (const hash of ended) over.add(hash);
  for (const hash of over) {
    if (over.size <= MOST_OVER) break;
    over.delete(hash);
  }
  for (const pairing of added) if (!over.has(pairing.hash)) pairings.set(pairing.hash, pairing);
  for (const hash of ended) pairings.delete(hash);
}

function listHashes(
  pairings: ReadonlyMap<string, Pairing> | undefined,
  isMeant: (pairing: Pairing) => boolean,
): string[] {
  return [...(pairings?.values() ?? [])].filter(isMeant).map(({ hash }) => hash);
}

const inOrder = (pairings: ReadonlyMap<string, Pairing>): Pairing[] =>
  [...pairings.values()].sort((one, other) => one.pairedAtMs - other.pairedAtMs);
