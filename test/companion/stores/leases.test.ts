import { describe, expect, it } from "@jest/globals";
import { createInstances, listKinds, waitUntil } from "./instances";

const instances = createInstances();

/** Two instances that share the server. */
const startTwo = () => [instances.start().stores.claims, instances.start().stores.claims] as const;

describe.each(listKinds(instances))("claims in %s", (_title, create) => {
  it("are this instance's own where nobody else holds them, again as well", async () => {
    const { claims } = create();
    expect(await claims.take(["a", "b"])).toEqual(["a", "b"]);
    expect(await claims.take(["b", "c"])).toEqual(["b", "c"]);
    await claims.drop(["a", "b", "c"]);
    await claims.settle(["a", "b", "c"]);
    expect(await claims.take(["a"])).toEqual(["a"]);
  });

  it("are none where none are asked for", async () => {
    const { claims } = create();
    expect(await claims.take([])).toEqual([]);
    await claims.drop([]);
    await claims.settle([]);
  });
});

describe("claims of two instances", () => {
  it("are held by one of them each, though both ask at once", async () => {
    const [one, other] = startTwo();
    const keys = Array.from({ length: 200 }, (_, index) => `key ${index}`);
    const [first, second] = await Promise.all([one.take(keys), other.take([...keys].reverse())]);
    expect([...first, ...second].sort()).toEqual([...keys].sort());
  });

  it("are free when they are dropped, which wakes who waits for one of them", async () => {
    const [one, other] = startTwo();
    await one.take(["a", "b"]);
    expect(await other.take(["a", "b"])).toEqual([]);
    const settled = other.settle(["a", "b"]);
    await one.drop(["b"]);
    await settled;
    expect(await other.take(["a", "b"])).toEqual(["b"]);
  });

  it("are dropped by their holder alone", async () => {
    const [one, other] = startTwo();
    await one.take(["a"]);
    await other.drop(["a"]);
    expect(await other.take(["a"])).toEqual([]);
  });

  it("that were dropped before anybody waits keep nobody waiting", async () => {
    const [one, { claims: other, notices }] = [instances.start().stores.claims, instances.start().stores];
    let isTold = false;
    notices.hear("claims", () => {
      isTold = true;
    });
    await one.take(["a"]);
    expect(await other.take(["a"])).toEqual([]);
    await one.drop(["a"]);
    await waitUntil(() => isTold);
    await one.take(["held"]);
    const toSettle = async (key: string) => {
      await other.settle([key]);
      return key;
    };
    expect(await Promise.race(["held", "a"].map(toSettle))).toBe("a");
  });

  it("keep nobody waiting for more than half a second, however long they are held", async () => {
    const [one, other] = startTwo();
    await one.take(["a"]);
    const startMs = performance.now();
    await other.settle(["a"]);
    expect(performance.now() - startMs).toBeGreaterThan(450);
  });

  it("outlast the time that a dead instance has, as long as their instance lives", async () => {
    const [one, other] = startTwo();
    await one.take(["a"]);
    const startMs = performance.now();
    while (performance.now() - startMs < 6500) {
      expect(await other.take(["a"])).toEqual([]);
      await other.settle(["a"]);
    }
  });

  it("of 130,000 keys are renewed without a break, and all free when their instance is closed", async () => {
    const { stores, logged } = instances.start();
    const other = instances.start().stores.claims;
    const keys = Array.from({ length: 130_000 }, (_, index) => `key ${index}`);
    expect(await stores.claims.take(keys)).toHaveLength(keys.length);
    const startMs = performance.now();
    while (performance.now() - startMs < 6500) await other.settle(["key 0"]);
    expect(await other.take(["key 0", "key 129999"])).toEqual([]);
    expect([stores.standing(), logged]).toEqual(["shared", []]);
    await stores.close();
    expect(await other.take(["key 0", "key 129999"])).toEqual(["key 0", "key 129999"]);
  });

  it("are free at once when their instance is closed", async () => {
    const { stores } = instances.start();
    const other = instances.start().stores.claims;
    await stores.claims.take(["a"]);
    await stores.close();
    expect(await other.take(["a"])).toEqual(["a"]);
  });
});
