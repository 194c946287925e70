import { beforeEach, describe, expect, it } from "@jest/globals";
import type { SharedReads } from "../../../src/firm/reads/shared-reads";
import type { FirmStores } from "../../../src/firm/stores";
import { until } from "../../support/until";
import { createInstances } from "../stores/instances";
import { createReader, ids, listIds, openBench, readMany, readTree } from "./shared-reads-world";

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

/** Sends the instances twenty overlapping requests each for 25 companies at once. */
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
  it("give everybody the right answer while all work at once, and share afterwards", async () => {
    const distinct = await readOverlapping();
    expect(listRequestedIds().length).toBeLessThanOrEqual(instances.length * distinct.size);
    const before = countRequests();
    for (const reads of instances) expect((await readMany(reads, [...distinct])).known).toBe(distinct.size);
    expect(countRequests()).toBe(before);
  });

  it("answer every reader while the store is killed", async () => {
    const reading = readOverlapping();
    await until(() => countRequests() > 0);
    servers.server().kill();
    await reading;
    await readOverlapping();
    await servers.restart();
  });

  it("begin warm where another has worked, with the age of each answer", async () => {
    const [former, next] = instances as [SharedReads, SharedReads];
    const atMs = (await readMany(former, ids(25))).asOfMs;
    await readTree(former);
    bench.pass(60_000);
    const { known, asOfMs } = await readMany(next, ids(25));
    expect(known).toBe(25);
    expect(Math.abs(asOfMs - atMs)).toBeLessThan(60_000);
    expect(await readTree(next)).toMatchObject({ status: 200, known: 1 });
  });
});
