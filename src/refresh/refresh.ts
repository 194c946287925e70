import { existsSync, statSync } from "node:fs";
import { toProvider } from "../client/owner";
import { EndedWith, UsageError } from "../companion/commands/results";
import { findFolder, type Surroundings } from "../companion/commands/surroundings";
import { ConfigurationError } from "../companion/configuration/reading";
import { toCommand } from "../companion/program";
import { DEFAULT_NAMESPACE } from "../contract/namespace";
import type { FunctionsMetadata } from "../playground/custom-functions";
import { type PersistedSettings, readStoredSettings } from "../session/persisted-settings";
import { DEFAULT_SETTINGS } from "../session/settings";
import { toAddress } from "../xlsx/addresses";
import { createFunctionNames } from "../xlsx/names";
import { LIMITS_OF_PROGRAM, openPackage, type Package, XlsxRefused } from "../xlsx/package";
import { readSettings } from "../xlsx/settings";
import { readCells, type XlsxCell } from "../xlsx/sheet";
import { readWorkbook } from "../xlsx/workbook";
import { type CellChange, calculateAtOpening, writeCells } from "../xlsx/writing";
import { type Calculation, calculate, type FeedCell, listFeedCells, type WorkbookCells } from "./engine";
import { type BookFile, BookRefused, checkReport, openBook, replaceFile } from "./file";
import { createBookProcess, refreshFolder } from "./folder";
import { type Host, openHost, readMetadata } from "./host";
import { type OpenedProvider, openProvider, type ProviderOptions } from "./provider";
import { type Failing, type Report, type Step, toReport, toStatus } from "./report";
import { followRequests, refuseHeldBack } from "./requests";
import { toCount, toSentence, toSummary } from "./summary";

/** The options of the command. */
export interface RefreshOptions extends ProviderOptions {
  /** The file to write, or its folder; default the workbook itself. */
  out?: string;
  /** The names of the sheets whose formulas are refreshed; default all. */
  sheets?: readonly string[];
  /** The file of the report. */
  report?: string;
  dryRun?: boolean;
  /** Default the workbook's own limit. */
  maxRequests?: number;
  failOn?: readonly Failing[];
  /** Whether formulas that came from Google Sheets are made live. */
  adoptSheets?: boolean;
  /** Whether sample data may fill a workbook that has no provider yet. */
  sample?: boolean;
}

/** A workbook that was read. */
interface Read extends WorkbookCells {
  book: BookFile;
  pack: Package;
  settings: Partial<PersistedSettings>;
  metadata: FunctionsMetadata;
  /** The formulas that are refreshed, those of Google Sheets among them that become live, and those that do not. */
  formulas: readonly FeedCell[];
  adopted: readonly FeedCell[];
  foreign: readonly FeedCell[];
  /** The names of the sheets that are refreshed; absent for all. */
  only: ReadonlySet<string> | undefined;
}

/**
 * Refreshes one workbook's file, or those of a folder.
 *
 * @throws EndedWith a sentence and the exit code, unless all is fresh; UsageError, ConfigurationError
 */
export async function refresh(given: string, options: RefreshOptions, surroundings: Surroundings): Promise<void> {
  const isFolder = existsSync(given) && statSync(given).isDirectory();
  try {
    await (isFolder ? refreshBooks : refreshBook)(given, options, surroundings);
  } catch (error) {
    const isTold = [EndedWith, UsageError, ConfigurationError].some((kind) => error instanceof kind);
    throw isTold ? error : new EndedWith(2, (error as Error).message);
  }
}

async function refreshBooks(folder: string, options: RefreshOptions, surroundings: Surroundings): Promise<void> {
  if (options.out !== undefined || options.report !== undefined || options.dryRun)
    throw new UsageError(
      "A folder's workbooks are written in place, and their reports into it: leave out --out, --report and --dry-run.",
    );
  const status = await refreshFolder(folder, createBookProcess(surroundings, options), surroundings.print);
  if (status !== 0) throw new EndedWith(status, "Not all workbooks are fresh.");
}

async function refreshBook(given: string, options: RefreshOptions, surroundings: Surroundings): Promise<void> {
  const started = { ms: Date.now(), at: performance.now() };
  if (options.report !== undefined) checkReport(options.report);
  const read = readBook(given, options, surroundings);
  const took: Record<Step, number> = { reading: performance.now() - started.at, engine: 0, provider: 0, writing: 0 };
  const { print } = surroundings;
  if (read.formulas.length === 0) {
    const { out, dryRun } = options;
    const written = out === undefined || dryRun ? "" : ` Its copy is ${read.book.write(read.book.bytes, out)}.`;
    for (const line of [`${given} has no FEED formula to refresh.${written}`, ...toNotes(read, options, false)])
      print(line);
    return;
  }
  const provider = await openProvider(options, surroundings);
  try {
    refuseForeign(read, provider.describe, options);
    const most = options.maxRequests ?? read.settings.requestLimit ?? DEFAULT_SETTINGS.requestLimit;
    const host = await open(read, provider, options.dryRun ? 0 : most, surroundings);
    try {
      const calculation = await followRequests(host.session, () => calculateTimed(read, host, took));
      if (options.dryRun) {
        for (const line of [...describe(read, host, given), ...toNotes(read, options, false)]) print(line);
        return;
      }
      refuseHeldBack(host, most);
      const writingAt = performance.now();
      const written = write(read, calculation, options.out);
      took.writing = performance.now() - writingAt;
      const report = toReport({
        ...{ book: read.book.path, settings: read.settings, cells: read, calculation, written, took },
        ...{ source: provider.describe, session: host.session, notes: toNotes(read, options, written !== null) },
        ...{ startedMs: started.ms, endedMs: started.ms + performance.now() - started.at },
      });
      for (const line of toSummary(report)) print(line);
      finish(report, options);
    } finally {
      host.close();
    }
  } finally {
    await provider.close();
  }
}

function finish(report: Report, { report: path, failOn = [] }: RefreshOptions): void {
  if (path !== undefined) writeReport(path, report);
  const status = toStatus(report, failOn);
  if (status === 0) return;
  const { failed, formulas } = report.counts;
  if (failed > 0)
    throw new EndedWith(status, `${failed} of ${formulas} formulas could not be refreshed. ${toSentence(report)}`);
  const reasons = failOn
    .filter((failing) => report.counts[failing] > 0)
    .map((failing) => `${report.counts[failing]} ${failing}`);
  throw new EndedWith(status, `As --fail-on wants: ${reasons.join(", ")}.`);
}

function writeReport(path: string, report: Report): void {
  try {
    replaceFile(path, `${JSON.stringify(report, null, 2)}\n`);
  } catch (error) {
    const done = report.written === null ? "" : `${report.written} was refreshed, and its report is missing: `;
    throw new EndedWith(1, done + (error as Error).message);
  }
}

function readBook(
  given: string,
  { out, sheets, dryRun, adoptSheets }: RefreshOptions,
  { webFolder }: Surroundings,
): Read {
  const metadata = readMetadata(webFolder);
  const book = openBook(given);
  if (!dryRun) book.check(out); // before anything is asked for
  const { pack, settings, ...read } = explainRefusal(given, () => {
    const pack = openPackage(book.bytes, LIMITS_OF_PROGRAM);
    const workbook = readWorkbook(pack);
    const sheets = workbook.sheets.map((sheet) => [sheet.name, readCells(pack, workbook, sheet)] as const);
    const cells = new Map(sheets.map(([name, { cells }]) => [name, cells]));
    const merged = new Map(sheets.map(([name, { merged }]) => [name, merged]));
    return { pack, workbook, cells, merged, settings: readStoredSettings(readSettings(pack).feed) };
  });
  const only = sheets && toNames(sheets, read);
  const found = listFeedCells(read, metadata).filter(({ sheet }) => only?.has(sheet) !== false);
  const ofSheets = found.filter(({ kind }) => kind === "sheets");
  const adopted = adoptSheets ? ofSheets.filter((cell) => !fillsOthers(cell, read)) : [];
  return {
    ...{ ...read, cells: adopt(read, adopted, metadata) },
    ...{ book, pack, settings, metadata, only, adopted },
    formulas: found.filter((cell) => cell.kind === "live" || adopted.includes(cell)),
    foreign: ofSheets.filter((cell) => !adopted.includes(cell)),
  };
}

/** What Google Sheets writes into the other cells of a table. */
const OF_TABLE = /COMPUTED_VALUE/;

/** Whether a formula of Google Sheets fills cells beside its own: they hold formulas, which would be in its way. */
function fillsOthers({ sheet, row, column }: FeedCell, { cells }: WorkbookCells): boolean {
  const isBeside = (cell: XlsxCell) =>
    (cell.row === row && cell.column === column + 1) || (cell.row === row + 1 && cell.column === column);
  return cells.get(sheet)?.some((cell) => isBeside(cell) && OF_TABLE.test(cell.formula ?? "")) ?? false;
}

/** Gives cells that came from Google Sheets their live formulas. */
function adopt({ cells }: WorkbookCells, adopted: readonly FeedCell[], { functions }: FunctionsMetadata) {
  if (adopted.length === 0) return cells;
  const { toFile } = createFunctionNames(
    DEFAULT_NAMESPACE,
    functions.map(({ name }) => name),
  );
  const formulas = new Map(adopted.map((cell) => [toKey(cell.sheet, cell), toFile(cell.formula.slice(1))]));
  const toLive = (sheet: string) => (cell: XlsxCell) => {
    const formula = formulas.get(toKey(sheet, cell));
    return formula === undefined ? cell : { ...cell, formula };
  };
  return new Map([...cells].map(([sheet, all]) => [sheet, all.map(toLive(sheet))]));
}

const toKey = (sheet: string, { row, column }: Pick<XlsxCell, "row" | "column">) => `${row} ${column} ${sheet}`;

/** Joins the values to write with the formulas to make live, of cells that did not fail. */
function toWritten(name: string, { adopted, cells }: Read, { changes, feed }: Calculation): CellChange[] {
  const written = changes.get(name) ?? [];
  const own = adopted.filter(({ sheet }) => sheet === name);
  if (own.length === 0) return [...written];
  const byPlace = new Map(written.map((change) => [toKey(name, change), change]));
  const old = new Set(feed.filter(({ isOld }) => isOld).map((cell) => toKey(cell.sheet, cell)));
  for (const cell of cells.get(name) ?? []) {
    const key = toKey(name, cell);
    if (old.has(key) || !own.some((each) => toKey(name, each) === key)) continue;
    const { row, column, value, formula } = cell;
    byPlace.set(key, { ...(byPlace.get(key) ?? { row, column, value }), ...(formula !== undefined && { formula }) });
  }
  return [...byPlace.values()];
}

/** The names of chosen sheets as the workbook has them. @throws UsageError for one that it has not */
function toNames(given: readonly string[], { workbook }: WorkbookCells): ReadonlySet<string> {
  const names = workbook.sheets.map(({ name }) => name);
  return new Set(
    given.map((each) => {
      const name = names.find((known) => known.toLowerCase() === each.toLowerCase());
      if (name !== undefined) return name;
      throw new UsageError(`There is no sheet "${each}" in this workbook. It has: ${names.join(", ")}.`);
    }),
  );
}

const REFUSALS: Readonly<Record<XlsxRefused["reason"], string>> = {
  damaged: "is damaged, or is no workbook. Open it in Excel, save it again, and give that file",
  large: "is too large: it unpacks to more than this program takes",
  old: "is a workbook of Excel 97 to 2003. Open it in Excel, save it as .xlsx, and give that file",
  protected: "has a password. Take it off in Excel: File, Info, Protect Workbook, Encrypt with Password",
};

function explainRefusal<T>(given: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof XlsxRefused) throw new BookRefused(`${given} ${REFUSALS[error.reason]}.`);
    throw error;
  }
}

/** Prevents figures of two providers in one workbook, and fiction in a model. */
function refuseForeign(
  { book, settings }: Read,
  { provider, mode }: OpenedProvider["describe"],
  { sample = false }: RefreshOptions,
): void {
  const own = settings.provider ?? null;
  if (own !== null && own !== toProvider(provider)) {
    const [from, to] = [own, provider].map((each) => (each === "sample" ? "sample data" : each));
    throw new BookRefused(
      `${book.path} has figures from ${from}, and this would fill it from ${to}. Give the settings of ${from}, or open it in Excel and confirm the other provider in the FEED pane.`,
    );
  }
  if (mode !== "sample" || own !== null || sample) return;
  throw new BookRefused(
    `No provider is set, so there is only sample data, which fills no model. Make a key with ${toCommand("keygen")} and set the provider, or add --sample to try this.`,
  );
}

function open(
  { settings, metadata, workbook }: Read,
  provider: OpenedProvider,
  requestLimit: number,
  surroundings: Surroundings,
): Promise<Host> {
  const dateSystem = workbook.isDate1904 ? 1904 : 1900;
  const { names: namesFolder, answers: answersFolder } = findFolder(surroundings);
  return openHost({
    provider,
    metadata,
    ...{ namesFolder, answersFolder },
    settings: { ...settings, dateSystem, requestLimit },
    onCost: (requests) =>
      surroundings.print(`This takes about ${toCount(requests, "request")}; the limit is ${requestLimit}.`),
  });
}

async function calculateTimed(read: Read, host: Host, took: Record<Step, number>): Promise<Calculation> {
  const startedAt = performance.now();
  const settle = async () => {
    const askedAt = performance.now();
    await host.settle();
    took.provider += performance.now() - askedAt;
  };
  const calculation = await calculate(read, { ...host, settle }, { only: read.only });
  took.engine = performance.now() - startedAt - took.provider;
  return calculation;
}

/** Tells what a refresh would do, in lines. */
function describe({ formulas }: Read, host: Host, given: string): string[] {
  return [
    `${given}: ${toCount(formulas.length, "formula")}`,
    ...formulas.map(({ sheet, row, column, formula }) => `  ${sheet}!${toAddress(row, column)}  ${formula}`),
    `This takes about ${toCount(host.heldBack(), "request")}; formulas that read others' figures may take more. Nothing was sent.`,
  ];
}

/** Writes what has changed, where any formula is fresh; an unchanged workbook keeps its file. @returns the written file, or null */
function write(read: Read, calculation: Calculation, out: string | undefined): string | null {
  const { book, pack, workbook } = read;
  if (calculation.feed.every(({ isOld }) => isOld)) return null;
  const changed = workbook.sheets.flatMap((sheet) => {
    const cells = toWritten(sheet.name, read, calculation);
    if (cells.length > 0) writeCells(pack, sheet, cells);
    return cells.length > 0 ? [sheet] : [];
  });
  if (calculation.dependants.some(({ state }) => state === "left")) calculateAtOpening(pack, workbook);
  if (changed.length === 0) return out === undefined ? null : book.write(book.bytes, out);
  return book.write(pack.pack(), out);
}

function toNotes({ workbook, foreign }: Read, { adoptSheets }: RefreshOptions, isWritten: boolean): string[] {
  const notes: string[] = [];
  if (isWritten && workbook.isSigned)
    notes.push("The file's signature has ended, as with any change. Sign it again in Excel.");
  const [first] = foreign;
  if (first === undefined) return notes;
  const place = `first ${first.sheet}!${toAddress(first.row, first.column)}`;
  const sentence = adoptSheets
    ? `Tables of Google Sheets kept their old values (${foreign.length}, ${place}): the cells that they fill hold formulas of their own. Clear them in Excel, and enter their formulas again.`
    : `${toCount(foreign.length, "formula")} of Google Sheets kept old values, ${place}. To make single figures live: --adopt-sheets`;
  return [...notes, sentence];
}
