import type { Query } from "../feed/query-cache";
import type { Call } from "./calls";

/** Where the live formulas stand, which only the pane's page can read. */
export interface Placement {
  /**
   * Gives when the oldest answer was given of the sheets where a formula stands, milliseconds since the Unix epoch; null
   * where that is not known for sure.
   *
   * @param given the formula's own arguments
   */
  oldestBesideMs(given: Call["given"]): number | null;
  /** Leaves out formulas that stand only on sheets with a schedule of their own. */
  leaveCalls(calls: readonly Call[]): Promise<readonly Call[]>;
  /** Leaves out queries of such formulas alone. */
  leaveQueries(queries: readonly Query<unknown>[]): Promise<readonly Query<unknown>[]>;
}

/** The placement of a page; a formula that needs it has the page read the workbook. */
export interface PlacementSlot {
  current: Placement | null;
  isWanted: boolean;
}
