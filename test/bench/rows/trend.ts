import { OPERATIONS } from "../../../src/contract/constants";
import type { CompanyRankingPage } from "../../../src/contract/types";
import { listAnswers } from "../../e2e/persisted-answers";
import { createDirectReading } from "../../support/direct-reading";
import { until } from "../../support/until";
import { type CountedFill, type ExcelPage, openFeed, openPane } from "../excel";
import type { CellCall } from "../excel/sheet";
import { interleave, mapValues, median } from "../measure";
import { type Bench, type Finding, type Row, toFinding, toMost } from "../row";
import { type Site, startSite } from "../site";

const LATENCY_MS = 20;
const LONGEST_BLOCK_MS = 50;
const WEEKS = "2024-W01:2024-W12";
const WEEKS_LATER = "2024-W02:2024-W13";
const WEEK_COUNT = 12;
const MOST_REQUESTS = { atFirst: 60, later: 5 };

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
    const filled = await interleave(rounds, {
      ...mapValues(tables, (wanted) => () => fillFirst(browser, site, wanted)),
      "a page type, reopened a week later": () => fillLater(browser, site),
    });
    site.close();
    return Object.entries(filled).flatMap(([what, samples]) => toFindings(what, samples));
  },
};

/** Fills a table in a page with nothing persisted. */
async function fillFirst(browser: Bench["browser"], site: Site, wanted: Wanted): Promise<CountedFill> {
  await site.order({ forget: true });
  const excel = await openFeed(browser, site.origin);
  const filled = await fill(excel, site, wanted);
  await excel.close();
  return filled;
}

/** Fills the trend of a page type, and again for a week more once its answers are persisted and the page is reopened. */
async function fillLater(browser: Bench["browser"], site: Site): Promise<CountedFill> {
  await site.order({ forget: true });
  const excel = await openFeed(browser, site.origin);
  await fill(excel, site, toTrend([["all"]], "NEWS"));
  const isOfPages = (key: string) => key.includes("rankCompanyPages");
  await until(async () => (await listAnswers(excel.page)).filter(isOfPages).length >= WEEK_COUNT);
  await openPane(excel.page, site.origin);
  const filled = await fill(excel, site, toTrend([["all"]], "NEWS", WEEKS_LATER));
  await excel.close();
  return filled;
}

async function fill(excel: ExcelPage, site: Site, { call, rows }: Wanted): Promise<CountedFill> {
  const filled = await site.count({ latencyMs: LATENCY_MS }, () => excel.call([call], rows));
  const [table] = await excel.values();
  assertHas(table, rows);
  return filled;
}

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

const toTrend = (named: string[][], by: string | null, weeks = WEEKS): Wanted => ({
  call: ["RANKING.TREND", [named, [[weeks]], null, by, null]],
  rows: ROWS,
});

function toFindings(what: string, samples: readonly CountedFill[]): Finding[] {
  const pick = (part: keyof CountedFill) => ({ FEED: samples.map((each) => each[part]) });
  const [own, requests] = [pick("ownMs"), pick("requests")];
  const most = what.endsWith("later") ? MOST_REQUESTS.later : MOST_REQUESTS.atFirst;
  const task = `${what}: longest task without the host's work, 0 where none took 50 ms`;
  return [
    toFinding(`${what}: until the table is there, at ${LATENCY_MS} ms latency`, "ms", pick("tookMs")),
    toFinding(`${what}: requests`, "requests", requests, toMost(most, "requests", requests.FEED)),
    toFinding(task, "ms", own, toMost(LONGEST_BLOCK_MS, "ms", [median(own.FEED)])),
  ];
}
