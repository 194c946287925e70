import { OPERATIONS } from "../../../src/contract/constants";
import { type PlainProvider, startPlainProvider } from "../../support/plain-provider";
import { openPage, type Page } from "../../support/scripted-formulas";

type Row = Record<string, unknown>;

export type TrendBed = Awaited<ReturnType<typeof createTrendBed>>;

const NAMES = new Map<string, string>([
  [OPERATIONS.rankCompanies.path, "companies"],
  [OPERATIONS.rankCompanyPages.path, "company-pages"],
  [OPERATIONS.rankIndustries.path, "industries"],
]);

/** Starts a provider whose rankings a test sets by their first day; gives a page that reads it. */
export async function createTrendBed() {
  const provider: PlainProvider = await startPlainProvider();
  const bed = {
    ...({} as { page: Page }),
    /** Rows by first day; a day without rows has an empty ranking. */
    rankings: {} as Record<string, readonly Row[]>,
    /** Status of the answers by first day; default 200. */
    statuses: {} as Record<string, number>,
    /** Pages after the first wait for it; null for none. */
    gate: null as Promise<void> | null,
    /** The most rows of a page. */
    cap: Number.POSITIVE_INFINITY,
  };
  provider.answer = async ({ query }) => {
    const day = String(query.get("start_datetime")).slice(0, 10);
    const status = bed.statuses[day];
    if (status !== undefined) return { status, json: {} };
    const rows = bed.rankings[day] ?? [];
    const [page, pageSize] = [Number(query.get("page")), Math.min(Number(query.get("page_size")), bed.cap)];
    if (page > 1) await bed.gate;
    return { json: { data: rows.slice((page - 1) * pageSize, page * pageSize), page, pageSize, total: rows.length } };
  };
  return Object.assign(bed, {
    /** The ends of what was requested: path, first day, page and page size. */
    reads: () =>
      provider.reads.map(({ path, query }) => {
        const day = query.get("start_datetime")?.slice(0, 10);
        return `${NAMES.get(path)} ${day} ${query.get("page")}/${query.get("page_size")}`;
      }),
    /** Types a formula and gives what it shows at the end. */
    async show(name: string, ...parameters: unknown[]): Promise<readonly (readonly unknown[])[]> {
      const cell = bed.page.formulas.type(name, ...parameters);
      await bed.page.rest();
      return cell.shown.at(-1) ?? [];
    },
    /** Opens another page, at this time. */
    async open(startMs?: number) {
      bed.page?.close();
      provider.reads.length = 0;
      bed.page = await openPage(provider.origin, startMs === undefined ? {} : { startMs });
      await bed.page.formulas.session.connect();
    },
    async close() {
      bed.page.close();
      await provider.close();
    },
  });
}

/** A company's row; its ticker is made of its number. */
export const company = (number: number, views = 10_000 - number, more: Row = {}): Row => ({
  companyName: `Company ${number}`,
  tickerSymbol: String(1_000 + number),
  headquarters: "Tokyo",
  totalPageViews: views,
  totalUniquePageViews: Math.floor(views / 2),
  engagementTime: null,
  ...more,
});

/** Numbers from 1. */
export const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);
