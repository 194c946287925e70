import { describe, expect, it } from "@jest/globals";
import { identifyRow } from "../../../src/feed/pages/identity";
import CASES from "./identity.json";

const isSame = (one: object, other: object) => identifyRow({ ...one }).key === identifyRow({ ...other }).key;

describe("a row of a list", () => {
  it.each(CASES.identified as [string, object, object, object][])("is identified: %s", (_, row, same, other) => {
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
