import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { OPERATIONS } from "../../src/contract/constants";
import { until } from "../support/until";
import { openConnections, signInPlainly } from "./analyst";
import { toCompanyId } from "./figures";
import { createScrapes, expectAlarms, SCRAPES, type Scrapes } from "./scrapes";
import { setUpFirm } from "./set-up-firm";

const COMPANIES = 5000;
const LONGEST_MS = 90_000;

/** Those of a person who sends a request however many have failed. */
let connections: ReturnType<typeof openConnections>;
let headers: Record<string, string>;
let next = 0;
let scrapes: Scrapes;

const settings = { FEED_PROVIDER_PER_MINUTE: "6000" };
const used = setUpFirm({ companies: COMPANIES, settings, analysts: 1 });
beforeAll(async () => {
  connections = openConnections(used.firm, 1);
  headers = await signInPlainly(used.firm, "impatient", connections.send);
});
afterAll(() => connections.close());
afterEach(() => used.firm.programs.instances[0]!.resume());

/** Reads new companies, or waits for what a function says, before each of some scrapes. */
async function scrapeWhile(
  act: () => Promise<unknown> = () => used.analysts[0]!.fill([next++, next++], 1),
): Promise<void> {
  scrapes = createScrapes();
  for (let count = 0; count < SCRAPES; count += 1) {
    await act();
    scrapes.take(await used.firm.readMetrics());
  }
}

/** Reads a new company without a pane, and gives the status: a pane would pause after some failures. */
async function read(): Promise<number> {
  const path = OPERATIONS.getCompany.path.replace("{companyId}", toCompanyId(next++));
  const signal = AbortSignal.timeout(LONGEST_MS);
  return (await connections.send(`${used.firm.origin}/companion/relay${path}`, { headers, signal })).status;
}

describe("the alarms of a firm of two instances", () => {
  it("are silent while all is well", async () => {
    await scrapeWhile();
    expect(scrapes.readLast("feed_store", 'standing="shared"')).toBe(2);
    expectAlarms(scrapes, []);
  });

  it("are FeedInstanceDown alone while an instance is stopped", async () => {
    used.firm.programs.instances[0]!.pause();
    await scrapeWhile();
    expect(scrapes.readLast("up", "")).toBe(1);
    expectAlarms(scrapes, ["FeedInstanceDown"]);
  });

  it("are FeedInstanceDown alone after an instance is killed", async () => {
    await used.firm.programs.instances[0]!.kill();
    await scrapeWhile();
    expect(scrapes.readLast("up", "")).toBe(1);
    expectAlarms(scrapes, ["FeedInstanceDown"]);
    await used.firm.restartInstance(0);
    await used.firm.awaitStanding("ready");
  });

  it("are FeedStoreApart alone while Redis is gone", async () => {
    await used.firm.programs.redis.kill();
    await used.firm.awaitStanding("degraded");
    await scrapeWhile();
    expect(scrapes.readLast("feed_store", 'standing="apart"')).toBe(2);
    expectAlarms(scrapes, ["FeedStoreApart"]);
    await used.firm.restartRedis();
    await used.firm.awaitStanding("ready");
  });

  it("are FeedProviderFails alone while the provider fails", async () => {
    await used.firm.provider.order({ fails: true });
    await scrapeWhile(async () => {
      const { all } = await used.firm.provider.order({});
      // A read that is no probe is refused; the next one may be.
      await until(async () => {
        expect(await read()).toBeGreaterThanOrEqual(500);
        return (await used.firm.provider.order({})).all > all;
      });
    });
    expect(scrapes.readLast("feed_provider_seconds_count", 'outcome="5xx"')).toBeGreaterThanOrEqual(SCRAPES);
    expectAlarms(scrapes, ["FeedProviderFails"]);
    await used.firm.provider.order({ fails: false });
  });

  it(
    "are FeedProviderFails alone while the provider hangs",
    async () => {
      await used.firm.provider.order({ hangs: true });
      let count = 0;
      // One request runs into its time limit before every fourth scrape, so that one has within any five minutes.
      await scrapeWhile(async () => {
        count += 1;
        if (count % 4 === 0) expect(await read()).toBeGreaterThanOrEqual(500);
      });
      expect(scrapes.readLast("feed_provider_seconds_count", 'outcome="failed"')).toBeGreaterThanOrEqual(3);
      expectAlarms(scrapes, ["FeedProviderFails"]);
      await used.firm.provider.order({ hangs: false });
    },
    2 * LONGEST_MS,
  );
});
