type Values = Readonly<Record<string, unknown>>;

/** Whether two values are one as JSON; undefined is null. */
export const isEqual = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/**
 * Brings two people's changes of a value together: by field of an object, by entry of a list. Where both have changed
 * one of these, mine counts; what only one has removed is removed.
 *
 * @param base what both had before; undefined for nothing, as in the others
 */
export function merge(base: unknown, mine: unknown, theirs: unknown): unknown {
  if (isEqual(theirs, base)) return mine;
  if (isEqual(mine, base)) return theirs;
  const [mineByName, theirsByName] = [toEntries(mine), toEntries(theirs)];
  if (mineByName === null || theirsByName === null || Array.isArray(mine) !== Array.isArray(theirs)) {
    return mine ?? theirs;
  }
  const baseByName = toEntries(base) ?? new Map();
  const names = new Set([...mineByName.keys(), ...theirsByName.keys()]);
  const entries = [...names]
    .map((name) => [name, merge(baseByName.get(name), mineByName.get(name), theirsByName.get(name))] as const)
    .filter(([, entry]) => entry !== undefined);
  return Array.isArray(mine) ? entries.map(([, entry]) => entry) : Object.fromEntries(entries);
}

/** The fields of an object, or the entries of a list by what names each; null for anything else. */
function toEntries(value: unknown): ReadonlyMap<string, unknown> | null {
  if (typeof value !== "object" || value === null) return null;
  if (!Array.isArray(value)) return new Map(Object.entries(value as Values));
  const named = value.map((entry) => [toName(Object(entry)), entry] as const);
  return named.every(([name]) => name !== null) ? new Map(named as [string, unknown][]) : null;
}

/** A dismissal has a key; a made sheet and a company of the workbook have names, the latter by country. */
function toName({ key, name, country = "" }: Values): string | null {
  if (typeof key === "string") return key;
  return typeof name === "string" ? `${country} ${name}` : null;
}
