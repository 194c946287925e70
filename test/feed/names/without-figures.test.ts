import { afterEach, describe, expect, it } from "@jest/globals";
import { OPERATIONS } from "../../../src/contract/constants";
import { awaitAnswer, type FeedOnServer, startFeedOn } from "../../support/feed";
import type { Answering } from "../../support/http-server";

const named = { name: "Mori", country: "JPN" };
const listed = { companyId: "listed", companyFormalName: "Mori", tickerSymbol: "5711", countryCode: "JPN" };
const classified = { companyId: "classified", companyFormalName: "Mori", countryCode: "JPN" };
const unlisted = {
  id: "private",
  companyName: "Mori",
  registrationNumber: "77",
  registeredAddress: { country: "JPN" },
};

let running: FeedOnServer;
afterEach(() => running.close());

/** @param isPrivateReadable whether the client may read the private companies */
async function start(isPrivateReadable = true): Promise<void> {
  const page = (data: unknown[]): Answering => ({ json: { data, page: 1, pageSize: 100, total: data.length } });
  running = await startFeedOn(({ path }) => {
    if (path === OPERATIONS.listTaxonomyCompanies.path) return page([listed, classified]);
    if (path !== OPERATIONS.searchCompanies.path) return undefined;
    return isPrivateReadable ? page([unlisted]) : { status: 403, json: { code: "FORBIDDEN", message: "no" } };
  });
}

const readFailure = (query: Parameters<typeof awaitAnswer>[1]) =>
  awaitAnswer(running.feed, query).then(String, ({ message }) => String(message));

describe("the companies of one name", () => {
  it("are marked where a formula shows financials and they have none", async () => {
    await start();
    expect(await readFailure(running.feed.financials.query(named))).toBe(
      '"Mori" is the name of 3 companies: "JPN:77" (Mori, private); "JPN:5711" (Mori, listed: no financials); "classified" (Mori, private: no financials); choose one in the FEED pane, or put one of the quoted texts in place of the name',
    );
  });

  it("are not marked where a formula shows their classification", async () => {
    await start();
    const message = await readFailure(running.feed.taxonomies.query(named));
    expect(message).toContain('"JPN:5711" (Mori, listed)');
    expect(message).not.toContain("no financials");
  });

  it("are not marked where the client may not read which companies have financials", async () => {
    await start(false);
    const message = await readFailure(running.feed.financials.query(named));
    expect(message).toContain('"JPN:5711" (Mori, listed); "classified" (Mori, private)');
  });
});
