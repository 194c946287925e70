import fc from "fast-check";
import { createChance } from "../support/chance";
import { drain } from "../support/clock";
import { FAIR } from "./fault-schedule";
import { MOST_ROWS, type Sites, startSites } from "./site";
import { createSoakPage, type SoakPage } from "./soak-page";
import { createSteps } from "./steps";
import { waitUntilEmpty, within } from "./wait";

/** Longer than any wait: any pause a provider may demand, and any token. */
const LONG_MS = 4 * 3_600_000;

/** The real time in which everything ends once there are no faults, on a busy machine too. */
const REAL_LIMIT_MS = 20_000;

/**
 * Creates the property of every schedule: after random input and faults all matches the provider, and nothing is left
 * when the cells are cleared.
 *
 * @param onEnd called with the number of requests of each schedule
 * @param replayPath the steps of a shortened schedule, as its report gives them
 */
export const createSchedules = (sites: Sites, onEnd: (requests: number) => void, replayPath?: string) =>
  fc.asyncProperty(fc.nat(), createSteps(replayPath), async (seed, steps) => {
    const page = createSoakPage(sites, createChance(seed));
    try {
      await fc.asyncModelRun(() => ({ model: page, real: page }), steps);
      await endFaults(page);
      await leave(page);
    } finally {
      for (const cell of page.cells) cell.leave();
      page.session.feed.queryCache.close();
      onEnd(page.site.requests);
    }
  });

/** Runs as many schedules of a seed, and throws where one goes wrong; `npm run soak` shortens it. */
export async function checkSchedules(seed: number, count: number): Promise<void> {
  const sites = await startSites();
  let requests = 0;
  const schedules = createSchedules(sites, (more) => {
    requests += more;
  });
  try {
    await fc.assert(schedules, { seed, numRuns: count, endOnFailure: true });
  } finally {
    await sites.close();
  }
  if (requests <= count) throw new Error("The schedules have sent hardly any request.");
}

/** Ends all faults and refreshes everything: each cell must show the current value. */
async function endFaults(page: SoakPage): Promise<void> {
  const { site, session, network, clock, cells, underWay } = page;
  Object.assign(site, { faultSchedule: FAIR, pageCap: MOST_ROWS });
  session.change({ requestLimit: 1_000 });
  network.isThere = true;
  network.notify();
  await clock.advance(LONG_MS);
  page.record();
  if (session.state().status === "disconnected") await session.connect();
  page.begin("the last refresh", session.refresh());
  if (!(await within(REAL_LIMIT_MS, () => underWay.size === 0)))
    page.complain(`these do not end: ${[...underWay.values()].join()}`);
  await within(REAL_LIMIT_MS, () => cells.every((cell) => cell.lookAtEnd() === null));
  await drain();
  for (const cell of cells) page.complain(cell.lookAtEnd());
  page.throwComplaints();
}

/** The grace period of a query without cells, and its pending work. */
const GRACE_MS = 60_000;

/** Clears all cells, some of them twice: nothing may continue. */
async function leave(page: SoakPage): Promise<void> {
  const { session, clock, cells, chance, site } = page;
  for (const cell of cells) {
    cell.leave();
    if (chance.happens(0.3)) cell.leave();
  }
  await clock.advance(GRACE_MS);
  const { queryCache } = session.feed;
  const complaint = await waitUntilEmpty(REAL_LIMIT_MS, () => ({
    queries: queryCache.size(),
    formulas: session.calls.list().length,
    timers: clock.timers(),
    requests: site.open(),
  }));
  page.complain(complaint);
  page.throwComplaints();
}
