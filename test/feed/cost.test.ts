import { beforeEach, describe, expect, it } from "@jest/globals";
import type { CompanyPage } from "../../src/contract/types";
import type { Cost } from "../../src/feed/cost";
import type { Session } from "../../src/session/session";
import type { Value } from "../../src/taskpane/build/use-preview";
import { prepareSandbox } from "../functions/sandbox-formulas";
import COSTS from "./query-costs.json";
import { listKinds } from "./query-kinds";

/** Private companies of Japan. */
let companies: CompanyPage["data"];
const sandbox = prepareSandbox(200, async ({ read }) => {
  companies = (await read<CompanyPage>("/asia/private-markets/v1/companies?country=JPN&page_size=50")).data;
});

let session: Session;
beforeEach(async () => {
  session = sandbox.formulas.session;
  await session.connect();
  sandbox.companion.controls.reset(); // the token is no data
});

/** Shows a formula to its last row. */
function show(name: string, given: readonly Value[]): Promise<readonly (readonly unknown[])[]> {
  return new Promise((resolve) => {
    let rows: readonly (readonly unknown[])[] = [];
    const look = () => session.feed.activity.pending() === 0 && rows.length > 0 && finish();
    const stopLooking = session.feed.activity.onChange(() => setImmediate(look));
    const end = session.formulas.run(name, given, (shown) => {
      rows = shown as typeof rows;
      look();
    });
    const finish = () => {
      stopLooking();
      setImmediate(end);
      resolve(rows);
    };
  });
}

const readCost = async (name: string, given: readonly Value[]): Promise<Cost> =>
  session.feed.toCost(await session.formulas.listQueries(name, given));

const toColumn = (values: readonly string[]): Value => values.map((value) => [value]);
const takeIds = (count: number): Value => toColumn(companies.slice(0, count).map(({ id }) => id));

/** Compares the predicted cost with the provider's count; afterwards nothing is left to fetch. */
async function check(name: string, given: readonly Value[], requests: number): Promise<void> {
  expect(await readCost(name, given)).toEqual({ requests, now: requests, isLeast: false });
  await show(name, given);
  expect(sandbox.companion.controls.count()).toBe(requests);
  expect(await readCost(name, given)).toEqual({ requests, now: 0, isLeast: false });
}

describe("the cost of a formula", () => {
  it("is one request for a company's financials, whatever the years and metrics", async () => {
    await check("FINANCIAL", [takeIds(1), "FY-2:FY0", [["Revenue"], ["EBIT"]]], 1);
    expect((await readCost("FINANCIALS", [takeIds(1)])).now).toBe(0);
    expect((await readCost("FINANCIAL", [takeIds(1), 2023, "EBIT"])).now).toBe(0);
  });

  it("is one request for every 25 companies", () => check("FINANCIALS", [takeIds(30)], 2));

  it("is one request for as many companies as the provider was seen to return at once", async () => {
    expect((await readCost("FINANCIALS", [takeIds(20)])).now).toBe(1);
    sandbox.companion.controls.postFirst = 5;
    await show("FINANCIALS", [takeIds(40)]); // two answers, since one may be an accident
    sandbox.companion.controls.postFirst = null;
    expect(await readCost("FINANCIALS", [takeIds(50)])).toEqual({ requests: 10, now: 2, isLeast: false });
  });

  it("includes only answers that are not cached", async () => {
    await show("FINANCIALS", [takeIds(5)]);
    expect(await readCost("FINANCIALS", [takeIds(30)])).toEqual({ requests: 2, now: 1, isLeast: false });
  });

  it("is one request for each company record, however many fields", async () => {
    await check("COMPANY", [takeIds(3), [["companyName", "registeredAddress.city"]]], 3);
  });

  it("is at least one for a company's name in a language, which its record may lack", async () => {
    session.change({ companyNames: "en" });
    const cost = { requests: 3, now: 3, isLeast: true };
    expect(await readCost("COMPANY", [takeIds(3), "companyName"])).toEqual(cost);
    expect(await readCost("COMPANY", [takeIds(3), "registeredAddress.city"])).toEqual({ ...cost, isLeast: false });
    session.change({ companyNames: "provider" });
  });

  it("is at least one for a registration number, which also resolves it", async () => {
    const number = String(companies[0]?.registrationNumber);
    expect(await readCost("FINANCIAL", [number, "FY0", "Revenue"])).toEqual({ requests: 1, now: 1, isLeast: true });
    await show("FINANCIAL", [number, "FY0", "Revenue"]);
    expect(sandbox.companion.controls.count()).toBe(1);
    expect(await readCost("FINANCIAL", [number, "FY0", "EBIT"])).toEqual({ requests: 1, now: 0, isLeast: true });
    expect(await readCost("COMPANY", [number, "companyName"])).toEqual({ requests: 1, now: 1, isLeast: true });
    await show("COMPANY", [number, "companyName"]);
    expect(sandbox.companion.controls.count()).toBe(2);
    expect(await readCost("CLASSIFICATION", [number, "tickerSymbol"])).toEqual({ requests: 2, now: 1, isLeast: false });
  });

  it("is one request for up to 1,000 rows of a list", () => check("RANKING", ["2024-01", null, 10], 1));

  it("is open-ended for a list read to its end", async () => {
    expect(await readCost("UNIVERSE", ["JPN"])).toEqual({ requests: 1, now: 1, isLeast: true, isByRows: true });
    expect(await readCost("UNIVERSE", ["JPN", null, 2500])).toEqual({ requests: 3, now: 3, isLeast: false });
  });

  it("is as many requests for another whole ranking as the last one took, once its first page is there", async () => {
    const months = (from: string, to: string): Value[] => [[["all"]], [[`2024-${from}:2024-${to}`]]];
    expect(await readCost("RANKING.TREND", months("01", "04"))).toEqual({
      requests: 4,
      now: 4,
      isLeast: true,
      isByRows: true,
    });
    await show("RANKING.TREND", months("01", "02"));
    const one = sandbox.companion.controls.count() / 2;
    expect(one).toBe(5);
    const about = { isLeast: true, isMost: true };
    expect(await readCost("RANKING.TREND", months("01", "04"))).toEqual({ requests: 4 * one, now: 2 * one, ...about });
    expect(await readCost("RANKING.MOVERS", ["2024-02"])).toEqual({ requests: 2 * one, now: 0, ...about });
    expect((await readCost("RANKING.TREND", [...months("01", "04"), null, "industries"])).isByRows).toBe(true);
  });

  it("is one request for the tree, which also serves its branches", async () => {
    const tree = await show("TAXONOMY", ["sector", null, false]);
    const node = String(tree[0]?.[0]);
    expect(sandbox.companion.controls.count()).toBe(1);
    expect(await readCost("CONSTITUENTS", [node, "JPN", null, 5])).toEqual({ requests: 2, now: 1, isLeast: false });
    await show("CONSTITUENTS", [node, "JPN", null, 5]);
    expect(sandbox.companion.controls.count()).toBe(2);
  });

  it("is zero for a built name index and the add-in's own facts", async () => {
    expect(await readCost("COMPANY.FIND", ["sakura", "SGP"])).toEqual({ requests: 1, now: 1, isLeast: true });
    await session.feed.nameIndexes.build("SGP");
    expect((await readCost("COMPANY.FIND", ["sakura", "SGP"])).now).toBe(0);
    expect(await readCost("STATUS", ["version"])).toEqual({ requests: 0, now: 0, isLeast: false });
  });

  it("is zero for invalid arguments", async () => {
    expect(await readCost("RANKING", ["no day"])).toEqual({ requests: 0, now: 0, isLeast: false });
  });

  it("is a minimum for queries of unknown length or owner", () => {
    const costs = Object.entries(listKinds(session.feed)).map(([family, queries]) => [
      family,
      Object.fromEntries(
        Object.entries(queries).map(([name, query]) => {
          const { now, isLeast } = session.feed.toCost([query]);
          return [name, isLeast ? `at least ${now}` : now];
        }),
      ),
    ]);
    expect(Object.fromEntries(costs)).toEqual(COSTS);
  });
});
