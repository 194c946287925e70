import { describe, expect, it } from "@jest/globals";
import { identifyRow } from "../../../src/feed/pages/identity";

const isSame = (one: object, other: object) => identifyRow({ ...one }).key === identifyRow({ ...other }).key;

describe("a row of a list", () => {
  it.each([
    ["a private company by its id", { id: "a", registrationNumber: "1" }, { registrationNumber: "2" }, { id: "b" }],
    ["a taxonomy company by its id", { companyId: "a", taxonomy: [] }, { companyEnglishName: "A" }, { companyId: "b" }],
    [
      "a taxonomy company by its classification too",
      { companyId: "a", taxonomy: [{ sectorId: "S", industryId: "I", score: 1 }] },
      { taxonomy: [{ sectorId: "S", industryId: "I", score: 2 }] },
      { taxonomy: [{ sectorId: "S", industryId: "J", score: 1 }] },
    ],
    [
      "a taxonomy company by its classifications in any order",
      { companyId: "a", taxonomy: [{ industryId: "I" }, { industryId: "J" }] },
      { taxonomy: [{ industryId: "J" }, { industryId: "I" }] },
      { taxonomy: [{ industryId: "I" }, { industryId: "K" }] },
    ],
    ["a company by its id in any letter case", { id: "ab-1" }, { id: "AB-1" }, { id: "ab-2" }],
    ["an industry by its id, a number too", { industryId: 7 }, { totalPageViews: 9 }, { industryId: 8 }],
    [
      "a ranked company by its ticker",
      { companyName: "A", tickerSymbol: "1" },
      { totalPageViews: 9 },
      { tickerSymbol: 2 },
    ],
    [
      "a ranked company by its registration number before its ticker",
      { companyName: "A", registrationNumber: "1", tickerSymbol: "1" },
      { tickerSymbol: "2" },
      { registrationNumber: "2" },
    ],
  ])("is identified: %s", (_, row, same, other) => {
    expect(identifyRow({ ...row }).isId).toBe(true);
    expect(isSame(row, { ...row, ...same })).toBe(true);
    expect(isSame(row, { ...row, ...other })).toBe(false);
  });

  it("without an id is identified by name and headquarters, or by every field", () => {
    const ranked = { companyName: "A", headquarters: "Tokyo", tickerSymbol: null, totalPageViews: 1 };
    expect(identifyRow(ranked).isId).toBe(false);
    expect(isSame(ranked, { ...ranked, totalPageViews: 2 })).toBe(true);
    expect(isSame(ranked, { ...ranked, headquarters: "Osaka" })).toBe(false);
    expect(isSame({ name: "A", count: 1 }, { name: "A", count: 2 })).toBe(false);
  });
});
