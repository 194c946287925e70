import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { SharedReads } from "../../../src/companion/reads/shared-reads";
import type { Stores } from "../../../src/companion/stores";
import { createInstances, waitUntil } from "../stores/instances";
import {
  answerFinancials,
  createReader,
  createSharedReadsBench,
  id,
  ids,
  listIds,
  readMany,
  readOne,
  readRequested,
  readTree,
  type SharedReadsBench,
} from "./shared-reads-bench";

const servers = createInstances();
let bench: SharedReadsBench;
let stores: Stores[];
let instances: SharedReads[];

const countRequests = () => bench.provider.seen.length;
const listRequestedIds = () => bench.provider.seen.flatMap((seen) => readRequested(seen).companyIds);

beforeEach(async () => {
  bench = await createSharedReadsBench();
  stores = [0, 1, 2].map(() => servers.start().stores);
  await waitUntil(() => stores.every((each) => each.standing() === "shared"));
  instances = stores.map((each) => bench.createInstance(each));
});
afterEach(() => bench.provider.close());

/** Sends three instances twenty overlapping requests for 25 companies each at once. */
async function readOverlapping(): Promise<Set<string>> {
  const answers = instances.flatMap((reads, nth) =>
    Array.from({ length: 20 }, (_, part) => ({
      reads,
      who: `${nth}-${part}`,
      some: ids(25, (nth * 13 + part * 29) % 400),
    })),
  );
  const read = await Promise.all(answers.map(({ reads, who, some }) => readMany(reads, some, createReader(who))));
  for (const [nth, { some }] of answers.entries()) expect(listIds(read[nth]!)).toEqual(some);
  return new Set(answers.flatMap(({ some }) => some));
}

describe("several instances on one store", () => {
  it("request each company once, however their readers' queries overlap", async () => {
    const distinct = await readOverlapping();
    expect(listRequestedIds()).toHaveLength(distinct.size);
  });

  it("answer every reader while the store is killed", async () => {
    const reading = readOverlapping();
    await waitUntil(() => countRequests() > 0);
    servers.server().kill();
    await reading;
    await readOverlapping();
    await servers.restart();
  });

  it("request a single answer once", async () => {
    await Promise.all(instances.flatMap((reads) => [readTree(reads), readOne(reads, id(1))]));
    expect(countRequests()).toBe(2);
  });

  it("retry after another one's failed request", async () => {
    bench.setAnswer((seen) => (countRequests() === 1 ? { status: 500, body: "{}" } : answerFinancials(seen)));
    const all = await Promise.all(instances.map((reads) => readOne(reads, id(1))));
    expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 500]);
    expect(countRequests()).toBe(2);
  });

  it("replace one that takes longer than ten seconds, without blocking its own answer", async () => {
    let answerFirst = () => {};
    const held = new Promise<void>((resolve) => {
      answerFirst = resolve;
    });
    bench.setAnswer(async (seen) => {
      if (countRequests() === 1) await held;
      return answerFinancials(seen);
    });
    const first = readOne(instances[0]!, id(1));
    await waitUntil(() => countRequests() === 1);
    const { answers, leases } = stores[1]!;
    let waits = 0;
    const settle = (keys: readonly string[]) => {
      waits += 1;
      return leases.waitUntilReleased(keys);
    };
    const second = readOne(bench.createInstance({ answers, leases: { ...leases, waitUntilReleased: settle } }), id(1));
    await waitUntil(() => waits === 1);
    bench.pass(9_999);
    await waitUntil(() => waits === 2);
    expect(countRequests()).toBe(1);
    bench.pass(1);
    expect((await second).status).toBe(200);
    answerFirst();
    expect((await first).status).toBe(200);
  });

  it("do not request an answer that another one fetched meanwhile", async () => {
    let answerAll = () => {};
    const held = new Promise<void>((resolve) => {
      answerAll = resolve;
    });
    bench.setAnswer(async (seen) => {
      if (countRequests() <= 6) await held;
      return answerFinancials(seen);
    });
    const { answers } = stores[0]!;
    const [busy, other] = [bench.createInstance({ answers }), bench.createInstance({ answers })];
    const all = readMany(busy, ids(160));
    await waitUntil(() => countRequests() === 6);
    await readMany(other, ids(10, 150));
    answerAll();
    expect(listIds(await all)).toEqual(ids(160));
    expect(listRequestedIds()).toHaveLength(160);
  });

  it("never share contact data, and wait for no other instance with it", async () => {
    bench.setAnswer(() => ({ body: `{"id":"${id(1)}"}` }));
    const path = `/asia/private-markets/v1/companies/${id(1)}`;
    for (const reads of [...instances, ...instances]) {
      await reads.read("getCompany", { method: "GET", path }, createReader());
    }
    expect(countRequests()).toBe(3);
  });
});
