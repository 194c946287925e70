import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createFileStore, toWriteError } from "../store";
import type { RegistryChange } from "./registry";

/** A change of this computer, with what is needed to take it back. */
export type Change = FileChange | RegistryChange | TrustChange | LogOnChange;

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

/** Describes the change that writing a file now would be. */
export function toFileChange(path: string): FileChange {
  const before = existsSync(path) ? readFileSync(path).toString("base64") : null;
  return { kind: "file", path, before, folders: listMissing(dirname(path)) };
}

function listMissing(folder: string): string[] {
  return existsSync(folder) ? [] : [folder, ...listMissing(dirname(folder))];
}

/**
 * Writes a file, and the folders above it.
 * @throws Error with a sentence when it cannot be written
 */
export function writeFile(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { mode: 0o644 });
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
