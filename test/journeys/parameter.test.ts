import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { CompanyFinancials, CompanyPage } from "../../src/contract/types";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading, type Read } from "../support/direct-reading";
import { type Formulas, loadFormulas } from "../support/formula-cells";

/** From a cell to the provider and back, by the files of the first journey in src/README.md. */
describe("a parameter", () => {
  let companion: RunningCompanion;
  let read: Read;
  let ids: string[];
  let formulas: Formulas;

  beforeAll(async () => {
    companion = await startCompanion({ companies: 400 });
    read = await createDirectReading(companion.origin);
    const page = await read<CompanyPage>("/asia/private-markets/v1/companies?country=JPN&page_size=40");
    ids = page.data.map(({ id }) => id);
  });
  beforeEach(async () => {
    companion.controls.reset();
    formulas = await loadFormulas(companion.origin);
  });
  afterEach(() => formulas.close());
  afterAll(() => companion.close());

  const requests = () => companion.controls.requests.map(({ operationId }) => operationId);

  it("is sent as one GET with a bearer and returns the provider's number", async () => {
    const cell = formulas.type("FINANCIAL", [[ids[0]]], [[2023]], [["revenue"]]);
    const [[shown] = []] = await cell.next();
    expect(requests()).toEqual(["createToken", "getCompanyFinancials"]);
    expect(companion.controls.requests[1]?.url).toMatch(new RegExp(`/${ids[0]}\\?year=2023$`));
    const direct = await read<CompanyFinancials>(`/asia/private-markets/v1/financials/companies/${ids[0]}?year=2023`);
    const metrics = direct.years.flatMap(({ statements }) => statements.flatMap((statement) => statement.metrics));
    expect(shown).toBe(metrics.find(({ name }) => name === "Revenue")?.value);
  });

  it("is batched with other cells': 40 companies are two requests of at most 25", async () => {
    const cells = ids.map((id) => formulas.type("FINANCIAL", [[id]], [[2023]], [["Revenue"]]));
    await Promise.all(cells.map((cell) => cell.next()));
    expect(requests()).toEqual(["createToken", "getFinancialsOfMany", "getFinancialsOfMany"]);
    const bodies = companion.controls.requests
      .slice(1)
      .map(({ body }) => body as { companyIds: string[]; year: number });
    expect(bodies.map(({ companyIds, year }) => [companyIds.length, year])).toEqual([
      [25, 2023],
      [15, 2023],
    ]);
  });

  it("is one query for any number of cells; the metric is not part of it", async () => {
    const metrics = ["Revenue", "EBIT", "Net Income", "Total Assets"];
    const cells = [...metrics, ...metrics].map((metric) =>
      formulas.type("FINANCIAL", [[ids[0]]], [[2022]], [[metric]]),
    );
    await Promise.all(cells.map((cell) => cell.next()));
    expect(requests()).toEqual(["createToken", "getCompanyFinancials"]);
    expect(formulas.session.feed.queryCache.size()).toBe(1);
  });

  it("is output again only in the cell whose value a refresh changed", async () => {
    const revenue = formulas.type("FINANCIAL", [[ids[0]]], [[2023]], [["Revenue"]]);
    const currency = formulas.type("FINANCIAL", [[ids[0]]], [[2023]], [["currency"]]);
    const [[before] = []] = await revenue.next();
    await currency.next();
    companion.controls.perturb = (value) => value + 1;
    await formulas.session.refresh();
    expect(await revenue.next()).toEqual([[(before as number) + 1]]);
    expect(currency.shown).toHaveLength(1);
  });

  it("ends in a sentence if the provider does not know the company", async () => {
    const cell = formulas.type("FINANCIAL", [["no such number"]], [["FY0"]], [["Revenue"]]);
    const [[shown] = []] = await cell.next();
    expect(shown).toMatch(/^#N\/A FEED_NO_VALUE: no company in JPN is called "no such number"; correct the spelling/);
  });
});
