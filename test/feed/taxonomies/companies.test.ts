import { describe, expect, it } from "@jest/globals";
import { DecodeError } from "../../../src/client/errors";
import type { Row } from "../../../src/feed/decode";
import { pickField } from "../../../src/feed/fields";
import { isOneOf, mergeCompanies, toCompanyRows } from "../../../src/feed/taxonomies/companies";
import { pickOwnNode } from "../../../src/feed/taxonomies/lists";
import type { Level } from "../../../src/feed/taxonomies/tree";
import CASES from "./companies.json";

const entry = (industryId: string, isPrimaryIndustry: unknown = false, more: Row = {}): Row => ({
  sectorId: `S${industryId}`,
  industryId,
  isPrimaryIndustry,
  ...more,
});
const company = (...taxonomy: unknown[]): Row => ({ companyId: "c", taxonomy });

/** A classification as a row has it: its industry, whether that is primary, and more. */
type Written = [industryId: string, isPrimaryIndustry?: unknown, more?: Row] | string | null;
const toEntry = (written: Written): unknown => (Array.isArray(written) ? entry(...written) : written);

/** The industry of the row and of the primary classification, row by row. */
const shown = (records: readonly Row[], withAllIndustries = false) =>
  toCompanyRows(records, withAllIndustries).map(({ taxonomy, primary }) =>
    [taxonomy, primary].map((each) => (each as Row | null)?.industryId ?? null),
  );

describe("the rows of a company table", () => {
  const ROWS = CASES.rows as [string, [string, ...Written[]][], boolean, unknown[][]][];
  it.each(ROWS)("show %s", (_, companies, withAllIndustries, expected) => {
    const records = companies.map(([companyId, ...all]) => ({ companyId, taxonomy: all.map(toEntry) }));
    expect(shown(records, withAllIndustries)).toEqual(expected);
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

it("a company matches ids in any letter case, and never without an id", () => {
  expect(isOneOf({ companyId: "aB" }, [null, "x", "Ab"])).toBe(true);
  expect(isOneOf({ companyId: "aB" }, ["x"])).toBe(false);
  expect(isOneOf({}, [undefined, false])).toBe(false);
});

describe("the own node of a company", () => {
  it.each(CASES.ownNodes as [Level, Written[], string][])("at the level %s, of %j, is %s", (level, all, expected) => {
    const pick = () => pickOwnNode(company(...all.map(toEntry)), level);
    if (expected.includes(" ")) expect(pick).toThrow(expected);
    else expect(pick()).toEqual({ level, id: expected });
  });
});
