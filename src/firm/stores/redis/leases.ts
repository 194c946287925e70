import { randomUUID } from "node:crypto";
import { toGroups } from "../../../client/batch/planner";
import type { Leases, PubSub } from "../../stores";
import type { Link } from "./link";

/** A dead instance renews nothing, so its leases expire. */
const LIFETIME_MS = 5000;
const SETTLE_MS = 500;
/** Batch size: the server must answer others meanwhile. */
const AT_ONCE = 1000;
const TOPIC = "claims";

/** Gives the places, from 1, of the keys that this instance now holds. */
const TAKE = `
local taken = {}
for place, key in ipairs(KEYS) do
  local holder = redis.call('GET', key)
  if not holder or holder == ARGV[1] then
    redis.call('SET', key, ARGV[1], 'PX', ARGV[2])
    taken[#taken + 1] = place
  end
end
return taken`;

const RENEW = `
for _, key in ipairs(KEYS) do
  if redis.call('GET', key) == ARGV[1] then redis.call('PEXPIRE', key, ARGV[2]) end
end`;

/** Another instance may hold what this one was too slow to renew. */
const DROP = `
for _, key in ipairs(KEYS) do
  if redis.call('GET', key) == ARGV[1] then redis.call('DEL', key) end
end`;

/** Creates the leases of one instance; during an outage it acquires every key, so each instance loads for itself. */
export function createRedisLeases(link: Link, pubSub: PubSub): Leases & { dropAll(): Promise<void> } {
  const id = randomUUID();
  const held = new Set<string>();
  const waiting = createWaiting(pubSub);
  link.onBeat(async (redis) => {
    for (const keys of toGroups([...held], AT_ONCE)) {
      await redis.eval(RENEW, keys.length, ...keys.map(toKey), id, LIFETIME_MS);
    }
  });
  const drop = async (keys: readonly string[]) => {
    for (const key of keys) held.delete(key);
    for (const some of toGroups(keys, AT_ONCE)) {
      await link.attempt(
        (redis) => redis.eval(DROP, some.length, ...some.map(toKey), id),
        () => undefined,
      );
      pubSub.publish(TOPIC, JSON.stringify(some));
    }
  };
  return {
    release: drop,
    dropAll: () => drop([...held]),
    async acquire(keys) {
      const taken: string[] = [];
      for (const some of toGroups(keys, AT_ONCE)) taken.push(...(await takeSome(link, id, some)));
      for (const key of taken) held.add(key);
      return taken;
    },
    async waitUntilReleased(keys) {
      if (keys.length === 0) return;
      const wait = waiting.add(keys);
      // A release just before this subscription was missed.
      if (await areHeld(link, keys)) await wait.ended;
      else wait.end();
    },
  };
}

const takeSome = (link: Link, id: string, keys: readonly string[]): Promise<readonly string[]> =>
  link.attempt(
    async (redis) => {
      const places = await redis.eval(TAKE, keys.length, ...keys.map(toKey), id, LIFETIME_MS);
      return (places as number[]).map((place) => keys[place - 1]!);
    },
    () => keys,
  );

const areHeld = (link: Link, keys: readonly string[]): Promise<boolean> =>
  link.attempt(
    async (redis) => (await redis.exists(...keys.map(toKey))) === keys.length,
    () => false,
  );

/** The callers that wait for a release, or for half a second. */
function createWaiting(pubSub: PubSub) {
  const waits = new Set<{ keys: ReadonlySet<string>; end: () => void }>();
  pubSub.subscribe(TOPIC, (said) => {
    const dropped: string[] = JSON.parse(said);
    for (const { keys, end } of waits) if (dropped.some((key) => keys.has(key))) end();
  });
  return {
    add(keys: readonly string[]) {
      let end = () => {};
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      const timer = setTimeout(() => wait.end(), SETTLE_MS);
      const wait = {
        keys: new Set(keys),
        end() {
          clearTimeout(timer);
          waits.delete(wait);
          end();
        },
      };
      waits.add(wait);
      return { ended, end: wait.end };
    },
  };
}

const toKey = (key: string): string => `claim:${key}`;
