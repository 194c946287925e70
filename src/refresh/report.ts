import type { CellValue, FeedCell } from "../contract/workbook";
import { hasContacts } from "../feed/companies";
import { listPreferred } from "../feed/names/preferred";
import type { Call } from "../session/calls";
import { createFreshness } from "../session/freshness";
import type { Session } from "../session/session";
import { DEFAULT_SETTINGS, type Settings } from "../session/settings";
import { toCellChanges } from "../taskpane/cell-changes";
import { type ChangedCell, RANK, toChangedCells } from "../taskpane/changes/changed-cells";
import { finish } from "../taskpane/slices";
import { toAddress, toReferences } from "../xlsx/addresses";
import type { XlsxValue } from "../xlsx/sheet";
import type { Calculation, FeedResult, WorkbookCells } from "./engine";
import type { OpenedProvider } from "./provider";
import type { Failure } from "./results";

/** What makes a refresh fail that has gone well otherwise. */
export type Failing = "missing" | "changed" | "stale";

/** 0 all is fresh, 1 something failed and kept its old value, 2 nothing was written. */
export type Status = 0 | 1 | 2;

/** A value as JSON has it: an error is its text, such as "#N/A"; null for an empty cell. */
type Value = CellValue;

interface Place {
  readonly sheet: string;
  /** Such as "B3". */
  readonly cell: string;
}

/** A cell that shows another value than before. */
interface Change extends Place {
  /** The cell of its formula, where that is another one. */
  readonly formulaAt?: string;
  /** Its company or row; its year and metric where it has them. */
  readonly what: string;
  readonly year?: string;
  readonly metric?: string;
  /** Whether it may be contact data of a person. */
  readonly isPersonal?: true;
  /** Days are ISO 8601. */
  readonly before: Value;
  readonly after: Value;
}

/** How the rows of a table have moved; names as the table has them. */
interface Moves extends Place {
  readonly entered: readonly string[];
  readonly left: readonly string[];
  readonly rose: readonly Move[];
  readonly fell: readonly Move[];
}

interface Move {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** A formula without a value. */
interface Failed extends Place, Readonly<Failure> {
  readonly formula: string;
}

/** The steps of a refresh that take their time. */
export type Step = "reading" | "engine" | "provider" | "writing";

/** The report of one workbook's refresh; its members and their meaning stay as they are within a version. */
export interface Report {
  readonly version: 1;
  readonly book: string;
  /** The written file; null where nothing was written. */
  readonly written: string | null;
  readonly startedAt: string;
  /** Altogether, and for each step; "provider" is the wait for its answers. */
  readonly seconds: Readonly<Record<"all" | Step, number>>;
  /** As whom the figures were read: with an own key, by a pairing, or sample data. */
  readonly source: OpenedProvider["describe"];
  /** Requests to the provider. */
  readonly requests: number;
  /** When the provider gave the oldest and the newest figure; null without one. */
  readonly asOf: { readonly oldest: string | null; readonly newest: string | null };
  /** Numbers of formulas; of values that changed, of formulas with an old figure, and of cells that depend on them. */
  readonly counts: Readonly<
    Record<"formulas" | "refreshed" | "failed" | "missing" | "changed" | "stale" | "dependants" | "leftToExcel", number>
  >;
  readonly changes: readonly Change[];
  readonly moves: readonly Moves[];
  /** Formulas that could not be read; their old values stay. */
  readonly failed: readonly Failed[];
  /** Formulas whose answer is that there is no value; they show an error. */
  readonly missing: readonly Failed[];
  /** Formulas whose answer is older than the workbook's settings allow. */
  readonly stale: readonly Place[];
  /** Cells without a value in the file, which Excel calculates when it opens the file. */
  readonly leftToExcel: readonly Place[];
  /** Every cell that differs in the file, as areas by sheet. */
  readonly cells: Readonly<Record<string, readonly string[]>>;
  /** What else a person should know, in sentences. */
  readonly notes: readonly string[];
}

/** What a report is made of; the host is still open. */
export interface Facts {
  book: string;
  written: string | null;
  startedMs: number;
  endedMs: number;
  /** Milliseconds. */
  took: Readonly<Record<Step, number>>;
  source: OpenedProvider["describe"];
  session: Pick<Session, "feed" | "settings">;
  settings: Partial<Settings>;
  cells: WorkbookCells;
  calculation: Calculation;
  notes: readonly string[];
}

/** Makes the report of a refresh. */
export function toReport(facts: Facts): Report {
  const { session, calculation, source, notes, book, written, startedMs, endedMs, took } = facts;
  const { feed, changes: writing, dependants } = calculation;
  const nameOf = createNames(facts);
  const compared = feed.map((result) => {
    const cells = compare(result, nameOf, session.settings.dateSystem);
    return { result, cells, rows: toChangedRows(result, cells) };
  });
  const moves = compared.flatMap(({ result, rows }) => toMoves(result, rows) ?? []);
  const changes = compared.flatMap(({ result, cells, rows }) => toChanges(result, cells, rows));
  const failed = feed.filter(({ isOld }) => isOld).flatMap(toFailed);
  const missing = feed.filter(({ isOld }) => !isOld).flatMap(toFailed);
  const stale = feed.filter(createStaleness(facts)).map(toPlace);
  const left = dependants.filter(({ state }) => state === "left").map(toPlace);
  return {
    version: 1,
    book,
    written,
    startedAt: new Date(startedMs).toISOString(),
    seconds: toSeconds({ all: endedMs - startedMs, ...took }),
    source,
    requests: session.feed.activity.requests(),
    asOf: toAsOf(
      feed.flatMap(({ calls }) => calls),
      session.feed,
    ),
    counts: {
      formulas: feed.length,
      refreshed: feed.length - failed.length,
      failed: failed.length,
      missing: missing.length,
      changed: compared.reduce((sum, { cells }) => sum + cells.length, 0),
      stale: stale.length,
      dependants: dependants.length - left.length,
      leftToExcel: left.length,
    },
    changes,
    moves,
    failed,
    missing,
    stale,
    leftToExcel: left,
    cells: Object.fromEntries([...writing].map(([sheet, cells]) => [sheet, toReferences(cells)])),
    notes,
  };
}

/** The exit status of a refresh that has come to its end. */
export function toStatus({ counts }: Pick<Report, "counts">, failOn: readonly Failing[]): Status {
  if (counts.failed > 0 && counts.refreshed === 0) return 2;
  return counts.failed > 0 || failOn.some((failing) => counts[failing] > 0) ? 1 : 0;
}

const toSeconds = (took: Record<"all" | Step, number>) =>
  Object.fromEntries(Object.entries(took).map(([name, ms]) => [name, Math.round(ms) / 1000])) as typeof took;

type Located = Pick<FeedResult, "sheet" | "row" | "column">;
const toPlace = ({ sheet, row, column }: Located): Place => ({ sheet, cell: toAddress(row, column) });

/** Tells why a formula has no value; none where it has one. */
const toFailed = (result: FeedResult): Failed[] =>
  result.failure === null ? [] : [{ ...toPlace(result), formula: result.formula, ...result.failure }];

/** A formula that was not evaluated, such as in IF, has no call. */
const NO_CALL = { name: "", given: {}, queries: [], shown: null } as unknown as Call;

type NameOf = (companyId: string) => string | undefined;

/** Lists the cells of a formula that show another value: rows of tables are compared by their names. */
function compare(result: FeedResult, nameOf: NameOf, dateSystem: 1900 | 1904): Compared[] {
  const { before, after, isOld, calls, formula } = result;
  if (isOld) return [];
  const [call = NO_CALL] = calls;
  const now = toRows(after);
  const shown = calls.length === 1 && hasSizeOf(now, call.shown) ? call.shown : now; // with the formats of days
  const changes = finish(toCellChanges([{ call, before: toRows(before), after: shown }]));
  const cell: FeedCell = { sheet: result.sheet, address: toAddress(result.row, result.column), formula, value: null };
  const { sheets } = finish(toChangedCells(changes, new Map([[call, [cell]]]), nameOf));
  const toValue = (value: unknown, format: string | null) => toShown(value, format, dateSystem);
  return sheets
    .flatMap(({ rows }) => rows.flat())
    .map((changed) => ({
      ...changed,
      before: toValue(changed.change.before, changed.change.format),
      after: toValue(changed.change.after, changed.change.format),
    }));
}

/** A changed cell with its values as a person reads them. */
interface Compared extends ChangedCell {
  before: Value;
  after: Value;
}

const toRows = (values: readonly (readonly XlsxValue[])[]): Value[][] =>
  values.map((row) => row.map((value) => (typeof value === "object" && value !== null ? value.error : value)));

const hasSizeOf = (rows: readonly (readonly unknown[])[], shown: Call["shown"]): shown is readonly unknown[][] =>
  Array.isArray(shown) && shown.length === rows.length && shown[0]?.length === rows[0]?.length;

const DAY_MS = 86_400_000;
const DAY_ZERO_MS = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) };

/** A number as a cell with a format of days shows it, ISO 8601; any other value as it is. */
export function toShown(value: unknown, format: string | null, dateSystem: 1900 | 1904): Value {
  if (typeof value !== "number" || format === null) return (value ?? null) as Value;
  const text = new Date(DAY_ZERO_MS[dateSystem] + Math.round(value * DAY_MS)).toISOString();
  return format.includes("hh") ? text.slice(0, 16) : text.slice(0, 10);
}

/** A table's row with changes. */
interface ChangedRow {
  name: string;
  cells: readonly Compared[];
  kind: "entered" | "left" | "stayed";
}

/** Lists the rows with changes of a table whose rows have names. */
function toChangedRows({ after }: FeedResult, cells: readonly Compared[]): ChangedRow[] {
  const named = cells.filter(({ change }) => change.rowName !== null);
  return groupBy(named, ({ change }) => `${change.row} ${change.rowName}`).map((row) => {
    const [{ what: name, change } = NO_CELL] = row;
    const now = after[change.row ?? -1] ?? [];
    const isNew = row.every((cell) => cell.change.before === null) && row.length === now.filter(isFilled).length;
    return { name, cells: row, kind: change.row === null ? "left" : isNew ? "entered" : "stayed" };
  });
}

const NO_CELL = { what: "", change: { row: null } };

const isFilled = (value: XlsxValue): boolean => value !== null;

/** Tells of rows that came, went or moved; null where none did. */
function toMoves(result: FeedResult, rows: readonly ChangedRow[]): Moves | null {
  const ranked = rows.flatMap(({ name, cells, kind }) => {
    const { before: from, after: to } = cells.find(({ change }) => change.columnName === RANK) ?? {};
    return kind === "stayed" && typeof from === "number" && typeof to === "number" ? [{ name, from, to }] : [];
  });
  const list = (wanted: ChangedRow["kind"]) => rows.filter(({ kind }) => kind === wanted).map(({ name }) => name);
  const moves = {
    entered: list("entered"),
    left: list("left"),
    rose: ranked.filter(({ from, to }) => to < from),
    fell: ranked.filter(({ from, to }) => to > from),
  };
  return Object.values(moves).some(({ length }) => length > 0) ? { ...toPlace(result), ...moves } : null;
}

/** Lists what changed cell by cell: not rows that came or went, nor ranks. */
function toChanges(result: FeedResult, cells: readonly Compared[], rows: readonly ChangedRow[]): Change[] {
  const told = new Set(rows.flatMap((row) => (row.kind === "stayed" ? row.cells.filter(isRank) : row.cells)));
  return cells.filter((cell) => !told.has(cell)).map((cell) => toChange(result, cell));
}

const isRank = ({ change }: Compared): boolean => change.columnName === RANK;

function toChange({ sheet, row, column, calls }: FeedResult, cell: Compared): Change {
  const { what, year, metric, before, after, change } = cell;
  const [formulaAt, at] = [toAddress(row, column), toAddress(row + (change.row ?? 0), column + (change.column ?? 0))];
  const subject = { what, ...(year !== null && { year }), ...(metric !== null && { metric }) };
  const isPersonal = calls.some(({ queries }) => queries.some(hasContacts));
  const known = { ...(at !== formulaAt && { formulaAt }), ...subject, ...(isPersonal && { isPersonal }) };
  return { sheet, cell: at, ...known, before, after };
}

function groupBy<T>(items: readonly T[], toKey: (item: T) => unknown): T[][] {
  const groups = new Map<unknown, T[]>();
  for (const item of items) {
    const group = groups.get(toKey(item));
    if (group === undefined) groups.set(toKey(item), [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Names companies by records that were read, else by the first text in a row with their id. */
function createNames({ session: { feed, settings }, cells }: Facts): NameOf {
  const beside = new Map<string, string>();
  for (const all of cells.cells.values()) {
    for (const row of groupBy(all, ({ row }) => row)) {
      const texts = row.flatMap(({ value }) => (typeof value === "string" && value.trim() !== "" ? [value] : []));
      const name = texts.find((text) => !ID.test(text));
      const id = texts.find((text) => ID.test(text));
      if (name !== undefined && id !== undefined && !beside.has(id)) beside.set(id, name);
    }
  }
  return (companyId) => {
    const queries = [feed.companies.query(companyId), feed.taxonomies.query({ companyId })].map(feed.queryCache.peek);
    const rows = queries.flatMap((state) => (state.status === "answered" ? [state.answer.value] : []));
    return listPreferred(Object.assign({}, ...rows), settings.companyNames)[0] ?? beside.get(companyId);
  };
}

/** Whether a formula shows an answer that is older than the workbook's settings allow. */
function createStaleness({ session, settings, endedMs }: Facts): (result: FeedResult) => boolean {
  const policies = settings.refresh ?? DEFAULT_SETTINGS.refresh;
  const { isStale } = createFreshness(
    () => endedMs,
    () => policies,
  );
  return ({ calls }) =>
    calls.some(({ queries }) =>
      queries.some((query) => {
        const state = session.feed.queryCache.peek(query);
        return state.status === "answered" && isStale(query, state.answer.asOfMs);
      }),
    );
}

/** Tells when the provider gave the oldest and the newest answer of calls. */
export function toAsOf(calls: readonly Call[], { queryCache }: Session["feed"]): Report["asOf"] {
  const states = [...new Set(calls.flatMap(({ queries }) => queries))].map(queryCache.peek);
  const times = states.flatMap((state) => (state.status === "answered" ? [state.answer.asOfMs] : []));
  const [oldest, ...later] = times.sort((one, other) => one - other).map((ms) => new Date(ms).toISOString());
  return { oldest: oldest ?? null, newest: later.at(-1) ?? oldest ?? null };
}
