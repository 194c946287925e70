import { readFileSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";

const ANY_USE = 0o077;
const READING_OF_GROUP = 0o040;
const WRITING = 0o022;
const WRITING_OF_ALL = 0o002;
/** In such a folder, as /tmp is one, nobody takes away what is another's. */
const STICKY = 0o1000;

/**
 * Reads a file with a secret in it, which nobody but its owner may read, or whom the superuser has given it to.
 * @param what What the file is, for sentences, e.g. "key file".
 * @throws Error with a sentence for the person who named the file.
 */
export function readSecretFile(path: string, what: string): string {
  refuseReaders(path, what);
  return readText(path, what);
}

/**
 * Reads a file that decides what the companion does, which nobody but its owner may write.
 * @param what What the file is, for sentences, e.g. "settings file".
 * @throws Error with a sentence for the person who named the file.
 */
export function readTrustedFile(path: string, what: string): string {
  if (hasRights(path, what, WRITING)) {
    throw new Error(`Others on this machine may write the ${what}. Run: chmod go-w ${toShellWord(path)}`);
  }
  return readText(path, what);
}

/**
 * Tells whether nothing has this path; what cannot be looked at is not absent.
 * @throws Error with a sentence for the person who named the file.
 */
export function isAbsent(path: string, what: string): boolean {
  return attempt(path, what, () => statSync(path, { throwIfNoEntry: false })) === undefined;
}

/** @throws Error with the cure when others than its owner may read a file. */
export function refuseReaders(path: string, what: string): void {
  if (hasRights(path, what, ANY_USE)) {
    throw new Error(`Others on this machine may read the ${what}. Run: chmod 600 ${toShellWord(path)}`);
  }
}

function hasRights(path: string, what: string, rights: number): boolean {
  const stats = attempt(path, what, () => statSync(path));
  if (!stats.isFile()) throw new Error(`${path} is no file. Put the ${what} there, or give its own path.`);
  // Windows reports neither owner nor group in numbers: its access lists are not seen here.
  if (process.getuid === undefined) return false;
  refuseOwner(stats, path, what, process.getuid());
  const folder = dirname(path);
  const { mode } = attempt(path, what, () => statSync(folder));
  if ((mode & WRITING_OF_ALL) !== 0 && (mode & STICKY) === 0) {
    throw new Error(
      `Everybody on this machine may put another ${what} in the place of ${path}. Run: chmod o-w ${toShellWord(folder)}`,
    );
  }
  return (stats.mode & rights & ~toGranted(stats, process.getuid())) !== 0;
}

/**
 * What the superuser owns, others can only read by their group or an access list, for which the group's bits stand as well:
 * so do orchestrators and service managers hand secrets to a program of another user.
 */
const toGranted = ({ uid }: Stats, user: number): number => (uid === 0 && user !== 0 ? READING_OF_GROUP : 0);

/** Its owner may change a file whatever its mode says; the superuser may anyhow. */
function refuseOwner({ uid }: Stats, path: string, what: string, user: number): void {
  if (uid === user || uid === 0) return;
  throw new Error(
    `The ${what} ${path} is another user's, who may change it. Look at what it holds, then run: sudo chown ${user} ${toShellWord(path)}`,
  );
}

/** Editors of Windows put a mark before the text. */
function readText(path: string, what: string): string {
  return attempt(path, what, () => readFileSync(path, "utf8")).replace(/^\uFEFF/, "");
}

function attempt<T>(path: string, what: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new Error(`The ${what} ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

function toShellWord(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
