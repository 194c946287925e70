import { afterEach, describe, expect, it } from "@jest/globals";
import { OPERATIONS } from "../../../src/contract/constants";
import { readCompany } from "../../../src/functions/arguments";
import { awaitAnswer, type FeedOnServer, startFeedOn } from "../../support/feed";
import type { Answering, Received } from "../../support/http-server";

const FINANCIALS = OPERATIONS.getFinancialsOfMany.path;
const SEARCH = OPERATIONS.searchCompanies.path;
const CLASSIFIED = OPERATIONS.listTaxonomyCompanies.path;

const idOf = (place: number) => `00000000-0000-4000-8000-${String(place).padStart(12, "0")}`;

const listed = (place: number, tickerSymbol: string, companyFormalName = "Sakura", countryCode = "JPN") => ({
  companyId: idOf(place),
  companyFormalName,
  tickerSymbol,
  exchangeCode: "TSX",
  countryCode,
});
const unlisted = (place: number, registrationNumber: string, companyName = "Sakura", country = "JPN") => ({
  id: idOf(place),
  companyName,
  registrationNumber,
  registeredAddress: { country, city: "Sendai" },
});

let running: FeedOnServer;
afterEach(() => running.close());

type Companies = { listed: ReturnType<typeof listed>[]; unlisted: ReturnType<typeof unlisted>[] };

/** Starts a provider that knows registration numbers of all countries. */
async function start(companies: Companies): Promise<void> {
  const page = (data: unknown[]): Answering => ({ json: { data, page: 1, pageSize: 100, total: data.length } });
  const of = <T extends { countryCode?: string; registeredAddress?: { country: string } }>(
    all: T[],
    query: URLSearchParams,
  ) => {
    const country = query.get("country");
    return all.filter((each) => country === "ALL" || country === (each.countryCode ?? each.registeredAddress?.country));
  };
  running = await startFeedOn(({ path, query, body }: Received) => {
    if (path === FINANCIALS) {
      const { identifiers } = body as { identifiers: string[] };
      const owners = companies.unlisted.filter((each) => identifiers.includes(each.registrationNumber));
      return page(owners.map(({ id }) => ({ companyId: id, years: [{ year: 2022 }, { year: 2023 }] })));
    }
    if (path === SEARCH) return page(query.has("identifier") ? [] : of(companies.unlisted, query));
    if (path === CLASSIFIED) return page(of(companies.listed, query));
    const isOfOne = path.startsWith(String(OPERATIONS.getCompanyFinancials.path.split("{")[0]));
    return isOfOne ? { json: { companyId: path.split("/").at(-1), years: [] } } : undefined;
  });
}

/** The id that a formula for figures, or FEED.COMPANY.ID, takes from a text. */
const READINGS = {
  FINANCIAL: async (text: string, country: string) => {
    const { feed } = running;
    return (await awaitAnswer(feed, feed.financials.query(readCompany(text, country)))).companyId;
  },
  "COMPANY.ID": (text: string, country: string) => awaitAnswer(running.feed, running.feed.names.queryId(text, country)),
};

const failureOf = (reading: keyof typeof READINGS, text: string, country: string) =>
  READINGS[reading](text, country).then(
    (companyId) => `no failure: ${companyId}`,
    (error: Error) => error.message,
  );

/** The texts that an error lists, without the written one. */
const listTexts = (message: string): string[] =>
  [...message.matchAll(/"([^"]+)"/g)].map(([, text = ""]) => text).slice(1);

const NAMESAKES: Companies = {
  listed: [listed(1, "4952"), listed(2, "130A"), listed(3, "7777"), listed(4, "7777", "Maple")],
  unlisted: [unlisted(5, "9530193052711"), unlisted(6, "77")],
};

describe("the texts that an ambiguous name's error lists", () => {
  it.each(["FINANCIAL", "COMPANY.ID"] as const)("each mean one company in %s, all of them another", async (reading) => {
    await start(NAMESAKES);
    const texts = listTexts(await failureOf(reading, "Sakura", "JPN"));
    const ids = [];
    for (const text of texts) ids.push(await READINGS[reading](text, "JPN"));
    expect(texts).toHaveLength(5);
    expect(ids.toSorted()).toEqual([1, 2, 3, 5, 6].map(idOf));
  });

  it("are a ticker behind its country, or a registration number", async () => {
    await start(NAMESAKES);
    const message = await failureOf("COMPANY.ID", "Sakura", "JPN");
    expect(message).toContain('"JPN:4952" (Sakura, listed); "JPN:130A" (Sakura, listed)');
    expect(message).toContain('"9530193052711" (Sakura, private, Sendai); "JPN:77" (Sakura, private, Sendai)');
  });

  it("are an id where a ticker is not the company's alone", async () => {
    await start(NAMESAKES);
    expect(await failureOf("FINANCIAL", "Sakura", "JPN")).toContain(`"${idOf(3)}" (Sakura, listed: no financials)`);
  });

  it("are an id where the workbook gives the ticker another company", async () => {
    await start(NAMESAKES);
    running.feed.resolutions.record({ name: "JPN:4952", country: "JPN", companyId: idOf(9), companyName: "Maple" });
    expect(await failureOf("FINANCIAL", "Sakura", "JPN")).not.toContain("JPN:4952");
  });

  it("begin with companies that may have figures, where the formula wants some", async () => {
    await start(NAMESAKES);
    expect(listTexts(await failureOf("FINANCIAL", "Sakura", "JPN")).slice(0, 2)).toEqual(["9530193052711", "JPN:77"]);
    expect(listTexts(await failureOf("COMPANY.ID", "Sakura", "JPN"))[0]).toBe("JPN:4952");
  });

  it.each([
    ["SGP:Sakura", "JPN"],
    ["Sakura", "ALL"],
  ])("work where the name %s is looked up in %s", async (name, country) => {
    await start({
      listed: [listed(1, "4952", "Sakura", "SGP"), listed(2, "D05", "Sakura", "SGP")],
      unlisted: [unlisted(5, "201912345K", "Sakura", "SGP")],
    });
    for (const reading of ["FINANCIAL", "COMPANY.ID"] as const) {
      const texts = listTexts(await failureOf(reading, name, country));
      const ids = [];
      for (const text of texts) ids.push(await READINGS[reading](text, country));
      expect(ids.toSorted()).toEqual([1, 2, 5].map(idOf));
    }
  });
});

describe("the closest names of a misspelt one", () => {
  it("each mean one company, and the first is the error's correction", async () => {
    await start({
      listed: [listed(1, "4952", "Komorebi Travel Co., Ltd.")],
      unlisted: [unlisted(5, "77", "Komorebi Education Inc.")],
    });
    const { feed } = running;
    const failed = awaitAnswer(feed, feed.financials.query(readCompany("Komorebi Edukation Inc.", "JPN")));
    const error = await failed.then(String, (thrown) => thrown);
    expect(error).toMatchObject({ code: "FEED_NO_VALUE", facts: { closest: "Komorebi Education Inc." } });
    expect(await READINGS.FINANCIAL("Komorebi Education Inc.", "JPN")).toBe(idOf(5));
  });
});

describe("a name that no company of the country has", () => {
  it("is proposed behind its country only where the index of all countries has it there", async () => {
    await start({ listed: [listed(1, "D05", "Orchid Bank", "SGP")], unlisted: [] });
    expect(await failureOf("FINANCIAL", "Orchid Bank", "JPN")).toMatch(
      /; correct the spelling, or search all countries in Find$/,
    );
    await running.feed.nameIndexes.build("ALL");
    expect(await failureOf("FINANCIAL", "Orchid  Bank", "JPN")).toMatch(/ before it: "SGP:Orchid {2}Bank"$/);
  });
});
