import type { RequestListener } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { Session } from "../../src/session/session";
import { openFirm, type TestFirm } from "../companion/authorisation/firm";
import { enter, openSession } from "./firm-session";

const ID = "10000000-0000-4000-8000-000000000001";
const OTHER = "10000000-0000-4000-8000-000000000002";

let firm: TestFirm;
let session: Session;
/** The edition of the provider's figures, and whether it has the other company. */
let edition: number;
let isThere: boolean;

const answer: RequestListener = ({ url = "", method }, response) => {
  response.setHeader("content-type", "application/json");
  if (url.includes(OTHER) && !isThere) return response.writeHead(404).end("{}");
  const requestedIds =
    method === "POST" ? JSON.parse(firm.provider.seen.at(-1)!.body).companyIds : [url.split(/[/?]/).at(-1)];
  const data = requestedIds.map((companyId: string) => ({ companyId, years: [{ year: 2023, edition }] }));
  if (method === "POST") return response.end(JSON.stringify({ data, page: 1, pageSize: 25, total: data.length }));
  if (url.includes("/financials/"))
    return response.end(JSON.stringify({ ...data[0], companyId: url.match(/[\w-]{36}/)?.[0] }));
  return response.end(JSON.stringify({ id: requestedIds[0], companyName: `edition ${edition}` }));
};

async function open(refreshSeconds: number): Promise<void> {
  firm = await openFirm({ refreshSeconds }, answer);
  session = openSession(firm.origin, await firm.signIn("ann", []));
}

beforeEach(() => {
  [edition, isThere] = [1, true];
});
afterEach(async () => {
  session.feed.queryCache.close();
  await firm.close();
});

const { companies, financials } = {
  companies: () => session.feed.companies,
  financials: () => session.feed.financials,
};
const countReads = () =>
  firm.listReads().filter(({ url }) => url.includes(ID) || url.includes(OTHER) || url.endsWith("/financials")).length;

describe("Refresh all at a firm's companion", () => {
  it("finds a company that did not exist a moment ago", async () => {
    await open(15);
    isThere = false;
    const shown = await enter(session, companies().query(OTHER));
    expect(shown()).toMatchObject({ status: "failed", error: { code: "FEED_NOT_FOUND" } });
    isThere = true;
    expect(await session.refresh()).toMatchObject({ refetched: 1, failures: [] });
    expect(shown()).toMatchObject({ status: "answered", answer: { value: { id: OTHER } } });
  });

  it("fetches each query from the provider once and shows the new values", async () => {
    await open(0);
    const shown = [
      await enter(session, companies().query(ID)),
      await enter(session, financials().query({ companyId: ID }, { year: 2023 })),
    ];
    const before = countReads();
    edition = 2;
    const refreshed = await session.refresh();
    expect([refreshed.refetched, refreshed.held, countReads() - before]).toEqual([2, undefined, 2]);
    for (const state of shown) expect(JSON.stringify(state())).toMatch(/edition( |":)2/);
  });

  it("reports the age of the firm's answers and when newer ones are possible", async () => {
    await open(900);
    await enter(session, companies().query(ID));
    await enter(session, financials().query({ companyId: ID }, { year: 2023 }));
    const before = countReads();
    edition = 2;
    const { refetched, held } = await session.refresh();
    expect([refetched, held?.count, countReads()]).toEqual([2, 2, before]);
    expect(held!.newerAtMs - held!.asOfMs).toBeGreaterThan(880_000);
    expect(held!.newerAtMs - held!.asOfMs).toBeLessThanOrEqual(901_000);
    expect(session.refreshing.state().last?.held).toEqual(held);
  });
});
