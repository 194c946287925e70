import { createChance } from "../support/chance";
import { drain } from "../support/clock";
import { FAIR } from "./fault-schedule";
import { MOST_ROWS, type Sites } from "./site";
import { createSoakPage, type SoakPage } from "./soak-page";
import { pickStep } from "./steps";
import { waitUntilEmpty, within } from "./wait";

/** The outcome of a schedule. */
export interface Outcome {
  seed: number;
  /** The steps, in order. */
  steps: readonly string[];
  /** The faults; nothing if all is well. */
  complaints: readonly string[];
  requests: number;
}

/** Details for finding the cause. */
export const toReport = ({ seed, steps, complaints }: Outcome): string =>
  [
    `Schedule ${seed} (npm run soak -- --seed ${seed}):`,
    ...steps.map((step, index) => `${index + 1}. ${step}`),
    ...complaints,
  ].join("\n");

/** Longer than any wait: any pause a provider may demand, and any token. */
const LONG_MS = 4 * 3_600_000;

/** The real time in which everything ends once there are no faults. */
const REAL_LIMIT_MS = 5_000;

/**
 * Runs the schedule of a seed: random input and faults; then all must match the provider, and nothing may be left
 * when the cells are cleared.
 */
export async function runSchedule(sites: Sites, seed: number): Promise<Outcome> {
  const steps: string[] = [];
  const complaints: string[] = [];
  const complain = (what: string) => void complaints.push(`after ${steps.length} steps: ${what}`);
  const page = createSoakPage(sites, createChance(seed), complain);
  const isWell = () => complaints.length === 0;
  for (let left = 5 + page.chance.below(25); left > 0 && isWell(); left--) {
    const { name, run } = pickStep(page.chance);
    const at = steps.push(name) - 1;
    const detail = await run(page);
    if (typeof detail === "string") steps[at] += ` ${detail}`;
    page.note();
    for (const cell of page.cells) notify(page, cell.lookPending());
  }
  if (isWell()) await endFaults(page);
  if (isWell()) await leave(page);
  for (const cell of page.cells) cell.leave();
  page.session.feed.queryCache.close();
  return { seed, steps, complaints, requests: page.site.requests };
}

function notify({ complain }: SoakPage, complaint: string | null): void {
  if (complaint !== null) complain(complaint);
}

/** Ends all faults and refreshes everything: each cell must show the current value. */
async function endFaults(page: SoakPage): Promise<void> {
  const { site, session, network, clock, cells, underWay } = page;
  Object.assign(site, { faultSchedule: FAIR, pageCap: MOST_ROWS });
  session.change({ requestLimit: 1_000 });
  network.isThere = true;
  network.notify();
  await clock.advance(LONG_MS);
  page.note();
  if (session.state().status === "disconnected") await session.connect();
  page.begin("the last refresh", session.refresh());
  if (!(await within(REAL_LIMIT_MS, () => underWay.size === 0)))
    page.complain(`these do not end: ${[...underWay.values()].join()}`);
  await within(REAL_LIMIT_MS, () => cells.every((cell) => cell.lookAtEnd() === null));
  await drain();
  for (const cell of cells) notify(page, cell.lookAtEnd());
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
  notify(page, complaint);
}
