import { describe, expect, it } from "@jest/globals";
import { rankRows } from "./rank-rows";

describe("companies of a ranking without a ticker", () => {
  it("stay two where line breaks of their names would make them one", () => {
    const row = (companyName: string, headquarters: string) => ({ companyName, tickerSymbol: null, headquarters });
    const { alike, byKey } = rankRows([row("Sakura\nFoods", "Osaka"), row("Sakura", "Foods\nOsaka")], true);
    expect(byKey.size).toBe(2);
    expect(alike.size).toBe(0);
  });
});
