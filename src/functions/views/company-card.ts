import { ArgumentError, NoValueError } from "../../client/errors";
import { msg } from "../../client/messages";
import type { Row } from "../../feed/decode";
import { COMPANY_FIELDS } from "../../feed/field-tables";
import { type Field, isPlain, isSingular, pickField, unwind } from "../../feed/fields";
import type { Table } from "../cells";
import { isAbsent, readField, toFieldValue } from "./table";

/** Lists of a company as one text each, item by item. */
const SUMMARIES: Readonly<Record<string, { path: string; toText: (item: Row) => string }>> = {
  representatives: {
    path: "representatives",
    toText: (row) => {
      const [name, role] = pickTexts(row, ["representatives.fullName", "representatives.role"]);
      return role === "" ? `${name}` : `${name} (${role})`;
    },
  },
  industryClassifications: {
    path: "industryClassifications.codes",
    toText: (row) => {
      const codes = ["industryClassifications.codes.code", "industryClassifications.codes.description"];
      return pickTexts(row, ["industryClassifications.standard", ...codes])
        .filter((text) => text !== "")
        .join(" ");
    },
  },
};

/** Shows a company as a card: its fields with their values, without contact data of persons. */
export function showCard(row: Row): Table {
  const rows = COMPANY_FIELDS.flatMap((field): unknown[][] => {
    const summary = SUMMARIES[field.name];
    if (summary !== undefined) return [[field.header, summarise(row, summary)]];
    return isPlain(field, COMPANY_FIELDS) ? [toCardRow(row, field)] : [];
  });
  return { rows, readOrigin: (at) => ({ field: findByHeader(rows[at]?.[0]) }) };
}

/**
 * Shows one field of a company by itself: a value, the values of a list's field below each other, a list as a
 * table, an object as a card.
 *
 * @throws ArgumentError (FEED_ARGUMENT_INVALID) for a field that nobody knows; NoValueError (FEED_NO_VALUE)
 */
export function showField(row: Row, name: string): Table {
  const field = readField(name, COMPANY_FIELDS, [row]);
  const rows = toRows(row, field);
  if (rows.flat().every(isAbsent)) {
    throw new NoValueError(
      "FEED_NO_VALUE",
      msg`the provider gives no ${field.name} of this company; name another field`,
    );
  }
  return { rows, readOrigin: () => ({ field: field.name }) };
}

const findByHeader = (header: unknown) => COMPANY_FIELDS.find((field) => field.header === header)?.name;

/** Picks a company's value of a field that has one. @throws ArgumentError (FEED_ARGUMENT_INVALID) for any other */
export function pickValue(row: Row, name: string): unknown {
  const field = readField(name, COMPANY_FIELDS, [row]);
  if (!isSingular(field, COMPANY_FIELDS)) {
    throw new ArgumentError(msg`"${field.name}" has several values per company; ask for it alone and for one company`);
  }
  return toFieldValue(pickField(row, field.name), field);
}

function toRows(row: Row, field: Field): unknown[][] {
  const value = pickField(row, field.name);
  if (field.kind === "object" && isObject(value)) return toObjectCard(row, field, value);
  if (field.kind === "list") {
    const columns = COMPANY_FIELDS.filter((each) => isBelow(each, field) && each.kind !== "list" && !each.isPersonal);
    const items = unwind(row, toDeepestList(field)).filter((item) => isObject(pickField(item, field.name)));
    const body = items.map((item) => columns.map((column) => toFieldValue(pickField(item, column.name), column)));
    if (body.length > 0) return [columns.map(({ header }) => header), ...body];
  }
  return unwind(row, field.name).map((item) => [toFieldValue(pickField(item, field.name), field)]);
}

/** The fields that are known of an object, absent ones too, then those that only the answer has. */
function toObjectCard(row: Row, field: Field, value: Row): unknown[][] {
  const known = COMPANY_FIELDS.filter((each) => isBelow(each, field) && each.kind !== "object");
  const names = new Set(COMPANY_FIELDS.map(({ name }) => name));
  const others = listLeaves(value, field.name).filter((name) => !names.has(name));
  const fields = [...known, ...others.map((name): Field => ({ name, header: name, kind: "text" }))];
  return fields.map((each) => toCardRow(row, each));
}

function toCardRow(row: Row, field: Field): unknown[] {
  return [field.header, toFieldValue(pickField(row, field.name), field)];
}

function summarise(row: Row, { path, toText }: { path: string; toText: (item: Row) => string }): string {
  const texts = unwind(row, path).map(toText);
  return texts.filter((text) => text !== "").join("; ");
}

/** Names of an object's values, objects within it gone through. */
function listLeaves(value: Row, path: string): string[] {
  return Object.entries(value).flatMap(([name, each]) =>
    isObject(each) ? listLeaves(each, `${path}.${name}`) : [`${path}.${name}`],
  );
}

const pickTexts = (row: Row, names: readonly string[]): string[] => names.map((name) => toText(pickField(row, name)));

const toText = (value: unknown): string => (isAbsent(value) ? "" : String(value));

const isBelow = (field: Field, parent: Field): boolean => field.name.startsWith(`${parent.name}.`);

/** The list itself, or the one within it. */
const toDeepestList = (list: Field): string =>
  COMPANY_FIELDS.findLast((each) => each.kind === "list" && isBelow(each, list))?.name ?? list.name;

const isObject = (value: unknown): value is Row => typeof value === "object" && value !== null && !Array.isArray(value);
