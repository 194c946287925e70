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

/** What a call gives: its rows, with a header. */
interface Wanted {
  call: CellCall;
  rows: number;
}

/** The ranks of twelve weeks, two whole rankings compared, and the heat map of 50,000 cells by page type. */
export const TREND: Row = {
  name: "trend",
  title: "The ranks of 4,000 companies in twelve weeks, the movers of 4,000, and a heat map of 2,780 by 18 page types",
  async measure({ browser, rounds }) {
    const site = await startSite();
    const tables = toTables(await listCompanies(site));
    const filled = await interleave(
      rounds,
      mapValues(tables, ({ call, rows }) => async (): Promise<Filled> => {
        await site.order({ forget: true });
        const excel = await openFeed(browser, site.origin);
        await site.order({ forget: true, latencyMs: LATENCY_MS });
        const times = await excel.call([call], rows);
        const requests = await site.order({});
        const [table] = await excel.values();
        await excel.close();
        assertHas(table, rows);
        return { ...times, requests };
      }),
    );
    site.close();
    return Object.entries(filled).flatMap(([what, samples]) => toFindings(what, samples));
  },
};

/** The sample provider's listed companies, and a header row. */
const ROWS = 4_001;

/** Rows of a heat map: 50,000 cells in the columns of the 18 page types. */
const HEAT_ROWS = 2_780;

/** A cell that is late shows an error first. @throws Error with the cell's own words */
function assertHas(table: unknown, rows: number): void {
  if (!Array.isArray(table)) throw new Error(`a cell shows no table but ${JSON.stringify(table)}`);
  if (table.length !== rows) throw new Error(`a table has ${table.length} rows, not ${rows}`);
}

async function listCompanies({ origin }: Site): Promise<CompanyRankingPage["data"]> {
  const read = await createDirectReading(origin);
  const query = "start_datetime=2024-03-18T00:00:00&end_datetime=2024-03-24T23:59:59&page=1&page_size=5000";
  return (await read<CompanyRankingPage>(`${OPERATIONS.rankCompanies.path}?${query}`)).data;
}

function toTables(companies: CompanyRankingPage["data"]): Record<string, Wanted> {
  const names = companies.map(({ companyName }) => [companyName]);
  const toTrend = (named: string[][], by: string | null): Wanted => ({
    call: ["RANKING.TREND", [named, [[WEEKS]], null, by, null]],
    rows: ROWS,
  });
  return {
    "all companies": toTrend([["all"]], null),
    "4,000 names": toTrend(names, null),
    "a page type": toTrend([["all"]], "NEWS"),
    movers: { call: ["RANKING.MOVERS", ["2024-W12", null, "all", null, null, null, null]], rows: ROWS },
    "heat map": {
      call: ["RANKING.PAGES", ["2024-03-18", "2024-03-24", null, HEAT_ROWS, null, true]],
      rows: HEAT_ROWS + 1,
    },
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
