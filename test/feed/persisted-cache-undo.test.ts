import { afterEach, describe, expect, it } from "@jest/globals";
import { awaitAnswer, type FeedOnServer, startFeedOn } from "../support/feed";
import type { Received } from "../support/http-server";
import { until } from "../support/until";
import { keepFreshStorage, readPersisted } from "./persisted-cache-storage";

keepFreshStorage();
const opened: FeedOnServer[] = [];
let revenue = 100;
afterEach(async () => {
  revenue = 100;
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

const toFinancials = (companyId: string, requestedYear: number | null) => ({
  companyId,
  years: (requestedYear === null ? [2021, 2022] : [requestedYear]).map((year) => {
    const metrics = [{ name: "Revenue", value: revenue }];
    return { year, statements: [{ statementType: "PL", consolidationType: "CONSOLIDATED", metrics }] };
  }),
});

function answer({ path, query }: Received) {
  const [, companyId] = /financials\/companies\/(\w+)/.exec(path) ?? [];
  if (companyId === undefined) return undefined;
  return { json: toFinancials(companyId, query.has("year") ? Number(query.get("year")) : null) };
}

/** Reopens the page: memory is empty, persisted data remains. */
async function open(startMs?: number): Promise<FeedOnServer> {
  const running = await startFeedOn(answer, startMs === undefined ? {} : { startMs }, "client");
  opened.push(running);
  return running;
}

const queryYear = ({ feed }: FeedOnServer, year: number) => feed.financials.query({ companyId: "a" }, { year });

async function readRevenue(page: FeedOnServer, year: number): Promise<unknown> {
  const { years } = await awaitAnswer(page.feed, queryYear(page, year));
  return years.find((each) => each.year === year)?.statements[0]?.metrics[0]?.value;
}

/** Subscribes to a year until the page closes. */
async function watchYear(page: FeedOnServer, year: number): Promise<void> {
  page.feed.queryCache.observe(queryYear(page, year), () => {});
  await readRevenue(page, year);
}

/** Waits until an answer stored after a time is persisted. */
const untilPersistedAfter = (ms: number) =>
  until(async () => [...(await readPersisted()).answers.values()].some(({ writtenAtMs }) => writtenAtMs > ms));

describe("an undone refresh", () => {
  it.each([
    [
      "that asked each year alone before",
      async (page: FeedOnServer) => {
        await watchYear(page, 2021);
        await watchYear(page, 2022);
      },
      undefined,
    ],
    [
      "of one year whose company came whole before",
      async (page: FeedOnServer) => {
        await Promise.all([watchYear(page, 2021), watchYear(page, 2022)]);
      },
      2021,
    ],
  ])("%s stays undone when the page is reopened", async (_, fill, only) => {
    const first = await open();
    await fill(first);
    revenue = 107;
    await first.clock.advance(60_000);
    await first.feed.queryCache.refresh(only === undefined ? {} : { keys: [queryYear(first, only).key] });
    expect(await readRevenue(first, 2021)).toBe(107);
    const refreshedAtMs = first.clock.nowMs() + 1;
    await first.clock.advance(1_000);
    first.feed.queryCache.undo();
    expect(await readRevenue(first, 2021)).toBe(100);
    await untilPersistedAfter(refreshedAtMs);
    const second = await open(first.clock.nowMs() + 60_000);
    expect(await readRevenue(second, 2021)).toBe(100);
    expect(second.requests()).toEqual([]);
  });
});

describe("an answer newer than the wider one beside it", () => {
  it("is shown when the page is reopened", async () => {
    const first = await open();
    await Promise.all([watchYear(first, 2021), watchYear(first, 2022)]);
    revenue = 107;
    const filledAtMs = first.clock.nowMs() + 1;
    await first.clock.advance(60_000);
    await first.feed.queryCache.refresh({ keys: [queryYear(first, 2021).key] });
    expect([await readRevenue(first, 2021), await readRevenue(first, 2022)]).toEqual([107, 100]);
    await untilPersistedAfter(filledAtMs);
    const second = await open(first.clock.nowMs() + 60_000);
    expect([await readRevenue(second, 2021), await readRevenue(second, 2022)]).toEqual([107, 100]);
    expect(second.requests()).toEqual([]);
  });
});

describe("an answer stored by a fast clock", () => {
  it("is replaced by the next one", async () => {
    const ahead = await open(Date.UTC(2030, 0, 1));
    await readRevenue(ahead, 2021);
    await until(async () => (await readPersisted()).answers.size > 0);
    const page = await open(Date.UTC(2024, 10, 20));
    await watchYear(page, 2021);
    revenue = 107;
    await page.feed.queryCache.refresh();
    expect(await readRevenue(page, 2021)).toBe(107);
    await until(async () => [...(await readPersisted()).answers.values()].every(({ text }) => !text?.includes(":100")));
    const next = await open(page.clock.nowMs() + 60_000);
    expect(await readRevenue(next, 2021)).toBe(107);
  });
});
