import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Analyst, type FillResult, signAllIn } from "./analyst";
import { type Firm, startFirm } from "./firm";

const ANALYSTS = 12;
const COMPANIES = 20_000;
/** Half of each workbook's companies are shared in that round, and half are unique. */
const OF_ALL = 10;
const OWN = 10;
const LONGEST_MS = 90_000;

let firm: Firm;
let analysts: Analyst[] = [];
/** The next unused company. */
let next = 0;

beforeAll(async () => {
  firm = await startFirm({ companies: COMPANIES, settings: { FEED_PROVIDER_PER_MINUTE: "6000" } });
  await firm.provider.order({ latencyMs: 20 });
  analysts = await signAllIn(firm, ANALYSTS);
}, LONGEST_MS);
afterAll(async () => {
  for (const analyst of analysts) await analyst.leave();
  await firm.close();
}, LONGEST_MS);

const takeNew = (count: number): number[] => Array.from({ length: count }, () => next++);

/**
 * Makes everyone fill workbooks of new companies while something happens, and one more afterwards.
 * @returns the number of requested companies, and of those requested from the provider.
 */
async function fillWhile(happen: () => Promise<unknown>): Promise<{ requested: number; loaded: number }> {
  const from = next;
  await firm.provider.order({ forget: true });
  const rounds: number[][] = [];
  const fill = async (analyst: Analyst, round: number) => {
    rounds[round] ??= takeNew(OF_ALL);
    expectSound(await analyst.fill([...rounds[round], ...takeNew(OWN)]));
  };
  await Promise.all(analysts.map((analyst) => fill(analyst, 0)));
  let isOver = false;
  const over = fill(analysts[0]!, 1)
    .then(happen)
    .finally(() => {
      isOver = true;
    });
  await Promise.all(
    analysts.map(async (analyst) => {
      let round = 2;
      while (!isOver) await fill(analyst, round++);
      await fill(analyst, round);
    }),
  );
  await over;
  const { companies: loaded } = await firm.provider.order({});
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

  it(
    "shows every cell right when an instance is killed, and repeats only its pending requests",
    async () => {
      const { requested, loaded } = await fillWhile(() => firm.programs.instances[0]!.kill());
      expect(loaded - requested).toBeLessThanOrEqual(ANALYSTS * (OF_ALL + OWN));
      expect(analysts.map((analyst) => analyst.countBroken())).toEqual(analysts.map(() => 0));
    },
    LONGEST_MS,
  );

  it(
    "shows every cell right when Redis is killed; then each instance requests each company once",
    async () => {
      const { requested, loaded } = await fillWhile(async () => {
        await firm.programs.redis.kill();
        await firm.awaitStanding("degraded");
      });
      expect(loaded).toBeLessThanOrEqual(2 * requested);
      const alone = await fillWhile(async () => {});
      expect(alone.loaded).toBeLessThanOrEqual(2 * alone.requested);
    },
    LONGEST_MS,
  );

  it(
    "shows every cell right when Redis and the instance return, and shares again",
    async () => {
      await fillWhile(async () => {
        await firm.restartRedis();
        await firm.restartInstance(0);
        await firm.awaitStanding("ready");
      });
      const { requested, loaded } = await fillWhile(async () => {});
      expect(loaded).toBe(requested);
    },
    LONGEST_MS,
  );
});
