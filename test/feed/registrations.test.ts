import { afterEach, describe, expect, it } from "@jest/globals";
import type { CompanyRef } from "../../src/feed/company-ref";
import { createRegistrations, isRegistration } from "../../src/feed/registrations";
import { ask, type FeedOnServer, settle, startFeedOn } from "../support/feed";
import type { Answering, Received } from "../support/http-server";

describe("what is known of registration numbers", () => {
  it("is the company of a number as written, spaces around it and letter case aside", () => {
    const registrations = createRegistrations();
    registrations.learn(" ab0107 ", "A");
    expect(["AB0107", "ab0107", "ab107", "0107", "A B0107"].map(registrations.find)).toEqual([
      "A",
      "A",
      null,
      null,
      null,
    ]);
  });

  it("is one company by its id in any letter case, and none where there are several", () => {
    const registrations = createRegistrations();
    registrations.learn("7", "A");
    registrations.learn("7", "a");
    expect(registrations.find("7")).toBe("A");
    registrations.learn("7", "b");
    expect([registrations.find("7"), registrations.list("7")]).toEqual([null, ["A", "b"]]);
    registrations.forget();
    expect([registrations.find("7"), registrations.list("7")]).toEqual([null, []]);
  });

  it.each([
    ["0107", "0107", true],
    [" ab1 ", "AB1", true],
    [107, "107", true],
    ["107", "0107", false],
    [107, "0107", false],
    [null, "null", false],
    [undefined, "", false],
    [{}, "[object Object]", false],
  ])("%j of an answer is the number %j: %p", (value, registrationNumber, is) => {
    expect(isRegistration(value, registrationNumber)).toBe(is);
  });
});

describe("a company's id", () => {
  let running: FeedOnServer;
  afterEach(() => running.close());

  const FAMILY = "/asia/private-markets/v1";
  const page = (data: unknown[], total = data.length): Answering => ({ json: { data, page: 1, pageSize: 100, total } });
  const forbidden: Answering = { status: 403, json: {} };
  interface Script {
    /** Answer of POST /financials; default nobody. */
    financials?: Answering | ((request: Received) => Answering);
    /** Answer of the search; default nobody. */
    search?: Answering;
  }
  const start = async ({ financials = page([]), search = page([]) }: Script) => {
    running = await startFeedOn((request) => {
      if (request.method === "POST" && request.path === `${FAMILY}/financials`)
        return typeof financials === "function" ? financials(request) : financials;
      if (request.path === `${FAMILY}/companies`) return search;
      if (request.path.startsWith(`${FAMILY}/companies/`)) return { json: { id: request.path.split("/").at(-1) } };
      if (request.path.startsWith(`${FAMILY}/financials/`))
        return { json: { companyId: request.path.split("/").at(-1), years: [] } };
      return undefined;
    });
  };
  const idOf = (company: CompanyRef | string) =>
    ask(
      running.feed,
      running.feed.companies.askId(typeof company === "string" ? { registrationNumber: company } : company),
    );
  const asked = () => running.requests().map(({ method, path }) => `${method} ${path.slice(FAMILY.length)}`);

  it("that is given as an id costs nothing", async () => {
    await start({});
    expect(await idOf({ companyId: "A" })).toBe("A");
    expect(asked()).toEqual([]);
  });

  it("costs one request by number, however many ask and in whichever way", async () => {
    await start({ financials: page([{ companyId: "a", years: [{ year: 2022 }, { year: 2023 }] }]) });
    const ref = { registrationNumber: "0107" };
    const { companies, financials } = running.feed;
    const answers = await Promise.all([
      idOf("0107"),
      idOf("0107"),
      ask(running.feed, financials.ask(ref, { year: 2023 })),
      ask(running.feed, financials.ask(ref)),
      ask(running.feed, companies.askOf(ref)),
    ]);
    expect(answers.slice(0, 2)).toEqual(["a", "a"]);
    expect(asked()).toEqual(["POST /financials", "GET /companies/a"]);
    expect(running.requests()[0]?.body).toEqual({ identifiers: ["0107"] });
  });

  it("that is known of a number costs nothing, and serves financials and the company itself", async () => {
    await start({});
    running.feed.registrations.learn("0107", "a");
    const ref = { registrationNumber: "0107" };
    expect(await idOf("0107")).toBe("a");
    expect((await ask(running.feed, running.feed.financials.ask(ref))).companyId).toBe("a");
    expect((await ask(running.feed, running.feed.companies.askOf(ref))).id).toBe("a");
    expect(asked()).toEqual(["GET /financials/companies/a", "GET /companies/a"]);
  });

  it("that is known of a number finds the answers that were read by id", async () => {
    await start({});
    await ask(running.feed, running.feed.companies.ask("a"));
    await ask(running.feed, running.feed.financials.ask({ companyId: "A" }));
    running.feed.registrations.learn("0107", "A");
    const ref = { registrationNumber: "0107" };
    await ask(running.feed, running.feed.companies.askOf(ref));
    await ask(running.feed, running.feed.financials.ask(ref));
    await ask(running.feed, running.feed.financials.ask(ref, { year: 2023 }));
    expect(asked()).toEqual(["GET /companies/a", "GET /financials/companies/A"]);
  });

  it.each([
    ["are forbidden", forbidden],
    ["know nobody", page([])],
    ["know nobody by 404", { status: 404, json: {} }],
  ])("is the search's where financials %s", async (_, financials) => {
    await start({ financials, search: page([{ id: "b", registrationNumber: "0107" }]) });
    expect(await idOf("0107")).toBe("b");
    expect(asked()).toEqual(["POST /financials", "GET /companies"]);
    expect(Object.fromEntries(running.requests()[1]?.query ?? [])).toEqual({
      country: "ALL",
      identifier: "0107",
      page: "1",
      page_size: "100",
    });
    expect(running.feed.registrations.find("0107")).toBe("b");
  });

  it("is never that of a company with another number, as found by another id of it", async () => {
    await start({
      financials: forbidden,
      search: page([{ id: "b", registrationNumber: "107" }, { id: "c", registrationNumber: null }, { id: "d" }]),
    });
    await expect(idOf("0107")).rejects.toMatchObject({
      code: "FEED_NOT_FOUND",
      message: expect.stringContaining('"0107"'),
    });
    expect(running.feed.registrations.list("0107")).toEqual([]);
  });

  it("is that of the one row with the very number, among others and twice in one answer", async () => {
    const rows = [
      { id: "x", registrationNumber: "107" },
      { id: "b", registrationNumber: " Ab0107 " },
      { id: "B", registrationNumber: "AB0107" },
    ];
    await start({ financials: forbidden, search: page(rows) });
    expect(await idOf("ab0107")).toMatch(/^b$/i);
  });

  it.each([
    ["financials", { financials: page([{ companyId: "a" }, { companyId: "b" }]) }],
    [
      "the search",
      {
        financials: forbidden,
        search: page([
          { id: "a", registrationNumber: "7" },
          { id: "b", registrationNumber: "7" },
        ]),
      },
    ],
  ])("of a number that two companies of %s have is none of theirs", async (_, script: Script) => {
    await start(script);
    const failure = { code: "FEED_AMBIGUOUS", message: '"7" names 2 companies; use one of the ids a, b' };
    await expect(idOf("7")).rejects.toMatchObject(failure);
    await expect(ask(running.feed, running.feed.companies.askOf({ registrationNumber: "7" }))).rejects.toMatchObject(
      failure,
    );
  });

  it("of a number that two companies are known to have is none of theirs, and nothing is asked", async () => {
    await start({});
    running.feed.registrations.learn("7", "a");
    running.feed.registrations.learn("7", "b");
    const ref = { registrationNumber: "7" };
    const answers = [idOf("7"), ask(running.feed, running.feed.financials.ask(ref))];
    expect(await settle<unknown>(answers)).toEqual(["FEED_AMBIGUOUS", "FEED_AMBIGUOUS"]);
    expect(asked()).toEqual([]);
  });

  it("of a number that an answer gave to two companies stays ambiguous, whatever a list of one country has", async () => {
    const both = ["a", "b"].map((companyId) => ({ companyId, years: [] }));
    await start({ financials: page(both) });
    expect(await settle<unknown>([idOf("7")])).toEqual(["FEED_AMBIGUOUS"]);
    running.feed.registrations.learn("7", "a");
    expect(running.feed.registrations.find("7")).toBeNull();
    expect(running.feed.registrations.list("7")).toEqual(["a", "b"]);
    running.feed.reset();
    expect(running.feed.registrations.list("7")).toEqual([]);
  });

  it("is looked for in the search where financials answer with the companies of others", async () => {
    const others = Array.from({ length: 25 }, (_, index) => ({ companyId: `c${index}`, years: [] }));
    await start({ financials: page(others), search: page([{ id: "a", registrationNumber: "7" }]) });
    expect(await settle<unknown>([idOf("7")])).toEqual(["a"]);
  });

  it("is not told from a search that is none by number", async () => {
    const rows = Array.from({ length: 100 }, (_, index) => ({ id: `c${index}`, registrationNumber: String(index) }));
    await start({ financials: forbidden, search: page(rows, 5_000) });
    await expect(idOf("7")).rejects.toMatchObject({
      code: "FEED_AMBIGUOUS",
      message: expect.stringMatching(/gives 100 companies or more, too many to tell; use the company's id$/),
    });
    expect(asked()).toEqual(["POST /financials", "GET /companies"]);
  });

  it.each([
    ["both are forbidden", forbidden, forbidden, "FEED_SCOPE_MISSING"],
    ["financials know nobody and the search is forbidden", page([]), forbidden, "FEED_SCOPE_MISSING"],
    ["financials are forbidden and the search knows nobody", forbidden, page([]), "FEED_NOT_FOUND"],
    [
      "financials are forbidden and the search is refused",
      forbidden,
      { status: 400, json: {} },
      "FEED_REQUEST_INVALID",
    ],
  ])("where %s is the failure %4$s", async (_, financials, search, code) => {
    await start({ financials, search });
    expect(await settle<unknown>([idOf("7")])).toEqual([code]);
  });

  it("is not looked for in the search where financials fail for another reason", async () => {
    await start({ financials: { status: 400, json: {} } });
    expect(await settle<unknown>([idOf("7")])).toEqual(["FEED_REQUEST_INVALID"]);
    expect(asked()).toEqual(["POST /financials"]);
  });

  it("that was found is not asked for again at a refresh, but one that was not is", async () => {
    await start({
      financials: ({ body }) =>
        (body as { identifiers: string[] }).identifiers[0] === "1" ? page([{ companyId: "a", years: [] }]) : page([]),
    });
    const { companies, watch } = running.feed;
    const stops = ["1", "2"].map((registrationNumber) =>
      watch.watch(companies.askId({ registrationNumber }), () => {}),
    );
    await settle<unknown>([idOf("1"), idOf("2")]);
    await running.clock.advance(2_000);
    const before = asked().length;
    await watch.refresh();
    expect(
      running
        .requests()
        .slice(before)
        .map(({ body, query }) => body || query.get("identifier")),
    ).toEqual([{ identifiers: ["2"] }, "2"]);
    for (const stop of stops) stop();
  });

  it("is asked for anew when the client has changed", async () => {
    await start({ financials: page([{ companyId: "a", years: [] }]) });
    await idOf("1");
    running.feed.reset();
    await running.clock.advance(2_000);
    await idOf("1");
    expect(asked().filter((each) => each.startsWith("POST"))).toHaveLength(2);
  });
});
