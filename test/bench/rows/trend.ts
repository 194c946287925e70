import { OPERATIONS } from "../../../src/contract/constants";
import type { CompanyRankingPage } from "../../../src/contract/types";
import { createDirectReading } from "../../support/direct-reading";
import { openFeed } from "../excel";
import type { FillTimes } from "../excel/in-page/host";
import type { CellCall } from "../excel/sheet";
import { interleave, mapValues, median } from "../measure";
import type { Finding, Row } from "../row";
import { type Site, startSite } from "../site";

const LATENCY_MS = 20;
const LONGEST_BLOCK_MS = 50;
const WEEKS = "2024-W01:2024-W12";

interface Filled extends FillTimes {
  requests: number;
}

/** Heat maps of 48,000 ranks, and two whole rankings compared. */
export const TREND: Row = {
  name: "trend",
  title: "The ranks of 4,000 companies in twelve weeks, and the movers of 4,000",
  async measure({ browser, rounds }) {
    const site = await startSite();
    const tables = toTables(await listCompanies(site));
    const filled = await interleave(
      rounds,
      mapValues(tables, (call) => async (): Promise<Filled> => {
        await site.order({ forget: true });
        const excel = await openFeed(browser, site.origin);
        await site.order({ forget: true, latencyMs: LATENCY_MS });
        const times = await excel.call([call]);
        const requests = await site.order({});
        const [table] = (await excel.values()) as unknown[][];
        await excel.close();
        if (table?.length !== ROWS) throw new Error(`a table has ${table?.length} rows`);
        return { ...times, requests };
      }),
    );
    site.close();
    return Object.entries(filled).flatMap(([what, samples]) => toFindings(what, samples));
  },
};

/** The sample provider's listed companies, and a header row. */
const ROWS = 4_001;

async function listCompanies({ origin }: Site): Promise<CompanyRankingPage["data"]> {
  const read = await createDirectReading(origin);
  const query = "start_datetime=2024-03-18T00:00:00&end_datetime=2024-03-24T23:59:59&page=1&page_size=5000";
  return (await read<CompanyRankingPage>(`${OPERATIONS.rankCompanies.path}?${query}`)).data;
}

function toTables(companies: CompanyRankingPage["data"]): Record<string, CellCall> {
  const names = companies.map(({ companyName }) => [companyName]);
  return {
    "all companies": ["RANKING.TREND", [[["all"]], [[WEEKS]], null, null, null]],
    "4,000 names": ["RANKING.TREND", [names, [[WEEKS]], null, null, null]],
    "a page type": ["RANKING.TREND", [[["all"]], [[WEEKS]], null, "NEWS", null]],
    movers: ["RANKING.MOVERS", ["2024-W12", null, "all", null, null, null, null]],
  };
}

function toFindings(what: string, samples: readonly Filled[]): Finding[] {
  const pick = (part: keyof Filled) => ({ FEED: samples.map((each) => each[part]) });
  const own = pick("ownMs");
  const at = `at ${LATENCY_MS} ms latency`;
  return [
    { what: `${what}: until the table is there, ${at}`, unit: "ms", samples: pick("tookMs") },
    { what: `${what}: requests`, unit: "requests", samples: pick("requests") },
    {
      what: `${what}: longest task without the host's work, 0 where none took 50 ms`,
      unit: "ms",
      samples: own,
      goal: { text: `at most ${LONGEST_BLOCK_MS} ms`, isReached: median(own.FEED) <= LONGEST_BLOCK_MS },
    },
  ];
}
