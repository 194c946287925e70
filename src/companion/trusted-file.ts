import { readFileSync, statSync } from "node:fs";

const ANY_USE = 0o077;
const WRITING = 0o022;

/**
 * Reads a file with a secret in it, which nobody but its owner may read.
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

/** @throws Error with the cure when others than its owner may read a file. */
export function refuseReaders(path: string, what: string): void {
  if (hasRights(path, what, ANY_USE)) {
    throw new Error(`Others on this machine may read the ${what}. Run: chmod 600 ${toShellWord(path)}`);
  }
}

function hasRights(path: string, what: string, rights: number): boolean {
  const stats = attempt(path, what, () => statSync(path));
  if (!stats.isFile()) throw new Error(`${path} is no file. Give the path of the ${what} itself.`);
  // Windows reports no group or others in the mode: its access lists are not seen here.
  return process.platform !== "win32" && (stats.mode & rights) !== 0;
}

function readText(path: string, what: string): string {
  return attempt(path, what, () => readFileSync(path, "utf8"));
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
