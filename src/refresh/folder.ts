import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { findMachine, type Surroundings } from "../companion/commands/surroundings";
import { runTool } from "../companion/machine";
import { explainFailure } from "./file";
import type { Status } from "./report";
import { toSentence } from "./summary";
import { toLocalMinute } from "./week-time";

/** How the refresh of a workbook ended. */
export interface BookResult {
  status: Status;
  /** What happened, in a line. */
  sentence: string;
}

/** Refreshes a workbook and writes its report, both given by path; the signal ends it, and the old file stays. */
export type RefreshBook = (book: string, report: string, signal?: AbortSignal) => Promise<BookResult>;

const REPORTS = "feed-reports";

/** Lists the workbooks of a folder by name; not those of folders in it, nor what Excel puts beside an open one. */
export function listBooks(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => /^(?![~.]).*\.xls[xm]$/i.test(name));
  // A link to a file that is gone is one too: its refresh says so.
  return names.filter((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.isFile() ?? true).toSorted();
}

/**
 * Refreshes the workbooks of a folder, one after the other; one that fails does not stop the others. Reports and a log
 * of past runs are put into a folder in it.
 * @throws Error with a sentence where the folder cannot be refreshed at all
 */
export async function refreshFolder(
  folder: string,
  refreshBook: RefreshBook,
  print: (line: string) => void,
  nowMs: () => number = Date.now,
): Promise<Status> {
  const reports = join(folder, REPORTS);
  const books = explainFailure(folder, "read", () => listBooks(folder));
  if (books.length === 0) throw new Error(`${folder} holds no .xlsx or .xlsm workbook.`);
  explainFailure(reports, "written", () => mkdirSync(reports, { recursive: true }));
  const statuses: Status[] = [];
  for (const book of books) {
    const { status, sentence } = await refreshOne(join(folder, book), join(reports, `${book}.json`), refreshBook);
    statuses.push(status);
    print(`${book}: ${sentence}`);
    appendToLog(reports, `${toLocalMinute(new Date(nowMs()))} ${status} ${book}: ${sentence}`, print);
  }
  const fresh = statuses.filter((status) => status === 0).length;
  print(`${fresh} of ${books.length} workbooks are fresh. Reports: ${reports}`);
  if (fresh === books.length) return 0;
  return statuses.every((status) => status === 2) ? 2 : 1;
}

async function refreshOne(book: string, report: string, refreshBook: RefreshBook): Promise<BookResult> {
  try {
    // Nobody must take the last run's report for this one's.
    rmSync(report, { force: true });
    return await refreshBook(book, report);
  } catch (error) {
    return { status: 2, sentence: (error as Error).message };
  }
}

/** Adds a line. A log that cannot be written stops no refresh. */
function appendToLog(reports: string, line: string, print: (line: string) => void): void {
  const path = join(reports, "log.txt");
  try {
    explainFailure(path, "written", () => appendFileSync(path, `${line.replaceAll("\n", " ")}\n`));
  } catch (error) {
    print((error as Error).message);
  }
}

/**
 * Gives what refreshes a workbook in a process of its own: a process has the formulas of one workbook, and where it runs
 * out of memory or is killed the others follow.
 * @param options Those of `refresh`; undefined ones are left out.
 */
export function createBookProcess(surroundings: Surroundings, options: object): RefreshBook {
  const [node, ...script] = findMachine(surroundings).program;
  const words = Object.entries(options).flatMap(([name, value]: [string, unknown]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return value === undefined ? [] : value === true ? [flag] : [flag, String(value)];
  });
  const { environment } = surroundings;
  return async (book, report, signal) => {
    const call = [...script, "refresh", book, "--report", report, ...words];
    const ended = await runTool(node, call, { environment, timeoutMs: 0, signal });
    const { code = 2, output = "", errors = "" } = ended ?? {};
    const status = code === 0 || code === 1 ? code : 2;
    if (existsSync(report)) return { status, sentence: toSentence(JSON.parse(readFileSync(report, "utf8"))) };
    const said = `${output}\n${errors}`.trim().split("\n").at(-1);
    return { status, sentence: said?.replace(/^Error: /, "") || "Its refresh ended without a word." };
  };
}
