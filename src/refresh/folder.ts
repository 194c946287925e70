import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { findMachine, type Surroundings } from "../companion/commands/surroundings";
import { parseJson } from "../companion/json";
import { runTool } from "../companion/machine";
import { toWriteError } from "../companion/store";
import { toLocalMinute } from "./week-time";

/** How the refresh of a workbook ended. */
export interface BookResult {
  /** 0 all fresh, 1 something failed, 2 nothing written. */
  status: 0 | 1 | 2;
  /** What happened, in a line. */
  sentence: string;
}

const REPORTS = "feed-reports";
const LOG_LINES = 1_000;
const LONGEST_RUN_MS = 12 * 3_600_000;

/** Lists the workbooks of a folder by name; not those of folders in it, nor what Excel puts beside an open one. */
export function listBooks(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => /^(?![~.]).*\.xls[xm]$/i.test(name));
  return names.filter((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.isFile()).toSorted();
}

/**
 * Refreshes the workbooks of a folder, one after the other; one that fails does not stop the others. Reports and a log
 * of past runs are put into a folder in it.
 * @param refreshBook Refreshes a workbook and writes its report, both given by path.
 * @returns 0 all fresh, 1 something failed, 2 nothing written
 */
export async function refreshFolder(
  folder: string,
  refreshBook: (book: string, report: string) => Promise<BookResult>,
  print: (line: string) => void,
  nowMs: () => number = Date.now,
): Promise<0 | 1 | 2> {
  const reports = join(folder, REPORTS);
  const results: BookResult[] = [];
  let unlock: (() => void) | undefined;
  try {
    const books = listBooks(folder);
    if (books.length === 0) throw new Error(`${folder} holds no .xlsx or .xlsm workbook.`);
    unlock = lock(folder, reports, nowMs());
    for (const book of books) {
      const result = await refreshOne(join(folder, book), join(reports, `${book}.json`), refreshBook);
      results.push(result);
      print(`${book}: ${result.sentence}`);
      appendToLog(reports, `${toLocalMinute(new Date(nowMs()))} ${result.status} ${book}: ${result.sentence}`, print);
    }
  } catch (error) {
    print(toSentence(error, folder));
    return 2;
  } finally {
    unlock?.();
  }
  const fresh = results.filter(({ status }) => status === 0).length;
  print(`${fresh} of ${results.length} workbooks are fresh. Reports: ${reports}`);
  if (fresh === results.length) return 0;
  return results.every(({ status }) => status === 2) ? 2 : 1;
}

async function refreshOne(
  book: string,
  report: string,
  refreshBook: (book: string, report: string) => Promise<BookResult>,
): Promise<BookResult> {
  try {
    // Nobody must take the last run's report for this one's.
    rmSync(report, { force: true });
    return await refreshBook(book, report);
  } catch (error) {
    return { status: 2, sentence: (error as Error).message };
  }
}

function toSentence(error: unknown, folder: string): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return `There is no folder ${folder}. Nothing was refreshed.`;
  return code === undefined ? message : `${folder} cannot be read (${code}). Check its rights, and try again.`;
}

/** Keeps a second run out. @returns what lets the next one in */
function lock(folder: string, reports: string, nowMs: number): () => void {
  const path = join(reports, "running.lock");
  const text = JSON.stringify({
    host: hostname(),
    process: process.pid,
    since: toLocalMinute(new Date(nowMs)),
  });
  try {
    mkdirSync(reports, { recursive: true });
    if (isLeftOver(path, nowMs)) rmSync(path, { force: true });
    writeFileSync(path, text, { flag: "wx" });
  } catch (error) {
    if (!existsSync(path)) throw toWriteError(error, path);
    throw new Error(`Another refresh of ${folder} is running. If none is, delete ${path}`);
  }
  return () => rmSync(path, { force: true });
}

/** Whether its process is gone. One of another computer cannot be looked for, and a number may be another's later. */
function isLeftOver(path: string, nowMs: number): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (nowMs - stats.mtimeMs > LONGEST_RUN_MS) return true;
  const { host, process: id }: { host?: unknown; process?: unknown } = Object(parseJson(readFileSync(path, "utf8")));
  return host === hostname() && typeof id === "number" && !isAlive(id);
}

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** Adds a line, and drops the oldest ones. A log that cannot be written stops no refresh. */
function appendToLog(reports: string, line: string, print: (line: string) => void): void {
  const path = join(reports, "log.txt");
  try {
    const former = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
    const lines = [...former.filter(Boolean), line.replaceAll("\n", " ")].slice(-LOG_LINES);
    writeFileSync(path, `${lines.join("\n")}\n`);
  } catch (error) {
    print(toWriteError(error, path).message);
  }
}

/**
 * Gives what refreshes a workbook in a process of its own: a process has the formulas of one workbook, and where it runs
 * out of memory or is killed the others follow.
 * @param words The options of `refresh`, as they were typed.
 */
export function createBookProcess(
  surroundings: Surroundings,
  words: readonly string[],
): (book: string, report: string) => Promise<BookResult> {
  const [node, ...script] = findMachine(surroundings).program;
  const { environment } = surroundings;
  return async (book, report) => {
    const call = [...script, "refresh", book, "--report", report, ...words];
    const result = await runTool(node, call, { environment, timeoutMs: 0 });
    const counts = readCounts(report);
    if (result !== undefined && counts !== undefined && isStatus(result.code)) {
      return { status: result.code, sentence: counts };
    }
    // Without formulas there is no report.
    const status = result?.code === 0 && counts === undefined ? 0 : 2;
    const said = `${result?.output ?? ""}\n${result?.errors ?? ""}`.trim().split("\n").at(-1);
    return { status, sentence: said?.replace(/^Error: /, "") || "Its refresh ended without a word." };
  };
}

const isStatus = (code: number): code is BookResult["status"] => [0, 1, 2].includes(code);

/** Says what a report counts; undefined where there is none. */
function readCounts(report: string): string | undefined {
  if (!existsSync(report)) return undefined;
  const { counts, requests }: { counts?: Record<string, number>; requests?: number } = Object(
    parseJson(readFileSync(report, "utf8")),
  );
  if (counts === undefined) return undefined;
  const { formulas, refreshed, changed, leftToExcel } = counts;
  const left = leftToExcel === 0 ? "" : `, cells left to Excel: ${leftToExcel}`;
  return `${refreshed} of ${formulas} formulas are fresh, values changed: ${changed}${left}, requests: ${requests}.`;
}
