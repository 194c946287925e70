import type { FeedCell, SheetContents, WorkbookContents } from "../../contract/workbook";
import { readText } from "../../feed/decode";
import { type Candidate, isYearFact, toFigureFacts } from "../../feed/financials/metrics";
import { isInterim } from "../../feed/financials/periods";
import type { Query } from "../../feed/query-cache";
import type { Call, Origin } from "../../session/calls";
import type { Session } from "../../session/session";
import { readArea, toAddress } from "../../taskpane/addresses";
import { type CellNotes, findCells, showsTable, toCellValue, toNotes } from "../../taskpane/cells";
import { createFeedFormulaReader, isSpilling, readCellCalls, readRoom } from "../../taskpane/feed-formulas";
import { finishInSlices, type Steps } from "../../taskpane/slices";
import { type FoundCell, joinArrays } from "../../taskpane/workbook/feed-cells";
import type { FeedFact, Figure } from "./finding";

/** Names companies without a request. */
type Names = (companyId: string) => string | undefined;

/** What is needed of a session. */
export type FactSource = Pick<Session, "calls" | "isStale"> & { feed: Pick<Session["feed"], "queryCache"> };

interface ReadFacts {
  facts: FeedFact[];
  notes: CellNotes;
}

/** Reads what stands behind the FEED cells of a workbook that has been read; it sends nothing. */
export async function readFacts(contents: WorkbookContents, source: FactSource, names: Names): Promise<ReadFacts> {
  const cells = await finishInSlices(listFeedCells(contents));
  const reader = {
    listFeedCells: async () => cells,
    readSheets: async (wanted: readonly string[]) => contents.sheets.filter((read) => isNamed(read, wanted)),
  };
  const found = await findCells(reader, source.calls.list(), "workbook");
  const { pairs } = found;
  const byCell = new Map<FeedCell, Call[]>();
  for (const { cell, call } of pairs) {
    const own = byCell.get(cell);
    if (own === undefined) byCell.set(cell, [call]);
    else if (!own.includes(call)) own.push(call);
  }
  const context = { source, names, ages: new Map<Query<unknown>, Age | null>() };
  const unfollowed = [...byCell.keys()].filter((cell) => !isInOrder(cell));
  const notes = toNotes({ ...found, unknown: [...new Set([...found.unknown, ...unfollowed])] });
  return { facts: await finishInSlices(toFacts(byCell, context)), notes };
}

const isNamed = ({ sheet }: SheetContents, names: readonly string[]) =>
  names.some((name) => name.toLowerCase() === sheet.toLowerCase());

/** The cells with FEED formulas, a cell a step. */
function* listFeedCells({ sheets, names }: WorkbookContents): Steps<FeedCell[]> {
  const cells: FeedCell[] = [];
  const read = createFeedFormulaReader(names);
  for (const { sheet, row, column, values, formulas } of sheets) {
    const found: FoundCell[] = [];
    for (const [r, line] of formulas.entries()) {
      for (const [c, formula] of line.entries()) {
        yield;
        const feed = formula === null ? null : read(formula, sheet);
        if (feed === null) continue;
        const own = { row: row + r, column: column + c, rows: 1, columns: 1 };
        found.push({ sheet, address: toAddress(own), ...feed, value: values[r]?.[c] ?? null, own, filled: own });
      }
    }
    cells.push(...joinArrays(found));
  }
  return cells;
}

/** How old an answer is. */
interface Age {
  value: { years?: readonly unknown[]; companyId?: unknown };
  asOfMs: number;
  isStale: boolean;
}

interface FactSources {
  source: FactSource;
  names: Names;
  ages: Map<Query<unknown>, Age | null>;
}

/** A cell's facts, a cell a step; a table's cells are steps too. */
function* toFacts(byCell: ReadonlyMap<FeedCell, readonly Call[]>, context: FactSources): Steps<FeedFact[]> {
  const facts: FeedFact[] = [];
  for (const [cell, calls] of byCell) {
    yield;
    const { row, column } = readArea(cell.address);
    const own = { sheet: cell.sheet, row, column, spill: null, isSpilled: false };
    const written = readCellCalls(cell).length;
    // Some hosts run equal formulas as several streams; any of them tells the same.
    const known = written === 1 ? calls.slice(0, 1) : calls;
    const [call] = known;
    if (call !== undefined && isTable(call, cell)) yield* addTable(facts, call, cell, context);
    else {
      const isEach = known.length === written && isInOrder(cell);
      const parts = isEach ? known.map((each) => toPart(each, 0, 0, context)) : [];
      facts.push({ ...own, parts });
    }
  }
  return facts;
}

/** Whether a formula's calls run as they are written, each once: a lambda runs its own as often as it is called. */
const isInOrder = ({ formula, expanded }: FeedCell): boolean => !/\bLAMBDA\s*\(/i.test(expanded ?? formula);

const isTable = (call: Call, cell: FeedCell): boolean =>
  showsTable(call) && cell.value !== "#SPILL!" && isSpilling(cell);

function* addTable(facts: FeedFact[], call: Call, cell: FeedCell, context: FactSources): Steps<void> {
  const own = readArea(cell.address);
  const [rows, columns] = readRoom(cell) ?? [];
  const shown = (call.shown as readonly (readonly unknown[])[]).slice(0, rows).map((line) => line.slice(0, columns));
  const findOrigin = call.readOrigins();
  for (const [r, line] of shown.entries()) {
    for (const c of line.keys()) {
      yield;
      const isAnchor = r === 0 && c === 0;
      facts.push({
        sheet: cell.sheet,
        row: own.row + r,
        column: own.column + c,
        parts: [toFigure(call, findOrigin(r, c), r, c, context)],
        spill: isAnchor ? [shown.length, line.length] : null,
        isSpilled: true,
      });
    }
  }
}

function toPart(call: Call, row: number, column: number, context: FactSources): Figure | null {
  return call.error === null ? toFigure(call, call.readOrigins()(row, column), row, column, context) : null;
}

function toFigure(call: Call, { places }: Origin, row: number, column: number, context: FactSources): Figure | null {
  const [place] = places;
  const shown = Array.isArray(call.shown) ? toCellValue(call.shown[row]?.[column]) : null;
  const amount = Number(place?.value);
  if (place === undefined || typeof shown !== "number" || !Number.isFinite(amount) || isYearFact(place.name))
    return null;
  const facts = toFigureFacts(places);
  const age = findAge(call, place, context);
  const companyId = readText(age?.value.companyId);
  if (age === null || companyId === null) return null; // figures of two companies must not pass for one's
  return {
    companyId,
    company: context.names(companyId) ?? companyId,
    metric: place.name,
    statement: place.statementType,
    year: place.year.year,
    period: isInterim(place.year) ? (readText(place.year.fields.period) ?? "") : null,
    periodEnd: facts.periodEnd?.slice(0, 10) ?? null,
    currency: facts.currency,
    consolidation: facts.consolidationType,
    divisor: shown === 0 ? null : Number((amount / shown).toPrecision(12)),
    amount,
    yearsBack: readYearsBack(call, row, column),
    hasBasis: [call.given.basis].flat(2).some((each) => each !== null && each !== undefined && each !== ""),
    asOfMs: age.asOfMs,
    isStale: age.isStale,
  };
}

/** The age of the answer that holds a figure; null where none of the formula's does. */
function findAge({ queries }: Call, { year }: Candidate, context: FactSources): Age | null {
  const ages = queries.flatMap((query) => readAge(query, context) ?? []);
  return ages.find(({ value }) => value.years?.includes(year)) ?? null;
}

function readAge(query: Query<unknown>, { source, ages }: FactSources): Age | null {
  const known = ages.get(query);
  if (known !== undefined) return known;
  const state = source.feed.queryCache.find(query)?.state;
  const age =
    state?.status !== "answered"
      ? null
      : {
          value: state.answer.value as Age["value"],
          asOfMs: state.answer.asOfMs,
          isStale: state.error !== null || source.isStale(query, state.answer.asOfMs),
        };
  ages.set(query, age);
  return age;
}

const RELATIVE = /^FY\s?(0|-\d{1,2})$/i;
const SPAN = /^FY\s?(0|-\d{1,2})\s*:\s*FY\s?(0|-\d{1,2})$/i;

/**
 * Reads how many years back a cell of a formula looks, such as -1 for "FY-1".
 *
 * @param row of the formula's table, from 0
 * @param column likewise
 * @returns null where the formula names a year, or where the cell's own year is not sure
 */
export function readYearsBack({ name, given, shown }: Call, row: number, column: number): number | null {
  const years = [given.year].flat(2);
  const [first] = years;
  const width = Array.isArray(shown) ? (shown[0]?.length ?? 1) : 1;
  if (name !== "FINANCIAL" || typeof first !== "string") return null;
  const span = SPAN.exec(first.trim());
  if (years.length === 1 && span !== null) {
    const [from, to] = [Number(span[1]), Number(span[2])];
    return to - from + 1 === width ? from + column : null;
  }
  const own = years.length === 1 ? first : pickOwn(given.year, row, column);
  const offset = typeof own === "string" ? RELATIVE.exec(own.trim())?.[1] : undefined;
  return offset === undefined ? null : Number(offset) + 0;
}

/** The year of a cell where years are a row or a column. */
function pickOwn(given: unknown, row: number, column: number): unknown {
  if (!Array.isArray(given)) return null;
  const rows = given as readonly (readonly unknown[])[];
  return rows.length === 1 ? rows[0]?.[column] : rows[row]?.[0];
}
