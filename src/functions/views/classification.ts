import { ArgumentError, NoValueError } from "../../client/errors";
import { msg } from "../../client/messages";
import type { Row } from "../../feed/decode";
import { findField, TAXONOMY_FIELDS } from "../../feed/field-tables";
import { type Field, pickField } from "../../feed/fields";
import type { Answer } from "../../feed/query-cache";
import { pickPrimaries, readEntries } from "../../feed/taxonomies/companies";
import { session } from "../../session/current";
import {
  type Argument,
  type Given,
  isBlank,
  readCells,
  readCompany,
  readScalar,
  readText,
  toCompanies,
} from "../arguments";
import type { Table } from "../cells";
import { openGrid, trim } from "../grid";
import { type View, viewAnswer } from "../view-observer";
import { isAbsent, readField, readHeaders, toFieldValue, toTable } from "./table";

/** Paths of a row's classifications: its own, and the primary one. */
const GROUPS = ["taxonomy", "primary"] as const;

const isKnown = (name: string): boolean => !("closest" in findField(name, TAXONOMY_FIELDS, []));

const toGroup = (name: string) => GROUPS.find((group) => group === name.toLowerCase());

const fieldsOf = (group: string): readonly Field[] =>
  TAXONOMY_FIELDS.filter(({ name }) => name.startsWith(`${group}.`));

/** The names of the columns that a name means: "industryName" is the one of the row's classification, "primary" all of that. */
export function toColumnNames(name: string): string[] {
  const group = toGroup(name);
  if (group !== undefined) return fieldsOf(group).map((field) => field.name);
  const own = `taxonomy.${name}`;
  return [isKnown(own) && !isKnown(name) ? own : name];
}

/** Opens a company's classifications, one field of its record, or that field of each company of a range. */
export function openClassification({ company, field, headers }: Given<"company" | "field" | "headers">): View {
  const name = readText(field, "field");
  const withHeaders = readHeaders(headers);
  const group = toGroup(name ?? "taxonomy");
  const range = toCompanies(company, "company");
  if (range.flat().length > 1) {
    const { cells } = trim({ cells: range }, isBlank);
    if (group === undefined && name !== null) return openField(cells, name);
    throw new ArgumentError(msg`name a field such as "primary.industryName"; without one, a single company is shown`);
  }
  const query = session.feed.taxonomies.query(readCompany(readScalar(range), session.settings.country));
  return viewAnswer(query, (record) => {
    if (name !== null && group === undefined) return { rows: readValues(record, name).map((value) => [value]) };
    return toEntryTable(record, group ?? "taxonomy", withHeaders);
  });
}

function toEntryTable(record: Row, group: string, headers: boolean): Table {
  const rows = pickEntries(record, group).map((entry) => ({ [group]: entry }));
  return toTable(rows, { fields: fieldsOf(group), headers });
}

/** The classifications of a path. @throws NoValueError (FEED_NO_VALUE, FEED_AMBIGUOUS) where there is none to show */
function pickEntries(record: Row, group: string): readonly Row[] {
  const entries = group === "primary" ? pickPrimaries(record) : readEntries(record);
  if (entries.length === 0) {
    throw new NoValueError(
      "FEED_NO_VALUE",
      group === "primary"
        ? msg`the provider marks no classification of the company as primary; ask for "taxonomy"`
        : msg`the provider does not classify the company; ask for a field of its record such as "companyFormalName"`,
    );
  }
  if (group === "primary" && entries.length > 1) {
    throw new NoValueError(
      "FEED_AMBIGUOUS",
      msg`the provider marks ${entries.length} classifications of the company as primary; ask for "taxonomy" to see them`,
    );
  }
  return entries;
}

/** A field's value, or the values that it has in each classification. @throws NoValueError (FEED_NO_VALUE) where there is none */
function readValues(record: Row, name: string): readonly unknown[] {
  const [column = name] = toColumnNames(name);
  const field = readField(column, TAXONOMY_FIELDS, [record]);
  const group = GROUPS.find((each) => field.name.startsWith(`${each}.`));
  const rows = group === undefined ? [record] : pickEntries(record, group).map((entry) => ({ [group]: entry }));
  const values = rows.map((row) => pickField(row, field.name));
  if (values.every(isAbsent)) {
    throw new NoValueError(
      "FEED_NO_VALUE",
      msg`the provider gives no ${field.name} for the company; ask for another field`,
    );
  }
  return values.map((value) => toFieldValue(value, field));
}

/** One field of each company. */
function openField(range: readonly (readonly Argument[])[], name: string): View {
  const cells = readCells(range, (value) => ({
    query: session.feed.taxonomies.query(readCompany(value, session.settings.country)),
    show: (answer: Answer<Row>) => readSingle(answer.value, name),
  }));
  return openGrid(cells, msg`give fewer companies`);
}

/** The one value of a field. @throws NoValueError (FEED_NO_VALUE, FEED_AMBIGUOUS) where there is none, or several */
function readSingle(record: Row, name: string): unknown {
  const [value, ...others] = readValues(record, name);
  if (others.length === 0) return value;
  throw new NoValueError(
    "FEED_AMBIGUOUS",
    msg`the company has ${others.length + 1} classifications; ask for a field of "primary", or for this company alone`,
  );
}
