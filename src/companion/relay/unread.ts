import type { ServerResponse } from "node:http";
import { Refusal } from "../refusal";

/** As much as one answer of the provider may have. */
const MOST_UNREAD_BYTES = 64 * 1024 * 1024;

/** What each caller has been answered and has not read yet: it lies in memory, of which everybody lives. */
export interface Unread {
  /**
   * Counts an answer until it is read, or its caller has left.
   * @throws Refusal (FEED_RATE_LIMITED) where that caller leaves more than 64 MB unread.
   */
  add(who: string, bytes: number, raw: ServerResponse): void;
}

export function createUnread(): Unread {
  const unread = new Map<string, number>();
  return {
    add(who, bytes, raw) {
      const before = unread.get(who) ?? 0;
      if (before > 0 && before + bytes > MOST_UNREAD_BYTES) {
        throw new Refusal(429, "Read what you asked for before you ask for more.", "FEED_RATE_LIMITED", 1);
      }
      if (raw.destroyed) return;
      unread.set(who, before + bytes);
      raw.once("close", () => {
        const left = unread.get(who)! - bytes;
        if (left > 0) unread.set(who, left);
        else unread.delete(who);
      });
    },
  };
}
