import { afterEach, describe, expect, it } from "@jest/globals";
import { pickMetric } from "../../src/feed/financials/metrics";
import type { State } from "../../src/feed/query-cache";
import { drain } from "../support/clock";
import { awaitAnswer, type FeedOnSandbox, type FeedOnServer, startFeed, startFeedOn } from "../support/feed";
import type { Answering, Received } from "../support/http-server";
import { until } from "../support/until";

describe("financials of a sandbox", () => {
  let running: FeedOnSandbox;
  afterEach(() => running.close());

  const start = async (count: number) => {
    running = await startFeed();
    const { rows } = await awaitAnswer(running.feed, running.feed.companies.querySearch({ country: "ALL" }, count));
    running.controls.reset();
    return rows.map(({ id, registrationNumber }) => ({ id: String(id), number: String(registrationNumber) }));
  };
  const operations = () => running.controls.requests.map(({ operationId }) => operationId);
  const financials = () => running.feed.financials;

  it("of all years answer each year without a request, but not its refresh", async () => {
    const [{ id } = { id: "" }] = await start(1);
    const years = [2020, 2021].map((year) =>
      awaitAnswer(running.feed, financials().query({ companyId: id }, { year })),
    );
    await Promise.all(years);
    expect(operations()).toEqual(["getCompanyFinancials"]);
    const states: State<unknown>[] = [];
    const later = financials().query({ companyId: id.toUpperCase() }, { year: 2019 });
    const stop = running.feed.queryCache.observe(later, (state) => states.push(state));
    await until(() => states.some(({ status }) => status === "answered"));
    expect(operations()).toHaveLength(1);
    await running.feed.queryCache.refresh();
    expect(operations().length).toBeGreaterThan(1);
    stop();
  });

  it("from before a refresh are refetched by the next query", async () => {
    const [{ id } = { id: "" }, other = { id: "" }] = await start(2);
    await awaitAnswer(running.feed, financials().query({ companyId: id }));
    const stop = running.feed.queryCache.observe(financials().query({ companyId: other.id }, { year: 2020 }), () => {});
    await running.clock.advance(2_000);
    await running.feed.queryCache.refresh();
    running.controls.requests.length = 0;
    const asOfMs: number[] = [];
    const stopOther = running.feed.queryCache.observe(
      financials().query({ companyId: id }, { year: 2018 }),
      (state) => {
        if (state.status === "answered") asOfMs.push(state.answer.asOfMs);
      },
    );
    await until(() => asOfMs.length === 2);
    expect((asOfMs[1] as number) - (asOfMs[0] as number)).toBeGreaterThanOrEqual(2_000);
    expect(operations()).toEqual(["getCompanyFinancials"]);
    for (const end of [stop, stopOther]) end();
  });

  it("of several registration numbers are resolved one by one, since answers have ids alone", async () => {
    const companies = await start(5);
    const answers = companies.map(({ number }) =>
      awaitAnswer(running.feed, financials().query({ registrationNumber: number })),
    );
    expect((await Promise.all(answers)).map(({ companyId }) => companyId)).toEqual(companies.map(({ id }) => id));
    expect(running.controls.requests.map(({ body }) => body)).toEqual(
      companies.map(({ number }) => ({ identifiers: [number] })),
    );
  });

  it("of resolved numbers are refreshed in a batch", async () => {
    const companies = await start(5);
    const queries = companies.map(({ number }) => financials().query({ registrationNumber: number }));
    const stops = queries.map((query) => running.feed.queryCache.observe(query, () => {}));
    await Promise.all(queries.map((query) => awaitAnswer(running.feed, query)));
    await running.clock.advance(1_500);
    running.controls.requests.length = 0;
    await running.feed.queryCache.refresh();
    expect(operations()).toEqual(["getFinancialsOfMany"]);
    for (const stop of stops) stop();
  });

  it("get periods by one GET a company if POST omits them", async () => {
    const companies = await start(3);
    running.controls.postWithoutPeriods = true;
    const answers = companies.flatMap(({ id }) =>
      [2021, 2022].map((year) =>
        awaitAnswer(running.feed, financials().query({ companyId: id }, { year, withPeriods: true })),
      ),
    );
    for (const answer of await Promise.all(answers)) {
      expect(answer.years.every(({ fields }) => /^\d{4}-\d\d-\d\d$/.test(String(fields.financialPeriodEnd)))).toBe(
        true,
      );
    }
    expect(operations()).toEqual(["getFinancialsOfMany", ...Array(3).fill("getCompanyFinancials")]);
  });

  it("need no GET if POST has the periods or no query needs them", async () => {
    const companies = await start(3);
    const loadAll = (withPeriods: boolean) =>
      Promise.all(
        companies.map(({ id }) => awaitAnswer(running.feed, financials().query({ companyId: id }, { withPeriods }))),
      );
    await loadAll(true);
    running.controls.postWithoutPeriods = true;
    await loadAll(false);
    expect(operations()).toEqual(["getFinancialsOfMany", "getFinancialsOfMany"]);
  });
});

describe("financials of a provider", () => {
  let running: FeedOnServer;
  afterEach(() => running.close());
  const FAMILY = "/asia/private-markets/v1/";
  const start = async (answer: (request: Received) => Answering | Promise<Answering>) => {
    running = await startFeedOn((request) => (request.path.startsWith(FAMILY) ? answer(request) : undefined));
  };
  const page = (data: unknown[], total = data.length) => ({ json: { data, page: 1, pageSize: 25, total } });

  it("keep unknown metrics, statements, bases and periods, selectable by basis", async () => {
    const of = (period: string, consolidationType: string, value: unknown) => ({
      year: 2023,
      period,
      periodType: "INTERIM",
      statements: [{ statementType: "ESG_REPORT", consolidationType, metrics: [{ name: "CO2 t", value }] }],
    });
    await start(() => ({ json: { companyId: "a", years: [of("H1", "GROUP", 5), of("H2", "GROUP", null)] } }));
    const answer = await awaitAnswer(running.feed, running.feed.financials.query({ companyId: "a" }, { year: 2023 }));
    const pick = (basis: string[]) => pickMetric(answer, 2023, { name: "co2T", basis }).value;
    expect(pick(["h1", "interim", "group"])).toBe(5);
    expect(() => pick(["H2"])).toThrow(/is empty at the provider/);
    expect(() => pick(["interim"])).toThrow(/give a basis: H1, H2/);
    expect(() => pick([])).toThrow('2023 has only interim figures (H1, H2); add "H1" or "H2" as basis');
  });

  it("of a number continue for the other cells when one is cleared", async () => {
    let release = () => {};
    await start(
      () =>
        new Promise(
          (resolve) => (release = () => resolve(page([{ companyId: "a", years: [{ year: 2022 }, { year: 2023 }] }]))),
        ),
    );
    const of = (year: number | null) => running.feed.financials.query({ registrationNumber: "7" }, { year });
    const stop = running.feed.queryCache.observe(of(null), () => {});
    const left = awaitAnswer(running.feed, of(2023));
    await until(() => running.requests().length === 1);
    stop();
    await running.clock.advance(3_000);
    release();
    expect((await left).companyId).toBe("a");
  });

  it("of a number are cancelled when the last cell is cleared", async () => {
    await start(() => ({ raw: () => {} }));
    const stops = [2022, 2023].map((year) =>
      running.feed.queryCache.observe(running.feed.financials.query({ registrationNumber: "7" }, { year }), () => {}),
    );
    await until(() => running.requests().length === 1);
    for (const stop of stops) stop();
    await running.clock.advance(1_500);
    await running.clock.advance(1_500);
    await until(() => running.requests()[0]?.isAborted() === true);
    await drain();
    expect([running.feed.queryCache.size(), running.clock.timers()]).toEqual([0, 0]);
  });
});
