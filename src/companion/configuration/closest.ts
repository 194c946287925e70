const MOST_EDITS_SHARE = 1 / 3;

/**
 * Finds the closest name for a misspelt one, ignoring case.
 * @returns undefined where more than a third of its letters would have to change.
 */
export function findClosest(written: string, names: readonly string[]): string | undefined {
  const edits = names.map((name) => countEdits(written.toUpperCase(), name.toUpperCase()));
  const least = Math.min(...edits);
  const closest = names[edits.indexOf(least)];
  return closest !== undefined && least <= closest.length * MOST_EDITS_SHARE ? closest : undefined;
}

/** Counts the edits between two words (Levenshtein). */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...to].entries()) {
      const change = row[column]! + (letter === other ? 0 : 1);
      next.push(Math.min(change, row[column + 1]! + 1, next[column]! + 1));
    }
    row = next;
  }
  return row.at(-1)!;
}
