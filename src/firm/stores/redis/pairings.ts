import type { Redis } from "ioredis";
import { isMeant, type PairingRequestStore, type PairingStore } from "../../../companion/api/pairing";
import { isPairing, isRequest, isRevoked, toRevoked } from "../../../companion/api/pairing-state";
import { parseJson } from "../../../companion/json";
import type { PairingTokens } from "../../sign-in/tokens";
import { beginEra, ENDED, ERA, followEnded, RECORDS, type SharedPairing, toEraMs } from "./ended";
import { execute, type Link } from "./link";

const CODE = "code";
/** Longer than any code's lifetime. */
const CODE_KEPT_MS = 3_600_000;
/** Revoked pairings to take at once. */
const AT_ONCE = 1000;
/** Not "requests": former builds have a hash there, and both may run during an update. */
const REQUESTS = "asking";
const MOST_REQUESTS = 1000;
/** What administrators ended and no instance has put into its audit log yet. */
const REVOKED = "revoked";
const MOST_REVOKED = 20_000;

const TAKE_CODE = `
local hash, expiresAtMs = unpack(redis.call('HMGET', KEYS[1], 'hash', 'expiresAtMs'))
if not hash or tonumber(expiresAtMs) <= tonumber(ARGV[2]) then return 0 end
if hash == ARGV[1] then return redis.call('DEL', KEYS[1]) end
if redis.call('HINCRBY', KEYS[1], 'triesLeft', -1) <= 0 then redis.call('DEL', KEYS[1]) end
return 0`;

/**
 * Creates the pairings of all instances on a server. A page holds a token, which each instance checks by itself, also
 * during an outage; the server has what was ended before its time, and the records that administrators list.
 */
export function createRedisPairings(link: Link, { sign, read }: PairingTokens): PairingStore {
  const ended = followEnded(link);
  return {
    list: async () => (await link.need(readRecords)).pairings.filter((pairing) => !ended.has(pairing)),
    async find(bearer) {
      const pairing = await read(bearer);
      if (pairing === undefined) return undefined;
      // An instance that has never reached the server does not know what was ended.
      if (!ended.isReady()) await link.need(async () => {});
      return ended.has(pairing) ? undefined : pairing;
    },
    async add(pairing) {
      const { endsAtMs = "+inf", pairedAtMs } = pairing;
      const [era] = await link.need(async (redis) => {
        const change = redis.multi().get(ERA).zremrangebyscore(RECORDS, "-inf", pairedAtMs);
        return execute(change.zadd(RECORDS, endsAtMs, JSON.stringify(pairing)));
      });
      // A server that was emptied a moment ago does not know the era yet.
      const shared: SharedPairing = { ...pairing, eraMs: Math.max(toEraMs(era), ended.eraMs()) };
      return sign(shared);
    },
    async end(whose, atMs) {
      const nextMs = whose === undefined ? Math.max(atMs, ended.eraMs() + 1) : undefined;
      const { pairings, begunMs } = await link.need((redis) => readRecords(redis, nextMs));
      const meant = pairings.filter((pairing) => isMeant(pairing, whose) && !ended.has(pairing));
      if (begunMs === undefined) await link.need((redis) => ended.add(redis, meant));
      else ended.enter(begunMs);
      if (meant.length > 0) await link.need((redis) => note(redis, meant, atMs));
      return meant.length;
    },
    async endOwn(pairing) {
      if (!ended.isReady()) await link.need(async () => {});
      ended.hold(pairing);
      await link.attempt(
        (redis) => ended.add(redis, [pairing]),
        // The server learns of it when it answers again.
        () => {},
      );
    },
    takeRevoked: () =>
      link.attempt(
        async (redis) => readAll((await redis.lpop(REVOKED, AT_ONCE)) ?? [], isRevoked),
        () => [],
      ),
    ...createCode(link),
    ...createRequests(link),
  };
}

/** Notes ended pairings for the audit log of one instance. */
async function note(redis: Redis, pairings: readonly SharedPairing[], atMs: number): Promise<void> {
  const revoked = pairings.slice(-MOST_REVOKED).map((pairing) => JSON.stringify(toRevoked(pairing, atMs)));
  await execute(
    redis
      .multi()
      .rpush(REVOKED, ...revoked)
      .ltrim(REVOKED, -MOST_REVOKED, -1),
  );
}

/**
 * Reads the records, in the order of their pairing; an unreadable one is ignored, and does not affect the others. It
 * delays the server by 40 ms for 50,000.
 * @param nextMs Ends all of them in the same moment, with the code, by beginning this era, or a later one.
 * @returns Also the era that has begun; undefined without nextMs.
 */
async function readRecords(
  redis: Redis,
  nextMs?: number,
): Promise<{ pairings: SharedPairing[]; begunMs: number | undefined }> {
  const commands = redis.multi().get(ERA).zrange(RECORDS, 0, "-1");
  if (nextMs !== undefined) beginEra(commands, nextMs, 1, [ENDED, RECORDS, CODE]);
  const [era, texts, begunMs] = (await execute(commands)) as [string | null, string[], number | undefined];
  const ofEra = readAll(texts, isPairing).map((pairing) => ({ ...pairing, eraMs: toEraMs(era) }));
  return { pairings: ofEra.sort((one, other) => one.pairedAtMs - other.pairedAtMs), begunMs };
}

/** Reads stored values, without those of another shape. */
const readAll = <T>(texts: readonly string[], isValue: (read: T) => boolean): readonly T[] =>
  texts.map((text) => Object(parseJson(text)) as T).filter(isValue);

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

/** The pairing requests, by the times until which they stand. */
function createRequests(link: Link): PairingRequestStore {
  const read = async (redis: Redis) => readAll(await redis.zrange(REQUESTS, 0, "-1"), isRequest);
  return {
    listRequests: () => link.need(read),
    storeRequest: (request, nowMs) =>
      link.need(async (redis) => {
        const change = redis.multi().zremrangebyscore(REQUESTS, "-inf", nowMs);
        change.zadd(REQUESTS, request.expiresAtMs, JSON.stringify(request));
        change.zremrangebyrank(REQUESTS, 0, -1 - MOST_REQUESTS);
        await execute(change.pexpire(REQUESTS, request.expiresAtMs - nowMs));
      }),
    dropRequest: (page) =>
      link.need(async (redis) => {
        const dropped = (await read(redis)).filter((request) => request.page === page);
        if (dropped.length > 0) await redis.zrem(REQUESTS, ...dropped.map((each) => JSON.stringify(each)));
      }),
  };
}
