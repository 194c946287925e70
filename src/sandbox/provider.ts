import type { Controls } from "./controls";
import { type CompanyIndex, createCompanyIndex } from "./data/companies";
import { createRankingIndex, type RankingIndex } from "./data/ranking-index";
import { createUniverse, type Universe } from "./data/universe";
import { refuseField } from "./errors";

/** The data behind the operations. */
export interface Provider {
  seed: number;
  controls: Controls;
  /** The clock in Unix milliseconds. */
  nowMs: () => number;
  /** How many weeks later than the clock's the data are. */
  weeks: () => number;
  companyIndex: CompanyIndex;
  universe: Universe;
  readonly rankingIndex: RankingIndex;
}

/** Creates the data of one seed; the rankings are created on first use. */
export function createProvider(
  seed: number,
  companies: number,
  controls: Controls,
  { nowMs, weeks = () => 0 }: { nowMs: () => number; weeks?: (() => number) | undefined },
): Provider {
  let rankingIndex: RankingIndex | undefined;
  return {
    seed,
    controls,
    nowMs,
    weeks,
    companyIndex: createCompanyIndex(seed, companies),
    universe: createUniverse(seed, companies),
    get rankingIndex() {
      rankingIndex ??= createRankingIndex(seed);
      return rankingIndex;
    },
  };
}

/** The paging parameters, with their defaults filled in. */
export interface PageQuery {
  page: number;
  page_size: number;
}

/** The paginated envelope (§2.1). */
interface Page<Item> {
  data: Item[];
  page: number;
  pageSize: number;
  total: number;
}

/** Something that can be paged without being made as a whole. */
export interface Pageable<Item> {
  total: number;
  create(place: number): Item;
}

const range = (from: number, to: number) => Array.from({ length: Math.max(to - from, 0) }, (_, nth) => from + nth);

/**
 * Makes one page; a page past the end is empty.
 * The document shows no limits (§8): page and page_size below 1 are refused here, and no size is too large.
 */
export function createPage<Item>(pageable: Pageable<Item>, query: PageQuery, controls: Controls): Page<Item> {
  if (query.page < 1) throw refuseField("page", "must be 1 or more");
  if (query.page_size < 1) throw refuseField("page_size", "must be 1 or more");
  const { pageCap, pageSizeRefusedAbove } = controls;
  if (pageSizeRefusedAbove !== null && query.page_size > pageSizeRefusedAbove) {
    throw refuseField("page_size", `must be ${pageSizeRefusedAbove} or less`);
  }
  const { page } = query;
  const pageSize = pageCap === null ? query.page_size : Math.min(query.page_size, pageCap);
  const from = (page - 1) * pageSize;
  const data = range(from, Math.min(from + pageSize, pageable.total)).map(pageable.create);
  return { data, page, pageSize, total: pageable.total };
}
