import { describe, expect, it } from "@jest/globals";
import { matchNames } from "../../../../src/feed/names/matching/match";
import { NAME_COLUMNS, type NameRow, pickColumn } from "../../../../src/feed/names/rows";
import { createNameIndex, type NameIndex } from "../../../../src/feed/names/search";

type Facts = Partial<Record<(typeof NAME_COLUMNS)[number], string>>;

const toRow = (companyId: string, facts: Facts): NameRow => {
  const row: Facts = { companyId, families: "taxonomy, private", countryCode: "JPN", ...facts };
  return NAME_COLUMNS.map((name) => row[name] ?? "");
};

const GLASS = createNameIndex([
  toRow("one", {
    companyFormalName: "株式会社青空硝子",
    companyEnglishName: "Aozora Glass Co., Ltd.",
    tickerSymbol: "5201",
    exchangeCode: "TSX",
    registrationNumber: "9530193052711",
    website: "aozora.example",
    city: "Tokyo",
  }),
  toRow("other", {
    companyFormalName: "青空硝子株式会社",
    companyEnglishName: "Aozora Glass Inc.",
    tickerSymbol: "130A",
    exchangeCode: "TSX",
    registrationNumber: "1234-01-567890",
    website: "aozora-glass.co.jp",
    city: "Osaka",
  }),
  toRow("hill", { companyEnglishName: "Hill", tickerSymbol: "8801", registrationNumber: "4010401052081" }),
]);

const matchIn = async (index: NameIndex, name: string, ...hints: string[]) => {
  const [{ state, candidates } = { state: "none", candidates: [] }] = await matchNames(index, [{ name, hints }]);
  return [state, candidates[0] === undefined ? "" : pickColumn(candidates[0].row, "companyId")];
};
const match = (name: string, ...hints: string[]) => matchIn(GLASS, name, ...hints);

describe("a hint", () => {
  it.each([
    ["a registration number", "9530193052711"],
    ["one with hyphens", "9-5301-9305-2711"],
    ["one with spaces", "9 5301 9305 2711"],
    ["one in full width", "９５３０１９３０５２７１１"],
    ["one in full width with a full-width hyphen", "９５３０－１９３０５２７１１"],
    ["one behind its name", "法人番号: 9530193052711"],
    ["one behind a T, as on invoices", "T9530193052711"],
    ["a ticker", "5201"],
    ["a ticker in full width", "５２０１"],
    ["a ticker behind an exchange", "TSE:5201"],
    ["a ticker behind a full-width colon", "東証：5201"],
    ["a ticker before an exchange", "5201.T"],
    ["a ticker as terminals write it", "5201 JP Equity"],
    ["a ticker in brackets", "(5201)"],
    ["a host", "aozora.example"],
    ["a host with www", "www.aozora.example"],
    ["a website with a port", "https://www.aozora.example:8443"],
    ["a website with a path", "HTTP://Aozora.Example/ja/ir/index.html?year=2024#top"],
    ["a website in full width", "ｗｗｗ．ａｏｚｏｒａ．ｅｘａｍｐｌｅ"],
    ["a website with a dot at its end", "https://aozora.example./"],
    ["a website with a user", "https://user@www.aozora.example/"],
    ["an address of mail", "ir@aozora.example"],
    ["an address of mail with its name", "IR <ir@mail.aozora.example>"],
    ["an address of mail as a link", "mailto:ir@aozora.example?subject=IR"],
    ["a part of a website", "shop.aozora.example"],
    ["a city in Japanese", "東京"],
    ["a city with its kind", "東京都"],
    ["an address in Japanese", "東京都港区虎ノ門1-2-3"],
    ["an address", "1-2-3 Toranomon, Minato-ku, Tokyo 105-0001, Japan"],
  ])("as %s tells two companies of one name apart", async (_, hint) => {
    expect(await match("Aozora Glass", hint)).toEqual(["sure", "one"]);
  });

  it.each([
    ["a ticker with a letter", "130a"],
    ["a ticker with a letter, before an exchange", "130A.T"],
    ["a number whose owner writes it with hyphens", "123401567890"],
    ["a city in Japanese", "大阪府"],
    ["a host with a hyphen", "https://www.aozora-glass.co.jp/"],
  ])("as %s tells the other one", async (_, hint) => {
    expect(await match("青空硝子", hint)).toEqual(["sure", "other"]);
  });

  it.each([
    ["of the number", "4010401052081"],
    ["of the number with hyphens", "4-0104-0105-2081"],
    ["of the ticker", "8801"],
  ])("%s of another company makes a name doubtful", async (_, hint) => {
    expect((await match("株式会社青空硝子 東京", hint))[0]).toBe("doubtful");
    expect((await match("Aozora Glass", "aozora.example", hint))[0]).toBe("doubtful");
  });

  it.each([
    ["gmail", "someone@gmail.com"],
    ["a phone number", "+81-3-5201-1234"],
    ["a date", "2024-05-20"],
    ["an amount", "5,201"],
    ["a remark", "call back"],
  ])("that is %s settles nothing", async (_, hint) => {
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
    const ids = found?.candidates.map(({ row }) => pickColumn(row, "companyId"));
    expect([found?.state, ids?.length, ids?.includes("n60")]).toEqual(["doubtful", 5, true]);
  });

  it("is not settled by a city, since others of the city may not have been compared", async () => {
    const index = namesakes((at) => ({ city: [5, 90].includes(at) ? "Kobe" : "Nara" }));
    expect((await matchIn(index, "Sunrise", "Kobe"))[0]).toBe("doubtful");
  });
});
