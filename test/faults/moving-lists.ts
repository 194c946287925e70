import { OPERATIONS } from "../../src/contract/constants";
import type { Answering, Received } from "../support/http-server";

/** A row of a list at one moment; `number` is 1 for the first in the provider's order. */
type ToRow = (number: number) => Record<string, unknown>;

/** How a provider's lists change while they are read. */
export interface Moving {
  /** Rows of each list. */
  count: number;
  /** The most rows of a page. */
  cap: number;
  /**
   * - rests: each page is of the same list
   * - drifts: a row enters before all others once the first page is read; the total shows it
   * - leaves: the tenth row vanishes once the first page is read; the total shows it
   * - swaps: rows on both sides of a page's start swap places for that page, the same each time
   * - shuffles: rows of equal rank, seven each, change order for each request
   * - omits: each page but the first omits its first row
   * - doubles: each page but the first repeats its first row in place of the next
   */
  manner: "rests" | "drifts" | "leaves" | "swaps" | "shuffles" | "omits" | "doubles";
}

/** A provider's lists of companies and rankings, which change as a test says. */
export interface MovingLists {
  moving: Moving;
  /** Answers a request for one of the lists; undefined for all others. */
  answer(request: Received): Answering | undefined;
  /** The number of requested pages. */
  requests: number;
}

const toId = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

const toRanked: ToRow = (number) => ({
  companyName: `Company ${number}`,
  tickerSymbol: number % 50 === 0 ? null : String(1000 + number),
  headquarters: "Tokyo",
  totalPageViews: 10_000 - Math.ceil(number / 10),
  totalUniquePageViews: 10,
  engagementTime: null,
  pages: {},
});

const toClassified: ToRow = (number) => ({
  companyId: toId(number),
  companyEnglishName: `Company ${number}`,
  countryCode: "JPN",
  taxonomy: [{ sectorId: "S", subSectorId: "B", industryId: "I", isPrimaryIndustry: true }],
});

const LISTS: Readonly<Record<string, ToRow>> = {
  [OPERATIONS.rankCompanies.path]: toRanked,
  [OPERATIONS.rankCompanyPages.path]: toRanked,
  [OPERATIONS.rankIndustries.path]: (number) => ({
    industryId: `I${number}`,
    industryName: `Industry ${number}`,
    totalPageViews: 10_000 - Math.ceil(number / 10),
  }),
  [OPERATIONS.searchCompanies.path]: (number) => ({ id: toId(number), companyName: `Company ${number}` }),
  [OPERATIONS.listTaxonomyCompanies.path]: toClassified,
  [OPERATIONS.listIndustryCompanies.path.replace("{industryId}", "I")]: toClassified,
};

export function createMovingLists(): MovingLists {
  const lists: MovingLists = {
    moving: { count: 1_500, cap: 5_000, manner: "rests" },
    requests: 0,
    answer({ method, path, query }) {
      const toRow = LISTS[path];
      if (method !== "GET" || toRow === undefined) return undefined;
      lists.requests++;
      const { count, cap, manner } = lists.moving;
      const page = Number(query.get("page") ?? 1);
      const pageSize = Math.min(Number(query.get("page_size") ?? 25), cap);
      const from = (page - 1) * pageSize;
      const order = toOrder(lists, from);
      const numbers = change(manner, from, order.slice(from, from + pageSize));
      const total = manner === "omits" || manner === "doubles" ? count : order.length;
      return { json: { data: numbers.map(toRow), page, pageSize, total } };
    },
  };
  return lists;
}

/** The numbers of the rows in the order for a page from there on. */
function toOrder({ moving: { count, manner }, requests }: MovingLists, from: number): number[] {
  const order = Array.from({ length: count }, (_, at) => at + 1);
  if (manner === "drifts" && from > 0) order.unshift(count + 1);
  if (manner === "leaves" && from > 0) order.splice(9, 1);
  if (manner === "swaps" && from > 0 && from < count) {
    [order[from - 1], order[from]] = [order[from] as number, order[from - 1] as number];
  }
  if (manner === "shuffles") {
    const toRank = (number: number) => Math.ceil(number / 7);
    const toPlace = (number: number) => (number * 7919 * (requests + 1)) % 1_009;
    order.sort((one, other) => toRank(one) - toRank(other) || toPlace(one) - toPlace(other));
  }
  return order;
}

function change(manner: Moving["manner"], from: number, numbers: number[]): number[] {
  const [first] = numbers;
  if (from === 0 || first === undefined) return numbers;
  if (manner === "omits") return numbers.slice(1);
  return manner === "doubles" ? [first, first, ...numbers.slice(2)] : numbers;
}
