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
const forbidden: Answering = { status: 403, json: {} };
const refused: Answering = { status: 400, json: { error: { code: "INVALID", message: "country must not be ALL" } } };
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
const figuresOf = (registrationNumber: string) =>
  load(({ financials }) => financials.query({ registrationNumber })).then(({ companyId }) => companyId);
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

  it.each([
    ["are forbidden", forbidden],
    ["are refused", refused],
    ["find no company", nobody],
    ["answer 404", { status: 404, json: {} }],
    ["give none and count one", page([], 1)],
    ["are cut through a company's years", page([figures, figures], 3)],
    ["are those of 25 companies", page(Array.from({ length: 25 }, (_, index) => ({ companyId: `c${index}` })))],
  ])("comes from the search if financials %s", async (_, financials) => {
    await start({ financials, search: page([record]) });
    expect(await figuresOf("0107")).toBe("b");
    expect(listRequests()).toEqual(["POST /financials", "GET /companies", "GET /financials/companies/b"]);
  });

  it.each([
    ["is forbidden", forbidden, 1],
    ["is refused in either page size", refused, 2],
    ["finds no company", nobody, 1],
  ])("comes from financials if the search over all countries %s", async (_, search, searches) => {
    await start({ financials: page([figures]), search });
    expect(await idOf("0107")).toBe("a");
    expect(listRequests()).toEqual([...Array(searches).fill("GET /companies"), "POST /financials"]);
  });

  it.each([
    ["0107", "107"],
    ["107", "0107"],
    ["107", 1070],
    ["0107", null],
  ])("of %j is never that of a company with %j, found by another of its ids", async (requested, own) => {
    await start({ search: page([{ id: "b", registrationNumber: own }, { id: "d" }]) });
    await expect(idOf(requested)).rejects.toMatchObject({
      code: "FEED_NOT_FOUND",
      message: expect.stringContaining(`"${requested}"`),
    });
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

  const many = Array.from({ length: 100 }, (_, index) => ({ id: `c${index}`, registrationNumber: String(index) }));
  const banyan = { ...record, companyName: "Banyan", registeredAddress: { country: "SGP" } };
  it.each<[string, Script, "id" | "figures", string, string]>([
    [
      "is not guessed from one country if both routes fail",
      { financials: forbidden, search: forbidden },
      "id",
      "FEED_SCOPE_MISSING",
      'this client may not search all countries for the registration number "0107"',
    ],
    [
      "is ambiguous if financials of two companies come for one number",
      { financials: page([figures, { companyId: "c", years: [] }]), search: page([banyan]) },
      "figures",
      "FEED_AMBIGUOUS",
      '"0107" names 3 companies: "a"; "c"; "b" (Banyan, SGP); put one of the quoted ids in place of the number',
    ],
    [
      "is ambiguous if the total counts more companies than came",
      { financials: page([figures], 2) },
      "figures",
      "FEED_AMBIGUOUS",
      '"0107" names 2 companies: "a" and 1 more; put one of the quoted ids in place of the number',
    ],
    [
      "is not taken from a search that ignores the number",
      { financials: forbidden, search: page(many, 5_000) },
      "id",
      "FEED_AMBIGUOUS",
      "gives 100 companies or more, too many to tell; use the company's id",
    ],
  ])("%s", async (_, script, kind, code, message) => {
    await start(script);
    const failed = kind === "id" ? idOf("0107") : figuresOf("0107");
    await expect(failed).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it.each([
    ["both are forbidden", forbidden, forbidden, "FEED_SCOPE_MISSING"],
    ["financials know nobody and the search is forbidden", nobody, forbidden, "FEED_SCOPE_MISSING"],
    ["financials are forbidden and the search knows nobody", forbidden, nobody, "FEED_NOT_FOUND"],
    ["financials are forbidden and the search is refused", forbidden, refused, "FEED_REQUEST_INVALID"],
    ["both know nobody", nobody, nobody, "FEED_NOT_FOUND"],
    ["financials count one and give none and the search knows nobody", page([], 1), nobody, "FEED_RESPONSE_MALFORMED"],
  ])("if %s is the failure %4$s, for financials too", async (_, financials, search, code) => {
    await start({ financials, search });
    expect(await settle<unknown>([idOf("7"), figuresOf("7"), recordOf("7")])).toEqual([code, code, code]);
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
