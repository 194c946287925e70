import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { CompanyPage, TaxonomyCompany, TaxonomyCompanyPage } from "../../src/contract/types";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading } from "../support/direct-reading";
import { type Formulas, loadFormulas } from "../support/formula-cells";

const HEADER = ["Company id", "Company", "English name", "Ticker", "Registration number", "Country"];
const TAKASHIMA = /[髙高]島/;

let companion: RunningCompanion;
let formulas: Formulas;
let classified: TaxonomyCompany[];
let isPrivate: CompanyPage["data"];

beforeAll(async () => {
  companion = await startCompanion({ companies: 1200 });
  const read = await createDirectReading(companion.origin);
  const list = "/asia/industry-taxonomies/v1/companies?country=JPN&company_type=ALL&page_size=10000";
  classified = (await read<TaxonomyCompanyPage>(list)).data;
  isPrivate = (await read<CompanyPage>("/asia/private-markets/v1/companies?country=JPN&page_size=10000")).data;
});
beforeEach(async () => {
  companion.controls.reset();
  formulas = await loadFormulas(companion.origin);
});
afterEach(() => formulas.close());
afterAll(() => companion.close());

const show = (name: string, ...parameters: unknown[]) => formulas.type(name, ...parameters).next();
const showOne = async (name: string, ...parameters: unknown[]) => (await show(name, ...parameters))[0]?.[0];
const countRequests = () =>
  companion.controls.count("listTaxonomyCompanies") + companion.controls.count("searchCompanies");

describe("FEED.COMPANY.FIND", () => {
  it("finds every 髙島 by 高島, in both families, under a header", async () => {
    const [header, ...rows] = await show("COMPANY.FIND", "高島");
    expect(header).toEqual(HEADER);
    const names = (each: TaxonomyCompany) => [each.companyFormalName, each.companyLegalName, each.companyInformalName];
    const expected = [
      ...classified
        .filter((each) => names(each).some((name) => TAKASHIMA.test(name ?? "")))
        .map((each) => each.companyId),
      ...isPrivate.filter((each) => TAKASHIMA.test(each.companyName ?? "")).map((each) => each.id),
    ];
    expect(expected.length).toBeGreaterThan(10);
    expect(new Set(rows.map(([id]) => id))).toEqual(new Set(expected));
    expect(rows).toHaveLength(new Set(expected).size);
  });

  it("loads the lists once for any number of cells", async () => {
    const cells = ["高島", "sakura", "ｺﾓﾚﾋﾞ", "浜崎"].map((text) => formulas.type("COMPANY.FIND", text, "jpn", 3));
    for (const rows of await Promise.all(cells.map((cell) => cell.next()))) expect(rows.length).toBeGreaterThan(1);
    const requests = countRequests();
    expect(requests).toBeLessThanOrEqual(20);
    await show("COMPANY.FIND", "青空");
    expect(countRequests()).toBe(requests);
  });

  it("gives the requested rows and fields, shorter names first, and omits the header on request", async () => {
    const rows = await show("COMPANY.FIND", "sakura", null, 4, [["companyEnglishName,families"]], false);
    expect(rows).toHaveLength(4);
    const names = rows.map(([name]) => String(name));
    for (const name of names) expect(name).toMatch(/^Sakura /);
    expect(rows[0]?.[1]).toMatch(/^taxonomy|private$/);
  });

  it("finds a ticker and a registration number, also as numbers", async () => {
    const listed = classified.find((each) => /^\d+$/.test(each.tickerSymbol ?? "")) as TaxonomyCompany;
    const fields = [["companyId", "tickerSymbol"]];
    const [first] = await show("COMPANY.FIND", Number(listed.tickerSymbol), null, 1, fields, false);
    expect(first).toEqual([listed.companyId, listed.tickerSymbol]);
    const [company] = isPrivate;
    expect(await show("COMPANY.FIND", company?.registrationNumber, null, 1, [["companyId"]], false)).toEqual([
      [company?.id],
    ]);
  });

  it('gives every plain field for "all", and names the closest match of an unknown one', async () => {
    expect((await show("COMPANY.FIND", "高島", null, 1, "all"))[0]).toHaveLength(10);
    expect(await showOne("COMPANY.FIND", "高島", null, 1, "tickerSymbl")).toMatch(
      /no field "tickerSymbl".*"tickerSymbol"/,
    );
  });

  it.each([
    ["null", null],
    ["0", 0],
    ["empty text", ""],
  ])("treats %s as omitted for every argument but text", async (_, blank) => {
    expect((await show("COMPANY.FIND", "高島", blank, blank, [[blank]], null))[0]).toEqual(HEADER);
    expect(await showOne("COMPANY.FIND", blank)).toMatch(/^#VALUE! FEED_ARGUMENT_INVALID: text is missing; /);
    expect(await showOne("COMPANY.ID", blank)).toMatch(/^#VALUE! FEED_ARGUMENT_INVALID: text is missing; /);
  });

  it.each([
    ["only punctuation", ["・…"], /text must have letters or digits/],
    ["a truth value", [true], /text must have letters or digits .* not TRUE/],
    ["a fraction", [3.5], /text must have letters or digits .* not 3.5/],
    ["a wrong country", ["高島", "Japan"], /country must be a code of three letters/],
    ["a wrong top", ["高島", null, -1], /top must be a whole number/],
    ["a wrong header", ["高島", null, null, null, "maybe"], /headers must be TRUE or FALSE/],
  ])("reports %s with its remedy, without a request", async (_, parameters, message) => {
    expect(await showOne("COMPANY.FIND", ...parameters)).toMatch(message);
    expect(countRequests()).toBe(0);
  });

  it("passes on an error in an argument", async () => {
    const bad = new CustomFunctions.Error(CustomFunctions.ErrorCode.notAvailable);
    expect(await show("COMPANY.FIND", bad)).toEqual([["#N/A"]]);
    expect(await show("COMPANY.ID", "高島", bad)).toEqual([["#N/A"]]);
  });

  it("suggests what to try when nothing matches", async () => {
    expect(await showOne("COMPANY.FIND", "no such company")).toBe(
      '#N/A FEED_NO_VALUE: no company of JPN fits "no such company"; try a shorter part of the name, another spelling, or "ALL" as country',
    );
  });

  it("starts no long build, reports its cost, and fills once the pane has built the index", async () => {
    companion.controls.pageCap = 25;
    const cell = formulas.type("COMPANY.FIND", "高島", "JPN", 2);
    expect((await cell.next())[0]?.[0]).toMatch(
      /^#N\/A FEED_INDEX_NOT_READY: the index of names for JPN is not built: about \d+ requests; build it in the FEED pane$/,
    );
    expect(countRequests()).toBe(2);
    expect(await showOne("COMPANY.ID", "高島")).toMatch(/FEED_INDEX_NOT_READY/);
    expect(countRequests()).toBe(2);
    await formulas.session.feed.nameIndexes.build("JPN");
    expect(await cell.next()).toHaveLength(3);
  });
});

describe("FEED.COMPANY.ID", () => {
  it("gives the id of the one company of that name, with or without its legal form", async () => {
    const counts = new Map<string, number>();
    for (const { companyEnglishName } of classified) {
      counts.set(companyEnglishName ?? "", (counts.get(companyEnglishName ?? "") ?? 0) + 1);
    }
    const only = classified.find(
      ({ companyEnglishName }) => counts.get(companyEnglishName ?? "") === 1,
    ) as TaxonomyCompany;
    expect(await show("COMPANY.ID", only.companyEnglishName?.toUpperCase())).toEqual([[only.companyId]]);
    expect(await show("COMPANY.ID", only.companyFormalName)).toEqual([[only.companyId]]);
  });

  it("names the candidates when several match", async () => {
    const text = (await showOne("COMPANY.ID", "高島")) as string;
    expect(text).toMatch(
      /^#VALUE! FEED_AMBIGUOUS: "高島" fits \d+ companies: .*; choose one in the FEED pane, or put one of the quoted texts in place of the name$/,
    );
    const listed = [...text.matchAll(/"([^"]+)" \([^)]+, (listed|private)/g)].map(([, each]) => each);
    expect(listed).toHaveLength(5);
    const ids = await Promise.all(listed.map((each) => showOne("COMPANY.ID", each)));
    expect(new Set(ids.filter((id) => /^[0-9a-f-]{36}$/.test(String(id)))).size).toBe(5);
  });

  it("is #N/A when nothing matches", async () => {
    expect(await showOne("COMPANY.ID", "no such company", "ALL")).toMatch(
      /^#N\/A FEED_NO_VALUE: no company is called "no such company"; correct the spelling$/,
    );
  });
});
