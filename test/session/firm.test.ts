import type { RequestListener } from "node:http";
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { createPorts } from "../../src/client/ports";
import { PAIRING_HEADER, PAIRING_STORAGE_KEY } from "../../src/contract/companion-api";
import type { List } from "../../src/feed/pages";
import type { Query, State } from "../../src/feed/query-cache";
import { createSession, type Session } from "../../src/session/session";
import { openFirm, type TestFirm } from "../firm/authorisation/firm";
import { createStorage } from "../support/storage";
import { until } from "../support/until";
import { JANUARY } from "./scripted-session";

let firm: TestFirm;
let sessions: Session[];

beforeEach(() => {
  sessions = [];
});
afterEach(async () => {
  for (const { feed } of sessions) feed.queryCache.close();
  await firm.close();
  jest.restoreAllMocks();
});

/** Opens the pane session of a person signed in at the firm's companion. */
async function open(name: string): Promise<Session> {
  const { headers } = await firm.signIn(name, []);
  const storage = createStorage();
  storage().setItem(PAIRING_STORAGE_KEY, headers[PAIRING_HEADER]!);
  const session = createSession({ ports: { ...createPorts(), storage }, companionUrl: firm.origin });
  sessions.push(session);
  return session;
}

async function enter<T>(session: Session, query: Query<T>): Promise<() => State<T>> {
  let shown: State<T> = { status: "pending" };
  session.feed.queryCache.observe(query, (state) => {
    shown = state;
  });
  await until(() => shown.status !== "pending");
  return () => shown;
}

describe("a ranking that changes while the firm's cache holds some of its pages", () => {
  const MINUTE_MS = 60_000;
  const ROWS = 4000;
  /** How many companies enter at the top of the ranking, and push as many out. */
  const MOVED = 20;
  /** How often the provider's ranking has changed, and each company's views. */
  let edition: number;
  let views: number;
  let nowMs: number;

  const listNow = () => Array.from({ length: ROWS }, (_, rank) => `Company ${rank - edition * MOVED}`);
  const answer: RequestListener = ({ url = "" }, response) => {
    const { searchParams } = new URL(url, "http://provider");
    const [page, pageSize] = ["page", "page_size"].map((name) => Number(searchParams.get(name))) as [number, number];
    const names = listNow().slice((page - 1) * pageSize, page * pageSize);
    const data = names.map((companyName) => ({ companyName, tickerSymbol: companyName, totalPageViews: views }));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ data, page, pageSize, total: ROWS }));
  };
  beforeEach(async () => {
    [edition, views, nowMs] = [0, 1, Date.now()];
    jest.spyOn(Date, "now").mockImplementation(() => nowMs);
    firm = await openFirm({ refreshSeconds: 15 }, answer);
  });

  const enterRanking = (session: Session, top: number | "all") =>
    enter(session, session.feed.rankings.queryCompanies(JANUARY, top));
  const listShown = (state: State<List>) =>
    state.status === "answered" ? state.answer.value.rows.map(({ companyName }) => companyName) : [];

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

describe("Refresh all at a firm's companion", () => {
  const ID = "10000000-0000-4000-8000-000000000001";
  const OTHER = "10000000-0000-4000-8000-000000000002";
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
  const openAt = async (refreshSeconds: number) => {
    [edition, isThere] = [1, true];
    firm = await openFirm({ refreshSeconds }, answer);
    session = await open("ann");
  };
  const countReads = () =>
    firm.listReads().filter(({ url }) => url.includes(ID) || url.includes(OTHER) || url.endsWith("/financials")).length;

  it("finds a company that did not exist a moment ago", async () => {
    await openAt(15);
    isThere = false;
    const shown = await enter(session, session.feed.companies.query(OTHER));
    expect(shown()).toMatchObject({ status: "failed", error: { code: "FEED_NOT_FOUND" } });
    isThere = true;
    expect(await session.refresh()).toMatchObject({ refetched: 1, failures: [] });
    expect(shown()).toMatchObject({ status: "answered", answer: { value: { id: OTHER } } });
  });

  it("fetches each query from the provider once and shows the new values", async () => {
    await openAt(0);
    const shown = [
      await enter(session, session.feed.companies.query(ID)),
      await enter(session, session.feed.financials.query({ companyId: ID }, { year: 2023 })),
    ];
    const before = countReads();
    edition = 2;
    const refreshed = await session.refresh();
    expect([refreshed.refetched, refreshed.held, countReads() - before]).toEqual([2, undefined, 2]);
    for (const state of shown) expect(JSON.stringify(state())).toMatch(/edition( |":)2/);
  });

  it("reports the age of the firm's answers and when newer ones are possible", async () => {
    await openAt(900);
    await enter(session, session.feed.companies.query(ID));
    await enter(session, session.feed.financials.query({ companyId: ID }, { year: 2023 }));
    const before = countReads();
    edition = 2;
    const { refetched, held } = await session.refresh();
    expect([refetched, held?.count, countReads()]).toEqual([2, 2, before]);
    expect(held!.newerAtMs - held!.asOfMs).toBeGreaterThan(880_000);
    expect(held!.newerAtMs - held!.asOfMs).toBeLessThanOrEqual(901_000);
    expect(session.refreshing.state().last?.held).toEqual(held);
  });
});
