import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { runSchedule, toReport } from "../soak/schedule";
import { type Sites, startSites } from "../soak/site";

let sites: Sites;

beforeAll(async () => {
  sites = await startSites();
});
afterAll(() => sites.close());

const SCHEDULES = 500;
const IN_ONE_GO = 50;

const FIRST_SEEDS = Array.from({ length: SCHEDULES / IN_ONE_GO }, (_, index) => index * IN_ONE_GO + 1);

describe("cells under any sequence of actions and faults", () => {
  it.each(FIRST_SEEDS)(
    "show nothing but the truth, all of it in the end: schedules %i and the next 49",
    async (first) => {
      let requests = 0;
      for (let seed = first; seed < first + IN_ONE_GO; seed++) {
        const outcome = await runSchedule(sites, seed);
        if (outcome.complaints.length > 0) throw new Error(toReport(outcome));
        requests += outcome.requests;
      }
      expect(requests).toBeGreaterThan(IN_ONE_GO); // otherwise hardly anything was tested
    },
  );
});
