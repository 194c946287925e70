import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { FastifyInstance } from "fastify";
import { createPairings, type Pairings } from "../../src/companion/api/pairing";
import { createMemoryPairings } from "../../src/companion/api/pairing-state";
import { createCompanion } from "../../src/companion/companion";
import { createMemoryLimit, createMemoryStores } from "../../src/companion/stores/memory";
import { createPages } from "./pages-folder";
import { readPort, sendRaw } from "./raw-request";
import { createConfiguration, openFor, pairHeaders } from "./test-configuration";

const pairings = createPairings(createMemoryPairings(), Date.now);
let app: FastifyInstance;
let headers: Record<string, string>;
/** Runs while a request is counted. */
let whileCounted: () => Promise<unknown>;
let lookups: number;

beforeEach(async () => {
  lookups = 0;
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
  app = await createCompanion({
    configuration: createConfiguration(),
    webFolder: createPages(),
    stores: { ...createMemoryStores(counting), createLimit },
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  headers = await pairHeaders(openFor(pairings), `http://localhost:${readPort(app)}`);
  lookups = 0;
});
afterEach(() => app.close());

const readStatus = async () => (await sendRaw(readPort(app), "GET", "/companion/config", headers)).status;

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
