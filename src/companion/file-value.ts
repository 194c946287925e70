import { type BigIntStats, closeSync, constants, fstatSync, openSync } from "node:fs";

/** Longer than the coarsest clock of a file system: two changes within one tick could leave equal times. */
const SETTLED_MS = 2_000;
/** A file's state does not show everything, such as who may replace its folder. */
const LONGEST_USE_MS = 1_000;
/** Opens a pipe without waiting. */
const READING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Clocks, for tests. */
interface Clocks {
  /** In milliseconds since 1970, as files' times are; default Date.now. */
  nowMs?: () => number;
  /** In milliseconds, never set back; default performance.now. */
  elapsedMs?: () => number;
}

/**
 * Creates a reader that gives a file's value from memory while the file is unchanged. Each call looks at the file,
 * since a notice of a change may come after the next request. It opens the file rather than its path's entry: a network
 * folder may answer for an entry from a cache, and asks the server on opening.
 * @param read Reads and validates the value; called for a changed file, and otherwise once a second.
 */
export function createFileReader<T>(path: string, read: () => T, clocks: Clocks = {}): () => T {
  const { nowMs = Date.now, elapsedMs = () => performance.now() } = clocks;
  let known: { value: T; stats: BigIntStats; untilMs: number } | undefined;
  return () => {
    const stats = readStats(path);
    const startMs = elapsedMs();
    if (known !== undefined && stats !== undefined && startMs < known.untilMs && isSame(stats, known.stats)) {
      return known.value;
    }
    const isSettled = stats !== undefined && nowMs() - toChangedMs(stats) > SETTLED_MS;
    known = undefined;
    const value = read();
    // A change since the look above is seen by the next one.
    if (isSettled) known = { value, stats, untilMs: startMs + LONGEST_USE_MS };
    return value;
  };
}

/** Gives the state of the file that a path leads to now; undefined where it cannot be opened, which `read` explains. */
function readStats(path: string): BigIntStats | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, READING);
    return fstatSync(file, { bigint: true });
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Compares all that a change leaves: a new file has another number, and nobody can set the time of a change. */
function isSame(one: BigIntStats, other: BigIntStats): boolean {
  return (
    one.ino === other.ino &&
    one.dev === other.dev &&
    one.ctimeNs === other.ctimeNs &&
    one.mtimeNs === other.mtimeNs &&
    one.size === other.size &&
    one.mode === other.mode &&
    one.uid === other.uid &&
    one.nlink === other.nlink
  );
}

const toChangedMs = ({ ctimeMs, mtimeMs }: BigIntStats): number => Number(ctimeMs > mtimeMs ? ctimeMs : mtimeMs);
