import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";

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
export function followPath(given: string, what: string, user: number): TrustedPath {
  const rest = toWords(isAbsolute(given) ? given : `${process.cwd()}/${given}`);
  let path = "/";
  let isShared = false;
  for (let links = 0; rest.length > 0; ) {
    const word = rest.shift()!;
    if (word === "..") {
      path = dirname(path);
      continue;
    }
    isShared = judgeFolder(path, { given, what, user });
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

interface Asked {
  given: string;
  what: string;
  user: number;
}

const toWords = (path: string): string[] => path.split("/").filter((word) => word !== "" && word !== ".");

/** Gives whether others may put files there, which then are not taken away by anybody but their owners. */
function judgeFolder(folder: string, { given, what, user }: Asked): boolean {
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

function refuseLink({ uid }: Stats, link: string, { what, user }: Asked): void {
  if (uid === user || uid === 0) return;
  throw new Error(
    `The link ${link}, which leads to the ${what}, is another user's. Give the ${what}'s own path, or run: sudo chown -h ${user} ${toShellWord(link)}`,
  );
}

/** Writes a path as a shell reads it, quoted where it needs that. */
export function toShellWord(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
