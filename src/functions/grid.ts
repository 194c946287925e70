import { ArgumentError } from "../feed/errors";

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
  const rows = agree(entries, rowsOf, "rows");
  const columns = agree(entries, columnsOf, "columns");
  const at = (grid: Grid<unknown>, r: number, c: number) =>
    grid[rowsOf(grid) === 1 ? 0 : r]?.[columnsOf(grid) === 1 ? 0 : c];
  return Array.from({ length: rows }, (_, r) =>
    Array.from({ length: columns }, (_, c) =>
      Object.fromEntries(entries.map(([name, grid]) => [name, at(grid, r, c)])),
    ),
  ) as { [K in keyof T]: T[K] extends Grid<infer V> ? V : never }[][];
}

function agree(entries: [string, Grid<unknown>][], count: (grid: Grid<unknown>) => number, unit: string): number {
  const largest = Math.max(...entries.map(([, grid]) => count(grid)));
  const misfits = entries.filter(([, grid]) => count(grid) !== 1 && count(grid) !== largest);
  if (misfits.length === 0) return largest;
  const sizes = entries.map(([name, grid]) => `${name} ${count(grid)}`).join(", ");
  throw new ArgumentError(`the ranges do not fit together: ${unit} of ${sizes}; make them equal, or 1`);
}
