import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createSchedules } from "../soak/schedule";
import { type Sites, startSites } from "../soak/site";

let sites: Sites;

beforeAll(async () => {
  sites = await startSites();
});
afterAll(() => sites.close());

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const SCHEDULES = 50;

describe("cells under any sequence of actions and faults", () => {
  it.each(SEEDS)("show nothing but the truth, all of it in the end: 50 schedules of seed %i", async (seed) => {
    let requests = 0;
    const schedules = createSchedules(sites, (more) => {
      requests += more;
    });
    // `npm run soak` shortens a schedule that fails; here it would exceed the test's time.
    await fc.assert(schedules, { seed, numRuns: SCHEDULES, endOnFailure: true });
    expect(requests).toBeGreaterThan(SCHEDULES); // otherwise hardly anything was tested
  });
});
