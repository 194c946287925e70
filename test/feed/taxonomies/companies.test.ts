import { describe, expect, it } from "@jest/globals";
import { DecodeError } from "../../../src/client/errors";
import type { Row } from "../../../src/feed/decode";
import { pickField } from "../../../src/feed/fields";
import { isOneOf, mergeCompanies, toCompanyRows } from "../../../src/feed/taxonomies/companies";
import { pickOwnNode } from "../../../src/feed/taxonomies/lists";

const entry = (industryId: string, isPrimaryIndustry: unknown = false, more: Row = {}): Row => ({
  sectorId: `S${industryId}`,
  industryId,
  isPrimaryIndustry,
  ...more,
});
const company = (...taxonomy: unknown[]): Row => ({ companyId: "c", taxonomy });

/** The industry of the row and of the primary classification, row by row. */
const shown = (records: readonly Row[], withAllIndustries = false) =>
  toCompanyRows(records, withAllIndustries).map(({ taxonomy, primary }) =>
    [taxonomy, primary].map((each) => (each as Row | null)?.industryId ?? null),
  );

describe("the rows of a company table", () => {
  it.each([
    ["the primary classification", [entry("a"), entry("b", true)], ["b", "b"]],
    ["the only one, which is not thereby primary", [entry("a")], ["a", null]],
    ["none of several that are not primary", [entry("a"), entry("b")], [null, null]],
    ["none of several that are primary", [entry("a", true), entry("b", true)], [null, null]],
    ["none where there is none", [], [null, null]],
    ["one that came twice", [entry("a", true), entry("a", true)], ["a", "a"]],
    ["none that says so in text", [entry("a"), entry("b", "true")], [null, null]],
    ["none that says so as a number", [entry("a"), entry("b", 1)], [null, null]],
    ["one beside what is no classification", [null, entry("a", true), "x"], ["a", "a"]],
  ])("show %s", (_, entries, expected) => {
    expect(shown([company(...entries)])).toEqual([expected]);
  });

  it("show every classification with allindustries, and an unclassified company once", () => {
    const records = [company(entry("a"), entry("b", true), entry("a")), { companyId: "d", taxonomy: null }];
    expect(shown(records, true)).toEqual([
      ["a", "b"],
      ["b", "b"],
      [null, null],
    ]);
    expect(shown([company(entry("a", true), entry("b", true))], true)).toEqual([
      ["a", null],
      ["b", null],
    ]);
  });

  it("merge a company listed once for each classification", () => {
    const records = [
      company(entry("a")),
      { companyId: "d", taxonomy: [] },
      { ...company(entry("b", true)), companyId: "C" },
    ];
    expect(shown(records)).toEqual([
      ["b", "b"],
      [null, null],
    ]);
    expect(shown(records, true)).toHaveLength(3);
  });

  it("keep companies without an id apart, and other fields unchanged", () => {
    const records = [{ name: 1 }, { name: 1 }];
    expect(mergeCompanies(records)).toBe(records);
    expect(toCompanyRows([{ companyId: "c", website: "w" }], false)).toEqual([
      { companyId: "c", website: "w", primary: null, taxonomy: null },
    ]);
  });

  it("hold an error for a company with unreadable classifications, and none for others", () => {
    const records = [company(entry("a", true)), { companyId: "d", website: "w", taxonomy: "none" }];
    for (const withAllIndustries of [false, true]) {
      const [good, bad, ...others] = toCompanyRows(records, withAllIndustries);
      expect([good?.taxonomy, good?.primary, others]).toEqual([entry("a", true), entry("a", true), []]);
      expect(bad).toMatchObject({ companyId: "d", website: "w" });
      for (const name of ["taxonomy.industryId", "primary.sectorId"]) {
        expect(pickField(bad as Row, name)).toMatchObject({
          code: "FEED_RESPONSE_MALFORMED",
          message: expect.stringMatching(/is no list; report it/),
        });
      }
    }
  });

  it("hold an error for a company that comes twice, once unreadable", () => {
    for (const records of [
      [company(entry("a")), { companyId: "c", taxonomy: 7 }],
      [{ companyId: "c", taxonomy: 7 }, company(entry("a"))],
    ]) {
      expect(toCompanyRows(records, true)).toEqual([expect.objectContaining({ taxonomy: expect.any(DecodeError) })]);
    }
  });
});

describe("a company", () => {
  it("matches ids in any letter case, and never without an id", () => {
    expect(isOneOf({ companyId: "aB" }, [null, "x", "Ab"])).toBe(true);
    expect(isOneOf({ companyId: "aB" }, ["x"])).toBe(false);
    expect(isOneOf({}, [undefined, false])).toBe(false);
  });
});

describe("the own node of a company", () => {
  it("has the node of its primary classification at each level", () => {
    const record = company(entry("a"), entry("b", true));
    expect(pickOwnNode(record, "industry")).toEqual({ level: "industry", id: "b" });
    expect(pickOwnNode(record, "sector")).toEqual({ level: "sector", id: "Sb" });
  });

  it("has one node if its primary classifications agree at that level", () => {
    const record = company(entry("a", true, { sectorId: "S" }), entry("b", true, { sectorId: "s" }));
    expect(pickOwnNode(record, "sector").id).toBe("S");
    expect(() => pickOwnNode(record, "industry")).toThrow(
      "the provider puts the company in 2 primary industries; use FEED.CONSTITUENTS with a or b",
    );
  });

  it.each([
    [[entry("a"), entry("b")], "use FEED.CONSTITUENTS with a or b"],
    [[], "name a node in FEED.CONSTITUENTS"],
    [[entry("", true)], "name a node in FEED.CONSTITUENTS"],
  ])("without a primary industry has no node, of %j", (entries, way) => {
    expect(() => pickOwnNode(company(...entries), "industry")).toThrow(
      `the provider names no primary industry of the company; ${way}`,
    );
  });
});
