import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** A file that was written, with what stood there before. */
export interface FileChange {
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
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`${path} cannot be written (${code}). Give your user the right to write there, and try again.`);
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
