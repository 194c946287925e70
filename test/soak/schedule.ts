import { createChance } from "../support/chance";
import { drain } from "../support/clock";
import { FAIR } from "./fault-schedule";
import { createScene, type Scene } from "./scene";
import { MOST_ROWS, type Sites } from "./site";
import { pickStep } from "./steps";
import { untilNothingIsLeft, within } from "./wait";

/** What became of a schedule. */
export interface Outcome {
  seed: number;
  /** What was done, in its order. */
  steps: readonly string[];
  /** What was wrong; nothing where all is well. */
  complaints: readonly string[];
  requests: number;
}

/** What a reader needs to find out what went wrong. */
export const toReport = ({ seed, steps, complaints }: Outcome): string =>
  [
    `Schedule ${seed} (npm run soak -- --seed ${seed}):`,
    ...steps.map((step, index) => `${index + 1}. ${step}`),
    ...complaints,
  ].join("\n");

/** Longer than anything is waited for: any pause that a provider may ask for, and any token. */
const LONG_MS = 4 * 3_600_000;

/** What is all over within this once nothing is wrong any more, in real time. */
const REAL_LIMIT_MS = 5_000;

/**
 * Runs the schedule of a seed: people type and things go wrong by chance, then all must be as the provider has it, and
 * nothing be left when the cells are emptied.
 */
export async function runSchedule(sites: Sites, seed: number): Promise<Outcome> {
  const steps: string[] = [];
  const complaints: string[] = [];
  const complain = (what: string) => void complaints.push(`after ${steps.length} steps: ${what}`);
  const scene = createScene(sites, createChance(seed), complain);
  const isWell = () => complaints.length === 0;
  for (let left = 5 + scene.chance.below(25); left > 0 && isWell(); left--) {
    const { name, run } = pickStep(scene.chance);
    const at = steps.push(name) - 1;
    const detail = await run(scene);
    if (typeof detail === "string") steps[at] += ` ${detail}`;
    scene.note();
    for (const cell of scene.cells) notify(scene, cell.lookPending());
  }
  if (isWell()) await endFaults(scene);
  if (isWell()) await leave(scene);
  for (const cell of scene.cells) cell.leave();
  scene.session.feed.queryCache.close();
  return { seed, steps, complaints, requests: scene.site.requests };
}

function notify({ complain }: Scene, complaint: string | null): void {
  if (complaint !== null) complain(complaint);
}

/** Nothing is wrong any more, and everything is asked again: each cell must show what there is now. */
async function endFaults(scene: Scene): Promise<void> {
  const { site, session, network, clock, cells, underWay } = scene;
  Object.assign(site, { faultSchedule: FAIR, pageCap: MOST_ROWS });
  session.change({ requestLimit: 1_000 });
  network.isThere = true;
  network.notify();
  await clock.advance(LONG_MS);
  scene.note();
  if (session.state().status === "disconnected") await session.connect();
  scene.begin("the last refresh", session.refresh());
  if (!(await within(REAL_LIMIT_MS, () => underWay.size === 0)))
    scene.complain(`these do not end: ${[...underWay.values()].join()}`);
  await within(REAL_LIMIT_MS, () => cells.every((cell) => cell.lookAtEnd() === null));
  await drain();
  for (const cell of cells) notify(scene, cell.lookAtEnd());
}

/** The grace of a query whose last cell is gone, and what such a query may have waited for. */
const GRACE_MS = 60_000;

/** All cells are emptied, some of them twice: nothing goes on without them. */
async function leave(scene: Scene): Promise<void> {
  const { session, clock, cells, chance, site } = scene;
  for (const cell of cells) {
    cell.leave();
    if (chance.happens(0.3)) cell.leave();
  }
  await clock.advance(GRACE_MS);
  const { queryCache } = session.feed;
  const complaint = await untilNothingIsLeft(REAL_LIMIT_MS, () => ({
    queries: queryCache.size(),
    formulas: session.calls.list().length,
    timers: clock.timers(),
    requests: site.open(),
  }));
  notify(scene, complaint);
}
