import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { CompanyPage, Sector, TaxonomyCompany, TaxonomyCompanyPage } from "../../src/contract/types";
import { COMPANY_FIELDS } from "../../src/feed/field-tables";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading, type Read } from "../support/direct-reading";
import { type Formulas, loadFormulas, type Shown } from "../support/formula-cells";

const TAXONOMIES = "/asia/industry-taxonomies/v1";

let companion: RunningCompanion;
let read: Read;
let ids: string[];
let formulas: Formulas;

beforeAll(async () => {
  companion = await startCompanion();
  read = await createDirectReading(companion.origin);
  const page = await read<CompanyPage>("/asia/private-markets/v1/companies?country=JPN&page_size=100");
  ids = page.data.map(({ id }) => id);
});
beforeEach(async () => {
  companion.controls.reset();
  formulas = await loadFormulas(companion.origin);
});
afterEach(() => formulas.close());
afterAll(() => companion.close());

/** Types a formula into several cells and gives each result once it has a number of rows. */
function typeAll(calls: [name: string, ...parameters: unknown[]][], rows: number): Promise<Shown[]> {
  const cells = calls.map(([name, ...parameters]) => formulas.type(name, ...parameters));
  const settle = async (cell: (typeof cells)[number]) => {
    let shown = await cell.next();
    while (shown.length < rows) shown = await cell.next();
    return shown;
  };
  return Promise.all(cells.map(settle));
}

/** Data requests by operation. */
function countAll(): Record<string, number> {
  const data = companion.controls.requests.filter(({ operationId }) => operationId !== "createToken");
  const counts = new Map<string, number>();
  for (const { operationId } of data) counts.set(operationId, (counts.get(operationId) ?? 0) + 1);
  return Object.fromEntries(counts);
}

describe("the requests of formulas", () => {
  it.each([1, 10])("are the tree once and the pages of the sector for its companies in %s cells", async (cells) => {
    const [sector] = await read<Sector[]>(`${TAXONOMIES}/tree`);
    const list = `${TAXONOMIES}/sectors/${sector?.sectorId}/companies?country=JPN&company_type=ALL`;
    const { total } = await read<TaxonomyCompanyPage>(list);
    companion.controls.reset();
    companion.controls.pageCap = Math.ceil(total / 3) + 1;
    const call = ["CONSTITUENTS", sector?.sectorId, "JPN", null, null, [["companyId"]], null, false] as const;
    const shown = await typeAll(Array(cells).fill(call), total);
    expect(new Set(shown.map((rows) => rows.length))).toEqual(new Set([total]));
    expect(countAll()).toEqual({ getTaxonomyTree: 1, listSectorCompanies: 3 });
  });

  it("are one for 20 fields of one company in 20 cells", async () => {
    const fields = COMPANY_FIELDS.filter(({ kind }) => kind !== "list" && kind !== "object").slice(0, 20);
    expect(fields).toHaveLength(20);
    await typeAll(
      fields.map(({ name }) => ["COMPANY", [[ids[0]]], [[name]]]),
      1,
    );
    expect(countAll()).toEqual({ getCompany: 1 });
  });

  it("are one classification and its industry's list for a company's peers", async () => {
    const record = await read<TaxonomyCompany>(`${TAXONOMIES}/companies/${ids[0]}`);
    const primary = record.taxonomy.find((entry) => entry.isPrimaryIndustry);
    const list = `${TAXONOMIES}/industries/${primary?.industryId}/companies?country=JPN&company_type=ALL&show_all_industries=true&page_size=100`;
    const { data, total } = await read<TaxonomyCompanyPage>(list);
    expect(data).toHaveLength(total);
    const isPeer = ({ taxonomy }: TaxonomyCompany) =>
      taxonomy.some(({ industryId, isPrimaryIndustry }) => isPrimaryIndustry && industryId === primary?.industryId);
    companion.controls.reset();
    const [peers] = await typeAll([["PEERS", ids[0], null, "JPN", null, null, [["companyId"]], false]], 1);
    expect(peers).toHaveLength(data.filter(isPeer).length - 1);
    expect(peers?.flat()).not.toContain(ids[0]);
    expect(countAll()).toEqual({ getTaxonomyCompany: 1, listIndustryCompanies: 1 });
  });

  it("are four for the financials of 100 companies", async () => {
    expect(new Set(ids).size).toBe(100);
    await typeAll([["FINANCIALS", ids.map((id) => [id]), null, [["Revenue"]]]], 100);
    expect(countAll()).toEqual({ getFinancialsOfMany: 4 });
  });
});
