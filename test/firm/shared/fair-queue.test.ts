import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import type { Batcher } from "../../../src/firm/reads/shared/batcher";
import type { Pending } from "../../../src/firm/reads/shared/batcher/queue";
import { createChunks, createProbes } from "../../../src/firm/reads/shared/chunks";
import { createFairQueue, LONGEST_QUEUE, MOST_AT_ONCE, NotYet } from "../../../src/firm/reads/shared/fair-queue";
import { readFinancials } from "../../../src/firm/reads/shared/financials";
import type { FinancialsOptions } from "../../../src/firm/reads/shared/financials/reading";
import { toFailed } from "../../../src/firm/reads/shared/result";
import { createSingleFlight, createSubscribers, type Subscribers } from "../../../src/firm/reads/shared/single-flight";
import type { SharedReads } from "../../../src/firm/reads/shared-reads";
import { until } from "../../support/until";
import {
  answerFinancials,
  COMPANIES,
  createGate,
  createReader,
  id,
  ids,
  MANY,
  openBench,
  readMany,
} from "./shared-reads-world";

/** Lets scheduled tasks start. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

afterEach(() => void jest.useRealTimers());

/** Has hanging queries of other readers hold every place for ten seconds, twice five. */
const takeTenSeconds = (fairQueue: ReturnType<typeof createFairQueue>, work: () => Promise<void>) =>
  Array.from({ length: 2 * MOST_AT_ONCE }, (_, nth) => fairQueue.run(`reader ${nth}`, work));

describe("single queries", () => {
  it("run a few at a time and fairly: a reader of hundreds does not delay a reader of one", async () => {
    const fairQueue = createFairQueue();
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const request = (who: string) =>
      fairQueue.run(who, () => {
        begun.push(who);
        return new Promise<void>((resolve) => void ends.push(resolve));
      });
    const all = Array.from({ length: LONGEST_QUEUE }, () => request("many"));
    all.push(request("few"));
    await settle();
    expect(begun).toEqual(Array.from({ length: MOST_AT_ONCE }, () => "many"));
    ends[0]!();
    ends[1]!();
    await settle();
    expect(begun.slice(MOST_AT_ONCE).sort()).toEqual(["few", "many"]);
    for (let next = 2; next < all.length; next++) {
      ends[next]!();
      await settle();
    }
    await Promise.all(all);
    expect(begun).toHaveLength(all.length);
  });

  it("are refused to a reader with many waiting, and to no other", async () => {
    const fairQueue = createFairQueue();
    const begun: string[] = [];
    const { opened: ended, open: end } = createGate();
    const request = (who: string) =>
      fairQueue.run(who, () => {
        begun.push(who);
        return ended;
      });
    const all = Array.from({ length: MOST_AT_ONCE + LONGEST_QUEUE }, () => request("many"));
    await expect(request("many")).rejects.toMatchObject({ statusCode: 429, retryAfterSeconds: 20 });
    all.push(request("few"));
    end();
    await Promise.all(all);
    expect(begun.filter((who) => who === "many")).toHaveLength(MOST_AT_ONCE + LONGEST_QUEUE);
    await request("many");
  });

  it("fail after ten seconds of waiting, with a retry time", async () => {
    jest.useFakeTimers({ doNotFake: ["setImmediate"] });
    const fairQueue = createFairQueue();
    const begun: string[] = [];
    const { opened: ended, open: end } = createGate();
    const before = takeTenSeconds(fairQueue, () => ended);
    const late = fairQueue.run("b", async () => void begun.push("b"));
    const [settled] = [Promise.allSettled([late]), jest.advanceTimersByTime(10_000)];
    expect(await settled).toMatchObject([{ reason: { statusCode: 429, retryAfterSeconds: 6 } }]);
    end();
    await Promise.all(before);
    await fairQueue.run("c", async () => void begun.push("c"));
    expect(begun).toEqual(["c"]);
  });

  it("use no slot for a reader that joins one already given up", async () => {
    jest.useFakeTimers({ doNotFake: ["setImmediate"] });
    const fairQueue = createFairQueue();
    const ends: (() => void)[] = [];
    const work = () => new Promise<void>((resolve) => void ends.push(resolve));
    const before = takeTenSeconds(fairQueue, work);
    const arrivals = createSubscribers();
    const late = fairQueue.run("b", work, arrivals).catch(() => {});
    jest.advanceTimersByTime(10_000);
    arrivals.add("c");
    await late;
    for (const end of ends.splice(0)) end();
    await Promise.all(before);
    const after = Array.from({ length: MOST_AT_ONCE }, () => fairQueue.run("d", work));
    await settle();
    expect(ends).toHaveLength(MOST_AT_ONCE);
    for (const end of ends) end();
    await Promise.all(after);
  });

  it("release their slot when they fail", async () => {
    const fairQueue = createFairQueue();
    const failing = Array.from({ length: 2 * MOST_AT_ONCE }, () =>
      fairQueue.run("a", () => Promise.reject(new Error("no"))),
    );
    expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(failing.map(() => "rejected"));
    expect(await fairQueue.run("a", async () => 1)).toBe(1);
  });
});

it("a load that several want at once runs once, and its failure is each one's own", async () => {
  const singleFlight = createSingleFlight<string>();
  const readers: string[] = [];
  const { opened, open } = createGate();
  const load = async (subscribers: Subscribers) => {
    subscribers.each((who) => void readers.push(who));
    await opened;
    throw new Error("no");
  };
  const all = ["ann", "ben", "ann"].map((who) => singleFlight.run("1", who, load));
  open();
  const settled = await Promise.allSettled(all);
  expect([settled.map(({ status }) => status), readers]).toEqual([
    ["rejected", "rejected", "rejected"],
    ["ann", "ben"],
  ]);
  expect(await singleFlight.run("1", "ann", async () => "again")).toBe("again");
});

it("companies of which one does not come in time are refused while the others are still under way", async () => {
  const companyIds = ids(3);
  const requested: string[] = [];
  const batcher: Partial<Batcher> = {
    queueUp: (_year, companyIds) => ({
      entries: companyIds.map((companyId) => ({ companyId }) as Pending),
      fresh: companyIds,
      full: undefined,
    }),
    receive(_year, { companyId }) {
      requested.push(companyId);
      const isLate = companyId === companyIds[1];
      return isLate ? Promise.resolve(toFailed(new NotYet(42_000))) : new Promise(() => {});
    },
    foresee: () => undefined,
    findMissed: () => undefined,
    isWaiting: () => false,
  };
  const cache = { read: async (keys: readonly string[]) => keys.map(() => undefined) };
  const nowMs = () => performance.now();
  const options = {
    ...{ batcher, cache, nowMs },
    ...{ chunks: createChunks({ store: async () => {}, nowMs }), probes: createProbes(nowMs) },
  } as unknown as FinancialsOptions;
  const many = { year: "all", ids: companyIds } as const;
  const noLimit = { afterMs: 0, absentFromMs: 0, allowsStale: false };
  const query = { method: "POST", path: MANY } as const;
  const reading = readFinancials(options, "scope", many, query, createReader("ann"), noLimit);
  await expect(reading).rejects.toMatchObject({ statusCode: 429, retryAfterSeconds: 10 });
  expect(requested).toEqual(companyIds);
});

describe("fair scheduling", () => {
  const CLASSIFICATIONS = "/asia/industry-taxonomies/v1/companies";

  const bench = openBench();
  const { countRequests } = bench;
  let reads: SharedReads;

  /** Makes the provider delay some answers until the function that it gives is called. */
  function holdBack(isHeld: (url: string) => boolean): () => void {
    const { opened, open } = createGate();
    bench.setAnswer(async (seen) => {
      if (isHeld(seen.url)) await opened;
      return seen.method === "GET"
        ? { body: JSON.stringify({ id: seen.url.split("/").at(-1) }) }
        : answerFinancials(seen);
    });
    return open;
  }

  const readCompany = (nth: number, who: string) =>
    reads.read("getCompany", { method: "GET", path: `${COMPANIES}/${id(nth)}` }, createReader(who));
  const readClassification = (nth: number, who: string) =>
    reads.read("getTaxonomyCompany", { method: "GET", path: `${CLASSIFICATIONS}/${id(nth)}` }, createReader(who));

  beforeEach(() => {
    reads = bench.createInstance({});
  });

  it("serves one data family while another does not answer", async () => {
    const open = holdBack((url) => url.startsWith(CLASSIFICATIONS));
    const slow = Array.from({ length: 4 * MOST_AT_ONCE }, (_, nth) => readClassification(nth, `person ${nth}`));
    await until(() => countRequests() === MOST_AT_ONCE);
    expect((await readCompany(1, "ann")).status).toBe(200);
    open();
    for (const { status } of await Promise.all(slow)) expect(status).toBe(200);
  });

  it("prefers a query that a second reader joins over another's flood", async () => {
    const open = holdBack(() => true);
    const flood = Array.from({ length: 60 }, (_, nth) => readCompany(nth, "flooder"));
    await until(() => countRequests() === MOST_AT_ONCE);
    const second = readCompany(59, "ann");
    open();
    await second;
    expect(countRequests()).toBeLessThan(3 * MOST_AT_ONCE);
    await Promise.all(flood);
    expect(countRequests()).toBe(60);
  });

  it("prefers a company that a second reader joins over the thousands of another's flood", async () => {
    const open = holdBack(() => true);
    const flood = Array.from({ length: 80 }, (_, nth) => readMany(reads, ids(25, 25 * nth), createReader("flooder")));
    await until(() => countRequests() === MOST_AT_ONCE);
    const second = readMany(reads, [id(1999)]);
    open();
    await second;
    expect(countRequests()).toBeLessThan(3 * MOST_AT_ONCE);
    await Promise.all(flood);
    expect(countRequests()).toBe(80);
  });
});
