import { ArgumentError, DecodeError } from "../client/errors";
import type { Row } from "../feed/decode";
import { type Field, findField, isPlain, pickField } from "../feed/fields";
import { Formatted, type Table } from "./cells";
import { isDay, toMomentSerial, toSerial } from "./dates";

interface TableOptions {
  /** Fields of the table, in order. */
  fields: readonly Field[];
  /** Whether a header row comes first. */
  headers: boolean;
  /** Rows there will be when all have come. */
  expected: number;
  /** First year of the workbook's date serials. */
  dateSystem: 1900 | 1904;
}

/** Lays rows out as a table. */
export function toTable(rows: readonly Row[], { fields, headers, expected, dateSystem }: TableOptions): Table {
  const body = rows.map((row) => fields.map((field) => toFieldValue(pickField(row, field.name), field, dateSystem)));
  const header = headers ? [fields.map((field) => field.header)] : [];
  return {
    rows: [...header, ...body],
    expected: header.length + expected,
    readOrigin: (row) => ({ record: rows[row - header.length] }),
  };
}

/** The one name that means every field, but for contact data of persons. */
const ALL = "all";

/**
 * Finds the fields that a user named.
 *
 * @param names as written; "all" means every field but lists and contact data of persons
 * @param known the resource's fields
 * @param rows where a field may stand that no table knows
 * @throws ArgumentError (FEED_ARGUMENT_INVALID) naming the closest
 */
export function readFields(names: readonly string[], known: readonly Field[], rows: readonly Row[]): Field[] {
  if (names.length === 1 && names[0]?.toLowerCase() === ALL) return known.filter((field) => isPlain(field, known));
  return names.map((name) => readField(name, known, rows));
}

/** Finds a field by the name a user gave it. @throws ArgumentError (FEED_ARGUMENT_INVALID) naming the closest */
export function readField(name: string, known: readonly Field[], rows: readonly Row[]): Field {
  const field = findField(name, known, rows);
  if ("closest" in field) {
    throw new ArgumentError(`there is no field "${name}"; the closest is "${field.closest}"`);
  }
  return field;
}

/** Whether a provider gives nothing for a field: null, nothing at all, or an empty text. */
export const isAbsent = (value: unknown): boolean => value === null || value === undefined || value === "";

/** Turns a field's value into what a cell shows; a value of the wrong kind is an error of its own cell. */
export function toFieldValue(value: unknown, { kind, header }: Field, dateSystem: 1900 | 1904): unknown {
  if (value === null || value === undefined) return value;
  // A number that came as text would be skipped by SUM without a word.
  if (kind === "number" && !Number.isFinite(value)) {
    return new DecodeError(`${header} is no number in the provider's answer; report it to the provider`);
  }
  if ((kind === "day" || kind === "moment") && typeof value !== "string") {
    return new DecodeError(`${header} is no date in the provider's answer; report it to the provider`);
  }
  if (typeof value !== "string") return value;
  if (kind === "day" && isDay(value.slice(0, 10))) return toFormattedDay(value.slice(0, 10), dateSystem);
  const serial = kind === "moment" ? toMomentSerial(value, dateSystem) : null;
  return serial === null || serial < 0 ? value : toFormattedMoment(serial);
}

/** A calendar day as a cell shows it: one that the workbook's dates do not reach stays text. */
export function toFormattedDay(day: string, dateSystem: 1900 | 1904): Formatted | string {
  const serial = toSerial(day, dateSystem);
  return serial < 0 ? day : new Formatted(serial, "yyyy-mm-dd");
}

/** A day and time of it as a cell shows them. */
export const toFormattedMoment = (serial: number): Formatted => new Formatted(serial, "yyyy-mm-dd hh:mm");
