import { describe, expect, it } from "@jest/globals";
import { matchNames } from "../../../../src/feed/names/matching/match";
import { createNameIndex } from "../../../../src/feed/names/search";
import { createIndexOf, type Facts, listIds, matchIn, toRow } from "../index-rows";
import CASES from "./hints.json";

const GLASS = createIndexOf(CASES.companies);
const match = (name: string, ...hints: string[]) => matchIn(GLASS, name, ...hints);

describe("a hint", () => {
  it.each(CASES.ofOne as [string, string][])("as %s tells two companies of one name apart", async (_, hint) => {
    expect(await match("Aozora Glass", hint)).toEqual(["sure", "one"]);
  });

  it.each(CASES.ofOther as [string, string][])("as %s tells the other one", async (_, hint) => {
    expect(await match("青空硝子", hint)).toEqual(["sure", "other"]);
  });

  it.each(CASES.ofAnother as [string, string][])("%s of another company makes a name doubtful", async (_, hint) => {
    expect((await match("株式会社青空硝子 東京", hint))[0]).toBe("doubtful");
    expect((await match("Aozora Glass", "aozora.example", hint))[0]).toBe("doubtful");
  });

  it.each(CASES.nothing as [string, string][])("that is %s settles nothing", async (_, hint) => {
    expect((await match("Aozora Glass", hint))[0]).toBe("doubtful");
  });
});

/** More companies of one name than are compared in full. */
const namesakes = (of: (at: number) => Facts) =>
  createNameIndex(
    Array.from({ length: 120 }, (_, at) => toRow(`n${at}`, { companyEnglishName: "Sunrise K.K.", ...of(at) })),
  );

describe("a name of very many companies", () => {
  it.each([
    ["the ticker", { tickerSymbol: "7777" }, "7777"],
    ["the registration number", { registrationNumber: "5010401111111" }, "5010-4011-11111"],
    ["the website", { website: "sunrise-kobe.example" }, "https://www.sunrise-kobe.example/"],
  ])("is settled by %s of any of them", async (_, facts, hint) => {
    for (const own of [3, 60, 119]) {
      const index = namesakes((at) => (at === own ? facts : {}));
      expect(await matchIn(index, "Sunrise", hint)).toEqual(["sure", `n${own}`]);
    }
  });

  it("shows the company that a hint names among the candidates, whatever else fits better", async () => {
    const index = namesakes((at) =>
      at === 60 ? { companyEnglishName: "Sunrise Umezawa Boats", tickerSymbol: "7777" } : {},
    );
    const [found] = await matchNames(index, [{ name: "Sunrise", hints: ["7777"] }]);
    const ids = listIds(found?.candidates.map(({ row }) => row) ?? []);
    expect([found?.state, ids.length, ids.includes("n60")]).toEqual(["doubtful", 5, true]);
  });

  it("is not settled by a city, since others of the city may not have been compared", async () => {
    const index = namesakes((at) => ({ city: [5, 90].includes(at) ? "Kobe" : "Nara" }));
    expect((await matchIn(index, "Sunrise", "Kobe"))[0]).toBe("doubtful");
  });
});
