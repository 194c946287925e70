/** Longer texts are compared by their beginning: a cell's text can have 32,767 characters. */
const LONGEST_NAME = 100;

/** Of more that are alike none is likelier. */
const MOST_NAMES = 3;

/**
 * Finds the names that a misspelt one may mean: those that the fewest edits part from it (Levenshtein), letter case aside,
 * in their order and three at most.
 *
 * @param share the share of a name's letters that may be edited, 0 to 1; default a third
 */
export function findClosest(written: string, names: readonly string[], share = 1 / 3): string[] {
  const edits = names.map((name) => countEdits(name, written));
  const least = Math.min(...edits);
  return names.filter((name, at) => edits[at] === least && least <= name.length * share).slice(0, MOST_NAMES);
}

function countEdits(one: string, other: string): number {
  const [a = "", b = ""] = [one, other].map((name) => name.slice(0, LONGEST_NAME).toLowerCase());
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
