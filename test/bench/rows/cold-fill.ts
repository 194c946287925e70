import { type OpenExcel, openBare, openBatching, openFeed, openFloor } from "../excel";
import type { FillTimes } from "../excel/in-page/host";
import { readSheet, type Sheet } from "../excel/sheet";
import { interleave, mapValues, median } from "../measure";
import type { Bench, Finding, Row } from "../row";
import { type Site, startSite } from "../site";

const LATENCIES_MS = [0, 20, 100];
const LONGEST_BLOCK_MS = 30;
const HOSTS_WORK =
  "the host's work: the runtime's reading and handing out of calls without what functions take in it, and its timer that hands results over";
/** The slowest contender needs a quarter of a minute a run. */
const SLOW_ROUNDS = 3;
const ONE_BY_ONE = "one request per company and year";
const BATCHING = "batching pattern";

interface Fill extends FillTimes {
  requests: number;
}

const QUICK: Record<string, OpenExcel> = {
  FEED: openFeed,
  floor: openFloor,
  // As add-in samples do. A provider with 25 companies a request would leave 75 empty.
  [BATCHING]: (browser, origin) => openBatching(browser, origin, { size: Number.MAX_SAFE_INTEGER, waitMs: 100 }),
};
const SLOW: Record<string, OpenExcel> = {
  [ONE_BY_ONE]: (browser, origin) => openBare(browser, origin, () => window.contenders.oneByOne(), null),
};

export const COLD_FILL: Row = {
  name: "cold-fill",
  title: "14,000 figures, of 100 companies, 10 years and 14 metrics, that nobody has asked for before",
  async measure(bench) {
    const site = await startSite();
    const fill = createFilling(bench, site, await readSheet(site.origin));
    const slowRounds = Math.min(SLOW_ROUNDS, bench.rounds);
    bench.print(`${ONE_BY_ONE}: ${slowRounds} rounds`);
    bench.print(HOSTS_WORK);
    const findings: Finding[] = [];
    for (const latencyMs of LATENCIES_MS) {
      bench.print(`${latencyMs} ms latency`);
      const take = (open: OpenExcel) => () => fill(open, latencyMs);
      const quick = await interleave(bench.rounds, mapValues(QUICK, take));
      const slow = await interleave(slowRounds, mapValues(SLOW, take));
      findings.push(...toFindings(latencyMs, { ...quick, ...slow }));
    }
    site.close();
    return findings;
  },
};

/** Fills a new page each time, and checks that all contenders give the same figures. */
function createFilling({ browser }: Bench, site: Site, { calls }: Sheet) {
  let expected: string | null = null;
  return async (open: OpenExcel, latencyMs: number): Promise<Fill> => {
    await site.order({ forget: true });
    const excel = await open(browser, site.origin);
    await site.order({ forget: true, latencyMs });
    const filling = await excel.call(calls);
    const requests = await site.order({});
    const values = JSON.stringify(await excel.values());
    await excel.close();
    expected ??= values;
    if (values !== expected) throw new Error("a contender filled other figures into the cells than the others");
    return { ...filling, requests };
  };
}

function toFindings(latencyMs: number, fills: Readonly<Record<string, readonly Fill[]>>): Finding[] {
  const pick = (part: keyof Fill) => mapValues(fills, (all) => all.map((fill) => fill[part]));
  const [took, requests, owns, first] = [pick("tookMs"), pick("requests"), pick("ownMs"), pick("firstRequestMs")];
  const at = `at ${latencyMs} ms latency`;
  const own = { FEED: owns.FEED as number[], floor: owns.floor as number[] };
  const longest = { FEED: pick("longestMs").FEED as number[], floor: pick("longestMs").floor as number[] };
  const isShort = median(own.FEED) <= LONGEST_BLOCK_MS;
  return [
    { what: `until every cell has its value, ${at}`, unit: "ms", samples: took },
    ...toTimeGoals(latencyMs, took).map(
      (goal): Finding => ({ what: `the same, ${at}`, unit: "ms", samples: { FEED: took.FEED as number[] }, goal }),
    ),
    {
      what: `until the first request, ${at}`,
      unit: "ms",
      samples: first,
      goal: {
        text: "at most 1.5 × the floor",
        isReached: median(first.FEED as number[]) <= 1.5 * median(first.floor as number[]),
      },
    },
    {
      what: `requests, ${at}`,
      unit: "requests",
      samples: requests,
      goal: { text: "at most 4", isReached: Math.max(...(requests.FEED as number[])) <= 4 },
    },
    { what: `longest task, the host's work included, ${at}`, unit: "ms", samples: longest },
    {
      what: `longest task without the host's work, 0 where none took 50 ms, ${at}`,
      unit: "ms",
      samples: own,
      goal: { text: `at most ${LONGEST_BLOCK_MS} ms`, isReached: isShort },
    },
  ];
}

/** Each goal is reached or missed separately. */
function toTimeGoals(
  latencyMs: number,
  took: Readonly<Record<string, readonly number[]>>,
): NonNullable<Finding["goal"]>[] {
  const [ours, floor, batching, oneByOne] = ["FEED", "floor", BATCHING, ONE_BY_ONE].map((name) =>
    median(took[name] as number[]),
  ) as [number, number, number, number];
  return [
    { text: "at most 1.25 × the floor", isReached: ours <= 1.25 * floor },
    ...(latencyMs === 100 ? [{ text: "20 × as fast as one by one", isReached: oneByOne >= 20 * ours }] : []),
    { text: "faster than the batching pattern", isReached: ours < batching },
  ];
}
