import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createFileStore, toWriteError } from "../store";
import type { RegistryChange } from "./registry";

/** A change of this computer, with what is needed to take it back. */
export type Change = FileChange | RegistryChange | TrustChange | LogOnChange | ScheduleChange;

/** An authority that the system trusts since. */
interface TrustChange {
  kind: "trust";
  /** SHA-1, as the systems' tools write it. */
  fingerprint: string;
}

/** The companion's start at log-on. */
export interface LogOnChange {
  kind: "log-on";
  /** Null where the system keeps the definition itself. */
  file: FileChange | null;
}

/** The words of a program of the system. */
export type Call = readonly [program: string, ...words: string[]];

/** What a feature has the system start at set times: how the system's tools are told, and are told to forget it. */
export interface Schedule {
  /** What it is for, such as a folder; one subject has one schedule. */
  subject: string;
  /** Its times, as people read them. */
  times: readonly string[];
  /** The system's name for it, in sentences. */
  name: string;
  /** The files that define it. */
  files: readonly { path: string; content: string | Buffer }[];
  enable: readonly Call[];
  /** Succeeds while the system has it. */
  query: Call;
  disable: readonly Call[];
  /** Once the files are gone. */
  afterRemoval: readonly Call[];
}

/** A schedule that was made. Its words of removal are recorded, since only its feature knows how it was made. */
export interface ScheduleChange extends Omit<Schedule, "files" | "enable"> {
  kind: "schedule";
  files: readonly FileChange[];
}

/** All changes that were made and not taken back, in a file of the person's folder. */
export interface ChangeRecord {
  list(): Promise<readonly Change[]>;
  /** Records a change, which must come before the change itself: one that breaks off can be taken back too. */
  add(change: Change): Promise<void>;
  remove(change: Change): Promise<void>;
}

/** Opens the record of a person's folder. Its first entry is the file of the record itself. */
export function openRecord(folder: string): ChangeRecord {
  const path = join(folder, "installed.json");
  const store = createFileStore<{ changes: Change[] }>(path, { changes: [] });
  return {
    list: async () => (await store.read()).changes,
    async add(change) {
      const first = existsSync(path) ? [] : [toFileChange(path)];
      await store.change(({ changes }) => ({ value: { changes: [...changes, ...first, change] }, result: undefined }));
    },
    async remove(change) {
      const text = JSON.stringify(change);
      await store.change(({ changes }) => {
        const left = changes.filter((each) => JSON.stringify(each) !== text);
        return { value: { changes: left }, result: undefined };
      });
    },
  };
}

/** A file that was written, with what stood there before. */
interface FileChange {
  kind: "file";
  path: string;
  /** The former content in base64; null where there was no file. */
  before: string | null;
  /** Folders that were missing, the deepest first. */
  folders: string[];
}

/**
 * Describes the change that writing a file now would be.
 * @param others Changes that may end before or after it: the last one in a folder that was made removes it.
 */
export function toFileChange(path: string, others: readonly Change[] = []): FileChange {
  const before = existsSync(path) ? readFileSync(path).toString("base64") : null;
  const made = others.flatMap(listFiles).flatMap(({ folders }) => folders);
  return { kind: "file", path, before, folders: listMade(dirname(path), made) };
}

function listFiles(change: Change): readonly FileChange[] {
  if (change.kind === "schedule") return change.files;
  return change.kind === "log-on" && change.file !== null ? [change.file] : [];
}

const listMade = (folder: string, made: readonly string[]): string[] =>
  existsSync(folder) && !made.includes(folder) ? [] : [folder, ...listMade(dirname(folder), made)];

/**
 * Writes a file, and the folders above it.
 * @throws Error with a sentence when it cannot be written
 */
export function writeFile(path: string, content: string | Buffer): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, content, { mode: 0o644 });
  } catch (error) {
    throw toWriteError(error, path);
  }
}

/** Whether a file has this text. */
export const hasText = (path: string, text: string): boolean => existsSync(path) && readFileSync(path, "utf8") === text;

/** Restores what stood in a file's place; folders that were made for it go where they are empty. */
export function restoreFile({ path, before, folders }: FileChange): void {
  if (before === null) rmSync(path, { force: true });
  else writeFileSync(path, Buffer.from(before, "base64"));
  for (const folder of folders) removeIfEmpty(folder);
}

/** Removes a folder without content. */
export function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    // What somebody else has put there since stays.
    if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
