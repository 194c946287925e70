import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Analyst, signAllIn } from "./analyst";
import { type Firm, startFirm } from "./firm";

/** Fewer than fit in one request. */
const ANALYSTS = 20;
const LONGEST_MS = 60_000;

let firm: Firm;
let analysts: Analyst[] = [];

beforeAll(async () => {
  firm = await startFirm({ companies: 2 * ANALYSTS, settings: { FEED_PROVIDER_PER_MINUTE: "6000" } });
  analysts = await signAllIn(firm, ANALYSTS);
}, LONGEST_MS);
afterAll(async () => {
  for (const analyst of analysts) await analyst.leave();
  await firm.close();
}, LONGEST_MS);

describe("a firm whose people add one company each", () => {
  it(
    "requests them together, whichever instance each page belongs to",
    async () => {
      const addEach = (from: number) => Promise.all(analysts.map((analyst, place) => analyst.fill([from + place], 1)));
      await addEach(0);
      await firm.provider.order({ forget: true });
      const added = await addEach(ANALYSTS);
      expect(added.map(({ failed, wrong }) => [failed, wrong])).toEqual(analysts.map(() => [[], 0]));
      const { requests, companies } = await firm.provider.order({});
      expect(companies).toBe(ANALYSTS);
      // Apart, each of the three instances would send one at least.
      expect(requests).toBeLessThanOrEqual(2);
    },
    LONGEST_MS,
  );
});
