import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll } from "@jest/globals";
import { createPairings } from "../../../src/companion/api/pairing";
import { createMemoryPairings } from "../../../src/companion/api/pairing-state";
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
  /** One more instance, and the lines that it logs; by another way to the server, if one is given. */
  start(nowMs?: () => number, url?: string): { stores: Stores; logged: string[] };
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
    start(nowMs, url = server.url) {
      const logged: string[] = [];
      const stores = createRedisStores(url, { prefix, log: (line) => void logged.push(line), nowMs });
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
export async function waitUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** A way to a server that can be cut, and mended: what one instance goes that alone is cut off. */
export async function openWay(port: number) {
  const pairs: [near: Socket, far: Socket][] = [];
  let end = port;
  const way = createServer((near) => {
    const far = connect(end, "127.0.0.1");
    pairs.push([near, far]);
    near.on("error", () => {}).on("close", () => far.destroy());
    far.on("error", () => {}).on("close", () => near.destroy());
    near.pipe(far).pipe(near);
  });
  const open = async (at: number) => {
    way.listen(at, "127.0.0.1");
    await once(way, "listening");
  };
  await open(0);
  const own = (way.address() as AddressInfo).port;
  return {
    url: `redis://127.0.0.1:${own}`,
    async cut() {
      for (const socket of pairs.flat()) socket.destroy();
      await new Promise((resolve) => way.close(resolve));
    },
    mend: () => open(own),
    /** Leads to another server whoever connects from now on. */
    lead(to: number) {
      end = to;
    },
    /** Lets nothing through any more on each connection that stands, but for the first. */
    hush() {
      for (const socket of pairs.slice(1).flat()) socket.unpipe();
    },
  };
}
