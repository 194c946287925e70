import { RateLimiterRedis } from "rate-limiter-flexible";
import type { RateLimit } from "../../stores";
import { createMemoryLimit, toRateLimit } from "../memory";
import type { Link } from "./link";

/** Creates a count of all instances together; while the server is gone, each counts for itself. */
export function createRedisLimit(link: Link, name: string, most: number, windowMs: number): RateLimit {
  const own = createMemoryLimit(name, most, windowMs);
  const shared = toRateLimit(
    new RateLimiterRedis({
      storeClient: link.commands,
      keyPrefix: `limit:${name}`,
      points: most,
      duration: windowMs / 1000,
    }),
  );
  return {
    count: (who, points) =>
      link.attempt(
        () => shared.count(who, points),
        () => own.count(who, points),
      ),
    charge: (who, points) =>
      link.attempt(
        () => shared.charge(who, points),
        () => own.charge(who, points),
      ),
  };
}
