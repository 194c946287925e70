import { type Database, inTransaction } from "../database";
import { type Schema, toKey, type Use } from "./rows";

/** Of what is kept at most, this is left when that is exceeded. */
const LEFT = 0.8;

/** An answer with the rows that name it as their equal, which are worth nothing without it. */
interface Group {
  keys: string[];
  characters: number;
  usedAtMs: number;
}

/**
 * Drops what has not been used for longest, until little enough is kept.
 *
 * @param most in characters
 * @param isFull whether the browser takes no more, however little it is: then half goes
 */
export async function makeRoom(use: Database<Schema>, most: number, isFull: boolean): Promise<void> {
  await use(undefined, (database) =>
    inTransaction(database, ["answers", "uses"], "readwrite", async (transaction) => {
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
      await Promise.all(dropped.flatMap((key) => [answers.delete(key), uses.delete(key)]));
    }),
  );
}

export const sum = (uses: readonly Use[]): number => uses.reduce((total, { characters }) => total + characters, 0);

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

/** Drops what is kept of others. */
export async function dropOthers(use: Database<Schema>, owner: string): Promise<void> {
  const others = [IDBKeyRange.upperBound(toKey(owner, ""), true), IDBKeyRange.lowerBound(toKey(owner, "\uffff"), true)];
  await use(undefined, (database) =>
    inTransaction(database, ["answers", "uses"], "readwrite", async (transaction) => {
      const stores = [transaction.objectStore("answers"), transaction.objectStore("uses")];
      await Promise.all(stores.flatMap((store) => others.map((range) => store.delete(range))));
    }),
  );
}
