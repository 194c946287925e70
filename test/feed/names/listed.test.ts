import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { OPERATIONS } from "../../../src/contract/constants";
import { awaitAnswer, type FeedOnServer, startFeedOn } from "../../support/feed";
import CASES from "./listed.json";

const TICKERS: Readonly<Record<string, string>> = CASES.tickers;

let running: FeedOnServer;
beforeEach(async () => {
  const data = CASES.companies.map((name, at) => ({
    companyId: `company-${at}`,
    companyFormalName: name,
    companyEnglishName: name,
    tickerSymbol: TICKERS[name] ?? null,
    countryCode: "JPN",
  }));
  running = await startFeedOn(({ path }) => {
    const isListed = path === OPERATIONS.listTaxonomyCompanies.path;
    if (!isListed && path !== OPERATIONS.searchCompanies.path) return undefined;
    const rows = isListed ? data : [];
    return { json: { data: rows, page: 1, pageSize: 100, total: rows.length } };
  });
});
afterEach(() => running.close());

const split = (text: string) => awaitAnswer(running.feed, running.feed.names.querySplit(text, "JPN"));

describe("a text with commas", () => {
  it.each(CASES.whole as [string, string][])("is one company's name: %s (%s)", async (text) => {
    expect(await split(text)).toEqual([text]);
  });

  it.each(CASES.lists as [string, string[], string][])("is a list: %s, %j, since %s", async (text, parts) => {
    expect(await split(text)).toEqual(parts);
  });

  it("is what the workbook says it is, without an index", async () => {
    const known = (name: string) => ({ name, country: "JPN", companyId: "a", companyName: "A" });
    const ofFamily = { ...known("Its, Name"), family: "private" as const };
    running.feed.resolutions.adopt([...["Own, Name", "One", "Two"].map(known), ofFamily]);
    expect([await split("Own, Name"), await split("One, Two")]).toEqual([["Own, Name"], ["One", "Two"]]);
    expect(await split("Its, Name")).toEqual(["Its, Name"]);
    expect(running.requests()).toEqual([]);
  });
});
