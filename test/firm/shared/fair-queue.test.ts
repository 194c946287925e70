import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import fc from "fast-check";
import type { ProviderQuery } from "../../../src/companion/feature";
import type { Batcher } from "../../../src/firm/reads/shared/batcher";
import type { Pending } from "../../../src/firm/reads/shared/batcher/company-queue";
import { createChunks } from "../../../src/firm/reads/shared/chunks";
import { createFairQueue } from "../../../src/firm/reads/shared/fair-queue";
import { readFinancials } from "../../../src/firm/reads/shared/financials";
import type { FinancialsOptions } from "../../../src/firm/reads/shared/financials/read";
import { createQueryQueue } from "../../../src/firm/reads/shared/query-queue";
import { LONGEST_QUEUE, MOST_UNDER_WAY, NotYet } from "../../../src/firm/reads/shared/queue-limits";
import { toFailed } from "../../../src/firm/reads/shared/result";
import type { SharedReads } from "../../../src/firm/reads/shared-reads";
import type { Seen } from "../../companion/provider-server";
import { hold, toRuns } from "../../support/property";
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

/** The queries of a provider whose answers a test gives. */
function createTested() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const answer = { status: 200, headers: {}, body: Buffer.alloc(0) };
  const load = (query: ProviderQuery) => {
    begun.push(query.path);
    return new Promise<typeof answer>((resolve, reject) => {
      ends.push(() => (query.path === "/broken" ? reject(new Error("no")) : resolve(answer)));
    });
  };
  const queries = createQueryQueue({ load });
  let count = 0;
  /** Requests something of a reader's own, by a path of the reader's name. */
  const request = (who: string, path = who) => queries.join(`${count++}`, who, (send) => send({ method: "GET", path }));
  return {
    queries,
    begun,
    ends,
    request,
    /** Ends the queries one by one, each once it has begun. */
    async endAll(from = 0) {
      for (let next = from; next < ends.length; next++) {
        ends[next]!();
        await settle();
      }
    },
    /** Has hanging queries of other readers hold every place for ten seconds, twice five. */
    takeTenSeconds: () => Array.from({ length: 2 * MOST_UNDER_WAY }, (_, nth) => request(`reader ${nth}`)),
  };
}

describe("the order of the queue", () => {
  const toEntry = (name: string, ...readers: string[]) => ({
    name,
    readers: new Map(readers.map((who) => [who, undefined])),
  });
  const queue = (...entries: ReturnType<typeof toEntry>[]) => {
    const fair = createFairQueue<ReturnType<typeof toEntry>>();
    for (const entry of entries) for (const who of entry.readers.keys()) fair.add(who, entry);
    return fair;
  };
  const [a1, a2, a3] = [toEntry("a1", "ann"), toEntry("a2", "ann"), toEntry("a3", "ann")];
  const [b1, both] = [toEntry("b1", "ben"), toEntry("both", "ben", "ann")];

  it("has one entry of each reader in rotation, and an entry of several in the first of their turns", () => {
    const fair = queue(a1, a2, a3, b1, both);
    const taken = Array.from({ length: 6 }, () => fair.takeNext()?.name);
    expect(taken).toEqual(["a1", "b1", "a2", "both", "a3", undefined]);
    expect([fair.size(), fair.sizeOf("ann")]).toEqual([0, 0]);
  });

  it("foretells how many come up to an entry, and for one that is not queued yet", () => {
    const fair = queue(a1, a2, a3, b1, both);
    const counts = [[a1], [a2], [a3, a1], []].map((entries) => fair.countUntil("ann", entries));
    expect(counts).toEqual([2, 4, 5, 0]);
    expect([fair.countUntil("cleo", [undefined]), fair.countUntil("cleo", [a3, undefined])]).toEqual([3, 6]);
  });

  it("never foretells fewer entries than come up to one", () => {
    const who = fc.constantFrom("ann", "ben", "cleo");
    const queued = fc.record({ readers: fc.uniqueArray(who), isWanted: fc.boolean() });
    const law = fc.property(who, fc.array(queued, { maxLength: 30 }), fc.nat(5), (reader, all, taken) => {
      const entries = all.map(({ readers, isWanted }, nth) => ({ ...toEntry(`${nth}`, ...readers), isWanted }));
      const fair = createFairQueue<(typeof entries)[number]>();
      for (const entry of entries) for (const each of entry.readers.keys()) fair.add(each, entry);
      for (let nth = 0; nth < taken; nth++) fair.takeNext();
      const wanted = entries.filter((entry) => entry.isWanted && (entry.readers.size === 0 || fair.has(entry)));
      const foretold = fair.countUntil(
        reader,
        wanted.map((entry) => (fair.has(entry) ? entry : undefined)),
      );
      for (const entry of wanted.filter(({ readers }) => !readers.has(reader))) {
        entry.readers.set(reader, undefined);
        fair.add(reader, entry);
      }
      const order = Array.from({ length: fair.size() }, () => fair.takeNext()!);
      const come = order.findLastIndex((entry) => wanted.includes(entry)) + 1;
      hold(come <= foretold, `${foretold} foretold, ${come} come`);
    });
    fc.assert(law, { seed: 20_261_127, numRuns: toRuns(200, 5000) });
  });
});

describe("single queries", () => {
  it("run a few at a time and fairly: a reader of hundreds does not delay a reader of one", async () => {
    const { request, begun, ends, endAll } = createTested();
    const all = Array.from({ length: LONGEST_QUEUE }, () => request("many"));
    all.push(request("few"));
    await settle();
    expect(begun).toEqual(Array.from({ length: MOST_UNDER_WAY }, () => "many"));
    ends[0]!();
    ends[1]!();
    await settle();
    expect(begun.slice(MOST_UNDER_WAY).sort()).toEqual(["few", "many"]);
    await endAll(2);
    await Promise.all(all);
    expect(begun).toHaveLength(all.length);
  });

  it("are refused to a reader with many waiting, and to no other", async () => {
    const { request, begun, endAll } = createTested();
    const all = Array.from({ length: MOST_UNDER_WAY + LONGEST_QUEUE }, () => request("many"));
    await expect(request("many")).rejects.toMatchObject({ statusCode: 429, retryAfterSeconds: 20 });
    all.push(request("few"));
    await endAll();
    await Promise.all(all);
    expect(begun.filter((who) => who === "many")).toHaveLength(MOST_UNDER_WAY + LONGEST_QUEUE);
    void request("many");
    await settle();
    expect(begun.at(-1)).toBe("many");
  });

  it("fail after ten seconds of waiting, with a retry time", async () => {
    jest.useFakeTimers({ doNotFake: ["setImmediate"] });
    const { request, begun, takeTenSeconds, endAll } = createTested();
    const before = takeTenSeconds();
    const late = request("b");
    const [settled] = [Promise.allSettled([late]), jest.advanceTimersByTime(10_000)];
    expect(await settled).toMatchObject([{ reason: { statusCode: 429, retryAfterSeconds: 6 } }]);
    await endAll();
    await Promise.all(before);
    void request("c");
    expect(begun.slice(before.length)).toEqual(["c"]);
  });

  it("use no slot for a reader that joins one already given up", async () => {
    jest.useFakeTimers({ doNotFake: ["setImmediate"] });
    const { queries, request, ends, takeTenSeconds, endAll } = createTested();
    const before = takeTenSeconds();
    const join = (who: string) => queries.join("late", who, (send) => send({ method: "GET", path: "late" }));
    const late = [join("b")];
    jest.advanceTimersByTime(10_000);
    late.push(join("c"));
    expect((await Promise.allSettled(late)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await endAll();
    await Promise.all(before);
    for (let nth = 0; nth < MOST_UNDER_WAY; nth++) void request("d");
    await settle();
    expect(ends).toHaveLength(before.length + MOST_UNDER_WAY);
  });

  it("release their slot when they fail", async () => {
    const { request, begun, endAll } = createTested();
    const failing = Array.from({ length: 2 * MOST_UNDER_WAY }, () => request("a", "/broken"));
    const settled = Promise.allSettled(failing);
    await endAll();
    expect((await settled).map(({ status }) => status)).toEqual(failing.map(() => "rejected"));
    void request("a");
    expect(begun).toHaveLength(failing.length + 1);
  });

  it("of one key run once, in the queue of each who wants them, and a failure is each one's own", async () => {
    const { queries, begun, ends, endAll } = createTested();
    const toQuery = (nth: number) => ({ method: "GET", path: nth === 19 ? "/broken" : `${nth}` }) as const;
    const many = Array.from({ length: 20 }, (_, nth) => queries.join(`${nth}`, "many", (send) => send(toQuery(nth))));
    many.push(...["ann", "ben", "ann"].map((who) => queries.join("19", who, (send) => send(toQuery(19)))));
    const settled = Promise.allSettled(many);
    ends[0]!();
    ends[1]!();
    await settle();
    expect(begun.at(-1)).toBe("/broken");
    await endAll(2);
    const statuses = (await settled).map(({ status }) => status);
    expect(statuses.slice(19)).toEqual(["rejected", "rejected", "rejected", "rejected"]);
    expect(begun).toHaveLength(20);
    const again = queries.join("19", "ann", async () => "again");
    expect(await again).toBe("again");
  });
});

it("companies of which one does not come in time are refused while the others are still under way", async () => {
  const companyIds = ids(3);
  const requested: string[] = [];
  const batcher: Partial<Batcher> = {
    queueUp: (_year, companyIds) => ({
      entries: companyIds.map((companyId) => ({ companyId }) as Pending),
      fresh: [...companyIds],
      refused: undefined,
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
    ...{ scope: "scope", batcher, cache, nowMs },
    chunks: createChunks({ store: async () => {}, nowMs }),
  } as unknown as FinancialsOptions;
  const many = { year: "all", ids: companyIds } as const;
  const noLimit = { afterMs: 0, absentFromMs: 0, allowsStale: false };
  const query = { method: "POST", path: MANY } as const;
  const reading = readFinancials(options, many, { query, reader: createReader("ann"), limit: noLimit });
  await expect(reading).rejects.toMatchObject({ statusCode: 429, retryAfterSeconds: 10 });
  expect(requested).toEqual(companyIds);
});

describe("fair scheduling", () => {
  const CLASSIFICATIONS = "/asia/industry-taxonomies/v1/companies";

  const bench = openBench();
  const { countRequests } = bench;
  let reads: SharedReads;

  /** Makes the provider delay some answers until the function that it gives is called. */
  function holdBack(isHeld: (seen: Seen) => boolean): () => void {
    const { opened, open } = createGate();
    bench.setAnswer(async (seen) => {
      if (isHeld(seen)) await opened;
      return seen.method === "GET"
        ? { body: JSON.stringify({ id: seen.url.split("/").at(-1) }) }
        : answerFinancials(seen);
    });
    return open;
  }

  /** Answers what is under way, and then one company alone, so that no other answer can overtake it. */
  async function receiveAlone(companyId: string, open: () => void, reading: Promise<unknown>): Promise<void> {
    const openOthers = holdBack(({ url, body }) => !`${url} ${body}`.includes(companyId));
    open();
    await reading;
    // Six under way, six in their places, and one in this company's.
    expect(countRequests()).toBeLessThanOrEqual(2 * MOST_UNDER_WAY + 1);
    openOthers();
  }

  const readCompany = (nth: number, who: string) =>
    reads.read("getCompany", { method: "GET", path: `${COMPANIES}/${id(nth)}` }, createReader(who));
  const readClassification = (nth: number, who: string) =>
    reads.read("getTaxonomyCompany", { method: "GET", path: `${CLASSIFICATIONS}/${id(nth)}` }, createReader(who));

  beforeEach(() => {
    reads = bench.createInstance({});
  });

  it("serves one data family while another does not answer", async () => {
    const open = holdBack(({ url }) => url.startsWith(CLASSIFICATIONS));
    const slow = Array.from({ length: 4 * MOST_UNDER_WAY }, (_, nth) => readClassification(nth, `person ${nth}`));
    await until(() => countRequests() === MOST_UNDER_WAY);
    expect((await readCompany(1, "ann")).status).toBe(200);
    open();
    for (const { status } of await Promise.all(slow)) expect(status).toBe(200);
  });

  it("prefers a query that a second reader joins over another's flood", async () => {
    const open = holdBack(() => true);
    const flood = Array.from({ length: 60 }, (_, nth) => readCompany(nth, "flooder"));
    await until(() => countRequests() === MOST_UNDER_WAY);
    await receiveAlone(id(59), open, readCompany(59, "ann"));
    await Promise.all(flood);
    expect(countRequests()).toBe(60);
  });

  it("prefers a company that a second reader joins over the hundreds of another's flood", async () => {
    const open = holdBack(() => true);
    // Few enough that all come within their ten seconds on a busy machine.
    const flood = Array.from({ length: 20 }, (_, nth) => readMany(reads, ids(25, 25 * nth), createReader("flooder")));
    await until(() => countRequests() === MOST_UNDER_WAY);
    await receiveAlone(id(499), open, readMany(reads, [id(499)]));
    await Promise.all(flood);
    expect(countRequests()).toBe(20);
  });
});
