import type { Session } from "../../src/session/session";
import type { Chance } from "../support/chance";
import { type Clock, createClock } from "../support/clock";
import { type Moment, toDay, type Written, writeFormula } from "./formulas";
import { openPage } from "./page";
import type { Site, Sites } from "./site";
import { type Cell, type Knowledge, openCell } from "./workbook";

/** A page at a provider, while its schedule runs. */
export interface Scene {
  chance: Chance;
  clock: Clock;
  site: Site;
  session: Session;
  network: { isThere: boolean; notify: () => void };
  /** What people type in this schedule: few, so that they come back. */
  formulas: readonly Written[];
  cells: Cell[];
  /** Begins something that must have come to its end when the schedule has. */
  begin(what: string, work: Promise<unknown>): void;
  /** What has begun and not ended. */
  underWay: Map<Promise<unknown>, string>;
  /** Types a formula into a cell. */
  type(written: Written): Cell;
  /** Has formulas from now on read as of now as well. */
  note(): void;
  complain: (what: string) => void;
}

function createNetwork() {
  const listeners: (() => void)[] = [];
  const network = {
    isThere: true,
    notify() {
      for (const listener of listeners) listener();
    },
    port: { isThere: () => network.isThere, watch: (listener: () => void) => void listeners.push(listener) },
  };
  return network;
}

/** From when on the clocks of schedules run. */
const START_MS = Date.UTC(2024, 10, 20, 9, 30);

/**
 * Opens a page whose clock only a schedule moves, at a provider of its own.
 *
 * @param complain hears of everything that is wrong
 */
export function createScene(sites: Sites, chance: Chance, complain: Scene["complain"]): Scene {
  const network = createNetwork();
  const hurryMs = chance.pick([10, 1_000, 2_000]);
  const clock = createClock({ startMs: START_MS, hurryMs, random: chance.next(), network: network.port });
  const site = sites.create(chance, clock.nowMs);
  const session = openPage(clock.ports, site.url);
  const now = (): Moment => ({ nowMs: clock.nowMs(), timeZone: session.settings.timeZone });
  const moments = [now()];
  const knowledge: Knowledge = { editions: () => ({ from: 0, to: site.edition }), moments, now };
  const underWay: Scene["underWay"] = new Map();
  const cells: Cell[] = [];
  return {
    ...{ chance, clock, site, session, network, cells, underWay, complain },
    formulas: Array.from({ length: 2 + chance.below(6) }, () => writeFormula(chance)),
    begin(what, work) {
      underWay.set(work, what);
      const end = () => void underWay.delete(work);
      work.then(end, (error) => complain(`${what} failed: ${error}`));
    },
    type(written) {
      const cell = openCell(written, knowledge, complain);
      cells.push(cell);
      return cell;
    },
    note() {
      const last = moments.at(-1) as Moment;
      if (last.timeZone !== now().timeZone || toDay(last, 0) !== toDay(now(), 0)) moments.push(now());
    },
  };
}
