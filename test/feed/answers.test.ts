import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { openDB } from "idb";
import { ask, type FeedOnServer, startFeedOn } from "../support/feed";
import type { Received } from "../support/http-server";

const surroundings = globalThis as { indexedDB?: unknown };
let opened: FeedOnServer[];
let revenue: number;

beforeEach(() => {
  opened = [];
  revenue = 100;
  surroundings.indexedDB = new IDBFactory();
});
afterEach(async () => {
  delete surroundings.indexedDB;
  await Promise.all(opened.map((each) => each.close()));
});

const toFinancials = (companyId: string) => ({
  companyId,
  years: [2021, 2022].map((year) => ({
    year,
    statements: [
      { statementType: "PL", consolidationType: "CONSOLIDATED", metrics: [{ name: "Revenue", value: revenue }] },
    ],
  })),
});

function answer({ path, body }: Received) {
  if (!path.includes("/financials")) return undefined;
  const { companyIds = [] } = body as { companyIds?: string[] };
  const data = companyIds.map(toFinancials);
  return { json: { data, page: 1, pageSize: 25, total: data.length } };
}

/** Opens the page anew: what is in memory is gone, what is kept is there. */
async function open(owner = "client"): Promise<FeedOnServer> {
  const running = await startFeedOn(answer, {}, owner);
  opened.push(running);
  return running;
}

const askYears = async ({ feed }: FeedOnServer) =>
  Promise.all(
    [2021, 2022].flatMap((year) =>
      ["a", "b"].map((companyId) => ask(feed, feed.financials.ask({ companyId }, { year }))),
    ),
  );

/** Waits until so many answers are written. */
async function untilKept(count: number): Promise<void> {
  const database = await openDB("feed-answers");
  while ((await database.count("answers")) < count) await new Promise(setImmediate);
  database.close();
}

describe("answers", () => {
  it("serve the next opening without a request", async () => {
    const first = await open();
    const before = await askYears(first);
    await untilKept(2);
    const second = await open();
    expect(await askYears(second)).toEqual(before);
    expect(second.requests()).toEqual([]);
  });
});
