import { describe, expect, it } from "@jest/globals";
import type { CompanyPage, TaxonomyCompany } from "../../src/contract/types";
import type { NameChoice } from "../../src/feed/names/preferred";
import { prepareSandbox } from "./sandbox-formulas";

/** Private companies of Japan, one by its English name and one by its Japanese one, and their classifications. */
let english: TaxonomyCompany;
let japanese: TaxonomyCompany;
/** A company that is not classified. */
let unclassified: { id: string; name: string };
const sandbox = prepareSandbox(600, async ({ read }) => {
  const list = "/asia/private-markets/v1/companies?country=JPN&page_size=10000";
  const { data } = await read<CompanyPage>(list);
  const classify = (id: string) => read<TaxonomyCompany>(`/asia/industry-taxonomies/v1/companies/${id}`);
  const written = (isWanted: (name: string) => boolean) => data.filter(({ companyName }) => isWanted(`${companyName}`));
  const [first] = written((name) => /^[A-Z][a-z]+ [A-Z][a-z]+ /.test(name));
  const [other] = written((name) => name.endsWith("株式会社"));
  [english, japanese] = [await classify(`${first?.id}`), await classify(`${other?.id}`)];
  for (const { id, companyName } of written((name) => name.includes("株式会社")).slice(20)) {
    const found = await classify(`${id}`).catch(() => null);
    if (found === null) unclassified = { id: `${id}`, name: `${companyName}` };
    if (found === null) return;
  }
});

const choose = (companyNames: NameChoice) => sandbox.formulas.session.change({ companyNames });
const ids = () => [[english.companyId], [japanese.companyId]];
const countClassified = () => sandbox.companion.controls.count("getTaxonomyCompany");

describe("a company's name in a cell", () => {
  it.each<[NameChoice, () => unknown[]]>([
    ["provider", () => [english.companyEnglishName, japanese.companyFormalName]],
    ["en", () => [english.companyEnglishName, japanese.companyEnglishName]],
    ["ja", () => [english.companyFormalName, japanese.companyFormalName]],
  ])("is the one that the workbook's setting chooses: %s", async (choice, names) => {
    choose(choice);
    const [first, other] = names();
    expect(await sandbox.show("COMPANY", ids(), "companyName")).toEqual([[first], [other]]);
    expect(await sandbox.show("COMPANY", ids(), [["Company", "id"]])).toEqual([
      [first, english.companyId],
      [other, japanese.companyId],
    ]);
    expect(await sandbox.showOne("COMPANY", japanese.companyId, "companyName")).toBe(other);
    expect(await sandbox.show("COMPANY", english.companyId)).toContainEqual(["Company", first]);
    expect(await sandbox.showOne("COMPANY.OFFICERS", japanese.companyId, null, false)).toBe(other);
  });

  it("is read with the classification only where the company's record has another one", async () => {
    await sandbox.show("COMPANY", ids(), "companyName");
    expect(countClassified()).toBe(0);
    choose("en");
    await sandbox.show("COMPANY", ids(), "companyName");
    expect(countClassified()).toBe(1);
    await sandbox.show("COMPANY", ids(), "registeredAddress.city");
    expect(countClassified()).toBe(1);
  });

  it("changes in live cells with the setting, and back without a request", async () => {
    const cell = sandbox.formulas.type("COMPANY", ids(), "companyName");
    const [first] = await cell.next();
    choose("en");
    expect(await cell.next()).toEqual([first, [japanese.companyEnglishName]]);
    choose("provider");
    expect(await cell.next()).toEqual([first, [japanese.companyFormalName]]);
    choose("en");
    expect(await cell.next()).toEqual([first, [japanese.companyEnglishName]]);
    expect(countClassified()).toBe(1);
  });

  it("stays the record's where there is no other, and is never another by a failure", async () => {
    choose("en");
    expect(await sandbox.showOne("COMPANY", unclassified.id, "companyName")).toBe(unclassified.name);
    sandbox.companion.controls.answers = { getTaxonomyCompany: { status: 400, times: Number.POSITIVE_INFINITY } };
    expect(await sandbox.show("COMPANY", ids(), "companyName")).toEqual([
      [english.companyEnglishName],
      [expect.stringContaining("FEED_REQUEST_INVALID")],
    ]);
  });

  it("is the record's where the client may not read classifications", async () => {
    sandbox.companion.controls.answers = { getTaxonomyCompany: { status: 403, times: Number.POSITIVE_INFINITY } };
    choose("en");
    expect(await sandbox.showOne("COMPANY", japanese.companyId, "companyName")).toBe(japanese.companyFormalName);
  });
});
