import { decodeObjects, type FinancialYear, type Row, readText } from "../../feed/decode";
import { COMPANY_FIELDS } from "../../feed/field-tables";
import { findField } from "../../feed/fields";
import { type Candidate, isYearFact } from "../../feed/financials/metrics";
import { withoutContacts } from "../../feed/persistence-policy";
import type { Origin } from "../../session/calls";

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
  const [top = name] = "closest" in field ? [] : field.name.split(".");
  const shown = "isPersonal" in field ? company : withoutContacts(company);
  return { id: company.id, [top]: shown[top] };
}

/** Removes contact data of persons; they show only where their field is named. */
function hideContacts(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { rows } = value as Value;
  return rows === undefined ? withoutContacts(value as Row) : { ...value, rows: rows.map(withoutContacts) };
}
