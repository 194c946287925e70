import { decodeObjects, type FinancialYear, type Row, readText } from "../../feed/decode";
import { COMPANY_FIELDS, findField } from "../../feed/field-tables";
import { type Candidate, isYearFact } from "../../feed/financials/metrics";
import type { NameSource } from "../../feed/names/rows";
import { withoutContacts } from "../../feed/persistence-policy";
import type { Query, QueryCache, State } from "../../feed/query-cache";
import type { Resolution } from "../../feed/resolutions";
import type { Origin } from "../../session/calls";
import type { Session } from "../../session/session";
import { WAITING } from "../activity/formula-state";
import type { Snapshot } from "../activity/snapshot";
import { isErrorCode } from "../formula-text";
import { readNamed } from "../named-companies";
import type { SelectedFormula } from "./selected-formulas";

/** The provenance of a cell's value: its error or its queries. */
export interface Provenance {
  /** The part of the answer that the cell shows; null where it shows none. */
  origin: Origin | null;
  /** Why the cell shows no value; null where it shows one. */
  error: unknown;
  /** The queries that it may come from; one where that is certain. */
  queries: readonly KnownQuery[];
}

/** A query of a cell and its state. */
export interface KnownQuery {
  query: Query<unknown>;
  state: State<unknown>;
  /** Numbers of its requests in the log. */
  requests: readonly number[];
  /** Number of other formulas that show the same answer. */
  shared: number;
  /** The part of its answer behind the cell; null without an answer. */
  piece: Piece | null;
}

const PENDING: State<unknown> = { status: "pending" };

/** Reads the provenance of a cell. */
export function readProvenance(
  { call, at }: Pick<SelectedFormula, "call" | "at">,
  session: Session,
  { sharing }: Pick<Snapshot, "sharing">,
): Provenance {
  const { queryCache } = session.feed;
  const origin = at === null || call.error !== null ? null : call.readOrigins()(at.row, at.column);
  const queries = pickQueries(call.queries, origin, queryCache).map((query): KnownQuery => {
    const live = queryCache.find(query);
    const state = live?.state ?? PENDING;
    const value = readValue(state);
    const piece = value === undefined ? null : toPiece(origin?.error === null ? origin : null, value);
    return {
      query,
      state,
      requests: live?.requests() ?? [],
      shared: Math.max(0, (sharing.get(value) ?? 0) - 1),
      piece,
    };
  });
  return { origin, error: call.error ?? origin?.error ?? null, queries };
}

/** The query whose answer holds the cell's value; all queries where that is unknown. */
function pickQueries(
  all: readonly Query<unknown>[],
  origin: Origin | null,
  queryCache: Pick<QueryCache, "find">,
): readonly Query<unknown>[] {
  if (origin?.query !== undefined) return [origin.query];
  const years = [...(origin?.places ?? []), ...(origin?.rowPlaces ?? [])].map(({ year }) => year);
  const having = all.filter((query) => {
    const known = readValue(queryCache.find(query)?.state) as { years?: readonly unknown[] } | undefined;
    return years.length > 0 && years.every((year) => known?.years?.includes(year));
  });
  return having.length > 0 ? having.slice(0, 1) : all;
}

/** More would push the rest out of sight. */
const MOST_RESOLUTIONS = 5;

/** What each kind of query asks of a company that is written by name. */
const FAMILIES: Readonly<Record<string, NameSource>> = {
  financials: "private",
  getCompany: "private",
  getTaxonomyCompany: "taxonomy",
  peers: "taxonomy",
};

/** What the names in a cell's queries mean in this workbook, each once. */
export function listResolutions(queries: readonly Pick<KnownQuery, "query">[], { feed }: Session): Resolution[] {
  const all = queries.flatMap(({ query }) => {
    const named = readNamed(query.key);
    return (named && feed.resolutions.find(named, FAMILIES[String(query.key[0])])) ?? [];
  });
  return [...new Set(all)].slice(0, MOST_RESOLUTIONS);
}

const readValue = (state: State<unknown> | undefined): unknown =>
  state?.status === "answered" ? state.answer.value : undefined;

/** The error that a cell shows though its formula has handed over a value, such as "#SPILL!"; null for none. */
export function readHiding({ call, cell, output }: SelectedFormula, { known }: Pick<Snapshot, "known">): string | null {
  const [live] = known.calls.get(call) ?? [];
  if (live?.state !== "answered" || output === null || output !== call.shown) return null;
  return isErrorCode(cell.value) && !WAITING.includes(cell.value) ? String(cell.value) : null;
}

/** The part of an answer behind a cell: its value, its row's values, a row, a field, or the whole answer. */
export interface Piece {
  kind: "figure" | "figures" | "row" | "field" | "answer";
  /** As the provider sent it, without contact data of persons that the cell does not show. */
  value: unknown;
}

/** An answer: financials, a list, or a record. */
type Value = { companyId?: unknown; rows?: readonly Row[] } & Row;

/** Picks the part of an answer behind a cell; the whole answer where the formula cannot tell. */
export function toPiece(origin: Origin | null, answer: unknown): Piece {
  const { places = [], rowPlaces = [], record, field } = origin ?? {};
  if (places.length > 0) return { kind: "figure", value: toFinancials(answer as Value, places) };
  if (rowPlaces.length > 0) return { kind: "figures", value: toFinancials(answer as Value, rowPlaces) };
  const row = record && findRow(answer, record);
  if (row !== undefined) return { kind: "row", value: hideContacts(row) };
  if (field !== undefined) return { kind: "field", value: toField(answer as Row, field) };
  return { kind: "answer", value: hideContacts(answer) };
}

/** A company's financials reduced to some places, by year and statement. */
function toFinancials({ companyId }: Value, places: readonly Candidate[]): Row {
  const years = [...new Set(places.map(({ year }) => year))];
  return {
    companyId,
    years: years.map((year) =>
      toYear(
        year,
        places.filter((place) => place.year === year),
      ),
    ),
  };
}

function toYear({ fields }: FinancialYear, places: readonly Candidate[]): Row {
  const { statements, ...own } = fields;
  const named = decodeObjects(statements ?? [], "list of statements").flatMap(({ metrics, ...statement }) => {
    const within = places.filter((place) => isOfStatement(place, statement));
    const shown = decodeObjects(metrics ?? [], "list of metrics").filter((metric) => within.some(isOf(metric)));
    if (within.length === 0) return [];
    return [within.every(({ name }) => isYearFact(name)) ? statement : { ...statement, metrics: shown }];
  });
  return { ...own, statements: named };
}

const isOfStatement = (place: Candidate, { statementType, consolidationType }: Row): boolean =>
  (readText(statementType) ?? "") === place.statementType &&
  (readText(consolidationType) ?? "") === place.consolidationType;

const isOf =
  ({ name, value }: Row) =>
  (place: Candidate): boolean =>
    (readText(name) ?? "") === place.name && Object.is(value, place.value);

/** The row of an answer that a table's row shows; undefined where none matches. */
function findRow(answer: unknown, record: Row): unknown {
  if (Array.isArray(answer)) return pickBranch(answer, record);
  const { rows, taxonomy } = answer as Value;
  const entry = record.taxonomy ?? record.primary;
  if (rows === undefined) {
    return Array.isArray(taxonomy) && taxonomy.includes(entry) ? { ...(answer as Row), taxonomy: [entry] } : undefined;
  }
  return rows.find((row) => Object.keys(row).every((name) => ADDED.has(name) || row[name] === record[name]));
}

/** Members that tables add to a row or replace in it. */
const ADDED: ReadonlySet<string> = new Set(["rank", "primary", "taxonomy", "pages"]);

/** The path of the tree that a row of the taxonomy shows, with the nodes below it. */
function pickBranch(nodes: readonly Row[], record: Row, [level, ...below] = LEVELS): Row | undefined {
  const node = nodes.find((each) => level !== undefined && each[level.id] === record[level.id]);
  const [next] = below;
  if (node === undefined || next === undefined || record[next.id] === undefined) return node;
  const child = pickBranch(decodeObjects(node[next.list] ?? [], "part of the taxonomy tree"), record, below);
  return child && { ...node, [next.list]: [child] };
}

const LEVELS = [
  { id: "sectorId", list: "" },
  { id: "subSectorId", list: "subSectors" },
  { id: "industryId", list: "industries" },
];

/** A field of a company within its enclosing member. */
function toField(company: Row, name: string): Row {
  const field = findField(name, COMPANY_FIELDS, [company]);
  const [top = name, within] = "closest" in field ? [] : field.name.split(".");
  const shown = withoutContacts(company, "isPersonal" in field ? within : undefined);
  return { id: company.id, [top]: shown[top] };
}

/** Removes contact data of persons; they show only where their field is named. */
function hideContacts(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { rows } = value as Value;
  return rows === undefined
    ? withoutContacts(value as Row)
    : { ...value, rows: rows.map((row) => withoutContacts(row)) };
}
