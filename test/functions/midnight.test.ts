import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { openPage, type Page } from "../faults/test-bed";
import { type PlainProvider, startPlainProvider } from "../support/plain-provider";
import { until } from "../support/until";

const LAST_MINUTE = Date.UTC(2024, 10, 20, 23, 59, 59, 500);

let provider: PlainProvider;
let page: Page;

beforeAll(async () => {
  provider = await startPlainProvider();
});
beforeEach(async () => {
  provider.reads.length = 0;
  provider.answer = ({ query }) => {
    const row = { companyName: `until ${query.get("end_datetime")}`, totalPageViews: 1 };
    return { json: { data: [row], page: 1, pageSize: 100, total: 1 } };
  };
  page = await openPage(provider.origin, { startMs: LAST_MINUTE });
  page.formulas.session.change({ timeZone: "UTC" });
  await page.formulas.session.connect();
});
afterEach(() => page.close());
afterAll(() => provider.close());

const FIELDS = [["companyName"]];
const typeRanking = (start: string) => page.formulas.type("RANKING", [[start]], null, null, FIELDS, null, [[false]]);
const listEnds = () => provider.reads.map(({ query }) => query.get("end_datetime"));

describe("a refresh just after midnight", () => {
  it("fetches today's range alone, not yesterday's again", async () => {
    const cells = [typeRanking("-7d"), typeRanking("MTD")];
    await until(() => cells.every(({ shown }) => shown.length > 0));
    expect(listEnds().sort()).toEqual(["2024-11-19T23:59:59", "2024-11-20T23:59:59"]);
    await page.clock.advance(1_000);
    provider.reads.length = 0;
    expect(await page.formulas.session.refresh()).toMatchObject({ refetched: 2, failures: [] });
    await page.rest();
    expect(listEnds().sort()).toEqual(["2024-11-20T23:59:59", "2024-11-21T23:59:59"]);
    expect(cells.map(({ shown }) => shown.at(-1))).toEqual([
      [["until 2024-11-20T23:59:59"]],
      [["until 2024-11-21T23:59:59"]],
    ]);
  });
});
