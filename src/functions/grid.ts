import { ArgumentError } from "../client/errors";

/** A rectangle of things, row by row. */
export type Grid<T> = readonly (readonly T[])[];

const rowsOf = (grid: Grid<unknown>): number => grid.length;
const columnsOf = (grid: Grid<unknown>): number => grid[0]?.length ?? 0;

/**
 * Lays several rectangles over each other: each is as large as the result or one wide, one high, and is then
 * repeated. A column of companies and a row of years give the table of both.
 *
 * @param named the rectangles by the names of their arguments
 * @throws ArgumentError (FEED_ARGUMENT_INVALID) when shapes do not fit
 */
export function overlay<T extends Record<string, Grid<unknown>>>(
  named: T,
): { [K in keyof T]: T[K] extends Grid<infer V> ? V : never }[][] {
  const entries = Object.entries(named);
  const rows = agree(entries, rowsOf, "row");
  const columns = agree(entries, columnsOf, "column");
  const at = (grid: Grid<unknown>, r: number, c: number) =>
    grid[rowsOf(grid) === 1 ? 0 : r]?.[columnsOf(grid) === 1 ? 0 : c];
  return Array.from({ length: rows }, (_, r) =>
    Array.from({ length: columns }, (_, c) =>
      Object.fromEntries(entries.map(([name, grid]) => [name, at(grid, r, c)])),
    ),
  ) as { [K in keyof T]: T[K] extends Grid<infer V> ? V : never }[][];
}

/**
 * Cuts off the rows and columns at the end that are blank in every rectangle of that size, so that a whole column
 * may be given; one row and one column stay.
 *
 * @param named the rectangles by the names of their arguments
 * @throws ArgumentError (FEED_ARGUMENT_INVALID) when shapes do not fit
 */
export function trim<V, K extends string>(named: Record<K, Grid<V>>, isBlank: (value: V) => boolean): Record<K, V[][]> {
  const entries: [string, Grid<V>][] = Object.entries(named);
  const used = { rows: 1, columns: 1 };
  const [rows, columns] = [agree(entries, rowsOf, "row"), agree(entries, columnsOf, "column")];
  for (const [, grid] of entries) {
    const filled = grid.map((row) => row.findLastIndex((value) => !isBlank(value)) + 1);
    if (rowsOf(grid) === rows) used.rows = Math.max(used.rows, filled.findLastIndex((count) => count > 0) + 1);
    if (columnsOf(grid) === columns) used.columns = filled.reduce((most, count) => Math.max(most, count), used.columns);
  }
  const cut = (grid: Grid<V>) => grid.slice(0, used.rows).map((row) => row.slice(0, used.columns));
  return Object.fromEntries(entries.map(([name, grid]) => [name, cut(grid)])) as Record<K, V[][]>;
}

function agree(entries: [string, Grid<unknown>][], count: (grid: Grid<unknown>) => number, unit: string): number {
  const largest = Math.max(...entries.map(([, grid]) => count(grid)));
  const misfits = entries.filter(([, grid]) => count(grid) !== 1 && count(grid) !== largest);
  if (misfits.length === 0) return largest;
  const [first, ...others] = entries.filter(([, grid]) => count(grid) !== 1);
  const sizes = others.map(([name, grid]) => `${name} ${count(grid)}`).join(" and ");
  throw new ArgumentError(
    `the ranges do not fit together: ${first?.[0]} has ${first && count(first[1])} ${unit}s and ${sizes}; ` +
      `give ranges of the same number of ${unit}s, or of one ${unit}`,
  );
}
