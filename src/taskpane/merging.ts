type Values = Readonly<Record<string, unknown>>;

/** Whether two values are one as JSON; undefined is null. */
export const isEqual = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/**
 * Brings two people's changes together: by field of an object, and by entry of a list or of a field that is one. Where
 * both have changed one of these, mine counts whole; what only one has removed is removed.
 *
 * @param base what both had before; undefined for nothing, as in the others
 */
export function merge(base: unknown, mine: unknown, theirs: unknown): unknown {
  if (isEqual(theirs, base) || isEqual(mine, base)) return choose(base, mine, theirs);
  const [mineByName, theirsByName] = [toEntries(mine), toEntries(theirs)];
  if (mineByName === null || theirsByName === null || Array.isArray(mine) !== Array.isArray(theirs)) {
    return choose(base, mine, theirs);
  }
  const baseByName = toEntries(base) ?? new Map();
  const mergeEntry = (name: string) => {
    const three = [baseByName.get(name), mineByName.get(name), theirsByName.get(name)] as const;
    return three.slice(1).every(Array.isArray) ? merge(...three) : choose(...three);
  };
  const names = new Set([...mineByName.keys(), ...theirsByName.keys()]);
  const entries = [...names]
    .map((name) => [name, mergeEntry(name)] as const)
    .filter(([, entry]) => entry !== undefined);
  return Array.isArray(mine) ? entries.map(([, entry]) => entry) : Object.fromEntries(entries);
}

function choose(base: unknown, mine: unknown, theirs: unknown): unknown {
  if (isEqual(theirs, base)) return mine;
  return isEqual(mine, base) ? theirs : (mine ?? theirs);
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
