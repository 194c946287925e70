import { once } from "node:events";
import { createServer } from "node:net";
import { afterEach, describe, expect, it } from "@jest/globals";
import { Redis } from "ioredis";
import type { FirmStores } from "../../../src/firm/stores";
import { openFor } from "../../companion/test-configuration";
import { startRedis } from "../../support/redis.mjs";
import { until } from "../../support/until";
import { createInstances, openTcpProxy } from "./instances";

const instances = createInstances();
const ORIGIN = "https://localhost:3000";
const LONG_MS = 60_000;
const AWAY = {
  statusCode: 503,
  code: "FEED_SERVER_FAILED",
  message:
    "The server that all instances share (FEED_STORE) does not answer: try again in a minute, or see whether it runs.",
};
const SILENT = /^The server of FEED_STORE does not answer( \([A-Z]+\))?: this instance goes on by itself\.$/;
const REFUSED = "The server of FEED_STORE does not answer (ECONNREFUSED): this instance goes on by itself.";
const BACK = "The server of FEED_STORE answers again.";

const isShared = ({ standing }: FirmStores) => standing() === "shared";

/** An instance on the server that knows an answer and a page, and another instance. */
async function startKnowing() {
  const { stores, logged } = instances.start();
  const other = instances.start().stores;
  await stores.answers.store([{ key: "a", body: Buffer.from("text"), atMs: 1, lifetimeMs: LONG_MS }]);
  const pairings = openFor(stores.pairings);
  const { id, bearer } = await pairings.pair(await pairings.issueSent(), ORIGIN);
  await until(() => isShared(other));
  return { stores, logged, other, pairings, id, bearer };
}

type Knowing = Awaited<ReturnType<typeof startKnowing>>;

/** The operations that work without the server. */
async function expectAlone({ stores, pairings, id, bearer }: Knowing): Promise<void> {
  const { answers, createSharedLimit } = stores;
  expect(await answers.read(["a", "b"])).toEqual([{ body: Buffer.from("text"), atMs: 1 }, undefined]);
  const limit = createSharedLimit("alone", 1, LONG_MS);
  expect([await limit.count("one"), (await limit.count("one")) > 0]).toEqual([0, true]);
  expect(await pairings.find(bearer, ORIGIN)).toMatchObject({ id });
  expect(await pairings.find("invented", ORIGIN)).toBeUndefined();
  expect(stores.standing()).toBe("apart");
}

/** Listens in the place of a killed server, and ends each connection at once. */
async function startRefusing(port: number) {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.destroy();
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return { count: () => count, close: () => new Promise((resolve) => server.close(resolve)) };
}

/** Whether a promise settles without timers or network. */
async function settlesAtOnce(work: Promise<unknown>): Promise<boolean> {
  let isSettled = false;
  void work.then(() => {
    isSettled = true;
  });
  for (let step = 0; step < 20; step += 1) await null;
  return isSettled;
}

/** The operations that fail without the server. */
async function expectRefusals({ stores: { oneTimeValues }, pairings, id }: Knowing): Promise<void> {
  const refused = [
    pairings.issueSent(),
    pairings.pair("ABCD-EFGH", ORIGIN),
    pairings.revoke(id),
    pairings.list(),
    oneTimeValues.put("a", {}, LONG_MS),
    oneTimeValues.take("a"),
  ];
  for (const { reason } of (await Promise.allSettled(refused)) as PromiseRejectedResult[]) {
    expect(reason).toMatchObject(AWAY);
  }
}

describe("an instance whose server is killed", () => {
  afterEach(() => instances.restart());

  it("works without the server, and admits or ends no pairing", async () => {
    const knowing = await startKnowing();
    await instances.server().kill();
    await expectAlone(knowing);
    await expectRefusals(knowing);
  });

  it("reports it once, and the reason once a new connection has one", async () => {
    const { logged } = await startKnowing();
    await instances.server().kill();
    await until(() => logged.includes(REFUSED));
    const later = await startRefusing(instances.server().port);
    await until(() => later.count() >= 4);
    await later.close();
    const [first, ...further] = logged;
    expect(first).toMatch(SILENT);
    expect(further).toEqual(first === REFUSED ? [] : [REFUSED]);
  });

  it("finishes all pending work", async () => {
    const { stores } = await startKnowing();
    const keys = Array.from({ length: 5000 }, (_, index) => `key ${index}`);
    const underWay = stores.answers.read(keys);
    await instances.server().kill();
    expect(await underWay).toHaveLength(5000);
  });
});

describe("an instance whose server restarts without its data", () => {
  it("shares again automatically, and every pairing stays valid until it is ended", async () => {
    const { stores, logged, other, pairings, id, bearer } = await startKnowing();
    await instances.server().kill();
    await stores.answers.read(["a"]);
    await instances.restart();
    await until(() => isShared(stores) && isShared(other));
    expect(logged.filter((line) => !SILENT.test(line))).toEqual([BACK]);
    const later = openFor(instances.start().stores.pairings);
    for (const each of [pairings, openFor(other.pairings), later]) {
      expect(await each.find(bearer, ORIGIN)).toMatchObject({ id });
    }
    await pairings.revoke();
    await until(async () => (await later.find(bearer, ORIGIN)) === undefined);
    const fresh = { key: "b", body: Buffer.from("new"), atMs: 2, lifetimeMs: LONG_MS };
    await stores.answers.store([fresh]);
    expect((await other.answers.read(["b"]))[0]?.body.toString()).toBe("new");
  });

  it("does so too if the server was emptied while it ran", async () => {
    const { id, bearer } = await startKnowing();
    const redis = new Redis(instances.server().url);
    await redis.flushall();
    redis.disconnect();
    const later = openFor(instances.start().stores.pairings);
    await until(async () => (await later.find(bearer, ORIGIN))?.id === id);
  });
});

describe("an instance whose server hangs", () => {
  it("waits for it once, and then not until it answers", async () => {
    const knowing = await startKnowing();
    const server = instances.server();
    server.pause();
    await expectAlone(knowing);
    for (let count = 0; count < 100; count += 1) {
      expect(await settlesAtOnce(knowing.stores.answers.read([`of ${count}`]))).toBe(true);
    }
    await expectRefusals(knowing);
    expect(knowing.logged).toEqual([expect.stringMatching(SILENT)]);
    server.resume();
    await until(() => isShared(knowing.stores));
    expect(knowing.logged).toEqual([expect.stringMatching(SILENT), BACK]);
    expect(await knowing.stores.answers.read(["a"])).toMatchObject([{ atMs: 1 }]);
    expect(await knowing.pairings.revoke(knowing.id)).toBe(1);
  });

  it("continues alone if the server refuses writes, as when it is full", async () => {
    const { stores, logged } = await startKnowing();
    const redis = new Redis(instances.server().url);
    await redis.config("SET", "maxmemory", "1");
    await stores.answers.store([{ key: "b", body: Buffer.from("b"), atMs: 1, lifetimeMs: LONG_MS }]);
    const countRefused = async () => Number(/errorstat_OOM:count=(\d+)/.exec(await redis.info("errorstats"))?.[1] ?? 0);
    const before = await countRefused();
    await until(async () => (await countRefused()) >= before + 4); // two beats of each instance
    expect(stores.standing()).toBe("apart");
    expect(logged).toEqual(["The server of FEED_STORE does not answer (OOM): this instance goes on by itself."]);
    await redis.config("SET", "maxmemory", "0");
    redis.disconnect();
    await until(() => isShared(stores));
  });
});

describe("an instance that alone is cut off", () => {
  it("learns of ended pairings as soon as it is back, and knows old and new ones until then", async () => {
    const way = await openTcpProxy(instances.server().port);
    const apart = instances.start(undefined, way.url).stores;
    const { pairings, id, bearer } = await startKnowing();
    const own = openFor(apart.pairings);
    await until(async () => (await own.list()).length === 1);
    await way.cut();
    await pairings.revoke(id);
    expect(await own.find(bearer, ORIGIN)).toMatchObject({ id });
    const made = await pairings.pair(await pairings.issueSent(), ORIGIN);
    expect(await own.find(made.bearer, ORIGIN)).toMatchObject({ id: made.id });
    await way.mend();
    await until(() => isShared(apart));
    expect(await own.find(bearer, ORIGIN)).toBeUndefined();
    expect(await own.find(made.bearer, ORIGIN)).toMatchObject({ id: made.id });
    await way.cut();
  });
});

describe("an instance that has not reached its server yet", () => {
  it("admits no pairing, which may have ended, and joins when the server comes", async () => {
    const { id, bearer } = await startKnowing();
    const absent = await startRedis();
    await absent.kill();
    const { stores, logged } = instances.start(undefined, absent.url);
    const pairings = openFor(stores.pairings);
    await expect(pairings.find(bearer, ORIGIN)).rejects.toMatchObject(AWAY);
    await expect(pairings.list()).rejects.toMatchObject(AWAY);
    expect(await stores.answers.read(["a"])).toEqual([undefined]);
    expect(stores.standing()).toBe("joining");
    const come = await startRedis({ port: absent.port });
    await until(() => isShared(stores));
    expect(await pairings.find(bearer, ORIGIN)).toMatchObject({ id });
    expect(logged).toEqual([expect.stringMatching(SILENT), BACK]);
    await come.kill();
  });

  it("reports a wrong password without quoting it", async () => {
    const guarded = await startRedis({ words: ["--requirepass", "the-right-one"] });
    const toUrl = (password: string) => guarded.url.replace("//", `//:${password}@`);
    const { stores, logged } = instances.start(undefined, toUrl("a-wrong-one"));
    await expect(openFor(stores.pairings).issueSent()).rejects.toMatchObject(AWAY);
    expect(logged).toEqual(["The server of FEED_STORE does not answer (WRONGPASS): this instance goes on by itself."]);
    const { stores: right } = instances.start(undefined, toUrl("the-right-one"));
    expect(await right.pairings.list()).toEqual([]);
    expect(right.standing()).toBe("shared");
    await guarded.kill();
  });
});
