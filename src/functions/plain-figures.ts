import { isCompanyId } from "../client/ids";
import { isYearFact } from "../feed/financials/metrics";
import { toName } from "../feed/financials/names";
import type { Session } from "../session/session";
import { type Argument, readUnit } from "./arguments";
import { type Invocation, isPreview } from "./cell-writer";
import { FigureCell, type FigureColumn, type FigureCompany, FigureGroup, runAll } from "./figure-group";
import { isYear } from "./financial-arguments";

/** The arguments of FINANCIAL, as the host passes them. */
interface FigureArguments {
  company: Argument;
  year: Argument;
  metric: Argument;
  basis: Argument;
  unit: Argument;
}

/** The plain figures of a session. */
interface PlainFigures {
  /** By company id as given. */
  companies: Map<string, FigureCompany>;
  /** Those with cells that have come in this task. */
  toOpen: Set<FigureCompany>;
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
  open: FigureCompany["open"],
): boolean {
  const [id, when, what] = [readOnly(company), readOnly(year), readOnly(metric)];
  if (!isAbsent(basis) || typeof what !== "string" || typeof when !== "number" || !isYear(when)) return false;
  if (typeof id !== "string" || !isOfCell(invocation)) return false;
  const { companies, toOpen } = findFigures(session);
  const column = findColumn(what, unit);
  const known = companies.get(id) ?? toCompany(session, id, open);
  if (column === null || known === null) return false;
  const { newcomers } = known;
  if (newcomers.size === 0) {
    if (toOpen.size === 0) queueMicrotask(() => openAll(session));
    toOpen.add(known);
    companies.set(id, known);
  }
  const cell = new FigureCell(invocation, known, when, column);
  const others = newcomers.get(when);
  if (others === undefined) newcomers.set(when, [cell]);
  else others.push(cell);
  return true;
}

function toCompany(session: Session, companyId: string, open: FigureCompany["open"]): FigureCompany | null {
  if (!isCompanyId(companyId)) return null;
  return { session, companyId, newcomers: new Map(), groups: new Map(), open };
}

function findFigures(session: Session): PlainFigures {
  let figures = figuresOf.get(session);
  if (figures === undefined) {
    figures = { companies: new Map(), toOpen: new Set() };
    figuresOf.set(session, figures);
  }
  return figures;
}

/** Opens the queries of all new cells before any cell is entered, so that the requests are under way meanwhile. */
function openAll(session: Session): void {
  const { companies, toOpen } = findFigures(session);
  const opened: { group: FigureGroup; cells: FigureCell[] }[] = [];
  const all = [...toOpen].map((company) => ({ company, newcomers: [...company.newcomers] }));
  // First, so that cells that come later are opened whatever happens here.
  for (const { newcomers } of toOpen) newcomers.clear();
  toOpen.clear();
  const open = ({ company, newcomers }: (typeof all)[number]) => {
    const leave = () => forget(companies, company);
    for (const [year, cells] of newcomers) {
      const live = cells.filter(({ hasEnded }) => !hasEnded);
      if (live.length === 0) continue;
      const group = company.groups.get(year) ?? openGroup(company, year, newcomers.length > 1, leave);
      opened.push({ group, cells: live });
    }
    leave(); // all of its cells may have ended already
  };
  const steps = [
    () => runAll(all, open),
    () => runAll(opened, ({ group, cells }) => group.enter(cells)),
    () => session.calls.relist(),
  ];
  runAll(steps, (step) => step());
}

function openGroup(company: FigureCompany, year: number, hasSeveralYears: boolean, left: () => void): FigureGroup {
  const { session, companyId, groups } = company;
  const query = session.feed.financials.query({ companyId }, { year, hasSeveralYears });
  const leave = () => {
    for (const [each, known] of groups) if (known === group) groups.delete(each);
    left();
  };
  const group = [...groups.values()].find((each) => each.query === query) ?? new FigureGroup(session, query, leave);
  groups.set(year, group);
  return group;
}

/** Forgets a company without cells. */
function forget(companies: PlainFigures["companies"], company: FigureCompany): void {
  const { companyId, groups } = company;
  if (groups.size === 0 && companies.get(companyId) === company) companies.delete(companyId);
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

/** A metric in Japanese is translated by the general way. */
export const JAPANESE = /[\u3040-\u30ff\u4e00-\u9fff]/;

function readColumn(metric: string, unit: Argument): FigureColumn | null {
  const name = metric.trim();
  const given = isAbsent(unit) ? null : unit;
  if (name === "" || JAPANESE.test(name) || isYearFact(name) || !isUnit(given)) return null;
  try {
    return { metric, unit: given, name, foldedName: toName(name), scale: readUnit(unit) };
  } catch {
    return null; // the general way explains it
  }
}
