import type { Browser } from "playwright-core";
import { OPERATIONS } from "../../../src/contract/constants";
import { PAGE_TYPES } from "../../../src/contract/parameter-values";
import { createDirectReading } from "../../support/direct-reading";
import { type OpenExcel, openBare, openFeed } from "../excel";
import { interleave, mapValues, median } from "../measure";
import { type Finding, type Row, toFinding } from "../row";
import { type Site, startSite } from "../site";

/** The sample provider's listed companies, and a header row. */
const ROWS_OF_ALL = 4_001;

/** Days that no other contender uses, so that no cache answers. */
const DAYS: Readonly<Record<number, string>> = { 0: "2024-01-15", 20: "2024-02-15", 100: "2024-03-15" };
const LATENCIES_MS = Object.keys(DAYS).map(Number);
const DAY_OF_PAGES = "2024-04-15";

/** A ranking before the measured ones: a page's first table loads the scripts of tables and lists. */
const FIRST_DAY = "2024-05-15";
const LATENCY_OF_PAGES_MS = 20;

interface Ranked {
  /** Until Excel has all rows; by latency, in the order of {@link LATENCIES_MS}. */
  allMs: number[];
  pages: { tookMs: number; requests: number };
}

/** Of the time that the same pages take by plain fetch. */
const MOST_OF_FLOOR = 1.15;

const CONTENDERS: Record<"FEED" | "floor", OpenExcel> = {
  FEED: openFeed,
  floor: (browser, origin) => openBare(browser, origin, () => window.contenders.rankings(), null),
};

export const RANKING: Row = {
  name: "ranking",
  title: "All 4,000 rows of a ranking, its later pages four at a time, and the rankings by all 18 types of page",
  async measure({ browser, rounds }) {
    const site = await startSite();
    await warm(site.origin);
    const ranked = await interleave(
      rounds,
      mapValues(CONTENDERS, (open) => () => rank(browser, site, open)),
    );
    site.close();
    return [...LATENCIES_MS.map((_, nth) => compareAll(ranked, nth)), ...toPagesFindings(ranked)];
  },
};

/** The sample provider computes a day's ranking at its first request, which would count for one contender alone. */
async function warm(origin: string): Promise<void> {
  const read = await createDirectReading(origin);
  for (const day of [...Object.values(DAYS), DAY_OF_PAGES, FIRST_DAY]) {
    const query = `start_datetime=${day}T00:00:00&end_datetime=${day}T23:59:59&page=1&page_size=1`;
    await read(`${OPERATIONS.rankCompanies.path}?${query}`);
  }
}

async function rank(browser: Browser, site: Site, open: OpenExcel): Promise<Ranked> {
  await site.order({ forget: true });
  const excel = await open(browser, site.origin);
  const showAll = (day: string | undefined) =>
    excel.call([["RANKING", [day, day, "all", null, null, null]]], ROWS_OF_ALL);
  await showAll(FIRST_DAY);
  const allMs: number[] = [];
  for (const latencyMs of LATENCIES_MS) {
    await site.order({ forget: true, latencyMs });
    allMs.push((await showAll(DAYS[latencyMs])).tookMs);
  }
  const pages = await site.count({ latencyMs: LATENCY_OF_PAGES_MS }, () =>
    excel.call(PAGE_TYPES.map((type) => ["RANKING.PAGES", [DAY_OF_PAGES, DAY_OF_PAGES, type, null, null, null]])),
  );
  await excel.close();
  return { allMs, pages };
}

type Both = Readonly<Record<"FEED" | "floor", readonly Ranked[]>>;

function compareAll(ranked: Both, nth: number): Finding {
  const took = mapValues(ranked, (all) => all.map(({ allMs }) => allMs[nth]!));
  const goal = [
    `at most ${MOST_OF_FLOOR} of plain fetch`,
    median(took.FEED) <= MOST_OF_FLOOR * median(took.floor),
  ] as const;
  return toFinding(`until Excel has all rows, at ${LATENCIES_MS[nth]} ms latency`, "ms", took, goal);
}

function toPagesFindings(ranked: Both): Finding[] {
  const pick = (part: keyof Ranked["pages"]) => mapValues(ranked, (all) => all.map(({ pages }) => pages[part]));
  const at = `at ${LATENCY_OF_PAGES_MS} ms latency`;
  return [
    toFinding(`until all 18 rankings by page have their rows, ${at}`, "ms", pick("tookMs")),
    toFinding(`requests of all 18, ${at}`, "requests", pick("requests")),
  ];
}
