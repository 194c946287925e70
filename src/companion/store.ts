import { randomUUID } from "node:crypto";
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createFileReader } from "./file-value";
import { isAbsent, readSecretFile } from "./trusted-file";

const WHAT = "file of this program";
const LOCK_TRIES = 150;
const LOCK_PAUSE_MS = 20;
/** A lock is held for one synchronous step, so an older one is left over from a process that died. */
const LOCK_LIFETIME_MS = 2_000;

/** One stored value, in memory or in a file that several programs share. */
export interface Store<T> {
  read(): Promise<T>;
  /** Replaces the value by the result of `edit`, without any other change in between; gives `edit`'s result. */
  change<R>(edit: (value: T) => { value: T; result: R }): Promise<R>;
}

/** Creates a store in this process's memory. */
export function createMemoryStore<T>(initial: T): Store<T> {
  let stored = initial;
  return {
    read: async () => stored,
    async change(edit) {
      const { value, result } = edit(stored);
      stored = value;
      return result;
    },
  };
}

/**
 * Creates a store in a JSON file of its owner alone (mode 0600). Other programs of that person change it as well; the
 * next read sees that.
 * @param path The file; it and its folder are created by the first change.
 * @param initial The value without a file.
 * @param isValue Validates a value, perhaps by throwing; default: it has the names of the initial one.
 * @param lockTries How often it asks for the file while another program changes it; default 150.
 */
export function createFileStore<T extends object>(
  path: string,
  initial: T,
  isValue?: (read: T) => boolean,
  lockTries = LOCK_TRIES,
): Store<T> {
  const readNow = () => readJson(path, initial, isValue);
  const read = createFileReader(path, readNow);
  return {
    read: async () => read(),
    change: (edit) =>
      runLocked(path, lockTries, () => {
        const current = readNow();
        const { value, result } = edit(current);
        if (value !== current) writeWhole(path, `${JSON.stringify(value, null, 2)}\n`);
        return result;
      }),
  };
}

/**
 * Writes a file atomically, readable by its owner only, and creates its folder.
 * @throws Error with a sentence when the file cannot be written; the old one stays.
 */
export function writeWhole(path: string, text: string): void {
  const draft = `${path}.${randomUUID()}`;
  createFolder(path);
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: "wx", flush: true });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw toWriteError(error, path);
  }
}

/** Runs a step under a lock file that only one process can create; within this process it is synchronous. */
async function runLocked<R>(path: string, lockTries: number, run: () => R): Promise<R> {
  const lock = `${path}.lock`;
  createFolder(path);
  for (let tries = 0; !hasLocked(lock, path); tries += 1) {
    if (tries === lockTries)
      throw new Error(`Another program keeps changing ${path}. If none runs, delete ${lock} and try again.`);
    await setTimeout(LOCK_PAUSE_MS);
    dropStale(lock);
  }
  try {
    return run();
  } finally {
    rmSync(lock, { force: true });
  }
}

function hasLocked(lock: string, path: string): boolean {
  try {
    writeFileSync(lock, "", { mode: 0o600, flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw toWriteError(error, path);
  }
}

function dropStale(lock: string): void {
  const stats = statSync(lock, { throwIfNoEntry: false });
  if (stats !== undefined && Date.now() - stats.mtimeMs > LOCK_LIFETIME_MS) rmSync(lock, { force: true });
}

function createFolder(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw toWriteError(error, path);
  }
}

function toWriteError(error: unknown, path: string): Error {
  const { code } = error as NodeJS.ErrnoException;
  return new Error(`${path} cannot be written (${code}). Give your user the right to write there, and try again.`);
}

function readJson<T extends object>(path: string, initial: T, isValue?: (read: T) => boolean): T {
  if (isAbsent(path, WHAT)) return initial;
  const text = readSecretFile(path, WHAT);
  try {
    const value: T = JSON.parse(text);
    const hasNames = Object.keys(initial).every((name) => Object.hasOwn(value, name));
    if (hasNames && isValue?.(value) !== false) return value;
  } catch {
    // The error below reports it: the parser's message would quote the file.
  }
  throw new Error(`${path} does not hold what this program wrote. Mend it, or delete it and set up again.`);
}
