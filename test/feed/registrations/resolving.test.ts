import { afterEach, describe, expect, it } from "@jest/globals";
import type { CompanyRef } from "../../../src/client/ids";
import type { Feed } from "../../../src/feed/feed";
import type { Query } from "../../../src/feed/query-cache";
import { awaitAnswer, type FeedOnServer, listen, settle, startFeedOn } from "../../support/feed";
import type { Answering, Received } from "../../support/http-server";

const FAMILY = "/asia/private-markets/v1";
const page = (data: unknown[], total: unknown = data.length): Answering => ({
  json: { data, page: 1, pageSize: 100, total },
});
const nobody = page([]);
const record = { id: "b", registrationNumber: "0107" };
const figures = { companyId: "a", years: [{ year: 2022 }, { year: 2023 }] };

interface Script {
  /** Answer of POST /financials; default no company. */
  financials?: Answering | ((request: Received) => Answering);
  /** Answer of the search; default no company. */
  search?: Answering | ((request: Received) => Answering);
}

let running: FeedOnServer;
afterEach(() => running.close());

async function start({ financials = nobody, search = nobody }: Script): Promise<void> {
  const play = (answer: Answering | ((request: Received) => Answering), request: Received) =>
    typeof answer === "function" ? answer(request) : answer;
  running = await startFeedOn((request) => {
    const { path } = request;
    const id = path.split("/").at(-1);
    if (path === `${FAMILY}/financials`) return play(financials, request);
    if (path === `${FAMILY}/companies`) return play(search, request);
    if (path.startsWith(`${FAMILY}/companies/`)) return { json: { id } };
    return path.startsWith(`${FAMILY}/financials/`) ? { json: { companyId: id, years: [] } } : undefined;
  });
}

const load = <T>(toQuery: (feed: Feed) => Query<T>) => awaitAnswer(running.feed, toQuery(running.feed));
const idOf = (company: CompanyRef | string) =>
  load(({ companies }) => companies.queryId(typeof company === "string" ? { registrationNumber: company } : company));
const recordOf = (registrationNumber: string) => load(({ companies }) => companies.queryOf({ registrationNumber }));
const listRequests = () => running.requests().map(({ method, path }) => `${method} ${path.slice(FAMILY.length)}`);

describe("a company's id", () => {
  it("given as an id costs nothing", async () => {
    await start({});
    expect(await idOf({ companyId: "A" })).toBe("A");
    expect(listRequests()).toEqual([]);
  });

  it("costs one search by number, which also brings the record", async () => {
    await start({ search: page([record]) });
    const answers = await Promise.all([idOf("0107"), idOf("0107"), recordOf("0107")]);
    expect(answers).toEqual(["b", "b", record]);
    expect(listRequests()).toEqual(["GET /companies"]);
    const query = { country: "ALL", identifier: "0107", page: "1", page_size: "100" };
    expect(Object.fromEntries(running.requests()[0]?.query ?? [])).toEqual(query);
  });

  it("costs one POST by number for financials, which brings them for any number of years", async () => {
    await start({ financials: page([figures]) });
    const years = [2022, 2023, null].map((year) =>
      load(({ financials }) => financials.query({ registrationNumber: "0107" }, { year })),
    );
    expect((await Promise.all(years)).map(({ companyId }) => companyId)).toEqual(["a", "a", "a"]);
    expect(listRequests()).toEqual(["POST /financials"]);
    expect(running.requests()[0]?.body).toEqual({ identifiers: ["0107"] });
  });

  it("by number leaves a record read by id unchanged", async () => {
    await start({ search: page([record]) });
    const readById = () => load(({ companies }) => companies.query("b"));
    await readById();
    await recordOf("0107");
    expect(await readById()).toEqual({ id: "b" });
    expect(listRequests()).toEqual(["GET /companies/b", "GET /companies"]);
  });

  it.each(["b", "B"])("is an error if a search has the number twice, as b and %s: a row may be missing", async (id) => {
    await start({ search: page([record, { ...record, id }]) });
    await expect(idOf("0107")).rejects.toMatchObject({ code: "FEED_RESPONSE_MALFORMED" });
  });

  it("is not taken from an incomplete search, which may hide a company", async () => {
    const search = ({ query }: Received) => (query.get("page") === "1" ? page([record], 2) : page([], 2));
    await start({ financials: page([figures]), search });
    expect(await settle<unknown>([idOf("0107")])).toEqual(["FEED_RESPONSE_MALFORMED"]);
    expect(listRequests()).not.toContain("POST /financials");
  });

  it("is not taken from a search that ignores the number", async () => {
    const many = Array.from({ length: 100 }, (_, index) => ({ id: `c${index}`, registrationNumber: String(index) }));
    await start({ financials: { status: 403, json: {} }, search: page(many, 5_000) });
    await expect(idOf("0107")).rejects.toMatchObject({
      code: "FEED_AMBIGUOUS",
      message: expect.stringContaining("gives 100 companies or more, too many to tell; use the company's id"),
    });
  });

  it("that was not found is resolved again at a refresh; a found one is not", async () => {
    await start({ search: ({ query }) => (query.get("identifier") === "0107" ? page([record]) : nobody) });
    const { companies, queryCache } = running.feed;
    for (const registrationNumber of ["0107", "2"]) listen(running.feed, companies.queryId({ registrationNumber }));
    await settle<unknown>([idOf("0107"), idOf("2")]);
    await running.clock.advance(2_000);
    const before = listRequests().length;
    await queryCache.refresh();
    const later = running.requests().slice(before);
    expect(later.map(({ body, query }) => body || query.get("identifier"))).toEqual(["2", { identifiers: ["2"] }]);
  });

  it("is resolved again when the client has changed", async () => {
    await start({ search: page([record]) });
    await idOf("0107");
    await running.clock.advance(2_000);
    running.feed.reset();
    await idOf("0107");
    expect(listRequests()).toEqual(["GET /companies", "GET /companies"]);
  });
});
