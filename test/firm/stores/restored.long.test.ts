import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { Redis } from "ioredis";
import type { FirmStores } from "../../../src/firm/stores";
import { openFor } from "../../companion/test-configuration";
import { startRedis } from "../../support/redis.mjs";
import { until } from "../../support/until";
import { createInstances, openTcpProxy } from "./instances";

const instances = createInstances();
const ORIGIN = "https://localhost:3000";

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A folder for a server's data file, which it reads on restart. */
function createFolder(): string[] {
  const folder = mkdtempSync(join(tmpdir(), "feed-restored-"));
  folders.push(folder);
  return ["--dir", folder];
}

const isShared = ({ standing }: FirmStores) => standing() === "shared";

function pairAt({ pairings }: FirmStores, id: string) {
  const signedIn = { person: { id, roles: ["all"] }, endsAtMs: Date.now() + 3_600_000 };
  return openFor(pairings).pairPerson(signedIn, ORIGIN);
}

const isPaired = async ({ pairings }: FirmStores, bearer: string) =>
  (await openFor(pairings).find(bearer, ORIGIN)) !== undefined;

async function notifyServer(url: string, act: (redis: Redis) => Promise<unknown>): Promise<void> {
  const redis = new Redis(url);
  await act(redis);
  redis.disconnect();
}

/** Two instances, one cut off while a pairing ends at the other, then both. */
async function startApart() {
  const server = await startRedis();
  const ways = [await openTcpProxy(server.port), await openTcpProxy(server.port)];
  const [first, second] = ways.map(({ url }) => instances.start(undefined, url).stores) as [FirmStores, FirmStores];
  await until(() => isShared(first) && isShared(second));
  const [ended, lasting] = [await pairAt(first, "ended"), await pairAt(first, "lasting")];
  await until(async () => (await second.pairings.list()).length === 2);
  await ways[0]!.cut();
  await second.pairings.revoke(ended.id);
  await ways[1]!.cut();
  return { server, ways, both: [first, second], ended, lasting };
}

it("a server restored from an older copy of its data ends again what had ended; pairings made since stay valid", async () => {
  const words = createFolder();
  const server = await startRedis({ words });
  const [one, other] = [0, 1].map(() => instances.start(undefined, server.url).stores) as [FirmStores, FirmStores];
  const ended = await pairAt(one, "ended");
  await notifyServer(server.url, (redis) => redis.save());
  await one.pairings.revoke(ended.id);
  const since = await pairAt(one, "since");
  await server.kill();
  await until(() => !isShared(one) && !isShared(other));
  const restored = await startRedis({ port: server.port, words });
  await until(() => isShared(one) && isShared(other));
  const later = instances.start(undefined, server.url).stores;
  for (const each of [one, other, later]) {
    await until(async () => !(await isPaired(each, ended.bearer)) && (await isPaired(each, since.bearer)));
  }
  expect(await later.pairings.list()).toEqual([]);
  await restored.kill();
});

it.each([
  ["first", [0, 1]],
  ["last", [1, 0]],
])("an empty server regains no ended pairing from an instance that still knows it and joins %s", async (_, order) => {
  const { server, ways, both, ended, lasting } = await startApart();
  await server.kill();
  const empty = await startRedis({ port: server.port });
  for (const place of order) {
    await ways[place]!.mend();
    await until(() => isShared(both[place]!));
  }
  for (const each of both) {
    await until(async () => !(await isPaired(each, ended.bearer)));
    expect(await isPaired(each, lasting.bearer)).toBe(true);
  }
  for (const way of ways) await way.cut();
  await empty.kill();
});

it("a server that becomes a replica of another one without closing its connections is left for the server that its address now leads to", async () => {
  const [former, next] = [await startRedis({ words: createFolder() }), await startRedis({ words: createFolder() })];
  const way = await openTcpProxy(former.port);
  const stores = instances.start(undefined, way.url).stores;
  const { bearer } = await pairAt(stores, "before");
  way.lead(next.port);
  await notifyServer(former.url, (redis) => redis.replicaof("127.0.0.1", next.port));
  await until(async () => (await pairAt(stores, "after").catch(() => undefined)) !== undefined);
  const later = instances.start(undefined, next.url).stores;
  expect(await later.pairings.list()).toMatchObject([{ person: { id: "after" } }]);
  expect(await isPaired(stores, bearer)).toBe(true);
  await way.cut();
  await Promise.all([former.kill(), next.kill()]);
});

it("a server on which another program wrote is shared as before: unreadable entries are ignored", async () => {
  const server = await startRedis();
  const knowing = instances.start(undefined, server.url).stores;
  const { id, bearer } = await pairAt(knowing, "one");
  await knowing.answers.store([{ key: "a", body: Buffer.from("text"), atMs: 1, lifetimeMs: 60_000 }]);
  await notifyServer(server.url, async (redis) => {
    const [records] = await redis.keys("*paired");
    for (const text of ["not json", "null", "{}"]) await redis.zadd(records!, "+inf", text);
    const [answer] = await redis.keys("*answer:*:a");
    await redis.set(answer!, "x");
  });
  const later = instances.start(undefined, server.url).stores;
  expect(await later.pairings.list()).toMatchObject([{ id }]);
  expect(await isPaired(later, bearer)).toBe(true);
  expect(await later.answers.read(["a"])).toEqual([undefined]);
  expect(isShared(later)).toBe(true);
  await server.kill();
});

describe("a page that ends its pairing while the store is down", () => {
  it("is refused at once here, and everywhere once the store is back, also without its data", async () => {
    const server = await startRedis();
    const [one, other] = [0, 1].map(() => instances.start(undefined, server.url).stores) as [FirmStores, FirmStores];
    await until(() => isShared(one) && isShared(other));
    const { bearer } = await pairAt(one, "ada");
    await until(async () => (await other.pairings.list()).length === 1);
    const [pairing] = await one.pairings.list();
    await server.kill();
    await one.pairings.endOwn(pairing!);
    expect(await isPaired(one, bearer)).toBe(false);
    const empty = await startRedis({ port: server.port });
    await until(() => isShared(one) && isShared(other));
    const later = instances.start(undefined, server.url).stores;
    for (const each of [one, other, later]) await until(async () => !(await isPaired(each, bearer)));
    await empty.kill();
  });

  it("is refused where this instance has never reached the store: nothing would end", async () => {
    const absent = await startRedis();
    await absent.kill();
    const { pairings } = instances.start(undefined, absent.url).stores;
    const pairing = { id: "ab12", origin: ORIGIN, provider: "sample", pairedAtMs: 1 };
    await expect(pairings.endOwn(pairing)).rejects.toMatchObject({ statusCode: 503 });
  });
});

it("an end of all ends pairings that an emptied server no longer lists, and none that is made afterwards", async () => {
  const [one, command] = [0, 1].map(() => instances.start().stores) as [FirmStores, FirmStores];
  const { bearer } = await pairAt(one, "ada");
  await notifyServer(instances.server().url, (redis) => redis.flushall());
  expect(await command.pairings.revoke()).toBe(0);
  await until(async () => !(await isPaired(one, bearer)));
  expect(await isPaired(one, (await pairAt(one, "ada")).bearer)).toBe(true);
});

it("an end of all ends what an instance made whose clock is ahead, and nothing that others make afterwards", async () => {
  const ahead = instances.start(() => Date.now() + 5_400_000).stores;
  const [one, command] = [0, 1].map(() => instances.start().stores) as [FirmStores, FirmStores];
  const { bearer } = await pairAt(ahead, "ada");
  expect(await command.pairings.revoke()).toBe(1);
  await until(async () => !(await isPaired(one, bearer)));
  expect(await isPaired(one, (await pairAt(one, "ada")).bearer)).toBe(true);
});

it("all pairings of a person end by their id, and no other person's", async () => {
  const [one, command] = [0, 1].map(() => instances.start().stores) as [FirmStores, FirmStores];
  const [first, second, other] = [await pairAt(one, "ada"), await pairAt(one, "ada"), await pairAt(one, "bob")];
  expect(await command.pairings.revoke("ada")).toBe(2);
  for (const { bearer } of [first, second]) await until(async () => !(await isPaired(one, bearer)));
  expect(await isPaired(one, other.bearer)).toBe(true);
  expect(await command.pairings.list()).toMatchObject([{ id: other.id }]);
  expect(await command.pairings.revoke("ada")).toBe(0);
});

it("pairings that an administrator ends are given to one of several instances", async () => {
  const [command, one, other] = [0, 1, 2].map(() => instances.start().stores) as [FirmStores, FirmStores, FirmStores];
  for (let count = 0; count < 20; count += 1) await pairAt(one, "ada");
  expect(await command.pairings.revoke()).toBe(20);
  await until(() => isShared(other));
  const taken = await Promise.all([one.pairings.takeRevoked(), other.pairings.takeRevoked()]);
  expect(new Set(taken.flat().map(({ id }) => id)).size).toBe(20);
  expect(taken.flat()).toHaveLength(20);
});
