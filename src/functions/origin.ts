import type { Origin } from "../session/calls";
import { Figure, type Table } from "./cells";

/** Tells where a cell of a table comes from; what keeps the table from being laid out keeps it from telling. */
export function findOrigin(look: () => Table | null, row: number, column: number): Origin {
  try {
    const table = look();
    const cells = table?.rows[row] ?? [];
    const own = cells[column];
    const error = own instanceof Error ? own : null;
    const places = own instanceof Figure ? own.places : [];
    const rowPlaces = own instanceof Figure ? [] : cells.flatMap((cell) => (cell instanceof Figure ? cell.places : []));
    return { error, places, rowPlaces, ...table?.readOrigin?.(row, column) };
  } catch (error) {
    return { error, places: [] };
  }
}
