import type { Row } from "../feed/decode";
import { ArgumentError, DecodeError } from "../feed/errors";
import { type Field, findField, pickField } from "../feed/fields";
import type { Table } from "./cells";

export interface TableOptions {
  /** Names of the fields wanted, in order; null for all of the table. */
  names: readonly string[] | null;
  /** The resource's fields. */
  known: readonly Field[];
  /** Whether a header row comes first. */
  headers: boolean;
  /** Rows there will be when all have come. */
  expected: number;
}

/**
 * Lays rows out as a table.
 *
 * @throws ArgumentError (FEED_ARGUMENT_INVALID) for a field in neither the table nor the answer
 */
export function toTable(rows: readonly Row[], { names, known, headers, expected }: TableOptions): Table {
  const fields = names === null ? known : names.map((name) => readField(name, known, rows));
  const body = rows.map((row) => fields.map((field) => toValue(pickField(row, field.name), field)));
  const header = headers ? [fields.map((field) => field.header)] : [];
  return { rows: [...header, ...body], expected: header.length + expected };
}

/** Finds a field by the name a user gave it. @throws ArgumentError (FEED_ARGUMENT_INVALID) naming the closest */
export function readField(name: string, known: readonly Field[], rows: readonly Row[]): Field {
  const field = findField(name, known, rows);
  if ("closest" in field) {
    throw new ArgumentError(`there is no field "${name}"; the closest is "${field.closest}"`);
  }
  return field;
}

/** A number that came as text would be skipped by SUM without a word: it becomes an error of its own cell. */
function toValue(value: unknown, { header, isNumber }: Field): unknown {
  if (!isNumber || value === null || value === undefined || Number.isFinite(value)) return value;
  return new DecodeError(`${header} is no number in the provider's answer; report it to the provider`);
}
