import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { listFiring } from "../companion/alert-rules";
import { findPromtool } from "../support/promtool.mjs";
import { type Analyst, signAllIn } from "./analyst";
import { listCells } from "./figures";
import { type Firm, startFirm } from "./firm";

const COMPANIES = 5000;
const LONGEST_MS = 90_000;
/** The rules' times are minutes: each scrape counts as that of one. */
const SCRAPES = 12;

let firm: Firm;
let analyst: Analyst;
/** The next unused company. */
let next = 0;
let series: Map<string, (string | undefined)[]>;

beforeAll(async () => {
  firm = await startFirm({ companies: COMPANIES, settings: { FEED_PROVIDER_PER_MINUTE: "6000" } });
  [analyst] = (await signAllIn(firm, 1)) as [Analyst];
}, LONGEST_MS);
afterEach(() => firm.programs.instances[0]!.resume());
afterAll(async () => {
  await analyst.leave();
  await firm.close();
}, LONGEST_MS);

/** Stores a scrape of each instance, as Prometheus would: whether it answered, and its figures. */
async function scrape(): Promise<void> {
  const texts = await firm.readMetrics();
  const count = Math.max(0, ...[...series.values()].map((values) => values.length));
  const put = (name: string, value: string) => {
    const values = series.get(name) ?? [];
    values[count] = value;
    series.set(name, values);
  };
  for (const [place, text] of texts.entries()) {
    const target = `instance="${place}",job="feed-for-excel"`;
    put(`up{${target}}`, text === undefined ? "0" : "1");
    for (const line of text?.split("\n") ?? []) {
      const [, name, labels = "", value] =
        /^(feed_\w+|process_resident_memory_bytes)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (name !== undefined) put(`${name}{${labels}${labels && ","}${target}}`, value!);
    }
  }
}

/** Reads new companies, or waits for what a function says, before each of some scrapes. */
async function scrapeWhile(act: () => Promise<unknown> = () => analyst.fill([next++, next++], 1)): Promise<void> {
  series = new Map();
  for (let count = 0; count < SCRAPES; count += 1) {
    await act();
    await scrape();
  }
}

const toValues = (values: readonly (string | undefined)[]) =>
  Array.from({ length: SCRAPES }, (_, at) => values[at] ?? "_").join(" ");

/** Gives the last scrape's figure, summed over the series of a name with a part in its labels. */
const readLast = (name: string, part: string): number =>
  [...series]
    .filter(([key]) => key.startsWith(`${name}{`) && key.includes(part))
    .reduce((sum, [, values]) => sum + Number(values[SCRAPES - 1] ?? 0), 0);

async function awaitStanding(status: string): Promise<void> {
  while ((await firm.readStandings()).some((each) => each !== status));
}

/** Expects the alarms that fire now, where promtool is installed. */
function expectAlarms(names: readonly string[]): void {
  const promtool = findPromtool();
  if (promtool === undefined) return;
  const read = Object.fromEntries([...series].map(([name, values]) => [name, toValues(values)]));
  expect(listFiring(promtool, read, SCRAPES - 1)).toEqual(names);
}

describe("the alarms of a firm of three instances", () => {
  it(
    "are silent while all is well",
    async () => {
      await scrapeWhile();
      expect(readLast("feed_store", 'standing="shared"')).toBe(3);
      expectAlarms([]);
    },
    LONGEST_MS,
  );

  it(
    "are FeedInstanceDown alone while an instance is stopped",
    async () => {
      firm.programs.instances[0]!.suspend();
      await scrapeWhile();
      expect(readLast("up", "")).toBe(2);
      expectAlarms(["FeedInstanceDown"]);
    },
    LONGEST_MS,
  );

  it(
    "are FeedInstanceDown alone after an instance is killed",
    async () => {
      await firm.programs.instances[0]!.kill();
      await scrapeWhile();
      expect(readLast("up", "")).toBe(2);
      expectAlarms(["FeedInstanceDown"]);
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
      expect(readLast("feed_store", 'standing="apart"')).toBe(3);
      expectAlarms(["FeedStoreApart"]);
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
      expect(readLast("feed_provider_requests_total", 'outcome="5xx"')).toBeGreaterThan(0);
      expectAlarms(["FeedProviderFails"]);
      await firm.provider.order({ failFor: [] });
      await Promise.all(pending);
    },
    LONGEST_MS,
  );
});
