import type { Throttle } from "../../stores";
import { createMemoryThrottle, SLACK, toAloneIntervalMs, toIntervalMs } from "../throttle";
import type { InstanceCount } from "./instances";
import type { Link } from "./link";

/** After an outage instances join one by one: so long, each stays within its own share too. */
const REJOINING_MS = 2000;

/**
 * The generic cell rate algorithm, by the server's clock. A time further ahead than one interval is of a server whose
 * clock was set back. It returns text, since numbers would lose their fraction.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local interval = tonumber(ARGV[1])
local next = tonumber(redis.call('GET', KEYS[1]) or 0)
if next > now + interval then next = now end
if next > now then return string.format('%.3f', next - now) end
if now - next > interval * ARGV[2] then next = now end
redis.call('SET', KEYS[1], string.format('%.3f', next + interval), 'PX', math.ceil(2 * interval))
return '0'`;

/**
 * Creates a throttle of all instances together. During an outage of the server each has the share of one of those last
 * seen, and their first actions follow one another.
 */
export function createRedisThrottle(link: Link, instances: InstanceCount, name: string, perMinute: number): Throttle {
  const intervalMs = toIntervalMs(perMinute);
  const own = createMemoryThrottle(perMinute);
  let aloneAtMs = Number.NEGATIVE_INFINITY;
  let isAlone = false;
  const takeAlone = () => {
    if (!isAlone) own.restart(toAloneIntervalMs(perMinute, instances.count()), (instances.place() + 1) * intervalMs);
    isAlone = true;
    aloneAtMs = performance.now();
    return own.take();
  };
  const takeShared = () =>
    link.attempt(async (redis) => {
      const waitMs = Number(await redis.eval(TAKE, 1, `throttle:${name}`, intervalMs, SLACK));
      isAlone = false;
      return waitMs;
    }, takeAlone);
  return {
    async take() {
      const isRejoining = link.standing() === "shared" && performance.now() - aloneAtMs < REJOINING_MS;
      return (isRejoining ? await own.take() : 0) || takeShared();
    },
  };
}
