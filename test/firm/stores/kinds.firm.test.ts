/** The tests of a companion's stores on a server, and what several instances share there. */
import { describe, expect, it, jest } from "@jest/globals";
import { Redis } from "ioredis";
import { makeSecret } from "../../../src/companion/api/pairing";
import type { FirmStores } from "../../../src/firm/stores";
import { until } from "../../support/until";
import { createInstances } from "./instances";
import "./kinds.test";
import "../../companion/pairing.test";
import { openFor } from "../../companion/test-configuration";

const instances = createInstances();
const LONG_MS = 60_000;
const ORIGIN = "https://localhost:3000";
const NOW_MS = Date.UTC(2026, 0, 1);
const REFUSED = { statusCode: 403, code: "FEED_PAIRING_CODE_WRONG" };

const start = () => openFor(instances.start(() => NOW_MS).stores.pairings);
/** A well-formed code that differs. */
const toOther = (code: string) => (code.startsWith("A") ? "B" : "A") + code.slice(1);

describe("answers of two instances", () => {
  const toEntry = (text: string, lifetimeMs = LONG_MS) => ({
    key: "one",
    body: Buffer.from(text),
    atMs: 5,
    lifetimeMs,
  });
  const readText = async ({ answers }: FirmStores) => (await answers.read(["one"]))[0]?.body.toString();
  const startTwo = async () => {
    const two = [instances.start().stores, instances.start().stores] as const;
    await until(() => two.every(({ standing }) => standing() === "shared"));
    return two;
  };

  it("of one are read by the other, as old as they are whatever its clock says", async () => {
    const [one, other] = await startTwo();
    await one.answers.store([{ ...toEntry("text"), atMs: Date.now() - 30_000 }]);
    const { now } = Date;
    const ahead = jest.spyOn(Date, "now").mockImplementation(() => now() + 5_400_000);
    const [found] = await other.answers.read(["one"]);
    const ageMs = Date.now() - found!.atMs;
    ahead.mockRestore();
    expect([found!.body.toString(), Math.round(ageMs / 10_000)]).toEqual(["text", 3]);
  });

  it("are after five seconds the newest of either", async () => {
    const [one, other] = await startTwo();
    const storeAt = ({ answers }: FirmStores, text: string, atMs: number) =>
      answers.store([{ ...toEntry(text), atMs }]);
    await storeAt(one, "first", 1_000);
    await storeAt(other, "second", 20_000);
    const { now } = performance;
    const later = jest.spyOn(performance, "now").mockImplementation(() => now.call(performance) + 5_001);
    expect(await readText(one)).toBe("second");
    later.mockImplementation(() => now.call(performance) + 20_000);
    await storeAt(one, "third", 30_000);
    await storeAt(other, "late", 25_000);
    later.mockImplementation(() => now.call(performance) + 30_000);
    const texts = [await readText(one), await readText(other)];
    later.mockRestore();
    expect(texts).toEqual(["third", "late"]);
  });

  it("that the server has lost are asked for once in five seconds", async () => {
    const [one] = await startTwo();
    const redis = new Redis(instances.server().url);
    const countAsked = async () => Number(/cmdstat_mget:calls=(\d+)/.exec(await redis.info("commandstats"))?.[1] ?? 0);
    await one.answers.store([toEntry("text")]);
    await redis.flushall();
    const { now } = performance;
    const later = jest.spyOn(performance, "now").mockImplementation(() => now.call(performance) + 5_001);
    const before = await countAsked();
    const texts = [await readText(one), await readText(one), await readText(one)];
    later.mockRestore();
    expect([texts, (await countAsked()) - before]).toEqual([["text", "text", "text"], 1]);
    redis.disconnect();
  });

  it("expire in each of them after their lifetime", async () => {
    const [one, other] = await startTwo();
    await one.answers.store([toEntry("short", 200)]);
    await readText(other);
    for (const stores of [one, other]) await until(async () => (await readText(stores)) === undefined);
  });
});

it("a shared limit of two instances counts both together, even at once", async () => {
  const limits = [1, 2].map(() => instances.start().stores.createSharedLimit("limit", 60, LONG_MS));
  const waits = await Promise.all(Array.from({ length: 100 }, (_, index) => limits[index % 2]!.count("one")));
  expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(60);
});

it("a one-time value of one instance is taken by another or by the first, and not by both", async () => {
  const [one, other] = [instances.start().stores.oneTimeValues, instances.start().stores.oneTimeValues];
  await one.put("a", { for: "either" }, LONG_MS);
  const taken = await Promise.all([one.take("a"), other.take("a")]);
  expect(taken.filter((value) => value !== undefined)).toEqual([{ for: "either" }]);
});

describe("pairings of two instances", () => {
  it("are made at one by the code of the other, and known to both at once", async () => {
    const [one, other] = [start(), start()];
    const { id, bearer } = await other.pair(await one.issueSent(), ORIGIN);
    for (const each of [one, other]) {
      expect(await each.find(bearer, ORIGIN)).toMatchObject({ id, origin: ORIGIN, pairedAtMs: NOW_MS });
      expect(await each.list()).toMatchObject([{ id }]);
    }
  });

  it("are known to one that starts later", async () => {
    const first = start();
    const { id, bearer } = await first.pair(await first.issueSent(), ORIGIN);
    expect(await start().find(bearer, ORIGIN)).toMatchObject({ id });
  });

  it("are unknown once the key of sign-ins has changed, and the next sign-in works", async () => {
    const former = start();
    const { bearer } = await former.pair(await former.issueSent(), ORIGIN);
    const changed = openFor(instances.start(() => NOW_MS, undefined, makeSecret()).stores.pairings);
    expect(await changed.find(bearer, ORIGIN)).toBeUndefined();
    const again = await changed.pair(await changed.issueSent(), ORIGIN);
    expect(await changed.find(again.bearer, ORIGIN)).toMatchObject({ id: again.id });
  });

  it("end on both, wherever they are ended", async () => {
    const [one, other] = [start(), start()];
    const paired = await one.pair(await one.issueSent(), ORIGIN);
    await until(async () => (await other.list()).length === 1);
    expect(await one.revoke(paired.id)).toBe(1);
    expect(await one.find(paired.bearer, ORIGIN)).toBeUndefined();
    await until(async () => (await other.find(paired.bearer, ORIGIN)) === undefined);
    expect([await other.revoke(paired.id), await one.list(), await other.list()]).toEqual([0, [], []]);
  });

  it("all end on both, with a pending code", async () => {
    const [one, other] = [start(), start()];
    const paired = [await one.pair(await one.issueSent(), ORIGIN), await other.pair(await other.issueSent(), ORIGIN)];
    const code = await one.issueSent();
    expect(await other.revoke()).toBe(2);
    for (const { bearer } of paired) {
      for (const each of [one, other]) await until(async () => (await each.find(bearer, ORIGIN)) === undefined);
    }
    await expect(one.pair(code, ORIGIN)).rejects.toMatchObject(REFUSED);
  });

  it("are made once by a code, even if two pages use it at two instances", async () => {
    const [one, other] = [start(), start()];
    const code = await one.issueSent();
    const results = await Promise.allSettled([one.pair(code, ORIGIN), other.pair(code, ORIGIN)]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await one.list()).toHaveLength(1);
  });

  it("are none for who writes a record into the store", async () => {
    const redis = new Redis(instances.server().url);
    await redis.flushall();
    const one = start();
    await one.pair(await one.issueSent(), ORIGIN);
    const [records = ""] = await redis.keys("*paired");
    const invented = {
      id: "0123456789ab",
      origin: ORIGIN,
      provider: "https://feed.example.com/base",
      pairedAtMs: NOW_MS,
    };
    await redis.zadd(records, "+inf", JSON.stringify(invented));
    redis.disconnect();
    expect(await one.list()).toHaveLength(2);
    for (const bearer of [JSON.stringify(invented), invented.id]) {
      expect(await one.find(Buffer.from(bearer).toString("base64url"), ORIGIN)).toBeUndefined();
    }
  });

  it("leave no request for a code at the server once its time is over", async () => {
    const redis = new Redis(instances.server().url);
    await redis.flushall();
    await start().issueSent();
    const [requests = ""] = await redis.keys("*asking");
    expect(await redis.pttl(requests)).toBeGreaterThan(0);
    redis.disconnect();
  });

  it("have a code whose attempts count together", async () => {
    const [one, other] = [start(), start()];
    const code = await one.issueSent();
    await Promise.allSettled([one, other, one, other, one].map((each) => each.pair(toOther(code), ORIGIN)));
    await expect(other.pair(code, ORIGIN)).rejects.toMatchObject(REFUSED);
  });
});
