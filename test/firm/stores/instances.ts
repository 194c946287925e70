import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, expect } from "@jest/globals";
import { createPairings, makeSecret } from "../../../src/companion/api/pairing";
import { createMemoryPairings } from "../../../src/companion/api/pairing-state";
import type { FirmStores } from "../../../src/firm/stores";
import { createMemoryStores } from "../../../src/firm/stores/memory";
import { createRedisStores } from "../../../src/firm/stores/redis";
import { startRedis } from "../../support/redis.mjs";

/** The key that all instances have. */
const PAIRING_KEY = makeSecret();

/** Starts a server for the tests of a file, empty for each test, and closes what they started. */
export function createInstances() {
  let server: Awaited<ReturnType<typeof startRedis>>;
  let prefix: string;
  const opened: FirmStores[] = [];
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
    /** Replaces a killed server by an empty one. */
    async restart() {
      server = await startRedis({ port: server.port });
    },
    /** Another instance with its log lines; optionally by another address of the server, or with another key. */
    start(nowMs?: () => number, url = server.url, pairingKey = PAIRING_KEY) {
      const logged: string[] = [];
      const log = (line: string) => void logged.push(line);
      const stores = createRedisStores(url, { prefix, log, nowMs, pairingKey });
      opened.push(stores);
      return { stores, logged };
    },
  };
}

/** Kinds of stores: memory, and also Redis in the files of a tier that has a server. */
export function listKinds(): [string, () => FirmStores][] {
  const inMemory = () => createMemoryStores(createPairings(createMemoryPairings(), Date.now));
  const kinds: [string, () => FirmStores][] = [["memory", inMemory]];
  if (!hasServer()) return kinds;
  const instances = createInstances();
  return [...kinds, ["Redis", () => instances.start().stores]];
}

/** Whether the tier of the running test file has a server: its file may run the tests of another one on it. */
export const hasServer = (): boolean => /\.(firm|long)\.test\.ts$/.test(expect.getState().testPath ?? "");

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
  };
}
