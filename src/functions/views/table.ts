import { ArgumentError, DecodeError, NoValueError } from "../../client/errors";
import { type Message, msg } from "../../client/messages";
import type { Row } from "../../feed/decode";
import { findField } from "../../feed/field-tables";
import { createPick, type Field, isMeasure, isPlain, pickField } from "../../feed/fields";
import type { List } from "../../feed/pages";
import type { Query } from "../../feed/query-cache";
import { toCountry } from "../../session/settings";
import { type Argument, isBlank, isSingle, quote, readScalar, splitSingle, toRange } from "../arguments";
import { Amount, Formatted, type Table, Written } from "../cells";
import { isDay } from "../dates";
import { type View, viewAnswer } from "../view-observer";

interface TableOptions {
  /** Fields of the table, in order. */
  fields: readonly Field[];
  /** Whether a header row comes first. */
  headers: boolean;
}

/** Lays rows out as a table. */
export function toTable(rows: readonly Row[], { fields, headers }: TableOptions): Table {
  const picks = fields.map(({ name }) => createPick(name));
  const toValue = (row: Row) => (field: Field, at: number) => toFieldValue(picks[at]?.(row), field);
  const body = rows.map((row) => fields.map(toValue(row)));
  const header = headers ? [fields.map((field) => field.header)] : [];
  return {
    rows: [...header, ...body],
    readOrigin: (row) => ({ record: rows[row - header.length] }),
  };
}

/** The name of every field, without contact data of persons. */
const ALL = "all";

/**
 * Finds the fields that a user named.
 *
 * @param names as written; "all" means every field but lists and contact data of persons
 * @param known the resource's fields
 * @param rows rows that may have further fields
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
    throw new ArgumentError(msg`there is no field "${name}"; the closest is "${field.closest}"`);
  }
  return field;
}

/** Whether a provider gives nothing for a field: null, nothing at all, or an empty text. */
export const isAbsent = (value: unknown): boolean => value === null || value === undefined || value === "";

/** Turns a field's value into what a cell shows; a value of the wrong kind is an error of its own cell. */
export function toFieldValue(value: unknown, { kind, header, format }: Field): unknown {
  if (value === null || value === undefined) return value;
  if (value instanceof Error) return value;
  // SUM would silently skip a number that arrives as text.
  if (kind === "number" && !Number.isFinite(value)) {
    return new DecodeError(msg`"${header}" is no number in the provider's answer; report it to the provider`);
  }
  if (format !== undefined) return new Amount(value as number, format);
  if (kind === "share" && typeof value === "number") return new Formatted(value, "0.0%");
  if ((kind === "day" || kind === "moment") && typeof value !== "string") {
    return new DecodeError(msg`"${header}" is no date in the provider's answer; report it to the provider`);
  }
  if (typeof value !== "string") return value;
  if (kind === "moment") return new Written(value, kind);
  const day = value.slice(0, 10);
  return kind === "day" && isDay(day) ? new Written(day, kind) : value;
}

/** A list of the provider, and how it is laid out as a table. */
interface ListOptions {
  query: Query<List>;
  /** Whether it depends on today, so that a refresh opens it anew. */
  rereadsOnRefresh?: boolean;
  /** The resource's fields. */
  known: readonly Field[];
  /** Names of the fields wanted, as written; null for `columns`. */
  names: readonly string[] | null;
  /** Names of the fields that are shown when none are named. */
  columns: readonly string[];
  /** Whether a header row comes first. */
  headers: boolean;
  /** The sentence for a list without rows: what happened and what to do; none where the query itself then fails. */
  empty?: Message;
  /** Turns the provider's rows into the table's; default as they are. */
  toRows?: (rows: readonly Row[]) => readonly Row[];
  /** A measure to sort by, largest first, which takes the whole list; and how many rows are then wanted. */
  sort?: { by: string; top: number | "all" } | null;
  /** Advice for a smaller table, for the error of one too large. */
  cures?: Message;
}

/** Opens a list. */
export function openList(options: ListOptions): View {
  const { query, rereadsOnRefresh, known, names, columns, headers, empty, sort = null, cures } = options;
  const { toRows = (rows: readonly Row[]) => rows } = options;
  /** Rows by which the size was last foretold. */
  let foretoldBy = 0;
  const layOut = (rows: readonly Row[]): Table => {
    const fields = readFields(names ?? columns, known, rows);
    if (sort === null) return { ...toTable(rows, { fields, headers }), cures };
    const top = sort.top === "all" ? rows.length : sort.top;
    const sorted = sortBy(rows, readMeasure(sort.by, known, rows)).slice(0, top);
    return { ...toTable(sorted, { fields, headers }), cures };
  };
  return {
    ...viewAnswer(query, ({ rows }) => {
      if (rows.length === 0 && empty !== undefined) throw new NoValueError("FEED_NO_VALUE", empty);
      return layOut(toRows(rows));
    }),
    rereadsOnRefresh,
    foretell({ rows: first, expected }) {
      if (first.length === 0 || first.length < 2 * foretoldBy) return null;
      foretoldBy = first.length;
      const rows = toRows(first as readonly Row[]);
      const all = Math.round(expected * (rows.length / first.length));
      const most = typeof sort?.top === "number" ? sort.top : all;
      return { ...layOut(rows), expected: Number(headers) + Math.min(all, most) };
    },
  };
}

/** Rows with their position in the provider's order, from 1, and the range that they are of. */
export const toRanked = (rows: readonly Row[], period: string): readonly Row[] =>
  rows.map((row, index): Row => ({ ...row, rank: index + 1, period }));

/** A measure of the table, or a number that only the answer has. @throws ArgumentError (FEED_ARGUMENT_INVALID) naming the closest */
function readMeasure(by: string, known: readonly Field[], rows: readonly Row[]): Field {
  const found = findField(by, known.filter(isMeasure), []);
  if ("name" in found) return found;
  const isNumber = rows.some((row) => typeof pickField(row, by) === "number");
  if (isNumber && !known.some(({ name }) => name === by)) return { name: by, header: by, kind: "number" };
  throw new ArgumentError(
    msg`by must be a measure such as "totalPageViews"; the closest to ${quote(by)} is "${found.closest}"`,
  );
}

/** Largest first; rows without the measure, or with what is no number, last. */
function sortBy(rows: readonly Row[], { name }: Field): Row[] {
  const measureOf = (row: Row) => {
    const value = pickField(row, name);
    return typeof value === "number" && Number.isFinite(value) ? value : Number.NEGATIVE_INFINITY;
  };
  return rows
    .map((row) => ({ row, value: measureOf(row) }))
    .sort((one, other) => other.value - one.value || 0)
    .map(({ row }) => row);
}

/** Rows wanted: an integer from 1, or "all". @throws ArgumentError (FEED_ARGUMENT_INVALID) */
export function readTop(argument: Argument, byDefault: number | "all"): number | "all" {
  const value = readScalar(argument);
  if (isBlank(value)) return byDefault;
  if (typeof value === "string" && value.trim().toLowerCase() === "all") return "all";
  const top = typeof value === "string" ? Number(value) : value;
  if (typeof top === "number" && Number.isSafeInteger(top) && top >= 1) return top;
  throw new ArgumentError(msg`top must be a whole number from 1, or "all", not ${quote(value)}`);
}

/** Whether a header row is wanted; default TRUE. @throws ArgumentError (FEED_ARGUMENT_INVALID) */
export const readHeaders = (argument: Argument): boolean => readFlag(argument, "headers", true);

/** TRUE or FALSE, also as 1 or text; 0 is a blank cell and means `byDefault`. @throws ArgumentError (FEED_ARGUMENT_INVALID) */
export function readFlag(argument: Argument, name: string, byDefault: boolean): boolean {
  const value = readScalar(argument);
  if (isBlank(value)) return byDefault;
  const word = String(value).trim().toLowerCase();
  if (value === 1 || word === "true") return true;
  if (word === "false") return false;
  throw new ArgumentError(msg`${name} must be TRUE or FALSE, not ${quote(value)}`);
}

/** A country's ISO 3166-1 alpha-3 code, or "ALL"; any three letters are a code. @throws ArgumentError (FEED_ARGUMENT_INVALID) */
export function readCountry(argument: Argument, byDefault: string | null): string {
  const value = readScalar(argument);
  if (isBlank(value) && byDefault !== null) return byDefault;
  if (isBlank(value)) throw new ArgumentError(msg`country is missing; give a code such as "JPN", or "ALL"`);
  const country = typeof value === "string" ? toCountry(value) : null;
  if (country !== null) return country;
  throw new ArgumentError(msg`country must be a code of three letters such as "JPN", or "ALL", not ${quote(value)}`);
}

/** The cells of an optional argument, null when omitted; a single text with commas is a row of names. */
export function toNameCells(range: Argument): Argument[][] | null {
  const cells = toRange(range);
  if (isSingle(cells) && isBlank(cells[0]?.[0])) return null;
  const names = splitSingle(cells);
  if (names === null) return cells;
  return names.length === 0 ? null : [names];
}
