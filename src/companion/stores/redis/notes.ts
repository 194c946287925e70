import type { Notes } from "../../stores";
import { refuseAway } from "./away";
import type { Link } from "./link";

/** Creates the notes that any instance takes up, once. */
export function createRedisNotes(link: Link): Notes {
  return {
    async put(key, value, lifetimeMs) {
      await link.attempt((redis) => redis.set(toKey(key), JSON.stringify(value), "PX", lifetimeMs), refuseAway);
    },
    async take(key) {
      const text = await link.attempt((redis) => redis.getdel(toKey(key)), refuseAway);
      return text === null ? undefined : JSON.parse(text);
    },
  };
}

const toKey = (key: string): string => `note:${key}`;
