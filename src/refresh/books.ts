import { mkdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { EndedWith, UsageError } from "../companion/commands/results";
import type { Surroundings } from "../companion/commands/surroundings";
import { ConfigurationError } from "../companion/configuration/reading";
import { createBookProcess, refreshFolder } from "./folder";
import { type RefreshOptions, refreshBook } from "./refresh";

/**
 * Refreshes workbooks' files, or those of a folder.
 *
 * @throws EndedWith a sentence and the exit code, unless all is fresh; UsageError, ConfigurationError
 */
export async function refreshBooks(
  books: readonly string[],
  options: RefreshOptions,
  surroundings: Surroundings,
): Promise<void> {
  const [first = ""] = books;
  if (books.length > 1) return refreshSeveral(books, options, surroundings);
  if (!isFolder(first)) return refreshOne(first, options, surroundings);
  if (options.out !== undefined || options.report !== undefined)
    throw new UsageError(
      "A folder's workbooks are written in place, and their reports into it: leave out --out and --report.",
    );
  const status = await refreshFolder(first, createBookProcess(surroundings, toWords(options)), surroundings.print);
  if (status !== 0) throw new EndedWith(status, "Not all workbooks are fresh.");
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

async function refreshOne(book: string, options: RefreshOptions, surroundings: Surroundings): Promise<void> {
  try {
    await refreshBook(book, options, surroundings);
  } catch (error) {
    const isTold = [EndedWith, UsageError, ConfigurationError].some((kind) => error instanceof kind);
    throw isTold ? error : new EndedWith(2, (error as Error).message);
  }
}

/** Refreshes workbooks one after the other; one that fails does not stop the others. */
async function refreshSeveral(
  books: readonly string[],
  { report, ...options }: RefreshOptions,
  surroundings: Surroundings,
): Promise<void> {
  if (options.out !== undefined && !isFolder(options.out))
    throw new UsageError("Several workbooks go into a folder: --out FOLDER, which must be there.");
  if (report === undefined) throw new UsageError("Several workbooks need a folder for their reports: --report FOLDER.");
  mkdirSync(report, { recursive: true });
  const refresh = createBookProcess(surroundings, toWords(options));
  const statuses = new Set<number>();
  for (const book of books) {
    const { status, sentence } = await refresh(book, join(report, `${basename(book)}.json`));
    surroundings.print(`${book}: ${sentence}`);
    statuses.add(status);
  }
  statuses.delete(0);
  if (statuses.size > 0) throw new EndedWith(statuses.has(1) ? 1 : 2, "Not all workbooks are fresh.");
}

/** The options as words of a command line. */
const toWords = (options: RefreshOptions): string[] =>
  Object.entries(options).flatMap(([name, value]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === true) return [flag];
    return value === undefined || value === false ? [] : [flag, String(value)];
  });
