import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { OPERATIONS } from "../../../src/contract/constants";
import { awaitAnswer, type FeedOnServer, startFeedOn } from "../../support/feed";
import type { Received } from "../../support/http-server";

/** A company of the list, and the texts that mean it alone. */
interface Company {
  id: string;
  english: string;
  japanese: string;
  ticker: string;
}

const STEMS: readonly (readonly [string, string])[] = [
  ["Sakura Foods", "さくら食品"],
  ["Minato Shipping", "港海運"],
  ["Takashima", "髙島"],
  ["Aoba Electric", "アオバ電機"],
  ["Kitano Sawa", "北野澤"],
  ["Hikari Motors", "ヒカリ自動車"],
  ["Yuki Pharma", "ユキ製薬"],
  ["Mori Metals", "森金属"],
  ["Umi Glass", "うみ硝子"],
  ["Tsuki Paper", "月製紙"],
];
const BRANCHES: readonly (readonly [string, string])[] = [
  ["", ""],
  [" Holdings", "ホールディングス"],
  [" East", "東日本"],
  [" Kyushu", "九州"],
  [" Logistics", "物流"],
];

const COMPANIES: readonly Company[] = STEMS.flatMap(([english, japanese], stem) =>
  BRANCHES.map(([suffix, ending], branch) => ({
    id: `id-${stem}-${branch}`,
    english: `${english}${suffix}`,
    japanese: `${japanese}${ending}`,
    ticker: String(2_000 + stem * 10 + branch),
  })),
);
/** Each has the names of a company of the list, and is another one. */
const NAMESAKES = COMPANIES.filter((_, index) => index % 10 === 0).map((each) => ({ ...each, id: `other-${each.id}` }));

const toWide = (text: string) =>
  text.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)).replace(/ /g, "\u3000");
const toKatakana = (text: string) => text.replace(/[ぁ-ん]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) + 0x60));

/** Ways in which people write a company. */
const ENGLISH = [
  ({ english }: Company) => english.toUpperCase(),
  ({ english }: Company) => `${english} Co., Ltd.`,
  ({ english }: Company) => toWide(`${english} K.K.`),
];
const JAPANESE = [
  ({ japanese }: Company) => `株式会社${japanese}`,
  ({ japanese }: Company) => `㈱${toKatakana(japanese)}`.replace("髙", "高").replace("澤", "沢"),
];
const CODES = [({ ticker }: Company) => ticker, ({ ticker }: Company) => toWide(`TSX:${ticker}`)];
const ABSENT = [
  "Nobody Ltd",
  "どこにもない会社",
  "9999",
  "Sakura",
  "森",
  "JPN:Hikari",
  "Mori Metal",
  "2",
  "港",
  "Takashima West",
];

const typed = COMPANIES.flatMap((company, index) => [
  { company, text: ENGLISH[index % ENGLISH.length]!(company) },
  { company, text: JAPANESE[index % JAPANESE.length]!(company) },
  { company, text: CODES[index % CODES.length]!(company) },
  { company, text: index % 2 === 0 ? `JPN:${company.english}` : `${company.japanese}株式会社` },
]).slice(0, 190);

let running: FeedOnServer;
beforeAll(async () => {
  running = await startFeedOn(answer);
});
afterAll(() => running.close());

function answer({ path, query }: Received) {
  const page = (data: unknown[]) => ({ json: { data, page: 1, pageSize: 1_000, total: data.length } });
  if (path === OPERATIONS.searchCompanies.path) {
    return page(query.has("identifier") ? [] : NAMESAKES.map(({ id, english }) => ({ id, companyName: english })));
  }
  if (path === OPERATIONS.getFinancialsOfMany.path) return page([]);
  if (path !== OPERATIONS.listTaxonomyCompanies.path) return undefined;
  return page(
    COMPANIES.map(({ id, english, japanese, ticker }) => ({
      companyId: id,
      companyFormalName: `株式会社${japanese}`,
      companyEnglishName: `${english} Co., Ltd.`,
      tickerSymbol: ticker,
      exchangeCode: "TSX",
      countryCode: "JPN",
    })),
  );
}

const resolve = (name: string): Promise<string> =>
  awaitAnswer(running.feed, running.feed.companies.queryId({ name, country: "JPN" })).catch((error) => error.code);

describe("200 companies as people write them", () => {
  it("are each the right company, or an error that lists those of its name; none is a wrong one", async () => {
    const counts = { right: 0, doubtful: 0, absent: 0 };
    for (const { company, text } of typed) {
      const found = await resolve(text);
      const isNamesake = NAMESAKES.some(({ english }) => english === company.english);
      expect([text, found]).toEqual([text, isNamesake && found === "FEED_AMBIGUOUS" ? found : company.id]);
      counts[found === company.id ? "right" : "doubtful"]++;
    }
    for (const text of ABSENT) {
      expect([text, await resolve(text)]).toEqual([text, "FEED_NO_VALUE"]);
      counts.absent++;
    }
    expect(counts).toEqual({ right: expect.any(Number), doubtful: expect.any(Number), absent: 10 });
    expect(counts.right).toBeGreaterThanOrEqual(178);
    expect(counts.right + counts.doubtful).toBe(190);
  });
});
