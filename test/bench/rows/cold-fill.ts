import { type CountedFill, type OpenExcel, openBatching, openFeed, openFloor, openOneByOne } from "../excel";
import { readSheet } from "../excel/sheet";
import { interleave, mapValues, median } from "../measure";
import { type Finding, type Row, toFinding, toMost } from "../row";
import { startSite } from "../site";

const LATENCIES_MS = [0, 20, 100];
const LONGEST_BLOCK_MS = 30;
/** The slowest contender needs a quarter of a minute a run. */
const SLOW_ROUNDS = 3;
const ONE_BY_ONE = "one request per company and year";
const BATCHING = "batching pattern";

const QUICK: Record<string, OpenExcel> = {
  FEED: openFeed,
  floor: openFloor,
  // As add-in samples do. A provider with 25 companies a request would leave 75 empty.
  [BATCHING]: (browser, origin) => openBatching(browser, origin, { size: Number.MAX_SAFE_INTEGER, waitMs: 100 }),
};

export const COLD_FILL: Row = {
  name: "cold-fill",
  title: "14,000 figures, of 100 companies, 10 years and 14 metrics, that nobody has asked for before",
  async measure({ browser, rounds, print }) {
    const site = await startSite();
    const { calls } = await readSheet(site.origin);
    let expected: string | null = null;
    /** Fills a new page each time, and checks that all contenders give the same figures. */
    const fill = async (open: OpenExcel, latencyMs: number): Promise<CountedFill> => {
      await site.order({ forget: true });
      const excel = await open(browser, site.origin);
      const filling = await site.count({ latencyMs }, () => excel.call(calls));
      const values = JSON.stringify(await excel.values());
      await excel.close();
      expected ??= values;
      if (values !== expected) throw new Error("a contender filled other figures into the cells than the others");
      return filling;
    };
    const slowRounds = Math.min(SLOW_ROUNDS, rounds);
    print(`${ONE_BY_ONE}: ${slowRounds} rounds`);
    const findings: Finding[] = [];
    for (const latencyMs of LATENCIES_MS) {
      print(`${latencyMs} ms latency`);
      const take = (open: OpenExcel) => () => fill(open, latencyMs);
      const quick = await interleave(rounds, mapValues(QUICK, take));
      const slow = await interleave(slowRounds, { [ONE_BY_ONE]: take(openOneByOne) });
      findings.push(...toFindings(latencyMs, { ...quick, ...slow }));
    }
    site.close();
    return findings;
  },
};

function toFindings(latencyMs: number, fills: Readonly<Record<string, readonly CountedFill[]>>): Finding[] {
  const pick = (part: keyof CountedFill) => mapValues(fills, (all) => all.map((fill) => fill[part]));
  const [took, requests, owns, first] = [pick("tookMs"), pick("requests"), pick("ownMs"), pick("firstRequestMs")];
  const at = `at ${latencyMs} ms latency`;
  const middle = (name: string) => median(took[name]!);
  const ours = middle("FEED");
  const own = { FEED: owns.FEED!, floor: owns.floor! };
  const isEarly = median(first.FEED!) <= 1.5 * median(first.floor!);
  const task = `longest task without the host's work, 0 where none took 50 ms, ${at}`;
  const toGoal = (text: string, isReached: boolean) =>
    toFinding(`the same, ${at}`, "ms", took.FEED!, [text, isReached]);
  return [
    toFinding(`until every cell has its value, ${at}`, "ms", took),
    toGoal("at most 1.25 × the floor", ours <= 1.25 * middle("floor")),
    ...(latencyMs === 100 ? [toGoal("20 × as fast as one by one", middle(ONE_BY_ONE) >= 20 * ours)] : []),
    toGoal("faster than the batching pattern", ours < middle(BATCHING)),
    toFinding(`until the first request, ${at}`, "ms", first, ["at most 1.5 × the floor", isEarly]),
    toFinding(`requests, ${at}`, "requests", requests, toMost(4, "requests", requests.FEED)),
    toFinding(task, "ms", own, toMost(LONGEST_BLOCK_MS, "ms", [median(own.FEED)])),
  ];
}
