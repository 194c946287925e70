import { describe, expect, it } from "@jest/globals";
import type { Row } from "../../../src/feed/decode";
import { pickOwnNode } from "../../../src/feed/taxonomies/lists";

const entry = (industryId: string, isPrimaryIndustry = false, more: Row = {}): Row => ({
  sectorId: `S${industryId}`,
  industryId,
  isPrimaryIndustry,
  ...more,
});
const company = (...taxonomy: unknown[]): Row => ({ companyId: "c", taxonomy });

describe("a company", () => {
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
