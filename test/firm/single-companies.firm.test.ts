import { expect, it } from "@jest/globals";
import { setUpFirm } from "./set-up-firm";

/** Fewer than fit in one request. */
const ANALYSTS = 20;

const settings = { FEED_PROVIDER_PER_MINUTE: "6000" };
const used = setUpFirm({ companies: 2 * ANALYSTS, settings, analysts: ANALYSTS });

it("a firm whose people add one company each requests them together", async () => {
  const addEach = (from: number) => Promise.all(used.analysts.map((analyst, place) => analyst.fill([from + place], 1)));
  await addEach(0);
  await used.firm.provider.order({ forget: true });
  const added = await addEach(ANALYSTS);
  expect(added.map(({ failed, wrong }) => [failed, wrong])).toEqual(used.analysts.map(() => [[], 0]));
  const { requests, companies } = await used.firm.provider.order({});
  expect(companies).toBe(ANALYSTS);
  expect(requests).toBeLessThanOrEqual(2);
});
