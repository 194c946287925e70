import { createHash, randomUUID } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";

/** The largest file, packed. */
export const LARGEST_BYTES = 200 * 1024 * 1024;

const EXTENSIONS: readonly string[] = [".xlsx", ".xlsm"];
const WRITABLE = 0o222;
/** A file beside the workbook until it is whole; neither its first letter nor its end is a workbook's. */
const TEMPORARY_END = ".feed-tmp";
/** What a killed program left is this old; a younger one may be another program's that is at work. */
const LEFT_AFTER_MS = 3_600_000;

/** A workbook's file that cannot be read or written; nothing was changed. */
export class BookRefused extends Error {
  override readonly name = "BookRefused";
}

/** A workbook's file that was read. */
export interface BookFile {
  /** Its own path: a link's target. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Fails unless a refreshed workbook could be written now, in its place or to another file. @throws BookRefused */
  check(out?: string): void;
  /**
   * Replaces it, or another file, by whole content: at each moment there is the old file or the new one.
   *
   * @returns the path of the written file
   * @throws BookRefused where it cannot be, or where the workbook is no longer what was read
   */
  write(bytes: Uint8Array, out?: string): string;
}

/** Reads a workbook's file. @throws BookRefused */
export function openBook(given: string): BookFile {
  const path = findFile(given);
  refuseOtherKinds(path);
  refuseOpen(path);
  const bytes = explainFailure(path, "read", () => readWhole(path));
  const hash = toHash(bytes);
  const toTarget = (out: string | undefined) => (out === undefined ? path : findOut(out, path));
  const check = (target: string) => {
    refuseOpen(target);
    explainFailure(target, "written", () => refuseReadOnly(target));
  };
  return {
    path,
    bytes,
    check: (out) => check(toTarget(out)),
    write(content, out) {
      const target = toTarget(out);
      check(target);
      const last = () => {
        refuseOpen(target);
        if (toHash(explainFailure(path, "read", () => readFileSync(path))) === hash) return;
        throw new BookRefused(
          `${path} was changed by another program meanwhile, so it was left as it is. Run it again.`,
        );
      };
      replaceFile(target, content, { like: path, last });
      return target;
    },
  };
}

interface Replacement {
  /** The file whose mode and owner a new file gets; default none. */
  like?: string;
  /** Called when the new content is on the disk, before it takes its place; it may throw. */
  last?: () => void;
}

/** Replaces a file by whole content, written beside it. @throws BookRefused with a sentence; the old file stays */
export function replaceFile(path: string, content: Uint8Array | string, { like, last }: Replacement = {}): void {
  removeLeft(path);
  const temporary = join(dirname(path), `${toTemporaryStart(path)}${randomUUID()}${TEMPORARY_END}`);
  explainFailure(path, "written", () => {
    const stats = statSync(path, { throwIfNoEntry: false }) ?? (like === undefined ? undefined : statSync(like));
    try {
      writeWhole(temporary, content, stats);
      last?.();
      renameSync(temporary, path);
    } finally {
      rmSync(temporary, { force: true });
    }
  });
}

/** Leaves room for what follows: a system's names have 255 bytes at most, and a letter takes up to three. */
const toTemporaryStart = (path: string): string => `.${basename(path).slice(0, 50)}.`;

function writeWhole(path: string, content: Uint8Array | string, stats: Stats | undefined): void {
  const file = openSync(path, "wx", stats === undefined ? 0o666 : 0o600);
  try {
    writeFileSync(file, content);
    if (stats !== undefined) {
      keepOwner(file, stats);
      fchmodSync(file, stats.mode & 0o7777);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Only the superuser may give a file to another; a group is kept where this user is in it. */
function keepOwner(file: number, { uid, gid }: Stats): void {
  const own = fstatSync(file);
  if (own.uid === uid && own.gid === gid) return;
  for (const owner of [uid, own.uid]) {
    try {
      fchownSync(file, owner, gid);
      return;
    } catch {
      // the next, or its own stays
    }
  }
}

/** Removes what a killed program left beside this file. */
function removeLeft(path: string): void {
  const [folder, start] = [dirname(path), toTemporaryStart(path)];
  for (const name of explainFailure(path, "written", () => readdirSync(folder))) {
    if (!name.startsWith(start) || !name.endsWith(TEMPORARY_END)) continue;
    const left = join(folder, name);
    const { mtimeMs = Date.now() } = statSync(left, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > LEFT_AFTER_MS) rmSync(left, { force: true });
  }
}

/** Follows links to a file. */
function findFile(given: string): string {
  const entry = explainFailure(given, "read", () => lstatSync(given, { throwIfNoEntry: false }));
  if (entry === undefined) throw new BookRefused(`There is no file ${given}. Look at its name and folder.`);
  if (entry.isSymbolicLink() && !existsSync(given)) throw new BookRefused(`${given} is a link to a file that is gone.`);
  const path = explainFailure(given, "read", () => realpathSync(given));
  const stats = statSync(given);
  if (stats.isDirectory()) throw new BookRefused(`${given} is a folder. Give a file.`);
  if (!stats.isFile()) throw new BookRefused(`${given} is no file.`);
  return path;
}

/** Finds where a copy goes: of a link to its target. */
function findOut(given: string, book: string): string {
  const path = findTarget(given);
  refuseLock(path);
  if (extname(path).toLowerCase() === extname(book).toLowerCase()) return path;
  throw new BookRefused(`${given} must end in ${extname(book)}, as the workbook does: Excel opens no other.`);
}

/** Refuses a report that would replace a workbook, or could not be written. @throws BookRefused */
export function checkReport(given: string): void {
  if (EXTENSIONS.includes(extname(given).toLowerCase()))
    throw new BookRefused(`${given} is a workbook's name, and the report is JSON. Give it another.`);
  const path = findTarget(given);
  explainFailure(path, "written", () => refuseReadOnly(path));
}

/** Finds the file that a name means, which may be new. */
function findTarget(given: string): string {
  const whole = resolve(given);
  const path = existsSync(whole) ? findFile(whole) : whole;
  const folder = dirname(path);
  if (!existsSync(folder)) throw new BookRefused(`There is no folder ${folder}. Make it, or choose another.`);
  return path;
}

function refuseOtherKinds(path: string): void {
  refuseLock(path);
  if (EXTENSIONS.includes(extname(path).toLowerCase())) return;
  throw new BookRefused(`${path} is no .xlsx or .xlsm. Open it in Excel, save it as one of these, and give that file.`);
}

function refuseLock(path: string): void {
  if (basename(path).startsWith("~$"))
    throw new BookRefused(`${path} is no workbook: Excel writes it beside one that is open.`);
}

/** Refuses a file that its owner has protected, and a folder that takes no file. */
function refuseReadOnly(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  const refusal = `${path} is read-only. Allow writing, or choose another file.`;
  if (stats !== undefined && (stats.mode & WRITABLE) === 0) throw new BookRefused(refusal); // the superuser may anyhow
  if (stats !== undefined) accessSync(path, constants.W_OK);
  accessSync(dirname(path), constants.W_OK);
}

/** Refuses a workbook that Excel or LibreOffice says to have open, by a file beside it. */
function refuseOpen(path: string): void {
  const [folder, name] = [dirname(path), basename(path)];
  for (const [program, lock] of [
    ["Excel", join(folder, `~$${name}`)],
    ["LibreOffice", join(folder, `.~lock.${name}#`)],
  ] as const) {
    if (!existsSync(lock)) continue;
    const owner = program === "Excel" ? readOwner(lock) : "";
    const who = owner === "" ? "" : ` by ${owner}`;
    throw new BookRefused(
      `${path} is open in ${program}${who}. Close it there, and run this again. If nobody has it open, delete ${lock}`,
    );
  }
}

/** Excel's lock has the person's name twice: 54 bytes of the system's letters, and from byte 55 on UTF-16 with its length. */
const WIDE_NAME = 55;

function readOwner(lock: string): string {
  const bytes = orElse(Buffer.alloc(0), () => readFileSync(lock)); // another program may let nobody read it
  const length = bytes.length > WIDE_NAME + 2 ? bytes.readUInt16LE(WIDE_NAME) : 0;
  const wide = bytes.subarray(WIDE_NAME + 2, WIDE_NAME + 2 + 2 * length).toString("utf16le");
  return toName(wide) || toName(bytes.subarray(1, 1 + (bytes[0] ?? 0)).toString("latin1"));
}

/** A name in one line, without what would change a terminal. */
const toName = (text: string): string => text.replace(/\p{C}/gu, "").trim().slice(0, 60);

function readWhole(path: string): Buffer {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    if (size > LARGEST_BYTES) throw new BookRefused(`${path} is larger than ${LARGEST_BYTES / 1024 / 1024} MB.`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

const toHash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** The system's reasons, and what to do. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: "this user may not. Give your user the right, or choose another place",
  EPERM: "this user may not, or another program has it open. Close it there, or give your user the right",
  EBUSY: "another program has it open. Close it there",
  EROFS: "its drive is read-only. Choose another place: --out FILE",
  ENOSPC: "the disk is full. Make room there",
  EDQUOT: "your share of the disk is full. Make room there",
  EFBIG: "its drive takes no file of this size. Choose another place",
  ENOENT: "it is gone, or its folder. Look at its name and folder",
  ENAMETOOLONG: "its name is too long. Give it a shorter one",
};

/** Gives what an act gives, or something else where it throws: what is only a cache may be lost. */
export function orElse<T>(otherwise: T, act: () => T): T {
  try {
    return act();
  } catch {
    return otherwise;
  }
}

/** Turns the system's errors into sentences; own errors pass. @throws BookRefused */
export function explainFailure<T>(path: string, doing: "read" | "written", act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || error instanceof BookRefused) throw error;
    throw new BookRefused(`${path} cannot be ${doing}: ${REASONS[code] ?? `the system says ${code}`}.`);
  }
}
