import { type Database, inTransaction } from "../database";
import { type Schema, STORES, sum, toSliceKeys, type Use } from "./rows";

/** The share of the maximum that is left after an eviction. */
const LEFT = 0.8;

/** An answer with the rows that refer to it. */
interface Group {
  keys: string[];
  characters: number;
  usedAtMs: number;
}

/**
 * Drops the least recently used answers above the maximum.
 *
 * @param most maximum size in characters
 * @param isFull whether the browser refused a write: then half goes, whatever the size
 */
export async function evictLeastRecentlyUsed(use: Database<Schema>, most: number, isFull: boolean): Promise<void> {
  await use(undefined, (database) =>
    inTransaction(database, STORES, "readwrite", async (transaction) => {
      const [answers, uses] = [transaction.objectStore("answers"), transaction.objectStore("uses")];
      const [keys, all] = await Promise.all([uses.getAllKeys(), uses.getAll()]);
      const groups = toGroups(keys, all);
      let characters = sum(all);
      const left = isFull ? characters / 2 : characters > most ? most * LEFT : characters;
      const dropped: string[] = [];
      for (const group of groups) {
        if (characters <= left) break;
        characters -= group.characters;
        dropped.push(...group.keys);
      }
      const slices = transaction.objectStore("slices");
      const drop = (key: string) => [answers.delete(key), uses.delete(key), slices.delete(toSliceKeys(key))];
      await Promise.all(dropped.flatMap(drop));
    }),
  );
}

/** The least recently used first. */
function toGroups(keys: readonly string[], uses: readonly Use[]): Group[] {
  const groups = new Map<string, Group>();
  for (const [index, key] of keys.entries()) {
    const { equals, characters, usedAtMs } = uses[index] as Use;
    const group = groups.get(equals ?? key) ?? { keys: [], characters: 0, usedAtMs: 0 };
    group.keys.push(key);
    group.characters += characters;
    group.usedAtMs = Math.max(group.usedAtMs, usedAtMs);
    groups.set(equals ?? key, group);
  }
  return [...groups.values()].sort((one, other) => one.usedAtMs - other.usedAtMs);
}
