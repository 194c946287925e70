import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { SharedReads } from "../../../src/companion/shared-reads";
import type { Claims } from "../../../src/companion/stores";
import { createMemoryAnswers } from "../../../src/companion/stores/memory";
import {
  createReader,
  createSharedClaims,
  createSharing,
  id,
  ids,
  listIds,
  readAsked,
  readMany,
  readOne,
  readTree,
  type Sharing,
  sayFinancials,
} from "./sharing";

let sharing: Sharing;
let createClaims: () => Claims;
let instances: SharedReads[];

const countRequests = () => sharing.provider.seen.length;

beforeEach(async () => {
  sharing = await createSharing();
  createClaims = createSharedClaims();
  const answers = createMemoryAnswers();
  instances = [0, 1, 2].map(() => sharing.createInstance({ answers, claims: createClaims() }));
});
afterEach(() => sharing.provider.close());

describe("several instances on one store", () => {
  it("ask for each company once, however their people's questions overlap", async () => {
    const reading = instances.flatMap((reads, nth) =>
      Array.from({ length: 20 }, (_, part) => {
        const some = ids(25, (nth * 13 + part * 29) % 400);
        return readMany(reads, some, createReader(`${nth}-${part}`))
          .then(listIds)
          .then((came) => ({ some, came }));
      }),
    );
    const read = await Promise.all(reading);
    for (const { some, came } of read) expect(came).toEqual(some);
    const distinct = new Set(read.flatMap(({ some }) => some)).size;
    expect(sharing.provider.seen.flatMap((seen) => readAsked(seen).companyIds)).toHaveLength(distinct);
  });

  it("ask once for what is one answer", async () => {
    await Promise.all(instances.flatMap((reads) => [readTree(reads), readOne(reads, id(1))]));
    expect(countRequests()).toBe(2);
  });

  it("ask again where another one's question failed", async () => {
    sharing.say((seen) => (countRequests() === 1 ? { status: 500, body: "{}" } : sayFinancials(seen)));
    const all = await Promise.all(instances.map((reads) => readOne(reads, id(1))));
    expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 500]);
    expect(countRequests()).toBe(2);
  });

  it("take over from one that is gone with what it has claimed, and no sooner than it may take", async () => {
    const gone = createClaims();
    const keys: string[] = [];
    const [reads] = [
      sharing.createInstance({ claims: { ...createClaims(), take: async () => [], settle: tellAndPass } }),
    ];
    async function tellAndPass(waited: readonly string[]) {
      keys.push(...waited);
      expect(countRequests()).toBe(0);
      sharing.pass(1000);
      await gone.settle([]);
    }
    expect(listIds(await readMany(reads!, [id(1)]))).toEqual([id(1)]);
    expect(keys).toHaveLength(5);
  });

  it("keep what holds contact data each for itself, and wait for nobody with it", async () => {
    sharing.say(() => ({ body: "{}" }));
    const path = `/asia/private-markets/v1/companies/${id(1)}`;
    for (const reads of [...instances, ...instances]) {
      await reads.read("getCompany", { method: "GET", path }, createReader());
    }
    expect(countRequests()).toBe(3);
  });
});
