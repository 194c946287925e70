import { type OpenExcel, openBare, openFeed } from "../excel";
import { readSheet, toFinancial } from "../excel/sheet";
import { interleave, mapValues, median } from "../measure";
import type { Finding, Row } from "../row";
import { startSite } from "../site";

const GOAL_MS = 5;

/** The provider's latency for the single cells of a page. */
const LATENCIES_MS = [20, 0, 0, 20, 20, 100, 100];

interface CellTime {
  latencyMs: number;
  /** The page has sent no request before. */
  isFirst: boolean;
  tookMs: number;
}

const openRequest: OpenExcel = (browser, origin) => openBare(browser, origin, () => window.contenders.oneByOne(), null);

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
        const { tookMs } = await excel.call([toFinancial(companyIds[nth] as string, years[0] as number, "Revenue")]);
        taken.push({ latencyMs, isFirst: nth === 0, tookMs });
      }
      await excel.close();
      return taken;
    };
    const taken = await interleave(rounds, { FEED: fill(openFeed), floor: fill(openRequest) });
    site.close();
    return toFindings(mapValues(taken, (each) => each.flat()));
  },
};

function toFindings(taken: Readonly<Record<"FEED" | "floor", readonly CellTime[]>>): Finding[] {
  const toFinding = (what: string, isMeant: (taken: CellTime) => boolean): Finding => {
    const samples = mapValues(taken, (all) => all.filter(isMeant).map(({ tookMs }) => tookMs));
    const isReached = median(samples.FEED) - median(samples.floor) <= GOAL_MS;
    return { what, unit: "ms", samples, goal: { text: `at most ${GOAL_MS} ms over the floor`, isReached } };
  };
  const later = [...new Set(LATENCIES_MS)]
    .sort((one, other) => one - other)
    .map((latencyMs) =>
      toFinding(`until the cell has its value, at ${latencyMs} ms latency`, (each) => {
        return !each.isFirst && each.latencyMs === latencyMs;
      }),
    );
  return [
    ...later,
    toFinding(`the same for a page's first cell, at ${LATENCIES_MS[0]} ms latency`, ({ isFirst }) => isFirst),
  ];
}
