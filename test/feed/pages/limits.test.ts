import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { awaitAnswer, type FeedOnSandbox, startFeed } from "../../support/feed";

describe("a provider's page size limit", () => {
  let running: FeedOnSandbox;
  let manner = {};
  beforeEach(async () => {
    manner = {};
    running = await startFeed({ companies: 120 });
  });
  afterEach(() => running.close());

  const range = (day: number) => ({ start: `2024-01-0${day}T00:00:00`, end: `2024-01-0${day}T23:59:59` });
  const list = {
    companies: (sort: string) => running.feed.companies.querySearch({ country: "ALL", sort }, "all"),
    classified: (country: string) => running.feed.taxonomies.queryUniverse({ country, companyType: "ALL" }, "all"),
    ranking: (day: number) => running.feed.rankings.queryIndustries(range(day), "all"),
  };
  /** Reads lists for the first time, and gives the requested page sizes. */
  const readSizes = async (...queries: ReturnType<typeof list.companies>[]) => {
    running.controls.reset();
    Object.assign(running.controls, manner);
    for (const query of queries) await awaitAnswer(running.feed, query);
    const dataRequests = running.controls.requests.filter(({ operationId }) => operationId !== "createToken");
    return dataRequests.map(({ url }) => Number(new URL(url, "http://sandbox").searchParams.get("page_size")));
  };

  it("is probed once for each kind of list, and used by later readers", async () => {
    manner = { pageSizeRefusedAbove: 100 };
    expect(await readSizes(list.companies("companyName"), list.companies("-companyName"))).toEqual([
      1000, 100, 100, 100, 100,
    ]);
    expect(await readSizes(list.ranking(1), list.ranking(2))).toEqual([1000, ...Array(6).fill(100)]);
    expect(await readSizes(list.companies("registrationNumber"))).toEqual([100, 100]);
  });

  it("applies to the name index too", async () => {
    manner = { pageSizeRefusedAbove: 100 };
    await readSizes(list.companies("companyName"), list.classified("SGP"));
    running.controls.reset();
    Object.assign(running.controls, manner);
    await running.feed.nameIndexes.build("SGP");
    expect(running.controls.requests.filter(({ status }) => status === 400)).toEqual([]);
    expect(running.feed.nameIndexes.state("SGP").facts).not.toBe(null);
  });

  it("is probed again for another client's provider", async () => {
    manner = { pageSizeRefusedAbove: 100 };
    await readSizes(list.companies("companyName"));
    running.feed.reset();
    manner = {};
    expect((await readSizes(list.companies("-companyName")))[0]).toBe(1000);
  });
});
