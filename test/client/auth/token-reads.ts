import { awaitAnswer, type FeedOnSandbox, type FeedOnServer } from "../../support/feed";
import type { Answering, Received } from "../../support/http-server";

export const FINANCIALS = "/asia/private-markets/v1/financials";

/** Answers POST /financials with the requested companies, each with one year. */
export const answerFinancials = ({ body }: Received): Answering => {
  const { companyIds } = body as { companyIds: string[] };
  const data = companyIds.map((companyId) => ({ companyId, years: [] }));
  return { json: { data, page: 1, pageSize: data.length, total: data.length } };
};

export const bearerOf = ({ headers }: Received) => headers.authorization;

/** The ids of a number of companies, read before the count starts. */
export async function readIds(running: FeedOnSandbox, count: number): Promise<string[]> {
  const { rows } = await awaitAnswer(running.feed, running.feed.companies.querySearch({ country: "ALL" }, count));
  running.controls.reset();
  running.signed.length = 0;
  return rows.map(({ id }) => String(id));
}

export const loadMany = ({ feed }: FeedOnServer, count: number) =>
  Array.from({ length: count }, (_, index) => awaitAnswer(feed, feed.financials.query({ companyId: `c${index}` })));

export const countRequests = ({ server }: FeedOnServer, path: string): number =>
  server.requests.filter((request) => request.path === path).length;
