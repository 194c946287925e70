import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { until } from "../support/until";
import { type Analyst, type FillResult, signAllIn } from "./analyst";
import { type Firm, startFirm } from "./firm";

const ANALYSTS = 12;
const EACH = 5;
const LONGEST_MS = 60_000;

let firm: Firm;
let analysts: Analyst[] = [];
/** The next unused company. */
let next = 0;

beforeAll(async () => {
  firm = await startFirm({ companies: 20_000, settings: { FEED_PROVIDER_PER_MINUTE: "6000" } });
  analysts = await signAllIn(firm, ANALYSTS);
}, LONGEST_MS);
afterAll(async () => {
  firm.programs.instances[0]!.resume();
  for (const analyst of analysts) await analyst.leave();
  await firm.close();
}, LONGEST_MS);

const takeNew = (): number[] => Array.from({ length: EACH }, () => next++);
const fillAll = () => Promise.all(analysts.map((analyst) => analyst.fill(takeNew(), 1)));
function expectSound(all: readonly FillResult[]): void {
  expect(all.map(({ failed, wrong, waitsMs }) => [failed, wrong, waitsMs.length])).toEqual(SOUND);
}
const SOUND = Array.from({ length: ANALYSTS }, () => [[], 0, EACH]);

describe("a firm with an instance that is stopped and still accepts connections", () => {
  it(
    "shows every cell right while it stays stopped, also those that were under way in it",
    async () => {
      await firm.provider.order({ latencyMs: 1000 });
      const underWay = fillAll();
      await until(async () => (await firm.provider.order({})).requests > 0);
      firm.programs.instances[0]!.pause();
      await firm.provider.order({ latencyMs: 0 });
      const results = [await fillAll(), await underWay, await fillAll()];
      for (const filled of results) expectSound(filled);
    },
    LONGEST_MS,
  );
});
