import type { OneTimeValues } from "../../stores";
import type { Link } from "./link";

/** Creates the notes that any instance takes up, once. */
export function createRedisOneTimeValues(link: Link): OneTimeValues {
  return {
    async put(key, value, lifetimeMs) {
      await link.need((redis) => redis.set(toKey(key), JSON.stringify(value), "PX", lifetimeMs));
    },
    async take(key) {
      const text = await link.need((redis) => redis.getdel(toKey(key)));
      return text === null ? undefined : JSON.parse(text);
    },
  };
}

const toKey = (key: string): string => `note:${key}`;
