import type { OperationId, Provider } from "../client/provider";
import { decodePage } from "./decode";
import { createLoadPage, type List, loadPages, type PageLimits } from "./pages";
import { isPastRange } from "./persistence-policy";
import type { Query } from "./query-cache";

/** A range of a ranking: date-times as `yyyy-MM-ddTHH:mm:ss`, which are sent as they are (§4.4). */
export interface RankingRange {
  start: string;
  end: string;
}

export interface RankingQueries {
  /**
   * Gives the query for listed companies by page views (§4.4), in the provider's order.
   *
   * @param wanted rows from the top, 1 or more, or "all"
   */
  queryCompanies(range: RankingRange, wanted: number | "all"): Query<List>;
  /** Gives the query for listed companies with a breakdown by page type (§4.4). */
  queryCompanyPages(range: RankingRange, wanted: number | "all"): Query<List>;
  /** Gives the query for industries by page views (§4.4). */
  queryIndustries(range: RankingRange, wanted: number | "all"): Query<List>;
}

export function createRankings(provider: Provider, limits: PageLimits): RankingQueries {
  const queryRanking = (operation: OperationId) => {
    return ({ start, end }: RankingRange, wanted: number | "all"): Query<List> => ({
      key: [operation, start, end, wanted],
      persistence: { family: "rankings", isClosed: (nowMs) => isPastRange(end, nowMs) },
      load: ({ expect, ...loading }) =>
        loadPages({
          wanted,
          advance: loading.advance,
          expect,
          limit: limits.of(operation),
          loadPage: createLoadPage(
            provider,
            { operation, query: { start_datetime: start, end_datetime: end } },
            loading,
            (body) => decodePage(body, "ranking"),
          ),
        }),
    });
  };
  return {
    queryCompanies: queryRanking("rankCompanies"),
    queryCompanyPages: queryRanking("rankCompanyPages"),
    queryIndustries: queryRanking("rankIndustries"),
  };
}
