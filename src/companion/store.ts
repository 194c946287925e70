import { randomUUID } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";
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

/** Whether this program may write to a file, or into a folder. */
export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Gives the sentence for a file that cannot be written. */
export function toWriteError(error: unknown, path: string): Error {
  const { code } = error as NodeJS.ErrnoException;
  return new Error(`${path} cannot be written (${code}). Check the folder's rights and the disk, and try again.`);
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

/** Longer than the coarsest clock of a file system: two changes within one tick could leave equal times. */
const SETTLED_MS = 2_000;
/** A file's state does not show everything, such as who may replace its folder. */
const LONGEST_USE_MS = 1_000;
/** Opens a pipe without waiting. */
const READING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Creates a reader that gives a file's value from memory while the file is unchanged. Each call looks at the file,
 * since a notice of a change may come after the next request. It opens the file rather than its path's entry: a network
 * folder may answer for an entry from a cache, and asks the server on opening.
 * @param read Reads and validates the value; called for a changed file, and otherwise once a second.
 */
export function createFileReader<T>(path: string, read: () => T): () => T {
  let known: { value: T; mark: string; untilMs: number } | undefined;
  return () => {
    const state = readState(path);
    const startMs = performance.now();
    if (known !== undefined && startMs < known.untilMs && known.mark === state?.mark) return known.value;
    const isSettled = state !== undefined && Date.now() - state.changedMs > SETTLED_MS;
    known = undefined;
    const value = read();
    // A change since the look above is seen by the next one.
    if (isSettled) known = { value, mark: state.mark, untilMs: startMs + LONGEST_USE_MS };
    return value;
  };
}

/**
 * Gives when the file that a path leads to was changed, and a mark of all that a change leaves: a new file has another
 * number, and nobody can set the time of a change. Undefined for a file that cannot be opened.
 */
export function readState(path: string): { mark: string; changedMs: number } | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, READING);
    const { ino, dev, ctimeNs, mtimeNs, size, mode, uid, nlink, ctimeMs, mtimeMs } = fstatSync(file, { bigint: true });
    const mark = [ino, dev, ctimeNs, mtimeNs, size, mode, uid, nlink].join(" ");
    return { mark, changedMs: Math.max(Number(ctimeMs), Number(mtimeMs)) };
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
