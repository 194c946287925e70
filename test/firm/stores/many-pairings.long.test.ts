import { createHash } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { Redis } from "ioredis";
import type { Paired, Pairing } from "../../../src/companion/api/pairing";
import { toProviderName } from "../../../src/companion/provider";
import type { FirmStores } from "../../../src/firm/stores";
import { createProvider, openFor } from "../../companion/test-configuration";
import { startRedis } from "../../support/redis.mjs";
import { until } from "../../support/until";
import { createInstances } from "./instances";

const instances = createInstances();
const ORIGIN = "https://localhost:3000";
const PROVIDER = toProviderName(createProvider());
const COUNT = 50_000;
/** How many an instance reads at its start, and holds. */
const MOST_KNOWN = 10_000;
const LONGEST_MS = 120_000;
const ENDS_AT_MS = Date.now() + 3_600_000;

const toBearer = (index: number) => `bearer-${index}`;
const toHash = (index: number) => createHash("sha256").update(toBearer(index)).digest("hex");
const isShared = ({ standing }: FirmStores) => standing() === "shared";
const isPaired = async ({ pairings }: FirmStores, index: number) =>
  (await openFor(pairings).find(toBearer(index), ORIGIN)) !== undefined;

function toPairing(index: number, endsAtMs = ENDS_AT_MS): Pairing {
  const person = { id: `https://login.example.com ${index}`, roles: ["all"] };
  return {
    id: `id-${index}`,
    origin: ORIGIN,
    provider: PROVIDER,
    pairedAtMs: 1,
    hash: toHash(index),
    person,
    endsAtMs,
  };
}

async function ask<T>(url: string, act: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url);
  try {
    return await act(redis);
  } finally {
    redis.disconnect();
  }
}

/** Stores thousands of pairings as instances do, and gives the server with their key. */
async function startFull(count = COUNT, endsAtMs = ENDS_AT_MS) {
  const server = await startRedis();
  const first = instances.start(undefined, server.url).stores;
  await first.pairings.revoke();
  const key = await ask(server.url, async (redis) => (await redis.keys("*pairings"))[0]!);
  await first.close();
  await ask(server.url, async (redis) => {
    for (let at = 0; at < count; at += 1000) {
      const some = Array.from({ length: 1000 }, (_, index) => toPairing(at + index, endsAtMs));
      await redis.hset(key, Object.fromEntries(some.map((pairing) => [pairing.hash, JSON.stringify(pairing)])));
    }
    await redis.config("RESETSTAT");
  });
  return { server, key };
}

async function join(url: string): Promise<FirmStores> {
  const { stores } = instances.start(undefined, url);
  await stores.join();
  return stores;
}

/** How often the server ran a command. */
const countCommands = (url: string, name: string) =>
  ask(url, async (redis) =>
    Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(await redis.info("commandstats"))?.[1] ?? 0),
  );

describe("an instance that starts with 50,000 pairings in its store", () => {
  it("reads none of them before it listens, and then those that are used", async () => {
    const { server } = await startFull();
    const stores = await join(server.url);
    expect(await countCommands(server.url, "hgetall")).toBe(0);
    expect([await isPaired(stores, 1), await isPaired(stores, 49_999), await isPaired(stores, COUNT)]).toEqual([
      ...[true, true, false],
    ]);
    // What is held answers later requests, and during an outage.
    const before = await countCommands(server.url, "hget");
    expect(await isPaired(stores, 1)).toBe(true);
    expect((await countCommands(server.url, "hget")) - before).toBeLessThan(3); // a beat reads one field
    await server.kill();
    await until(() => !isShared(stores));
    expect([await isPaired(stores, 1), await isPaired(stores, 49_999)]).toEqual([true, true]);
    expect((await stores.pairings.list()).map(({ id }) => id).sort()).toEqual(["id-1", "id-49999"]);
    await expect(isPaired(stores, 2)).rejects.toMatchObject({ statusCode: 503 });
  });

  it("holds 10,000 at most: those used last", async () => {
    const { server } = await startFull();
    const stores = await join(server.url);
    for (let at = 0; at < MOST_KNOWN + 100; at += 100)
      await Promise.all(Array.from({ length: 100 }, (_, index) => isPaired(stores, at + index)));
    await server.kill();
    await until(() => !isShared(stores));
    const held = await stores.pairings.list();
    expect(held).toHaveLength(MOST_KNOWN);
    expect(held.some(({ id }) => id === "id-0")).toBe(false);
    expect(await isPaired(stores, MOST_KNOWN + 99)).toBe(true);
  });

  it("lists and ends all of them when an administrator does", async () => {
    const { server } = await startFull();
    const stores = await join(server.url);
    expect(await isPaired(stores, 1)).toBe(true);
    expect(await stores.pairings.list()).toHaveLength(COUNT);
    expect(await stores.pairings.revoke()).toBe(COUNT);
    expect([await isPaired(stores, 1), await stores.pairings.list()]).toEqual([false, []]);
    await server.kill();
  });

  it("removes expired ones bit by bit as people sign in", async () => {
    const { server, key } = await startFull(MOST_KNOWN + 1000, Date.now() - 1);
    const stores = await join(server.url);
    const left = () => ask(server.url, (redis) => redis.hlen(key));
    const person = { id: "https://login.example.com new", roles: ["all"] };
    const signedIn: string[] = [];
    let former = await left();
    while (former > signedIn.length + 1 && signedIn.length < 1000) {
      const { bearer } = await openFor(stores.pairings).pairPerson({ person, endsAtMs: ENDS_AT_MS }, ORIGIN);
      signedIn.push(bearer);
      if (signedIn.length % 100 === 0) expect(await left()).toBeLessThan(former);
      former = await left();
    }
    expect(signedIn.length).toBeLessThan(1000);
    await server.kill();
  });
});

it("a pairing among 50,000 that ends ends everywhere if the store was down, also if that comes back with an older copy", async () => {
  const { server, key } = await startFull();
  const [one, other] = [await join(server.url), await join(server.url)];
  for (const each of [one, other]) expect(await isPaired(each, 7)).toBe(true);
  expect(await isPaired(one, 8)).toBe(true);
  await server.kill();
  await until(() => !isShared(one) && !isShared(other));
  await one.pairings.endOwn(toPairing(7));
  expect(await isPaired(one, 7)).toBe(false);
  const older = await startRedis({ port: server.port });
  await ask(older.url, async (redis) => {
    const some = Array.from({ length: MOST_KNOWN + 1000 }, (_, index) => toPairing(index + 7));
    await redis.hset(key, Object.fromEntries(some.slice(2).map((each) => [each.hash, JSON.stringify(each)])));
    await redis.hset(key, toHash(7), JSON.stringify(toPairing(7)));
  });
  await until(() => isShared(one) && isShared(other));
  const later = await join(older.url);
  for (const each of [one, other, later]) {
    await until(async () => !(await isPaired(each, 7)));
    // What the copy lacked and an instance held is restored.
    expect([await isPaired(each, 8), await isPaired(each, 9)]).toEqual([true, true]);
  }
  await older.kill();
});

it(
  "pairings of three instances are all stored when thousands come in the same minute",
  async () => {
    const start = () => openFor(instances.start().stores.pairings);
    const all = [start(), start(), start()];
    const person = { id: "https://login.example.com 1", roles: [] };
    const made: Paired[] = [];
    while (made.length < 3000) {
      const some = Array.from({ length: 60 }, (_, index) =>
        all[index % 3]!.pairPerson({ person, endsAtMs: ENDS_AT_MS }, `https://${made.length + index}.example.com`),
      );
      made.push(...(await Promise.all(some)));
    }
    const later = start();
    for (const [index, { id, bearer }] of made.entries()) {
      const origin = `https://${index}.example.com`;
      expect(await later.find(bearer, origin)).toMatchObject({ id });
      expect(await all[(index + 1) % 3]!.find(bearer, origin)).toMatchObject({ id });
    }
  },
  LONGEST_MS,
);
