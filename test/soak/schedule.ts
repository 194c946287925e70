import { drain } from "../support/clock";
import { createChance } from "./chance";
import { createScene, type Scene } from "./scene";
import { pickStep } from "./steps";
import { FAIR } from "./weather";
import { MOST_ROWS, type Worlds } from "./world";

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
export async function runSchedule(worlds: Worlds, seed: number): Promise<Outcome> {
  const steps: string[] = [];
  const complaints: string[] = [];
  const complain = (what: string) => void complaints.push(`after ${steps.length} steps: ${what}`);
  const scene = createScene(worlds, createChance(seed), complain);
  const isWell = () => complaints.length === 0;
  for (let left = 5 + scene.chance.below(25); left > 0 && isWell(); left--) {
    const { name, run } = pickStep(scene.chance);
    const at = steps.push(name) - 1;
    const detail = await run(scene);
    if (detail) steps[at] += ` ${detail}`;
    scene.note();
    for (const cell of scene.cells) tell(scene, cell.lookPending());
  }
  if (isWell()) await endFaults(scene);
  if (isWell()) await leave(scene);
  for (const cell of scene.cells) cell.leave();
  scene.session.feed.watch.close();
  return { seed, steps, complaints, requests: scene.world.requests };
}

function tell({ complain }: Scene, complaint: string | null): void {
  if (complaint !== null) complain(complaint);
}

/** Lets go on for real what needs no more of the clock; false where it does not come to an end. */
async function within(isSo: () => boolean): Promise<boolean> {
  const untilMs = Date.now() + REAL_LIMIT_MS;
  while (!isSo() && Date.now() < untilMs) await new Promise((resolve) => setTimeout(resolve, 1));
  return isSo();
}

/** Nothing is wrong any more, and everything is asked again: each cell must show what there is now. */
async function endFaults(scene: Scene): Promise<void> {
  const { world, session, network, clock, cells, underWay } = scene;
  Object.assign(world, { weather: FAIR, pageCap: MOST_ROWS });
  session.change({ requestLimit: 1_000 });
  network.isThere = true;
  network.tell();
  await clock.advance(LONG_MS);
  scene.note();
  if (session.state().status === "disconnected") await session.connect();
  scene.begin("the last refresh", session.refresh());
  if (!(await within(() => underWay.size === 0))) scene.complain(`these do not end: ${[...underWay.values()].join()}`);
  await within(() => cells.every((cell) => cell.lookAtEnd() === null));
  await drain();
  for (const cell of cells) tell(scene, cell.lookAtEnd());
}

/** The grace of a question whose last cell is gone, and what such a question may have waited for. */
const GRACE_MS = 60_000;

/** All cells are emptied, some of them twice: nothing goes on without them. */
async function leave(scene: Scene): Promise<void> {
  const { session, clock, cells, chance, world } = scene;
  for (const cell of cells) {
    cell.leave();
    if (chance.happens(0.3)) cell.leave();
  }
  await clock.advance(GRACE_MS);
  const { watch } = session.feed;
  const left = () =>
    Object.entries({
      questions: watch.size(),
      formulas: session.calls.list().length,
      timers: clock.timers(),
      requests: world.open(),
    }).filter(([, count]) => count > 0);
  if (!(await within(() => left().length === 0))) scene.complain(`these are left: ${JSON.stringify(left())}`);
}
