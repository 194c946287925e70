import { describe, expect, it } from "@jest/globals";
import { matchNames } from "../../../../src/feed/names/matching/match";
import { readWritten } from "../../../../src/feed/names/matching/written";
import { createNameIndex } from "../../../../src/feed/names/search";
import { createIndexOf, type Facts, listIds, matchIn, toRow } from "../index-rows";
import HINTS from "./hints.json";
import CASES from "./matching.json";

const LIST = createIndexOf(CASES.companies.list);
const BESIDES = createIndexOf(CASES.companies.besides);
const NAMESAKES = createIndexOf(CASES.companies.namesakes);

describe("a name of a list", () => {
  it.each(CASES.list as [string, string, string, string][])("with %s: %s is %s", async (_, name, state, companyId) => {
    expect(await matchIn(LIST, name)).toEqual([state, companyId]);
  });

  it("is not settled by a city where the other company's is unknown", async () => {
    expect(await matchIn(LIST, "Aozora Paper", "Tokyo")).toEqual(["doubtful", "unknown"]);
  });

  it("gives the candidates of a doubtful name, the best first, and how many fit alike", async () => {
    const [found] = await matchNames(LIST, [{ name: "Aozora Glass", hints: [] }]);
    expect(listIds(found?.candidates.map(({ row }) => row) ?? []).slice(0, 2)).toEqual(["tokyo", "osaka"]);
    expect(found?.alike).toBe(2);
    expect(found?.candidates.length).toBeLessThanOrEqual(5);
  });

  it("has no match in an empty index", async () => {
    const none = { state: "none", candidates: [], alike: 0 };
    expect(await matchNames(createNameIndex([]), [{ name: "Sakura", hints: [] }])).toEqual([none]);
  });
});

const expectAccepted = async (name: string, companyId: string) => {
  const [state, found] = await matchIn(BESIDES, name);
  expect(state).toMatch(/^(?:exact|sure)$/);
  expect(found).toBe(companyId);
};

describe("what stands beside a name", () => {
  it.each(CASES.setAside as [string, string, string][])("is set aside: %s: %s", async (_, name, companyId) => {
    await expectAccepted(name, companyId);
  });

  it.each(CASES.besideDoubtful as [string, string][])("makes a name doubtful: %s: %s", async (_, name) => {
    expect((await matchIn(BESIDES, name))[0]).toBe("doubtful");
  });

  it("is a ticker without its exchange", () => {
    expect(readWritten("Natsuiro Foods (IXAF IJ)").asides).toEqual(["IXAF"]);
  });
});

describe("a word of a name", () => {
  it.each(CASES.recognised as [string, string, string][])("is recognised: %s: %s", async (_, name, companyId) => {
    await expectAccepted(name, companyId);
  });

  it.each(CASES.shown as [string, string, string][])("is shown to who chooses: %s: %s", async (_, name, companyId) => {
    expect((await matchIn(BESIDES, name))[1]).toBe(companyId);
  });
});

describe("of companies of one name, the one that is meant", () => {
  it.each(CASES.told as [string, string, string, string][])("is told by %s: %s", async (_, name, state, companyId) => {
    expect(await matchIn(NAMESAKES, name)).toEqual([state, companyId]);
  });

  it.each(CASES.untold as [string, string][])("is doubtful with %s: %s", async (_, name) => {
    expect((await matchIn(NAMESAKES, name))[0]).toBe("doubtful");
  });

  it("is doubtful where a hint names a company of another name", async () => {
    expect((await matchIn(NAMESAKES, "Minamo Trading Corporation", "https://a.example"))[0]).toBe("doubtful");
  });
});

const GLASS = createIndexOf(HINTS.companies);
const match = (name: string, ...hints: string[]) => matchIn(GLASS, name, ...hints);

describe("a hint", () => {
  it.each(HINTS.ofOne as [string, string][])("as %s tells two companies of one name apart", async (_, hint) => {
    expect(await match("Aozora Glass", hint)).toEqual(["sure", "one"]);
  });

  it.each(HINTS.ofOther as [string, string][])("as %s tells the other one", async (_, hint) => {
    expect(await match("青空硝子", hint)).toEqual(["sure", "other"]);
  });

  it.each(HINTS.ofAnother as [string, string][])("%s of another company makes a name doubtful", async (_, hint) => {
    expect((await match("株式会社青空硝子 東京", hint))[0]).toBe("doubtful");
    expect((await match("Aozora Glass", "aozora.example", hint))[0]).toBe("doubtful");
  });

  it.each(HINTS.nothing as [string, string][])("that is %s settles nothing", async (_, hint) => {
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
