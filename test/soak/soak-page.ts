import type { Chance } from "../support/chance";
import { createClock } from "../support/clock";
import { type Moment, toDay, type Written, writeFormula } from "./formulas";
import { openPage } from "./page";
import type { Sites } from "./site";
import { type Cell, type Knowledge, openCell } from "./workbook";

export type SoakPage = ReturnType<typeof createSoakPage>;

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

/** The start time of schedules' clocks. */
const START_MS = Date.UTC(2024, 10, 20, 9, 30);

/** Opens a page whose clock a schedule moves, at its own provider. */
export function createSoakPage(sites: Sites, chance: Chance) {
  const complaints: string[] = [];
  const complain = (what: string | null) => {
    if (what !== null) complaints.push(what);
  };
  const network = createNetwork();
  const hurryMs = chance.pick([10, 1_000, 2_000]);
  const clock = createClock({ startMs: START_MS, hurryMs, random: chance.next(), network: network.port });
  const site = sites.create(chance, clock.nowMs);
  const session = openPage(clock.ports, site.url);
  const now = (): Moment => ({ nowMs: clock.nowMs(), timeZone: session.settings.timeZone });
  const moments = [now()];
  const knowledge: Knowledge = { edition: () => site.edition, moments, now };
  const underWay = new Map<Promise<unknown>, string>();
  const cells: Cell[] = [];
  return {
    chance,
    /** @throws Error with the faults recorded so far, if there are any */
    throwComplaints() {
      if (complaints.length > 0) throw new Error(complaints.join("\n"));
    },
    ...{ clock, site, session, network, cells, underWay, complain },
    /** The formulas of this schedule: few, so that they repeat. */
    formulas: Array.from({ length: 2 + chance.below(6) }, () => writeFormula(chance)),
    /** Starts an action that must end with the schedule. */
    begin(what: string, work: Promise<unknown>) {
      underWay.set(work, what);
      const end = () => void underWay.delete(work);
      work.then(end, (error) => complain(`${what} failed: ${error}`));
    },
    type(written: Written) {
      const cell = openCell(written, knowledge, complain);
      cells.push(cell);
      return cell;
    },
    /** Makes formulas be read as of now as well, from now on. */
    record() {
      const last = moments.at(-1) as Moment;
      if (last.timeZone !== now().timeZone || toDay(last, 0) !== toDay(now(), 0)) moments.push(now());
    },
  };
}
