import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { type Analyst, signAllIn } from "./analyst";
import { listCells } from "./figures";
import { type Firm, startFirm } from "./firm";
import { createScrapes, expectAlarms, SCRAPES, type Scrapes } from "./scrapes";

const COMPANIES = 5000;
const LONGEST_MS = 90_000;

let firm: Firm;
let analyst: Analyst;
/** The next unused company. */
let next = 0;
let scrapes: Scrapes;

beforeAll(async () => {
  firm = await startFirm({ companies: COMPANIES, settings: { FEED_PROVIDER_PER_MINUTE: "6000" } });
  [analyst] = (await signAllIn(firm, 1)) as [Analyst];
}, LONGEST_MS);
afterEach(() => firm.programs.instances[0]!.resume());
afterAll(async () => {
  await analyst.leave();
  await firm.close();
}, LONGEST_MS);

/** Reads new companies, or waits for what a function says, before each of some scrapes. */
async function scrapeWhile(act: () => Promise<unknown> = () => analyst.fill([next++, next++], 1)): Promise<void> {
  scrapes = createScrapes();
  for (let count = 0; count < SCRAPES; count += 1) {
    await act();
    scrapes.take(await firm.readMetrics());
  }
}

async function awaitStanding(status: string): Promise<void> {
  while ((await firm.readStandings()).some((each) => each !== status));
}

describe("the alarms of a firm of three instances", () => {
  it(
    "are silent while all is well",
    async () => {
      await scrapeWhile();
      expect(scrapes.readLast("feed_store", 'standing="shared"')).toBe(3);
      expectAlarms(scrapes, []);
    },
    LONGEST_MS,
  );

  it(
    "are FeedInstanceDown alone while an instance is stopped",
    async () => {
      firm.programs.instances[0]!.suspend();
      await scrapeWhile();
      expect(scrapes.readLast("up", "")).toBe(2);
      expectAlarms(scrapes, ["FeedInstanceDown"]);
    },
    LONGEST_MS,
  );

  it(
    "are FeedInstanceDown alone after an instance is killed",
    async () => {
      await firm.programs.instances[0]!.kill();
      await scrapeWhile();
      expect(scrapes.readLast("up", "")).toBe(2);
      expectAlarms(scrapes, ["FeedInstanceDown"]);
      await firm.restartInstance(0);
      await awaitStanding("ready");
    },
    LONGEST_MS,
  );

  it(
    "are FeedStoreApart alone while Redis is gone",
    async () => {
      await firm.programs.redis.kill();
      await awaitStanding("degraded");
      await scrapeWhile();
      expect(scrapes.readLast("feed_store", 'standing="apart"')).toBe(3);
      expectAlarms(scrapes, ["FeedStoreApart"]);
      await firm.restartRedis();
      await awaitStanding("ready");
    },
    LONGEST_MS,
  );

  it(
    "are FeedProviderFails alone while the provider fails",
    async () => {
      const broken = Array.from({ length: SCRAPES * 2 }, () => next++);
      await firm.provider.order({
        failFor: broken.flatMap((company) => listCells(company).map((cell) => cell.companyId)),
      });
      const pending: Promise<unknown>[] = [];
      await scrapeWhile(async () => {
        const { requests } = await firm.provider.order({});
        pending.push(analyst.fill([broken.pop()!, broken.pop()!], 1));
        while ((await firm.provider.order({})).requests === requests);
      });
      expect(scrapes.readLast("feed_provider_requests_total", 'outcome="5xx"')).toBeGreaterThan(0);
      expectAlarms(scrapes, ["FeedProviderFails"]);
      await firm.provider.order({ failFor: [] });
      await Promise.all(pending);
    },
    LONGEST_MS,
  );

  it(
    "are FeedProviderFails alone while the provider hangs",
    async () => {
      await firm.provider.order({ hangs: true });
      const pending: Promise<unknown>[] = [];
      const readFailed = async () => {
        const read = createScrapes();
        read.take(await firm.readMetrics());
        return read.readLast("feed_provider_requests_total", 'outcome="failed"');
      };
      let [seen, count] = [0, 0];
      // One request has run into its time limit before every fourth scrape, so that one has within any five minutes.
      await scrapeWhile(async () => {
        count += 1;
        if (count % 4 !== 0) return;
        pending.push(analyst.fill([next++], 1));
        while ((await readFailed()) === seen) await wait(100);
        seen = await readFailed();
      });
      expectAlarms(scrapes, ["FeedProviderFails"]);
      await firm.provider.order({ hangs: false });
      await Promise.all(pending);
    },
    2 * LONGEST_MS,
  );
});
