import { ArgumentError } from "../../client/errors";
import type { CompanyRef } from "../../client/ids";
import { type Message, msg } from "../../client/messages";
import type { Row } from "../../feed/decode";
import { COMPANY_COLUMNS, COMPANY_FIELDS, findField, OFFICER_COLUMNS, OFFICER_FIELDS } from "../../feed/field-tables";
import { type Field, isCalled, isPlain, isSingular, unwind } from "../../feed/fields";
import { queryNamed } from "../../feed/names/preferred";
import type { Query } from "../../feed/query-cache";
import { session } from "../../session/current";
import {
  type Argument,
  type Given,
  isBlank,
  isSingle,
  quote,
  type Reading,
  readCell,
  readCells,
  readCompany,
  readNames,
  readText,
  splitSingle,
  toCompanies,
  toMissingCompany,
  toRange,
} from "../arguments";
import type { Table } from "../cells";
import { type CellQuery, createQueries, join, openGrid, overlay, trim } from "../grid";
import { readAnswer, type View, viewAnswer } from "../view-observer";
import { pickValue, showCard, showField } from "./company-card";
import { type GivenCompany, readCompanies } from "./financials-arguments";
import { openList, readCountry, readFields, readHeaders, readTop, toNameCells, toTable } from "./table";

export function openCompany({ company, field }: Given<"company" | "field">): View {
  const given = toCompanies(company, "company");
  const names = toNameCells(field);
  const ranges = trim({ company: given, field: names === null ? [[ALL]] : spreadAll(names) }, isBlank);
  const grid = overlay({
    company: readCells(ranges.company, (value) => readCompany(value, session.settings.country)),
    field: readCells(ranges.field, readFieldName),
  });
  const cells = grid.map((row) => row.map((readings) => join(readings, toFieldQuery)));
  if (names === null && !isSingle(cells)) {
    throw new ArgumentError(msg`field is missing; name one, since a card shows a single company`);
  }
  if (names === null) return openAlone(cells[0]?.[0], showCard);
  if (isSingle(cells)) return openAlone(cells[0]?.[0], showField);
  return openGrid(cells, FEWER);
}

/** A company and the name of a field, in a cell beside others. */
interface FieldQuery extends CellQuery<Row> {
  field: string;
}

function toFieldQuery({ company, field }: { company: CompanyRef; field: string }): FieldQuery {
  const query = queryRecord(company, isOfPersons(field), field === ALL || isCalled(COMPANY_NAME, field));
  return { query, field, show: ({ value }) => pickValue(value, field) };
}

/** The query for a record, under the name that the workbook's setting chooses where the formula shows it. */
function queryRecord(company: CompanyRef, withContacts: boolean, withName: boolean): Query<Row> {
  const query = session.feed.companies.queryOf(company, withContacts);
  return withName ? queryNamed(session.feed, query, session.settings.companyNames) : query;
}

const COMPANY_NAME = COMPANY_FIELDS.find(({ name }) => name === "companyName") as Field;

/** Whether a field may show contact data, which only a query of its own brings. */
const isOfPersons = (name: string): boolean =>
  /^\s*representatives/i.test(name) || COMPANY_FIELDS.some((field) => field.isPersonal && isCalled(field, name));

/** Opens a single company and field, which may fill as many cells as needed. */
function openAlone(cell: Reading<FieldQuery> | undefined, showRow: (row: Row, field: string) => Table): View {
  if (cell?.kind === "error") throw cell.error;
  if (cell?.kind !== "value") return { queries: [], show: () => ({ rows: [[""]] }) };
  const { query, field } = cell.value;
  return viewAnswer(query, (row) => showRow(row, field));
}

/** The word for every plain field. */
const ALL = "all";

/** The word "all" alone is a row of every plain field. */
function spreadAll(names: Argument[][]): Argument[][] {
  const only = names[0]?.[0];
  if (!isSingle(names) || typeof only !== "string" || only.trim().toLowerCase() !== ALL) return names;
  return [COMPANY_FIELDS.filter((field) => isPlain(field, COMPANY_FIELDS)).map(({ name }) => name)];
}

function readFieldName(value: Argument): string {
  if (typeof value === "string") return value.trim();
  throw new ArgumentError(msg`field must be a name such as "companyName", not ${quote(value)}`);
}

export function openCompanies(given: Given<"country" | "identifier" | "top" | "fields" | "sort" | "headers">): View {
  const { country, identifier, top, fields, sort, headers } = given;
  const search = {
    country: readCountry(country, null),
    identifier: readText(identifier, "identifier") ?? undefined,
    sort: readText(sort, "sort") ?? undefined,
  };
  const wanted = readTop(top, "all");
  const names = readNames(fields, "fields");
  for (const name of names ?? []) refuseSeveral(name);
  return openList({
    query: session.feed.companies.querySearch(search, wanted),
    known: COMPANY_FIELDS,
    names,
    columns: COMPANY_COLUMNS,
    headers: readHeaders(headers),
    empty: toEmpty(search),
  });
}

function toEmpty({ country, identifier }: { country: string; identifier: string | undefined }): Message {
  const isAll = country === "ALL";
  if (identifier === undefined) {
    return isAll
      ? msg`the provider has no company; refresh later`
      : msg`the provider has no company in ${country}; try another country`;
  }
  return isAll
    ? msg`no company of any country has the identifier ${quote(identifier)}; check it`
    : msg`no company in ${country} has the identifier ${quote(identifier)}; check it, or try country "ALL"`;
}

/** @throws ArgumentError (FEED_ARGUMENT_INVALID) for a field that has no single value a company */
function refuseSeveral(name: string): void {
  const known = findField(name, COMPANY_FIELDS, []);
  const field = "closest" in known ? ({ name, header: name, kind: "text" } as const) : known;
  if (isSingular(field, COMPANY_FIELDS)) return;
  throw new ArgumentError(
    field.kind === "object"
      ? msg`fields has "${field.name}", which is several fields; name one of them after "${field.name}."`
      : msg`fields has "${field.name}", and a list needs a single company; use FEED.COMPANY`,
  );
}

/** Opens the representatives of companies; a company without one has a row too, so that none goes unseen. */
export function openOfficers({ companies, fields, headers }: Given<"companies" | "fields" | "headers">): View {
  const given = readCompanies(companies, session.settings.country);
  const names = (readNames(fields, "fields") ?? OFFICER_COLUMNS).map(toOfficerField);
  const withHeaders = readHeaders(headers);
  const withContacts = names.some((name) => isOfPersons(name) && !OFFICER_COLUMNS.includes(name));
  const queries = createQueries<Row>();
  const queryOf = (company: CompanyRef) => queryRecord(company, withContacts, names.includes(COMPANY_NAME.name));
  const add = ({ reading }: GivenCompany) => (reading.kind === "value" ? queries.add(queryOf(reading.value)) : -1);
  const placed = given.map((company) => ({ ...company, place: add(company) }));
  return {
    queries: queries.list,
    show(settled) {
      const officers = placed.flatMap(({ given: named, reading, place }) => {
        const [query, answer] = [queries.list[place], settled[place]];
        if (answer?.status === "answered") return listOfficers(answer.answer.value).map((row) => ({ row, query }));
        const error = reading.kind === "error" ? reading.error : answer?.error;
        if (given.length === 1) throw error;
        return [{ row: toFailedRow(error, named, names), query }];
      });
      const rows = officers.map(({ row }) => row);
      const table = toTable(rows, { fields: readFields(names, OFFICER_FIELDS, rows), headers: withHeaders });
      return { ...table, readOrigin: (at) => ({ query: officers[at - Number(withHeaders)]?.query }), cures: FEWER };
    },
  };
}

/** A failed company is named as it was given, and has its error in every other field. */
function toFailedRow(error: unknown, given: unknown, names: readonly string[]): Row {
  const parts = ["id", "representatives", ...names.map((name) => name.replace(/\..*/, ""))];
  return { ...Object.fromEntries(parts.map((part) => [part, error])), companyName: given };
}

const FEWER = msg`give fewer companies or fields`;

/**
 * The field that a name means; "role" is `representatives.role`.
 *
 * @throws ArgumentError (FEED_ARGUMENT_INVALID) for all of a representative, which has contact data that nobody named
 */
function toOfficerField(name: string): string {
  for (const each of [name, `representatives.${name}`]) {
    const found = findField(each, OFFICER_FIELDS, []);
    if ("name" in found) return found.name;
  }
  if (!name.startsWith("representatives.")) refuseSeveral(name);
  return name;
}

function listOfficers(company: unknown): Row[] {
  const officers = unwind(company as Row, "representatives");
  return officers.length > 0 ? officers : [{ ...(company as Row), representatives: null }];
}

/** A formula whose companies are a single text with commas. */
interface Listed {
  /** The argument that has the companies. */
  name: string;
  given: Readonly<Record<string, Argument>>;
  open: (given: never) => View;
}

/**
 * Opens a formula whose companies are a single text with commas. It may be one company's name, which the index of names
 * says, so that the formula's view follows that answer; numbers and ids are a list without it.
 *
 * @throws ArgumentError (FEED_ARGUMENT_INVALID)
 */
export function openListed({ name, given, open }: Listed): View {
  const range = toRange(given[name]);
  const parts = splitSingle(range) ?? [];
  if (parts.length === 0) throw toMissingCompany(name);
  const { country } = session.settings;
  const text = String(range[0]?.[0]).trim();
  const openAs = (companies: readonly string[]) =>
    open({ ...given, [name]: companies.map((each) => [toWhole(each)]) } as never);
  if (!parts.some((part) => isName(part, country))) return openAs(parts);
  openAs([String(parts[0])]); // other arguments that are invalid need no index
  return {
    queries: [session.feed.names.querySplit(text, country)],
    show: () => null,
    follow: (settled) => openAs(settled === undefined ? parts : readAnswer<string[]>(settled[0])),
  };
}

function isName(part: Argument, country: string): boolean {
  const reading = readCell(part, (value) => readCompany(value, country));
  return reading.kind === "value" && "name" in reading.value;
}

/** The text of one company, which is not parted at its commas. */
const toWhole = (text: string) => ({ type: "String", basicType: "String", basicValue: text });
