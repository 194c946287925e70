import type { Redis } from "ioredis";
import { toGroups } from "../../../client/batch/planner";
import type {
  Pairing,
  PairingRequest,
  PairingRequestStore,
  PairingStore,
  RevokedPairing,
} from "../../../companion/api/pairing";
import { isRequest, isRevoked, toRevoked } from "../../../companion/api/pairing-state";
import { followPairings, type KnownPairings } from "./known-pairings";
import { execute, type Link, refuseAway } from "./link";
import { type Change, makeChange, PAIRINGS, REVOKED, readJson, readPairing, toPairings } from "./pairing-changes";
import type { SharedPubSub } from "./pub-sub";

const CODE = "code";
/** Longer than any code's lifetime. */
const CODE_KEPT_MS = 3_600_000;
/** Pairings to read at once, or revoked ones to take. */
const AT_ONCE = 1000;
const REQUESTS = "requests";
const MOST_REQUESTS = 1000;
/** Pairings that each new one looks through for expired ones: 5,000 sign-ins see a million. */
const SWEPT = 200;

const TAKE_CODE = `
local hash, expiresAtMs = unpack(redis.call('HMGET', KEYS[1], 'hash', 'expiresAtMs'))
if not hash or tonumber(expiresAtMs) <= tonumber(ARGV[2]) then return 0 end
if hash == ARGV[1] then return redis.call('DEL', KEYS[1]) end
if redis.call('HINCRBY', KEYS[1], 'triesLeft', -1) <= 0 then redis.call('DEL', KEYS[1]) end
return 0`;

/**
 * Creates the shared pairings. Each instance has them in memory, since every request needs them, and goes on with these
 * during an outage; then no page is paired and no pairing ends. Of more than 10,000 it has those used last.
 */
export function createRedisPairings(link: Link, notices: SharedPubSub): PairingStore {
  const known = followPairings(link, notices);
  const sweep = createSweep();
  const change = async (redis: Redis, changed: Change, revoked: readonly RevokedPairing[] = []): Promise<number> => {
    const count = await makeChange(redis, notices, changed, revoked);
    known.apply(changed);
    return count;
  };
  return {
    list: async () => inOrder(await listAll(link, known)),
    async find(hash) {
      const pairing = known.find(hash);
      if (pairing !== undefined) return pairing ?? undefined;
      const text = await link.attempt((redis) => redis.hget(PAIRINGS, hash), refuseAway);
      const read = text === null ? undefined : readPairing(text);
      return read && known.hold(read);
    },
    add: (pairing) =>
      link.need(
        async (redis) =>
          void (await change(redis, { added: [pairing], ended: await sweep(redis, pairing.pairedAtMs) })),
      ),
    async end(id, atMs) {
      if (id === undefined) await link.need((redis) => redis.del(CODE));
      let count = 0;
      for await (const some of scan(link.need)) {
        const meant = some.filter((pairing) => id === undefined || pairing.id === id);
        if (meant.length === 0) continue;
        const changed = { added: [], ended: meant.map(({ hash }) => hash) };
        const revoked = meant.map((pairing) => toRevoked(pairing, atMs));
        count += await link.need((redis) => change(redis, changed, revoked));
      }
      return count;
    },
    async endOwn({ hash }) {
      const ended: Change = { added: [], ended: [hash] };
      await link.attempt(
        async (redis) => void (await change(redis, ended)),
        // The server learns of it when it answers again, as of all that ended here.
        () => (known.isReady() ? known.apply(ended) : refuseAway()),
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

/** A part of the server's pairings, and where the next one begins: at "0" after the last. */
interface Page {
  next: string;
  pairings: Pairing[];
}

async function readPage(redis: Redis, cursor: string, count: number): Promise<Page> {
  const [next, entries] = await redis.hscan(PAIRINGS, cursor, "COUNT", count);
  return { next, pairings: [...toPairings(Object.fromEntries(toGroups(entries, 2))).values()] };
}

/** Gives all of the server's pairings in parts: others would wait too long while it reads 50,000 at once. */
async function* scan(run: (act: (redis: Redis) => Promise<Page>) => Promise<Page>): AsyncGenerator<Pairing[]> {
  let cursor = "0";
  do {
    const { next, pairings } = await run((redis) => readPage(redis, cursor, AT_ONCE));
    yield pairings;
    cursor = next;
  } while (cursor !== "0");
}

/** Lists the server's pairings, or those in memory while it does not answer. */
async function listAll(link: Link, known: KnownPairings): Promise<readonly Pairing[]> {
  const listed: Pairing[] = [];
  try {
    for await (const some of scan((act) => link.attempt(act, refuseAway))) listed.push(...some);
  } catch (error) {
    if (!known.isReady()) throw error;
    return known.list();
  }
  return listed;
}

/** Finds expired pairings in a part of the server's; each call goes on where the last one ended. */
function createSweep() {
  let cursor = "0";
  return async (redis: Redis, nowMs: number): Promise<string[]> => {
    const { next, pairings } = await readPage(redis, cursor, SWEPT);
    cursor = next;
    return pairings.filter(({ endsAtMs = Infinity }) => endsAtMs <= nowMs).map(({ hash }) => hash);
  };
}

const inOrder = (pairings: readonly Pairing[]): Pairing[] =>
  [...pairings].sort((one, other) => one.pairedAtMs - other.pairedAtMs);
