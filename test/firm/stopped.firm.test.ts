import { afterEach, describe, expect, it } from "@jest/globals";
import { until } from "../support/until";
import type { FillResult } from "./analyst";
import { setUpFirm } from "./set-up-firm";

const ANALYSTS = 12;
const EACH = 5;

/** The next unused company. */
let next = 0;

const settings = { FEED_PROVIDER_PER_MINUTE: "6000" };
const used = setUpFirm({ companies: 20_000, settings, analysts: ANALYSTS });
afterEach(() => used.firm.programs.instances[0]!.resume());

const takeNew = (): number[] => Array.from({ length: EACH }, () => next++);
const fillAll = () => Promise.all(used.analysts.map((analyst) => analyst.fill(takeNew(), 1)));
function expectSound(all: readonly FillResult[]): void {
  expect(all.map(({ failed, wrong, waitsMs }) => [failed, wrong, waitsMs.length])).toEqual(SOUND);
}
const SOUND = Array.from({ length: ANALYSTS }, () => [[], 0, EACH]);

describe("a firm with an instance that is stopped and still accepts connections", () => {
  it("shows every cell right while it stays stopped, also those that were under way in it", async () => {
    await used.firm.provider.order({ latencyMs: 1000 });
    const underWay = fillAll();
    await until(async () => (await used.firm.provider.order({})).requests > 0);
    used.firm.programs.instances[0]!.pause();
    await used.firm.provider.order({ latencyMs: 0 });
    const results = [await fillAll(), await underWay, await fillAll()];
    for (const filled of results) expectSound(filled);
  });
});
