import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import type { Pairing, PairingStore } from "../../door/pairing";
import { execute, type Link, refuseAway } from "./link";
import type { SharedNotices } from "./notices";

/** A hash of all pairings by the hashes of their bearers, and of a word that is made anew where the server has lost them. */
const PAIRINGS = "pairings";
const GENERATION = "generation";
const CODE = "code";
/** Longer than any code serves. */
const CODE_KEPT_MS = 3_600_000;
const TOPIC = "pairings";

const TAKE_CODE = `
local hash, expiresAtMs = unpack(redis.call('HMGET', KEYS[1], 'hash', 'expiresAtMs'))
if not hash or tonumber(expiresAtMs) <= tonumber(ARGV[2]) then return 0 end
if hash == ARGV[1] then return redis.call('DEL', KEYS[1]) end
if redis.call('HINCRBY', KEYS[1], 'triesLeft', -1) <= 0 then redis.call('DEL', KEYS[1]) end
return 0`;

/** What instances tell each other: pairings that were made, and the hashes of those that ended. */
interface Change {
  added: readonly Pairing[];
  ended: readonly string[];
}

interface Kept {
  generation: string | undefined;
  /** By the hashes of their bearers. */
  pairings: Map<string, Pairing>;
}

/**
 * Creates the pairings that instances share. Each instance knows all of them, since every request asks, and goes on by
 * what it knows while the server is gone; but meanwhile nobody is paired, and no pairing ends.
 */
export function createRedisPairings(link: Link, notices: SharedNotices): PairingStore {
  const known = followPairings(link, notices);
  const change = async (redis: Redis, { added, ended }: Change): Promise<number> => {
    const message = notices.toMessage(TOPIC, JSON.stringify({ added, ended }));
    // The empty name is nobody's: a command must have one.
    const transaction = redis.multi().hdel(PAIRINGS, "", ...ended);
    for (const pairing of added) transaction.hset(PAIRINGS, pairing.hash, JSON.stringify(pairing));
    const [count] = await execute(transaction.publish(notices.channel, message));
    known.apply({ added, ended });
    return count as number;
  };
  return {
    list: () =>
      link.attempt(
        async (redis) => inOrder((await readKept(redis)).pairings),
        () => inOrder(known.read() ?? refuseAway()),
      ),
    async find(hash) {
      const pairing = known.read()?.get(hash);
      if (pairing !== undefined) return pairing;
      // Made a moment ago, perhaps. It is not remembered here: word of its end may have come while it was looked up.
      const text = await link.attempt((redis) => redis.hget(PAIRINGS, hash), refuseAway);
      return text === null ? undefined : JSON.parse(text);
    },
    add: (pairing) =>
      link.need(async (redis) => {
        const isOver = ({ endsAtMs = Infinity }: Pairing) => endsAtMs <= pairing.pairedAtMs;
        await change(redis, { added: [pairing], ended: listHashes(known.read(), isOver) });
      }),
    end: (id) =>
      link.need(async (redis) => {
        if (id === undefined) await redis.del(CODE);
        const { pairings } = await readKept(redis);
        const ended = listHashes(pairings, (pairing) => id === undefined || pairing.id === id);
        return change(redis, { added: [], ended });
      }),
    ...createCode(link),
  };
}

/** The code that waits at the terminal. */
function createCode(link: Link): Pick<PairingStore, "keepCode" | "takeCode"> {
  return {
    keepCode: (code) =>
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

/** Keeps in memory what the server has, by what is told of changes, and wholly anew whenever something may have been missed. */
function followPairings(link: Link, notices: SharedNotices) {
  let known: Kept | undefined;
  let reading: Change[] | undefined;
  const apply = (change: Change) => {
    reading?.push(change);
    if (known !== undefined) applyTo(known.pairings, change);
  };
  notices.hear(TOPIC, (said) => {
    const { added, ended }: Change = JSON.parse(said);
    apply({ added: [...added], ended: [...ended] });
  });
  link.onBeat(async (redis, isNew) => {
    if (!isNew && (await redis.hget(PAIRINGS, GENERATION)) === known?.generation) return;
    const changes: Change[] = [];
    reading = changes;
    const read = await readAnew(redis, known);
    if (reading !== changes) return;
    known = read;
    // What was told while it was read may be newer than what was read.
    for (const change of changes) applyTo(read.pairings, change);
    reading = undefined;
  });
  return { read: () => known?.pairings, apply };
}

/**
 * A server that was started without its data gets them back: else everybody would have to pair again. One that takes
 * nothing any more, such as a full one, refuses the first line of this, and so counts as gone.
 */
async function readAnew(redis: Redis, known: Kept | undefined): Promise<Kept> {
  await redis.hsetnx(PAIRINGS, GENERATION, randomUUID());
  const kept = await readKept(redis);
  if (known === undefined || kept.generation === known.generation) return kept;
  const pipeline = redis.pipeline();
  for (const [hash, pairing] of known.pairings) pipeline.hsetnx(PAIRINGS, hash, JSON.stringify(pairing));
  await execute(pipeline);
  return readKept(redis);
}

async function readKept(redis: Redis): Promise<Kept> {
  const { [GENERATION]: generation, ...texts } = await redis.hgetall(PAIRINGS);
  const pairings = Object.entries(texts).map(([hash, text]): [string, Pairing] => [hash, JSON.parse(text)]);
  return { generation, pairings: new Map(pairings) };
}

function applyTo(pairings: Map<string, Pairing>, { added, ended }: Change): void {
  for (const pairing of added) pairings.set(pairing.hash, pairing);
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
