import { describe, expect, it } from "@jest/globals";
import { matchNames } from "../../../../src/feed/names/matching/match";
import { readWritten } from "../../../../src/feed/names/matching/written";
import { createNameIndex } from "../../../../src/feed/names/search";
import { createIndexOf, listIds, matchIn } from "../index-rows";
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
