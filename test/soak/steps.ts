import fc from "fast-check";
import { createChance } from "../support/chance";
import { createStorm, FAIR, type FaultSchedule } from "./fault-schedule";
import { describeFormula } from "./formulas";
import { MOST_ROWS } from "./site";
import type { SoakPage } from "./soak-page";
import type { Cell } from "./workbook";

/** Lets pending work run for a moment, without waiting for its end. */
async function pass(macrotasks: number): Promise<void> {
  for (let macrotask = 0; macrotask < macrotasks; macrotask++) await new Promise((resolve) => setImmediate(resolve));
}

const type = (scene: SoakPage): string => {
  const written = scene.chance.pick(scene.formulas);
  scene.type(written);
  return describeFormula(written);
};

const pickCell = ({ cells, chance }: SoakPage): Cell => chance.pick(cells);

function empty(scene: SoakPage, cell: Cell): void {
  const { cells, chance } = scene;
  cells.splice(cells.indexOf(cell), 1);
  cell.leave();
  if (chance.happens(0.3)) cell.leave();
}

/** The host may cancel the old formula before or after the new call. */
function replace(scene: SoakPage, cell: Cell, written = scene.chance.pick(scene.formulas)): Cell {
  const isCancelledFirst = scene.chance.happens(0.5);
  if (isCancelledFirst) empty(scene, cell);
  const next = scene.type(written);
  if (!isCancelledFirst) empty(scene, cell);
  return next;
}

const CLOCK_STEPS_MS = [5, 100, 1_000, 2_000, 15_000, 31_000, 300_000, 3_600_000, 86_400_000];

const ZONES = ["Asia/Tokyo", "UTC", "America/Los_Angeles"];

/** An action of a person, the provider or the network; it returns a text if its name tells too little. */
type Action = (scene: SoakPage) => unknown;

/** Actions on one of the cells. The weight is a step's frequency relative to the others. */
const ON_CELLS: readonly (readonly [weight: number, name: string, run: Action])[] = [
  [4, "replace", (scene) => describeFormula(replace(scene, pickCell(scene)).written)],
  [
    3,
    "there and back",
    async (scene) => {
      const cell = pickCell(scene);
      const other = replace(scene, cell);
      await pass(scene.chance.below(100));
      return describeFormula(replace(scene, other, cell.written).written);
    },
  ],
  [
    2,
    "empty",
    (scene) => {
      const cell = pickCell(scene);
      empty(scene, cell);
      return describeFormula(cell.written);
    },
  ],
];

const AT_ANY_TIME: typeof ON_CELLS = [
  [8, "type", type],
  [4, "refresh", (scene) => scene.begin("a refresh", scene.session.refresh())],
  [
    1,
    "refresh some",
    ({ session, begin, chance }) =>
      begin("a refresh of some", session.refresh(session.calls.list().filter(() => chance.happens(0.5)))),
  ],
  [2, "call the refresh off", ({ session }) => session.refreshing.cancel()],
  [1, "undo the refresh", ({ session }) => session.undoRefresh()],
  [1, "time zone", ({ session, chance }) => session.change({ timeZone: chance.pick(ZONES) })],
  [1, "country", ({ session, chance }) => session.change({ country: chance.pick(["JPN", "SGP"]) })],
  [1, "limit", ({ session, chance }) => session.change({ requestLimit: chance.pick([1, 200]) })],
  [1, "confirm", ({ session }) => session.confirmation.confirm()],
  [2, "tokens end", ({ site }) => site.dropTokens()],
  [
    6,
    "storm",
    (scene) => {
      const storm = createStorm(scene.chance);
      changeFaultSchedule(scene, storm);
      return `${storm.share} ${storm.spoilings?.join()}`;
    },
  ],
  [2, "fair", (scene) => changeFaultSchedule(scene, FAIR)],
  [3, "new numbers", ({ site }) => site.edition++],
  [1, "page size", ({ site, chance }) => Object.assign(site, { pageCap: chance.pick([MOST_ROWS, 7, 25]) })],
  [1, "offline", (scene) => switchNetwork(scene, false)],
  [2, "online", (scene) => switchNetwork(scene, true)],
  [1, "companion gone", (scene) => changeFaultSchedule(scene, { isCompanionGone: true })],
  [1, "companion back", (scene) => changeFaultSchedule(scene, { isCompanionGone: false })],
  [1, "connect", (scene) => scene.begin("a connection", scene.session.connect())],
  [1, "disconnect", ({ session }) => session.disconnect()],
  [
    5,
    "wait",
    async ({ clock, chance }) => {
      const waitMs = chance.pick(CLOCK_STEPS_MS);
      await clock.advance(waitMs);
      return `${waitMs} ms`;
    },
  ],
  [8, "go on", ({ chance }) => pass(chance.below(300))],
];

function changeFaultSchedule({ site }: SoakPage, faultSchedule: Partial<FaultSchedule>): void {
  site.faultSchedule = { ...site.faultSchedule, ...faultSchedule };
}

function switchNetwork(scene: SoakPage, isThere: boolean): void {
  const { network } = scene;
  changeFaultSchedule(scene, { isOffline: !isThere });
  network.isThere = isThere;
  network.notify();
}

/** A step with random details of its own, so that a shorter schedule repeats the steps that are left. */
class Step implements fc.AsyncCommand<Pick<SoakPage, "cells">, SoakPage> {
  #detail: unknown;

  constructor(
    private readonly name: string,
    private readonly action: Action,
    private readonly seed: number,
    private readonly needsCell: boolean,
  ) {}

  check({ cells }: Pick<SoakPage, "cells">): boolean {
    return !this.needsCell || cells.length > 0;
  }

  async run(_: unknown, scene: SoakPage): Promise<void> {
    scene.chance = createChance(this.seed);
    this.#detail = await this.action(scene);
    scene.record();
    for (const cell of scene.cells) scene.complain(cell.lookPending());
    scene.throwComplaints();
  }

  toString(): string {
    return typeof this.#detail === "string" ? `${this.name} ${this.#detail}` : this.name;
  }
}

const toSteps = (actions: typeof ON_CELLS, needsCell: boolean) =>
  actions.flatMap(([weight, name, action]) => {
    const step = fc.nat().map((seed) => new Step(name, action, seed, needsCell));
    return Array.from({ length: weight }, () => step);
  });

const MOST_STEPS = 34;

/** Random steps, each as frequent as its weight. */
export const createSteps = (replayPath?: string) =>
  fc.noBias(
    fc.commands([...toSteps(ON_CELLS, true), ...toSteps(AT_ANY_TIME, false)], {
      maxCommands: MOST_STEPS,
      size: "max",
      ...(replayPath !== undefined && { replayPath }),
    }),
  );
