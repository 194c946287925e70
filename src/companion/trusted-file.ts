import { closeSync, constants, fchmodSync, fstatSync, lstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { followPath, toShellWord } from "./trusted-path";

const ANY_USE = 0o077;
const READING_OF_GROUP = 0o040;
const WRITING = 0o022;
/** No link is followed that was not judged, and nothing is waited for: a pipe opens at once, and is then refused. */
const READING = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a file with a secret in it, which nobody but its owner may read, or whom the superuser has given it to.
 * @param what What the file is, for sentences, e.g. "key file".
 * @throws Error with a sentence for the person who named the file.
 */
export function readSecretFile(path: string, what: string): string {
  return readOpened(path, what, ({ stats, read }) => {
    refuseReaders(stats, path, what);
    return read();
  });
}

/**
 * Reads a file that decides what the companion does, which nobody but its owner may write.
 * @param what What the file is, for sentences, e.g. "settings file".
 * @param holdsSecret Tells whether what was read is a secret, which others must not be able to read; default: it is none.
 * @throws Error with a sentence for the person who named the file.
 */
export function readTrustedFile(path: string, what: string, holdsSecret = (_text: string) => false): string {
  return readOpened(path, what, ({ stats, read }) => {
    if (hasEntitlements(stats, WRITING)) {
      throw new Error(`Others on this machine may write the ${what}. Run: chmod go-w ${toShellWord(path)}`);
    }
    const text = read();
    if (holdsSecret(text)) refuseReaders(stats, path, what);
    return text;
  });
}

/**
 * Reads a file that another program has made, and takes rights to it away that it should not have given.
 * @param what What the file is, for sentences, e.g. "key file".
 * @param mode The most rights that are left, such as 0o600.
 * @throws Error with a sentence for the person whose file it is.
 */
export function readClosedFile(path: string, what: string, mode: number): string {
  return readOpened(path, what, ({ file, stats, read }) => {
    if (hasEntitlements(stats, ANY_USE & ~mode)) attempt(path, what, () => fchmodSync(file, mode));
    return read();
  });
}

/**
 * Tells whether nothing has this path; what cannot be looked at is not absent, nor is a link that leads nowhere.
 * @throws Error with a sentence for the person who named the file.
 */
export function isAbsent(path: string, what: string): boolean {
  return attempt(path, what, () => lstatSync(path, { throwIfNoEntry: false })) === undefined;
}

interface Opened {
  file: number;
  stats: Stats;
  read: () => string;
}

/** Opens a file once: what is judged is what is read, whoever puts another one in its place meanwhile. */
function readOpened(path: string, what: string, use: (opened: Opened) => string): string {
  // Windows reports neither owner nor group in numbers: its access lists are not seen here.
  const user = process.getuid?.();
  const place = attempt(path, what, () => (user === undefined ? undefined : followPath(path, what, user)));
  const file = attempt(path, what, () => openSync(place?.path ?? path, READING));
  try {
    const stats = attempt(path, what, () => fstatSync(file));
    if (!stats.isFile()) throw new Error(`${path} is no file. Put the ${what} there, or give its own path.`);
    if (user !== undefined) refuseOwner(stats, path, what, user);
    if (place?.isShared) refuseNames(stats, path, what);
    // Editors of Windows put a mark before the text.
    const read = () => attempt(path, what, () => readFileSync(file, "utf8")).replace(/^\uFEFF/, "");
    return use({ file, stats, read });
  } finally {
    closeSync(file);
  }
}

function refuseReaders(stats: Stats, path: string, what: string): void {
  if (hasEntitlements(stats, ANY_USE)) {
    throw new Error(`Others on this machine may read the ${what}. Run: chmod 600 ${toShellWord(path)}`);
  }
}

const hasEntitlements = (stats: Stats, entitlements: number): boolean =>
  process.getuid !== undefined && (stats.mode & entitlements & ~toGranted(stats, process.getuid())) !== 0;

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

/** Where everybody may make files, another user may give any file of this one a second name. */
function refuseNames({ nlink }: Stats, path: string, what: string): void {
  if (nlink === 1) return;
  throw new Error(
    `The ${what} ${path} has another name too, and everybody may give it one there. Copy it to a folder of yours.`,
  );
}

/** Sentences of this program's own pass; the system's errors get one. */
function attempt<T>(path: string, what: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(`The ${what} ${path} cannot be read (${code}).`);
  }
}
