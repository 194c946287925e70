import { type OpenExcel, openFeed, openOneByOne } from "../excel";
import { readSheet, toFinancial } from "../excel/sheet";
import { interleave, mapValues, median } from "../measure";
import { type Finding, type Row, toFinding } from "../row";
import { startSite } from "../site";

const GOAL_MS = 5;

/** The provider's latency for the single cells of a page; its first one is left out. */
const LATENCIES_MS = [20, 0, 0, 20, 20, 100, 100];

interface CellTime {
  latencyMs: number;
  tookMs: number;
}

export const COLD_CELL: Row = {
  name: "cold-cell",
  title: "One figure of a company that nobody has asked for before, with a token at hand",
  async measure({ browser, rounds }) {
    const site = await startSite();
    const { companyIds, years } = await readSheet(site.origin, LATENCIES_MS.length);
    const fill = (open: OpenExcel) => async (): Promise<CellTime[]> => {
      await site.order({ forget: true });
      const excel = await open(browser, site.origin);
      const taken: CellTime[] = [];
      for (const [nth, latencyMs] of LATENCIES_MS.entries()) {
        await site.order({ latencyMs });
        const { tookMs } = await excel.call([toFinancial(companyIds[nth]!, years[0]!, "Revenue")]);
        if (nth > 0) taken.push({ latencyMs, tookMs });
      }
      await excel.close();
      return taken;
    };
    const taken = await interleave(rounds, { FEED: fill(openFeed), floor: fill(openOneByOne) });
    site.close();
    return [0, 20, 100].map((latencyMs) => describe(latencyMs, taken));
  },
};

function describe(latencyMs: number, taken: Readonly<Record<"FEED" | "floor", readonly CellTime[][]>>): Finding {
  const samples = mapValues(taken, (all) =>
    all.flat().flatMap((each) => (each.latencyMs === latencyMs ? each.tookMs : [])),
  );
  const isReached = median(samples.FEED) - median(samples.floor) <= GOAL_MS;
  const goal = [`at most ${GOAL_MS} ms over the floor`, isReached] as const;
  return toFinding(`until the cell has its value, at ${latencyMs} ms latency`, "ms", samples, goal);
}
