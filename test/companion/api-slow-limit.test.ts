import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createPairings, type Pairings } from "../../src/companion/api/pairing";
import { createMemoryPairings } from "../../src/companion/api/pairing-state";
import { createMemoryLimit, createMemoryStores } from "../../src/companion/stores/memory";
import { type PairedCompanion, startPaired } from "./paired-companion";
import { openFor } from "./test-configuration";

const pairings = createPairings(createMemoryPairings(), Date.now);
let companion: PairedCompanion;
/** Runs while a request is counted. */
let whileCounted: () => Promise<unknown>;
let lookups: number;

beforeEach(async () => {
  whileCounted = async () => {};
  const counting: Pairings = {
    ...pairings,
    of(provider) {
      const own = pairings.of(provider);
      return {
        ...own,
        find(...words) {
          lookups += 1;
          return own.find(...words);
        },
      };
    },
  };
  const createLimit = (...words: Parameters<typeof createMemoryLimit>) => {
    const limit = createMemoryLimit(...words);
    const count = async (who: string) => {
      await whileCounted();
      return limit.count(who);
    };
    return { ...limit, count };
  };
  companion = await startPaired({
    pairings: openFor(counting),
    stores: { ...createMemoryStores(counting), createLimit },
  });
  lookups = 0;
});
afterEach(() => companion.app.close());

const readStatus = async () => (await companion.send("GET", "/companion/config")).status;

describe("a read without a body", () => {
  it("is looked up once while nothing makes it wait", async () => {
    expect(await readStatus()).toBe(200);
    expect(lookups).toBe(1);
  });

  it("is refused if its pairing ended while a slow store counted it", async () => {
    whileCounted = () => setImmediate();
    expect(await readStatus()).toBe(200);
    expect(lookups).toBe(2);
    whileCounted = async () => {
      await setImmediate();
      await pairings.revoke();
    };
    expect(await readStatus()).toBe(401);
  });
});
