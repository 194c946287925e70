import { type Schema, toResolved } from "./contract-schemas";

/** A field of an answer with a unique value; a flag has the requested one. */
export interface Sentinel {
  /** The path from the answer to the field, joined by dots, without list positions. */
  path: string;
  value: string | number | boolean;
  format: string | undefined;
}

export interface Generated {
  body: unknown;
  sentinels: Sentinel[];
}

const DAY_MS = 86_400_000;

/**
 * Creates an answer from its schema: one element in every list, every key in every map, a value in every field.
 * @param rows Elements in the list of an envelope.
 */
export function generate(schema: Schema, isTrue: boolean, rows: number): Generated {
  const sentinels: Sentinel[] = [];
  const fillLeaf = ({ type, format }: Schema, path: string) => {
    const value = toValue(String(type), format, sentinels.length + 1, isTrue);
    sentinels.push({ path, value, format });
    return value;
  };
  const fill = (unresolved: Schema, path: string): unknown => {
    const resolved = toResolved(unresolved);
    const { items, properties, additionalProperties, propertyNames, anyOf, allOf } = resolved;
    const at = (name: string) => (path === "" ? name : `${path}.${name}`);
    if (allOf !== undefined) return Object.assign({}, ...allOf.map((part) => fill(part, path)));
    if (anyOf !== undefined) return fill(anyOf.find(({ type }) => type !== "null") as Schema, path);
    if (items !== undefined) return Array.from({ length: path === "data" ? rows : 1 }, () => fill(items, path));
    const names = propertyNames && (toResolved(propertyNames).enum ?? []);
    // An object of undocumented shape gets a field that no table knows.
    const fields = properties ?? Object.fromEntries((names ?? ["unshown"]).map((name) => [name, additionalProperties]));
    if (properties === undefined && additionalProperties === undefined) return fillLeaf(resolved, path);
    return Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, fill(typeof field === "object" ? field : {}, at(name))]),
    );
  };
  return { body: fill(schema, ""), sentinels };
}

/** Whole numbers from 2001 on are also valid years. */
function toValue(type: string, format: string | undefined, count: number, isTrue: boolean): Sentinel["value"] {
  if (type.includes("boolean")) return isTrue;
  if (type.includes("integer")) return 2000 + count;
  if (type.includes("number")) return count + 0.25;
  if (format === "uuid") return `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`;
  const moment = new Date(Date.UTC(2000, 0, 1, 12) + count * DAY_MS).toISOString();
  if (format === "date") return moment.slice(0, 10);
  return format === "date-time" ? moment : `text ${count}`;
}

/** A sentinel in a cell of a 1900 workbook: days and moments as serials. */
export function toShownValue({ value, format }: Sentinel): string | number | boolean {
  if (format !== "date" && format !== "date-time") return value;
  return (Date.parse(String(value)) - Date.UTC(1899, 11, 30)) / DAY_MS;
}
