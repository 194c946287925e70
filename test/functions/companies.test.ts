import { describe, expect, it } from "@jest/globals";
import type { Company, CompanyPage } from "../../src/contract/types";
import { COMPANY_FIELDS } from "../../src/feed/field-tables";
import { isPlain } from "../../src/feed/fields";
import { prepareSandbox } from "./sandbox-formulas";

let direct: Company[];
const sandbox = prepareSandbox(300, async ({ read }) => {
  direct = (await read<CompanyPage>("/asia/private-markets/v1/companies?country=ALL&page_size=2")).data;
});

const at = (index: number) => direct[index] as Company;

describe("FEED.COMPANY", () => {
  it("costs one request for 20 fields of one company in 20 cells", async () => {
    const fields = COMPANY_FIELDS.filter((field) => isPlain(field, COMPANY_FIELDS)).slice(0, 20);
    expect(fields).toHaveLength(20);
    await Promise.all(fields.map(({ name }) => sandbox.show("COMPANY", [[at(0).id]], [[name]])));
    expect(sandbox.calls()).toEqual(["getCompany"]);
  });

  it("does not resolve a registration number again at a refresh", async () => {
    const { companion, formulas } = sandbox;
    const cell = formulas.type("COMPANY", [[at(0).registrationNumber]], [["employees.nonConsolidated.employeeCount"]]);
    const [[before]] = (await cell.next()) as [[number]];
    companion.controls.reset();
    companion.controls.perturb = (value) => value + 1;
    await formulas.session.refresh();
    expect(await cell.next()).toEqual([[before + 1]]);
    expect(companion.controls.count("getFinancialsOfMany")).toBe(0);
    expect(companion.controls.count("searchCompanies")).toBe(0);
  });

  it("resolves a number by financials if the search is forbidden, and fails if both are", async () => {
    const { answers } = sandbox.companion.controls;
    const ask = (index: number) => sandbox.showOne("COMPANY", [[at(index).registrationNumber]], [["companyName"]]);
    answers.searchCompanies = { status: 403, times: Number.POSITIVE_INFINITY };
    expect(await ask(0)).toBe(at(0).companyName);
    expect(sandbox.calls()).toEqual(["searchCompanies", "getFinancialsOfMany", "getCompany"]);
    answers.getFinancialsOfMany = { status: 403, times: Number.POSITIVE_INFINITY };
    expect(await ask(1)).toMatch(/^#N\/A FEED_SCOPE_MISSING: /);
  });
});
