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

/** The stores of several instances in a test, on a server of the test file's own. */
export interface Instances {
  server(): Server;
  /** Replaces a killed server by an empty one. */
  restart(): Promise<void>;
  /** Another instance with its log lines; optionally by another address of the server. */
  start(nowMs?: () => number, url?: string): { stores: Stores; logged: string[] };
}

/** Starts a server for the tests of a file, empty for each test, and closes what they started. */
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

/** The stores in memory, and on a server by one instance. */
export function listKinds({ start }: Instances): [string, () => Stores][] {
  return [
    ["memory", () => createMemoryStores(createPairings(createMemoryPairings(), Date.now))],
    ["Redis", () => start().stores],
  ];
}

/** Waits until a condition holds, up to the test's time limit. */
export async function waitUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** A TCP proxy to a server that can be cut and restored, to isolate one instance. */
export async function openTcpProxy(port: number) {
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
    /** Sends new connections to another server. */
    lead(to: number) {
      end = to;
    },
    /** Blocks every open connection but the first. */
    hush() {
      for (const socket of pairs.slice(1).flat()) socket.unpipe();
    },
  };
}
