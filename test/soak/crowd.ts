import type { Session } from "../../src/session/session";
import type { Chance } from "../support/chance";
import type { Moment, Written } from "./formulas";
import type { Site } from "./site";
import { type Cell, openCell } from "./workbook";

export type Crowd = ReturnType<typeof createCrowd>;

interface CrowdOptions {
  chance: Chance;
  site: Site;
  session: Session;
  formulas: readonly Written[];
  complain: (what: string) => void;
}

/** A cell incorrect for this long is stuck: several refreshes, each with all its retries. */
const STUCK_MS = 120_000;

export function createCrowd({ chance, site, session, formulas, complain }: CrowdOptions) {
  /** Each cell, with the time when it was last seen correct. */
  const goodAtMs = new Map<Cell, number>();
  const counts = { retained: 0, slowestMs: 0 };
  const now = (): Moment => ({ nowMs: Date.now(), timeZone: session.settings.timeZone });
  const add = () => {
    const knowledge = { edition: () => site.edition, moments: [now()], now };
    goodAtMs.set(openCell(chance.pick(formulas), knowledge, complain), Date.now());
  };
  const leave = (cell: Cell) => {
    goodAtMs.delete(cell);
    cell.leave();
  };
  const look = (cell: Cell, from: number) => {
    const complaint = cell.lookAtEnd(from);
    if (complaint === null) return void goodAtMs.set(cell, Date.now());
    const lateMs = Date.now() - goodAtMs.get(cell)!;
    if (lateMs > STUCK_MS) complain(`stuck for ${Math.round(lateMs / 1000)} s: ${complaint}`);
    counts.retained++;
    counts.slowestMs = Math.max(counts.slowestMs, lateMs);
  };
  return {
    type(count: number) {
      for (let index = 0; index < count; index++) add();
    },
    churn(count: number) {
      const cells = [...goodAtMs.keys()];
      for (let index = 0; index < count; index++) {
        leave(cells.splice(chance.below(cells.length), 1)[0]!);
        add();
      }
    },
    /** Checks all cells after a refresh: their values must be of this edition or later, unless the request failed. */
    look(from: number) {
      counts.retained = 0;
      for (const cell of goodAtMs.keys()) look(cell, from);
    },
    /** Lists what is wrong with cells that have not the current value. */
    listWrong: () => [...goodAtMs.keys()].flatMap((cell) => cell.lookAtEnd(site.edition) ?? []),
    leave() {
      for (const cell of [...goodAtMs.keys()]) leave(cell);
    },
    figures: () => ({ live: goodAtMs.size, ...counts }),
  };
}
