import { beforeEach, describe, expect, it } from "@jest/globals";
import type { SharedReads } from "../../../src/firm/reads/shared-reads";
import type { FirmStores } from "../../../src/firm/stores";
import { until } from "../../support/until";
import { createInstances } from "../stores/instances";
import {
  answerFinancials,
  createGate,
  createReader,
  id,
  ids,
  listIds,
  openBench,
  readMany,
  readOne,
  readTree,
} from "./shared-reads-world";

const servers = createInstances();
const bench = openBench();
const { countRequests } = bench;
let stores: FirmStores[];
let instances: SharedReads[];

const listRequestedIds = () => bench.listRequestedIds().flat();

beforeEach(async () => {
  stores = [0, 1, 2].map(() => servers.start().stores);
  await until(() => stores.every((each) => each.standing() === "shared"));
  instances = stores.map((each) => bench.createInstance(each));
});

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
    await until(() => countRequests() > 0);
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
    const { opened: held, open: answerFirst } = createGate();
    bench.setAnswer(async (seen) => {
      if (countRequests() === 1) await held;
      return answerFinancials(seen);
    });
    const first = readOne(instances[0]!, id(1));
    await until(() => countRequests() === 1);
    const { answers, leases } = stores[1]!;
    let waits = 0;
    const settle = (keys: readonly string[]) => {
      waits += 1;
      return leases.waitUntilReleased(keys);
    };
    const second = readOne(bench.createInstance({ answers, leases: { ...leases, waitUntilReleased: settle } }), id(1));
    await until(() => waits === 1);
    bench.pass(9_999);
    await until(() => waits === 2);
    expect(countRequests()).toBe(1);
    bench.pass(1);
    expect((await second).status).toBe(200);
    answerFirst();
    expect((await first).status).toBe(200);
  });

  it("get one fresh answer if several refresh, and its readers everywhere", async () => {
    const wanted = { maxAgeMs: 0 };
    const sayEdition = (edition: number) =>
      bench.setAnswer((seen) => ({ body: answerFinancials(seen).body.replaceAll("1.50e3", String(edition)) }));
    const [here, there] = instances as [SharedReads, SharedReads];
    sayEdition(1);
    await Promise.all([readOne(here, id(1)), readMany(there, ids(25))]);
    bench.pass(60_000);
    sayEdition(2);
    const before = countRequests();
    const refreshed = [here, there].flatMap((each) => [
      readOne(each, id(1), createReader(), wanted),
      readMany(each, ids(25), createReader(), { wanted }),
    ]);
    for (const { body } of await Promise.all(refreshed)) expect(body.toString()).not.toContain('"revenue": 1');
    expect(listRequestedIds().slice(1 + 25)).toHaveLength(26);
    expect(countRequests()).toBeGreaterThan(before);
    expect((await readMany(here, ids(25))).known).toBe(25);
  });
});
