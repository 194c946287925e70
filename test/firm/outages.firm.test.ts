import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { until } from "../support/until";
import type { Analyst, FillResult } from "./analyst";
import { setUpFirm } from "./set-up-firm";

const ANALYSTS = 12;
const COMPANIES = 20_000;
/** Half of each workbook's companies are shared in that round, and half are unique. */
const OF_ALL = 10;
const OWN = 10;

let next = 0;

const settings = { FEED_PROVIDER_PER_MINUTE: "6000" };
const used = setUpFirm({ companies: COMPANIES, settings, analysts: ANALYSTS });
beforeAll(() => used.firm.provider.order({ latencyMs: 20 }));

const takeNew = (count: number): number[] => Array.from({ length: count }, () => next++);

/**
 * Makes everyone fill workbooks of new companies while something happens, and one more afterwards.
 * @returns the number of requested companies, and of those requested from the provider.
 */
async function fillWhile(happen: () => Promise<unknown>): Promise<{ requested: number; loaded: number }> {
  const from = next;
  await used.firm.provider.order({ forget: true });
  const rounds: number[][] = [];
  const fill = async (analyst: Analyst, round: number) => {
    rounds[round] ??= takeNew(OF_ALL);
    expectSound(await analyst.fill([...rounds[round], ...takeNew(OWN)]));
  };
  await Promise.all(used.analysts.map((analyst) => fill(analyst, 0)));
  let isOver = false;
  const over = fill(used.analysts[0]!, 1)
    .then(happen)
    .finally(() => {
      isOver = true;
    });
  await Promise.all(
    used.analysts.map(async (analyst) => {
      let round = 2;
      while (!isOver) await fill(analyst, round++);
      await fill(analyst, round);
    }),
  );
  await over;
  const { companies: loaded } = await used.firm.provider.order({});
  return { requested: next - from, loaded };
}

/** Nothing has failed or is wrong, and every cell is filled. */
function expectSound({ waitsMs, failed, wrong }: FillResult): void {
  expect([failed, wrong, waitsMs.length]).toEqual([[], 0, (OF_ALL + OWN) * 10]);
}

describe("a firm of twelve analysts, three instances and one Redis, all filling workbooks", () => {
  it("requests each company once from the provider", async () => {
    const { requested, loaded } = await fillWhile(async () => {});
    expect(loaded).toBe(requested);
  });

  it("shows every cell right when an instance is killed, and repeats only its pending requests", async () => {
    const { requested, loaded } = await fillWhile(() => used.firm.programs.instances[0]!.kill());
    expect(loaded - requested).toBeLessThanOrEqual(ANALYSTS * (OF_ALL + OWN));
    expect(used.analysts.map((analyst) => analyst.countBroken())).toEqual(used.analysts.map(() => 0));
  });

  it("shows every cell right when Redis is killed; then each instance at work requests each company once", async () => {
    const { requested, loaded } = await fillWhile(async () => {
      await used.firm.programs.redis.kill();
      await used.firm.awaitStanding("degraded");
    });
    expect(loaded).toBeLessThanOrEqual(2 * requested);
    const alone = await fillWhile(async () => {});
    expect(alone.loaded).toBeLessThanOrEqual(2 * alone.requested);
  });

  it("shows every cell right when Redis and the instance return, and shares again", async () => {
    await fillWhile(async () => {
      await used.firm.restartRedis();
      await used.firm.restartInstance(0);
      await used.firm.awaitStanding("ready");
    });
    const { requested, loaded } = await fillWhile(async () => {});
    // nginx may still lead some to one that waited.
    expect(loaded - requested).toBeLessThanOrEqual(ANALYSTS * (OF_ALL + OWN));
  });
});

describe("a firm with an instance that is stopped and still accepts connections", () => {
  afterEach(() => used.firm.programs.instances[0]!.resume());

  it("shows every cell right while it stays stopped, also those that were under way in it", async () => {
    const { provider, programs } = used.firm;
    const fillAll = () => Promise.all(used.analysts.map((analyst) => analyst.fill(takeNew(5), 1)));
    await provider.order({ latencyMs: 1000, forget: true });
    const underWay = fillAll();
    await until(async () => (await provider.order({})).requests > 0);
    programs.instances[0]!.pause();
    await provider.order({ latencyMs: 0 });
    const filled = [...(await fillAll()), ...(await underWay), ...(await fillAll())];
    const shown = filled.map(({ failed, wrong, waitsMs }) => [failed, wrong, waitsMs.length]);
    expect(shown).toEqual(Array.from({ length: 3 * ANALYSTS }, () => [[], 0, 5]));
  });
});
