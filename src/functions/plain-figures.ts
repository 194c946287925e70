import { isYearFact } from "../feed/financials/metrics";
import { toName } from "../feed/financials/names";
import type { Call } from "../session/calls";
import type { Session } from "../session/session";
import { type Argument, isCompanyId, readUnit } from "./arguments";
import { type Invocation, isPreview } from "./cell-writer";
import { FigureCell, type FigureColumn, FigureGroup } from "./figure-group";
import { isYear } from "./financial-arguments";
import type { View } from "./view-observer";

/** The arguments of FINANCIAL, as the host passes them. */
export interface FigureArguments {
  company: Argument;
  year: Argument;
  metric: Argument;
  basis: Argument;
  unit: Argument;
}

/** The groups of a company's cells by year; years that come together share one. */
type CompanyGroups = Map<number, FigureGroup>;

/** The plain figures of a session. */
interface PlainFigures {
  /** By company id as given. */
  companies: Map<string, CompanyGroups>;
  /** New cells of this task, in the same way. */
  newcomers: Map<string, FigureCell[]>;
}

const figuresOf = new WeakMap<Session, PlainFigures>();

/**
 * Streams the usual formula of a workbook into its cell, by the same rules as `stream`: a figure of a company id, a
 * year's number and a metric, without a basis. A host's message brings thousands; they are opened together at its end.
 *
 * @param open opens the same formula's view, which knows where its figure comes from
 * @returns whether it is one; any other, and one of a preview or of the pane, is for `stream`
 */
export function streamPlainFigure(
  session: Session,
  invocation: Invocation,
  { company, year, metric, basis, unit }: FigureArguments,
  open: (given: Call["given"]) => View,
): boolean {
  const [id, when, what] = [readOnly(company), readOnly(year), readOnly(metric)];
  if (!isAbsent(basis) || typeof what !== "string" || typeof when !== "number" || !isYear(when)) return false;
  if (typeof id !== "string" || !isOfCell(invocation)) return false;
  const column = findColumn(what, unit);
  if (column === null || !isCompanyId(id)) return false;
  const { newcomers } = findFigures(session);
  if (newcomers.size === 0) queueMicrotask(() => enterAll(session));
  const cell = new FigureCell(session, invocation, { companyId: id, year: when, column, open });
  const others = newcomers.get(id);
  if (others === undefined) newcomers.set(id, [cell]);
  else others.push(cell);
  return true;
}

function findFigures(session: Session): PlainFigures {
  let figures = figuresOf.get(session);
  if (figures === undefined) {
    figures = { companies: new Map(), newcomers: new Map() };
    figuresOf.set(session, figures);
  }
  return figures;
}

/** Opens the queries of all new cells before any cell is registered: the requests are under way meanwhile. */
function enterAll(session: Session): void {
  const figures = findFigures(session);
  const { companies, newcomers } = figures;
  figures.newcomers = new Map();
  const groups = new Set<FigureGroup>();
  for (const [companyId, cells] of newcomers) {
    const hasSeveralYears = cells.some(({ year }) => year !== cells[0]?.year);
    for (const cell of cells) {
      if (cell.hasEnded) continue;
      const group = findGroup(session, companies, { companyId, year: cell.year, hasSeveralYears });
      group.add(cell);
      groups.add(group);
    }
  }
  for (const group of groups) group.enter();
}

interface Place {
  companyId: string;
  year: number;
  /** Whether cells of other years come with it. */
  hasSeveralYears: boolean;
}

function findGroup(session: Session, companies: PlainFigures["companies"], place: Place): FigureGroup {
  const { companyId, year, hasSeveralYears } = place;
  const years = companies.get(companyId) ?? new Map<number, FigureGroup>();
  const known = years.get(year);
  if (known !== undefined) return known;
  companies.set(companyId, years);
  const query = session.feed.financials.query({ companyId }, { year, hasSeveralYears });
  const shared = [...years.values()].find((each) => each.query === query);
  const group = shared ?? new FigureGroup(session, query, () => forget(companies, companyId, group));
  years.set(year, group);
  return group;
}

function forget(companies: PlainFigures["companies"], companyId: string, group: FigureGroup): void {
  const years = companies.get(companyId);
  for (const [year, each] of years ?? []) if (each === group) years?.delete(year);
  if (years?.size === 0) companies.delete(companyId);
}

/** The content of a single cell; undefined for anything else. */
const readOnly = (range: Argument): Argument =>
  Array.isArray(range) && range.length === 1 && range[0]?.length === 1 ? range[0][0] : undefined;

const isAbsent = (value: Argument): boolean => value === null || value === undefined;

const isUnit = (value: Argument): value is FigureColumn["unit"] =>
  value === null || typeof value === "string" || typeof value === "number";

/** The pane's runs bring a list of calls of their own. */
const isOfCell = (invocation: Invocation): boolean => !("calls" in invocation) && !isPreview(invocation);

/** Limit of remembered columns; above it they are forgotten, and new cells get new ones. */
const MOST_COLUMNS = 5_000;

/** Columns by unit and metric as given; null where the metric is no figure's name or the unit is invalid. */
const columns = new Map<Argument, Map<string, FigureColumn | null>>();
let columnCount = 0;

function findColumn(metric: string, unit: Argument): FigureColumn | null {
  const known = columns.get(unit)?.get(metric);
  if (known !== undefined) return known;
  if (columnCount++ >= MOST_COLUMNS) {
    columns.clear();
    columnCount = 1;
  }
  const ofUnit = columns.get(unit) ?? new Map<string, FigureColumn | null>();
  columns.set(unit, ofUnit);
  const column = readColumn(metric, unit);
  ofUnit.set(metric, column);
  return column;
}

function readColumn(metric: string, unit: Argument): FigureColumn | null {
  const name = metric.trim();
  const given = isAbsent(unit) ? null : unit;
  if (name === "" || isYearFact(name) || !isUnit(given)) return null;
  try {
    return { metric, unit: given, name, foldedName: toName(name), divisor: readUnit(unit) };
  } catch {
    return null; // the general way explains it
  }
}
