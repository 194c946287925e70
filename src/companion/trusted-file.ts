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

const MOST_LINKS = 40;
const WRITING_OF_GROUP = 0o020;
const WRITING_OF_ALL = 0o002;
/** In such a folder, as /tmp is one, nobody takes away what is another's. */
const STICKY = 0o1000;

/** A file for whose place only its user and the superuser answer. */
interface TrustedPath {
  /** Without links, so that it can be opened without following any. */
  path: string;
  /** Whether others may put files of their own beside it. */
  isShared: boolean;
}

/**
 * Follows a path as the system does, and refuses it where others may lead it to another file: by a folder on the way, or by a link.
 * As ssh does, it takes the folders above the person's own for the system's.
 * @param what What the file is, for sentences, e.g. "key file".
 * @param user The one who reads.
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

/** Gives whether others may put files there, which then are not taken away by anybody but their owners. */
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

/** A group of one's own has the number of its user, by the convention of systems that make one for each. */
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

/** Writes a path as a shell reads it, quoted where it needs that. */
function toShellWord(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
