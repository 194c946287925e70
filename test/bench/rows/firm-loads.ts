import { setTimeout as wait } from "node:timers/promises";
import type { Analyst, FillResult } from "../../firm/analyst";
import { toCompanyId } from "../../firm/figures";
import type { Firm } from "../../firm/firm";
import { type Load, measureLoad, type TakeNew } from "../firm/load";
import { addFailing, type Crowd, countDistinct, createPlan, isFailing } from "../firm/plan";
import type { Row } from "../row";
import loads from "./loads.json";

const SECOND_MS = 1_000;
const AGREED_PER_MINUTE = 1_200;
/** The preset. */
const PRESET_PER_MINUTE = 600;

/** Each reader adds one company every four seconds, at a moment of their own. */
const TRICKLE: Load = {
  ...loads.trickle,
  async run(_firm, readers, take) {
    const addEach = async (reader: Analyst, place: number) => {
      const filled: FillResult[] = [];
      await wait((4 * SECOND_MS * place) / readers.length);
      for (let round = 0; round < 6; round++) {
        const adding = reader.fill(take(1)).then((each) => void filled.push(each));
        await Promise.all([adding, wait(4 * SECOND_MS)]);
      }
      return filled;
    };
    return (await Promise.all(readers.map(addEach))).flat();
  },
};

/**
 * Fills the companies of all readers at once. Waits count from when all are prepared: before that, no request can leave
 * this one process, where each pane has its own.
 */
async function fillAll(readers: readonly Analyst[], take: () => readonly number[]): Promise<FillResult[]> {
  const filling = readers.map((reader) => ({ sinceMs: performance.now(), filled: reader.fill(take(), 1) }));
  const begunMs = performance.now();
  return Promise.all(
    filling.map(async ({ sinceMs, filled }) => {
      const { waitsMs, ...rest } = await filled;
      return { ...rest, waitsMs: waitsMs.map((waitMs) => Math.max(0, waitMs - (begunMs - sinceMs))) };
    }),
  );
}

/** Everybody wants other companies than anybody else, more than the limit lets through for a quarter of a minute. */
const OVERLOAD: Load = {
  ...loads.overload,
  run: (_firm, readers, take) => fillAll(readers, () => take(500)),
};

/** As many people and cells, but everybody has the same companies. */
const SHARED: Load = {
  ...loads.shared,
  run(_firm, readers, take) {
    const companies = take(500);
    return fillAll(readers, () => companies);
  },
};

const RUSH: Load = {
  ...loads.rush,
  run(_firm, readers, take) {
    const shared = take(500);
    const openOne = async (reader: Analyst, place: number) => {
      await wait((5 * SECOND_MS * place) / readers.length);
      const own = take(50);
      return reader.fill([...own, ...own.map((_, at) => shared[(7 * place + at) % shared.length]!)], 1);
    };
    return Promise.all(readers.map(openOne));
  },
};

/** Fills known companies and a new one while something happens, until it is over. */
async function fillWhile(
  readers: readonly Analyst[],
  take: TakeNew,
  happen: () => Promise<unknown>,
): Promise<FillResult[]> {
  const known = take(48);
  const filled: FillResult[] = [];
  for (const reader of readers) filled.push(await reader.fill(known));
  let isOver = false;
  const happening = happen().finally(() => {
    isOver = true;
  });
  const fillOn = async (reader: Analyst) => {
    do {
      filled.push(await reader.fill(take(1)));
      await wait(SECOND_MS);
    } while (!isOver);
  };
  await Promise.all([happening, ...readers.map(fillOn)]);
  return filled;
}

/** Something answers nothing for 15 seconds: the provider then never answers what was requested in them. */
const createHung = (what: string, hang: (firm: Firm, isHung: boolean) => unknown): Load => ({
  what: `30 people add one company each per second, and ${what} for 15 s`,
  ...loads.hung,
  run: (firm, readers, take) =>
    fillWhile(readers, take, async () => {
      await wait(5 * SECOND_MS);
      await hang(firm, true);
      await wait(15 * SECOND_MS);
      await hang(firm, false);
      await wait(5 * SECOND_MS);
    }),
});

const HUNG_PROVIDER = createHung("the provider hangs", ({ provider }, hangs) => provider.order({ hangs }));

const HUNG_INSTANCE = createHung("an instance is stopped", ({ programs: { instances } }, isHung) =>
  isHung ? instances[0]!.pause() : instances[0]!.resume(),
);

/** Each new company costs what it would in an instance of its own, since nothing is shared meanwhile. */
const STORE_GONE: Load = {
  ...loads.storeGone,
  async run(firm, readers, take) {
    const filled: FillResult[] = [];
    let isOver = false;
    const fillOn = async (reader: Analyst) => {
      while (!isOver) filled.push(await reader.fill(take(20), 1));
    };
    const happen = async () => {
      await wait(8 * SECOND_MS);
      await firm.programs.redis.kill();
      await wait(10 * SECOND_MS);
      await firm.restartRedis();
      await wait(8 * SECOND_MS);
      isOver = true;
    };
    await Promise.all([happen(), ...readers.map(fillOn)]);
    return filled;
  },
};

const SEED = 1;
/** About half of the popular draws go to a tenth of the companies. */
const MORNING: Crowd = { analysts: 300, each: 200, companies: 20_000, overMs: 60 * SECOND_MS, popularity: 3.3 };
const UNLIMITED_PER_MINUTE = 60_000;

/**
 * Analysts come by chance, and each fills a workbook of ten years of 200 companies.
 * @param hasFailing Whether some have companies that always fail; then the cells are those of the others.
 */
function createDay(changed: Partial<Crowd>, perMinute: number, more: Partial<Load> = {}, hasFailing = false): Load {
  const crowd = { ...MORNING, ...changed };
  const plan = createPlan(crowd, SEED);
  const { visits, failing } = hasFailing ? addFailing(plan, crowd.companies) : { visits: plan, failing: [] };
  const beside = hasFailing ? ", beside others whose companies fail" : "";
  return {
    what: `${crowd.analysts} people come within ${crowd.overMs / SECOND_MS} s at ${perMinute} requests a minute${beside}${more.areAllAtWork ? ", while all instances work" : ""}`,
    readers: crowd.analysts,
    companies: crowd.companies + failing.length,
    perMinute,
    distinct: countDistinct(visits),
    async run(firm, readers) {
      await firm.provider.order({ failFor: failing.map(toCompanyId) });
      const filled = await Promise.all(
        visits.map(async (visit) => {
          await wait(visit.atMs);
          const cells = await readers[visit.analyst]!.fill(visit.companies);
          return hasFailing && isFailing(visit) ? [] : [cells];
        }),
      );
      return filled.flat();
    },
    ...more,
  };
}

const FULL = { mostRatio: 1.1 };
/** As a firm's instances do that is beyond one core. */
const BY_ALL = { mostRatio: 1.25, areAllAtWork: true };
const CALM = { analysts: 50, overMs: 50 * SECOND_MS };

const LOADS: readonly [name: string, load: Load][] = [
  ["morning", createDay({}, AGREED_PER_MINUTE, FULL)],
  ["small", createDay({ analysts: 100, overMs: 20 * SECOND_MS }, AGREED_PER_MINUTE, FULL)],
  ["small-by-all", createDay({ analysts: 100, overMs: 20 * SECOND_MS }, AGREED_PER_MINUTE, BY_ALL)],
  ["spread", createDay({ overMs: 150 * SECOND_MS }, AGREED_PER_MINUTE, FULL)],
  ["crowd", createDay({ analysts: 100, overMs: 5 * SECOND_MS }, PRESET_PER_MINUTE, FULL)],
  ["calm", createDay(CALM, UNLIMITED_PER_MINUTE)],
  ["failing", createDay(CALM, UNLIMITED_PER_MINUTE, {}, true)],
  ["trickle", TRICKLE],
  ["overload", OVERLOAD],
  ["shared", SHARED],
  ["rush", RUSH],
  ["hung-provider", HUNG_PROVIDER],
  ["hung-instance", HUNG_INSTANCE],
  ["store-gone", STORE_GONE],
];

/** Each runs by itself, and all of them with the firm. */
export const FIRM_LOADS: readonly Row[] = LOADS.map(([name, load]) => ({
  name: `firm-${name}`,
  title: load.what,
  isLong: true,
  measure: (bench) => measureLoad(bench, load),
}));
