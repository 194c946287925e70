// Runs in a page with the genuine Office.js and none of our code; imports types alone.
import type { CompanyPageRanking, CompanyRanking } from "../../../../src/contract/types";

declare global {
  interface Window {
    /** Answers RANKING and RANKING.PAGES in the fewest lines. */
    answerRankings(): void;
  }
}

type Invocation = CustomFunctions.StreamingInvocation<unknown[][]>;
type Ranked = Pick<CompanyRanking, "companyName" | "tickerSymbol" | "headquarters">;

interface Page<Row> {
  data: Row[];
  total: number;
}

const PAGE_SIZE = 1_000;
const HEADERS = ["rank", "companyName", "tickerSymbol", "headquarters", "statistics"];

function toTable<Row extends Ranked>(rows: readonly Row[], toStatistics: (row: Row) => object | null): unknown[][] {
  const body = rows.map((row, index) => {
    const statistics = Object.values(toStatistics(row) ?? {}).flatMap((value) =>
      typeof value === "object" && value !== null ? Object.values(value) : [value],
    );
    return [index + 1, row.companyName, row.tickerSymbol, row.headquarters, ...statistics];
  });
  const width = Math.max(...body.map(({ length }) => length));
  return [HEADERS, ...body].map((row) => Array.from({ length: width }, (_, place) => row[place] ?? ""));
}

const toPath = (resource: string, [start, end]: readonly [string, string], page: number, size: number) =>
  `/japan/ranking/v1/${resource}?start_datetime=${start}T00:00:00&end_datetime=${end}T23:59:59&page=${page}&page_size=${size}`;

/** The first page tells the number of pages; all others are requested at once. */
async function showCompanies(start: string, end: string, invocation: Invocation): Promise<void> {
  const { read } = window.contenders;
  const readPage = (page: number) => read<Page<CompanyRanking>>(toPath("companies", [start, end], page, PAGE_SIZE));
  const show = (pages: readonly Page<CompanyRanking>[]) =>
    invocation.setResult(
      toTable(
        pages.flatMap(({ data }) => data),
        ({ totalPageViews, totalUniquePageViews, engagementTime }) => ({
          totalPageViews,
          totalUniquePageViews,
          ...engagementTime,
        }),
      ),
    );
  const first = await readPage(1);
  show([first]);
  const others = Array.from({ length: Math.ceil(first.total / PAGE_SIZE) - 1 }, (_, nth) => readPage(nth + 2));
  show([first, ...(await Promise.all(others))]);
}

/** One answer has all page types of a ranking. */
const answers = new Map<string, Promise<Page<CompanyPageRanking>>>();

async function showPages(start: string, end: string, type: string, invocation: Invocation): Promise<void> {
  const path = toPath("company-pages", [start, end], 1, 100);
  const answer = answers.get(path) ?? window.contenders.read<Page<CompanyPageRanking>>(path);
  answers.set(path, answer);
  const { data } = await answer;
  invocation.setResult(toTable(data, ({ pages }) => (pages as Record<string, object | null>)[type] ?? null));
}

window.answerRankings = () => {
  CustomFunctions.associate(
    "RANKING",
    (start: string, end: string, _top: string, _fields: null, _by: null, _headers: null, invocation: Invocation) =>
      void showCompanies(start, end, invocation),
  );
  CustomFunctions.associate(
    "RANKING.PAGES",
    (start: string, end: string, type: string, _top: null, _fields: null, _headers: null, invocation: Invocation) =>
      void showPages(start, end, type, invocation),
  );
};
