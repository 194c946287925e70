import type { RequestListener } from "node:http";
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import type { List } from "../../src/feed/pages";
import type { State } from "../../src/feed/query-cache";
import type { Session } from "../../src/session/session";
import { openFirm, type TestFirm } from "../companion/authorisation/firm";
import { enter, openSession } from "./firm-session";

const MINUTE_MS = 60_000;
const ROWS = 4000;
/** How many companies enter at the top of the ranking, and push as many out. */
const MOVED = 20;
const RANGE = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };

let firm: TestFirm;
let sessions: Session[];
/** How often the provider's ranking has changed, and each company's views. */
let edition: number;
let views: number;
let nowMs: number;

const listNow = () => Array.from({ length: ROWS }, (_, rank) => `Company ${rank - edition * MOVED}`);

const answer: RequestListener = ({ url = "" }, response) => {
  const { searchParams } = new URL(url, "http://provider");
  const [page, pageSize] = ["page", "page_size"].map((name) => Number(searchParams.get(name))) as [number, number];
  const names = listNow().slice((page - 1) * pageSize, page * pageSize);
  const data = names.map((companyName) => ({
    companyName,
    tickerSymbol: companyName,
    totalPageViews: views,
  }));
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ data, page, pageSize, total: ROWS }));
};

async function open(name: string): Promise<Session> {
  const session = openSession(firm.origin, await firm.signIn(name, []));
  sessions.push(session);
  return session;
}

const enterRanking = (session: Session, top: number | "all") =>
  enter(session, session.feed.rankings.queryCompanies(RANGE, top));
const listShown = (state: State<List>) =>
  state.status === "answered" ? state.answer.value.rows.map(({ companyName }) => companyName) : [];

beforeEach(async () => {
  [edition, views, sessions, nowMs] = [0, 1, [], Date.now()];
  jest.spyOn(Date, "now").mockImplementation(() => nowMs);
  firm = await openFirm({ refreshSeconds: 15 }, answer);
});
afterEach(async () => {
  for (const { feed } of sessions) feed.queryCache.close();
  await firm.close();
  jest.restoreAllMocks();
});

describe("a ranking that changes while the firm's cache holds some of its pages", () => {
  it("shows each company once and in order to a reader of more pages", async () => {
    await enterRanking(await open("ann"), 1000);
    nowMs += 9 * MINUTE_MS;
    edition = 1;
    const shown = await enterRanking(await open("bob"), "all");
    expect(listShown(shown())).toEqual(listNow());
  });

  it("shows the values of one reading when every company has its old rank", async () => {
    await enterRanking(await open("ann"), 1000);
    nowMs += 9 * MINUTE_MS;
    views = 2;
    const shown = await enterRanking(await open("bob"), "all");
    const { answer } = shown() as Extract<State<List>, { status: "answered" }>;
    expect(new Set(answer.value.rows.map(({ totalPageViews }) => totalPageViews))).toEqual(new Set([2]));
  });

  it("shows every reader the same reading and its age until someone refreshes", async () => {
    const first = await enterRanking(await open("ann"), "all");
    const readAtMs = nowMs;
    nowMs += 9 * MINUTE_MS;
    const before = listNow();
    edition = 1;
    const readsBefore = firm.listReads().length;
    const session = await open("bob");
    const shown = await enterRanking(session, "all");
    expect(listShown(shown())).toEqual(before);
    expect(shown()).toMatchObject({ answer: { asOfMs: readAtMs } });
    expect(firm.listReads()).toHaveLength(readsBefore);
    expect(await session.refresh()).toMatchObject({ refetched: 1, failures: [] });
    expect(listShown(shown())).toEqual(listNow());
    expect(listShown(first())).toEqual(before);
  });
});
