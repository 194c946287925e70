import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  type Stats,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";

const ANY_USE = 0o077;
const READING_OF_GROUP = 0o040;
const WRITING = 0o022;
/** Follows no unchecked link, and opens a pipe without waiting, which is then refused. */
const READING = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a secret file, which only its owner may read; or the superuser's, handed to this user.
 * @param what Its description in sentences, e.g. "key file".
 * @throws Error with a sentence for the person who named the file.
 */
export function readSecretFile(path: string, what: string): string {
  return readOpened(path, what, ({ stats, read }) => {
    refuseReaders(stats, path, what);
    return read();
  });
}

/**
 * Reads a file that controls the companion, which only its owner may write.
 * @param what Its description in sentences, e.g. "settings file".
 * @param holdsSecret Whether the text is secret, so that others must not read it; default false.
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
 * Reads another program's file, and removes rights beyond a mode.
 * @param what Its description in sentences, e.g. "key file".
 * @param mode The most rights to leave, such as 0o600.
 * @throws Error with a sentence for the person whose file it is.
 */
export function readClosedFile(path: string, what: string, mode: number): string {
  return readOpened(path, what, ({ file, stats, read }) => {
    if (hasEntitlements(stats, ANY_USE & ~mode)) attempt(path, what, () => fchmodSync(file, mode));
    return read();
  });
}

/**
 * Whether nothing has this path; an unreadable entry or a broken link is not absent.
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

/** Opens a file once and checks that handle, so that replacing the file meanwhile has no effect. */
function readOpened(path: string, what: string, use: (opened: Opened) => string): string {
  // Windows reports no numeric owner or group; its access lists are not checked here.
  const user = process.getuid?.();
  const place = attempt(path, what, () => (user === undefined ? undefined : followPath(path, what, user)));
  const file = attempt(path, what, () => openSync(place?.path ?? path, READING));
  try {
    const stats = attempt(path, what, () => fstatSync(file));
    if (!stats.isFile()) throw new Error(`${path} is no file. Put the ${what} there, or give its own path.`);
    if (user !== undefined) refuseOwner(stats, path, what, user);
    if (place?.isShared) refuseNames(stats, path, what);
    // Editors on Windows write a byte order mark.
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
 * Rights granted by the superuser: others can read its file only by group or access list, which the group's bits show.
 * Orchestrators and service managers hand over secrets this way.
 */
const toGranted = ({ uid }: Stats, user: number): number => (uid === 0 && user !== 0 ? READING_OF_GROUP : 0);

/** Refuses another user's file: its owner may change it whatever its mode says. The superuser may anyhow. */
function refuseOwner({ uid }: Stats, path: string, what: string, user: number): void {
  if (uid === user || uid === 0) return;
  throw new Error(
    `The ${what} ${path} is another user's, who may change it. Look at what it holds, then run: sudo chown ${user} ${toShellWord(path)}`,
  );
}

/** Refuses hard links in a shared folder, where another user may link any file of this one. */
function refuseNames({ nlink }: Stats, path: string, what: string): void {
  if (nlink === 1) return;
  throw new Error(
    `The ${what} ${path} has another name too, and everybody may give it one there. Copy it to a folder of yours.`,
  );
}

/** Turns the system's errors into sentences; own errors pass. */
function attempt<T>(path: string, what: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(`The ${what} ${path} cannot be read (${code}).`);
  }
}

const MOST_LINKS = 40;
const WRITING_OF_GROUP = 0o020;
const WRITING_OF_ALL = 0o002;
/** In a sticky folder, such as /tmp, only the owner removes a file. */
const STICKY = 0o1000;

/** A path that only its user and the superuser can redirect. */
interface TrustedPath {
  /** Without links, so that it can be opened without following any. */
  path: string;
  /** Whether others may create files beside it. */
  isShared: boolean;
}

/**
 * Resolves a path as the system does. Refuses it where others could redirect it, by a folder on the way or by a link.
 * As ssh does, it trusts the folders above the home directory.
 * @param what Its description in sentences, e.g. "key file".
 * @param user The reading user.
 * @throws Error with the cure; the system's own where something on the way is absent.
 */
function followPath(given: string, what: string, user: number): TrustedPath {
  const rest = toWords(isAbsolute(given) ? given : `${process.cwd()}/${given}`);
  let path = "/";
  let isShared = false;
  for (let links = 0; rest.length > 0; ) {
    const word = rest.shift()!;
    if (word === "..") {
      path = dirname(path);
      continue;
    }
    isShared = checkFolder(path, { given, what, user });
    const entry = join(path, word);
    const stats = lstatSync(entry);
    if (!stats.isSymbolicLink()) {
      path = entry;
      continue;
    }
    refuseLink(stats, entry, { given, what, user });
    links += 1;
    if (links > MOST_LINKS) throw Object.assign(new Error("too many links"), { code: "ELOOP" });
    const target = readlinkSync(entry);
    rest.unshift(...toWords(target));
    if (isAbsolute(target)) path = "/";
  }
  return { path, isShared };
}

interface PathContext {
  given: string;
  what: string;
  user: number;
}

const toWords = (path: string): string[] => path.split("/").filter((word) => word !== "" && word !== ".");

/** Checks a folder; gives whether others may create files there that only they can remove. */
function checkFolder(folder: string, { given, what, user }: PathContext): boolean {
  const stats = lstatSync(folder);
  if (isAboveHome(folder)) return false;
  const place = `another ${what} in the place of ${given}`;
  if (stats.uid !== user && stats.uid !== 0) {
    throw new Error(
      `The folder ${folder} is another user's, who may put ${place}. Move the file to a folder of yours, or run: sudo chown ${user} ${toShellWord(folder)}`,
    );
  }
  const [isOfAll, isOfGroup] = [(stats.mode & WRITING_OF_ALL) !== 0, hasForeignGroup(stats, user)];
  if ((isOfAll || isOfGroup) && (stats.mode & STICKY) === 0) {
    const who = isOfAll ? "Everybody on this machine" : `The group ${stats.gid}`;
    const entitlements = `${isOfGroup ? "g" : ""}${isOfAll ? "o" : ""}-w`;
    throw new Error(`${who} may put ${place}. Run: chmod ${entitlements} ${toShellWord(folder)}`);
  }
  return isOfAll || isOfGroup;
}

/** Whether another group may write. By convention a user's own group has the user's number. */
const hasForeignGroup = ({ mode, gid }: Stats, user: number): boolean =>
  (mode & WRITING_OF_GROUP) !== 0 && gid !== user;

function isAboveHome(folder: string): boolean {
  const home = resolve(homedir());
  return home !== folder && home.startsWith(folder === "/" ? folder : `${folder}/`);
}

function refuseLink({ uid }: Stats, link: string, { what, user }: PathContext): void {
  if (uid === user || uid === 0) return;
  throw new Error(
    `The link ${link}, which leads to the ${what}, is another user's. Give the ${what}'s own path, or run: sudo chown -h ${user} ${toShellWord(link)}`,
  );
}

/** Quotes a path for a shell where needed. */
function toShellWord(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
