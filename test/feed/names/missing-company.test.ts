import { afterEach, describe, expect, it } from "@jest/globals";
import { OPERATIONS } from "../../../src/contract/constants";
import { awaitAnswer, type FeedOnServer, startFeedOn } from "../../support/feed";
import type { Answering, Received } from "../../support/http-server";
import CASES from "./missing-company.json";

const SEARCH = OPERATIONS.searchCompanies.path;
const CLASSIFIED = OPERATIONS.listTaxonomyCompanies.path;
const LISTED = "00000000-0000-4000-8000-000000000001";
const PRIVATE = "00000000-0000-4000-8000-000000000002";

let running: FeedOnServer;
afterEach(() => running.close());

/** Starts a provider with the names of two companies and no data of any. */
async function start(): Promise<void> {
  const listed = { companyId: LISTED, companyFormalName: "Sakura Foods", tickerSymbol: "4952", countryCode: "JPN" };
  const unlisted = { id: PRIVATE, companyName: "Mori Metals", registeredAddress: { country: "JPN", city: "Osaka" } };
  const page = (data: unknown[]): Answering => ({ json: { data, page: 1, pageSize: 100, total: data.length } });
  running = await startFeedOn(({ path, query }: Received) => {
    if (path === SEARCH) return page(query.has("identifier") ? [] : [unlisted]);
    if (path === CLASSIFIED) return page([listed]);
    if (path === OPERATIONS.getFinancialsOfMany.path) return page([]);
    return path.includes(LISTED) || path.includes(PRIVATE) ? { status: 404, json: {} } : undefined;
  });
}

const JAPAN = "JPN";
const errorOf = async (kind: "financials" | "record" | "classification", name: string, year: number | null = null) => {
  const { feed } = running;
  const named = { name, country: JAPAN };
  const query = {
    financials: () => feed.financials.query(named, { year }),
    record: () => feed.companies.queryOf(named),
    classification: () => feed.taxonomies.query(named),
  }[kind]();
  return awaitAnswer<unknown>(feed, query).then(String, (error) => error);
};

describe("the error of a company without data, in a formula with its name", () => {
  it.each(CASES.messages as ["financials" | "record" | "classification", string, number | null, string][])(
    "of %s by %s in %s names the company",
    async (kind, name, year, message) => {
      await start();
      const error = await errorOf(kind, name, year);
      expect(error).toMatchObject({ code: "FEED_NOT_FOUND", message, facts: { named: { name, country: JAPAN } } });
    },
  );

  it("says so too of a company that was chosen for the name, and asks for no index", async () => {
    await start();
    running.feed.resolutions.record({ name: "Sakura", country: JAPAN, companyId: LISTED, companyName: "Sakura Foods" });
    expect(await errorOf("financials", "Sakura")).toMatchObject({
      message: 'Sakura Foods, which "Sakura" means here, has no financials; choose another company',
    });
    expect(running.requests().filter(({ path }) => path === SEARCH || path === CLASSIFIED)).toEqual([]);
  });

  it("stays of the id where the id was written", async () => {
    await start();
    const { feed } = running;
    const failed = awaitAnswer<unknown>(feed, feed.financials.query({ companyId: LISTED }));
    await expect(failed).rejects.toMatchObject({ message: expect.stringContaining("check the id"), facts: {} });
  });
});
