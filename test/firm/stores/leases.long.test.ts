import { describe, expect, it } from "@jest/globals";
import { Redis } from "ioredis";
import { until } from "../../support/until";
import { createInstances } from "./instances";

const instances = createInstances();

/** Two instances that share the server. */
const startTwo = () => [instances.start().stores.leases, instances.start().stores.leases] as const;

describe("leases of two instances", () => {
  it("are held by one of them each, even if both acquire at once", async () => {
    const [one, other] = startTwo();
    const keys = Array.from({ length: 200 }, (_, index) => `key ${index}`);
    const [first, second] = await Promise.all([one.acquire(keys), other.acquire([...keys].reverse())]);
    expect([...first, ...second].sort()).toEqual([...keys].sort());
  });

  it("are free when they are released, which wakes the waiting instance", async () => {
    const [one, other] = startTwo();
    await one.acquire(["a", "b"]);
    expect(await other.acquire(["a", "b"])).toEqual([]);
    const settled = other.waitUntilReleased(["a", "b"]);
    await one.release(["b"]);
    await settled;
    expect(await other.acquire(["a", "b"])).toEqual(["b"]);
  });

  it("are released by their holder alone", async () => {
    const [one, other] = startTwo();
    await one.acquire(["a"]);
    await other.release(["a"]);
    expect(await other.acquire(["a"])).toEqual([]);
  });

  it("released before a wait do not delay it", async () => {
    const [one, { leases: other, pubSub }] = [instances.start().stores.leases, instances.start().stores];
    let isNotified = false;
    pubSub.subscribe("claims", () => {
      isNotified = true;
    });
    await one.acquire(["a"]);
    expect(await other.acquire(["a"])).toEqual([]);
    await one.release(["a"]);
    await until(() => isNotified);
    await one.acquire(["held"]);
    const toSettle = async (key: string) => {
      await other.waitUntilReleased([key]);
      return key;
    };
    expect(await Promise.race(["held", "a"].map(toSettle))).toBe("a");
  });

  it("let a wait end after half a second while they are held", async () => {
    const [one, other] = startTwo();
    await one.acquire(["a"]);
    const startMs = performance.now();
    await other.waitUntilReleased(["a"]);
    expect(performance.now() - startMs).toBeGreaterThan(450);
    expect(await other.acquire(["a"])).toEqual([]);
  });

  it("of 130,000 keys are renewed without a gap, and freed when their instance closes", async () => {
    const { stores, logged } = instances.start();
    const other = instances.start().stores.leases;
    const keys = Array.from({ length: 130_000 }, (_, index) => `key ${index}`);
    expect(await stores.leases.acquire(keys)).toHaveLength(keys.length);
    const redis = new Redis(instances.server().url);
    const [last = ""] = await redis.keys("*claim*key 129999");
    let [renewals, leftMs] = [0, await redis.pttl(last)];
    await until(async () => {
      const nowLeftMs = await redis.pttl(last);
      if (nowLeftMs > leftMs) renewals += 1;
      leftMs = nowLeftMs;
      return renewals === 3 || leftMs < 0;
    });
    redis.disconnect();
    expect([renewals, logged]).toEqual([3, []]);
    expect(await other.acquire(["key 0", "key 129999"])).toEqual([]);
    expect([stores.standing(), logged]).toEqual(["shared", []]);
    await stores.close();
    expect(await other.acquire(["key 0", "key 129999"])).toEqual(["key 0", "key 129999"]);
  });
});
