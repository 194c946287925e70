import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll } from "@jest/globals";
import { createPairings } from "../../../src/companion/door/pairing";
import { createMemoryPairings } from "../../../src/companion/door/pairing-state";
import type { Stores } from "../../../src/companion/stores";
import { createMemoryStores } from "../../../src/companion/stores/memory";
import { createRedisStores } from "../../../src/companion/stores/redis";
import { startRedis } from "../../support/redis.mjs";

type Server = Awaited<ReturnType<typeof startRedis>>;

/** What instances of a companion remember in a test, on a server of the test file's own. */
export interface Instances {
  server(): Server;
  /** Another server in the place of one that was killed, which knows nothing. */
  restart(): Promise<void>;
  /** One more instance, and the lines that it logs. */
  start(nowMs?: () => number): { stores: Stores; logged: string[] };
}

/** Has a server for the tests of a file, of which each finds it running and empty, and ends what they started. */
export function createInstances(): Instances {
  let server: Server;
  let prefix: string;
  const opened: Stores[] = [];
  beforeAll(async () => {
    server = await startRedis();
    prefix = `${randomUUID()}:`;
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((stores) => stores.close()));
    prefix = `${randomUUID()}:`;
  });
  afterAll(() => server.kill());
  return {
    server: () => server,
    async restart() {
      server = await startRedis({ port: server.port });
    },
    start(nowMs) {
      const logged: string[] = [];
      const stores = createRedisStores(server.url, { prefix, log: (line) => void logged.push(line), nowMs });
      opened.push(stores);
      return { stores, logged };
    },
  };
}

/** What is remembered in memory, and on a server by one instance. */
export function listKinds({ start }: Instances): [string, () => Stores][] {
  return [
    ["memory", () => createMemoryStores(createPairings(createMemoryPairings(), Date.now))],
    ["Redis", () => start().stores],
  ];
}

/** Waits until something is so; the test's own time is the limit. */
export async function waitUntil(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}
