import type { Row } from "./decode";
import { toName } from "./financials/names";

/**
 * The kind of a field's values: a share is a number, 0.1 for 10 per cent; a day is YYYY-MM-DD, a moment a date-time in
 * UTC; a list has several values, an object several fields.
 */
export type FieldKind = "text" | "number" | "share" | "flag" | "day" | "moment" | "list" | "object";

/** A field of a resource as a table shows it. */
export interface Field {
  /** The API's name, nested by dots. */
  readonly name: string;
  /** The name made readable, for the header row. */
  readonly header: string;
  readonly kind: FieldKind;
  /** The number format of a table's column; default none. */
  readonly format?: string;
  /** Contact data of a person: shown only where the field is named. */
  readonly isPersonal?: true;
}

/** Whether a name means a field: by the API's name or its header. */
export function isCalled({ name, header }: Field, called: string): boolean {
  const key = toName(called);
  return toName(name) === key || toName(header) === key;
}

/** Whether a list can be sorted by a field: a number that is not the place in the provider's own order. */
export const isMeasure = ({ name, kind }: Field): boolean => kind === "number" && name !== "rank";

/** Picks a field's value, nested by dots; undefined when there is none, the error of a part that is one. */
export const pickField = (row: Row, name: string): unknown => createPick(name)(row);

/** Gives the pick of a field, which takes many rows. */
export function createPick(name: string): (row: Row) => unknown {
  const path = name.split(".");
  return (row) => {
    let value: unknown = row;
    for (const part of path) {
      if (value instanceof Error) return value;
      const hasPart = typeof value === "object" && value !== null && Object.hasOwn(value, part);
      value = hasPart ? (value as Row)[part] : undefined;
    }
    return value;
  };
}

/** Whether a row has one value of a field, which is no list, no object, and not within a list. */
export function isSingular({ name, kind }: Field, known: readonly Field[]): boolean {
  const isWithin = (list: Field) => list.kind === "list" && toName(name).startsWith(`${toName(list.name)}.`);
  return kind !== "list" && kind !== "object" && !known.some(isWithin);
}

/** Whether a table can show a field by default. */
export const isPlain = (field: Field, known: readonly Field[]): boolean =>
  isSingular(field, known) && !field.isPersonal;

/**
 * A row for each item of the lists that a name leads through, in which {@link pickField} finds the item's own
 * value. A list that is empty within an item leaves one row with null in its place.
 */
export const unwind = (row: Row, name: string): Row[] => unwindValue(row, name.split("."), false) as Row[];

function unwindValue(value: unknown, path: readonly string[], isItem: boolean): unknown[] {
  if (Array.isArray(value)) {
    const items = value.filter((item) => item !== null);
    if (items.length === 0) return isItem ? [null] : [];
    return items.flatMap((item) => unwindValue(item, path, true));
  }
  const [part, ...rest] = path;
  if (part === undefined || typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return [value];
  const versions = unwindValue((value as Row)[part], rest, isItem);
  return versions.map((version) => ({ ...value, [part]: version }));
}
