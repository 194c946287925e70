import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, type Stats, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** One value that the companion remembers; behind it may stand memory, a file or a server that several instances share. */
export interface Store<T> {
  read(): Promise<T>;
  /** Replaces the value by what `edit` makes of it, with nobody else's change in between; gives `edit`'s result. */
  change<R>(edit: (value: T) => { value: T; result: R }): Promise<R>;
}

/** Creates a store that lives as long as the process. */
export function createMemoryStore<T>(initial: T): Store<T> {
  let kept = initial;
  return {
    read: async () => kept,
    async change(edit) {
      const { value, result } = edit(kept);
      kept = value;
      return result;
    },
  };
}

/**
 * Creates a store in a JSON file of its owner alone (mode 0600), which other programs of that person may change: it is read
 * again whenever it differs.
 * @param path The file; with its folder it is made at the first change.
 * @param initial The value while there is no file.
 */
export function createFileStore<T>(path: string, initial: T): Store<T> {
  let kept = initial;
  let version = "";
  const load = (): T => {
    const stats = statSync(path, { throwIfNoEntry: false });
    const current = stats === undefined ? "" : toVersion(stats);
    if (current !== version) {
      kept = stats === undefined ? initial : readJson<T>(path);
      version = current;
    }
    return kept;
  };
  return {
    read: async () => load(),
    async change(edit) {
      const { value, result } = edit(load());
      writeWhole(path, `${JSON.stringify(value, null, 2)}\n`);
      return result;
    },
  };
}

/** Writes a file in one step that only its owner may read, with its folder: whoever reads meanwhile sees the old one or the new. */
export function writeWhole(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
  renameSync(draft, path);
}

const toVersion = ({ ino, mtimeMs, size }: Stats): string => `${ino} ${mtimeMs} ${size}`;

function readJson<T>(path: string): T {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    throw new Error(`${path} is not readable JSON. Mend it, or delete it and set up again.`);
  }
}
