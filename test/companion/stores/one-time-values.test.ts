import { describe, expect, it } from "@jest/globals";
import { createPairings } from "../../../src/companion/api/pairing";
import { createMemoryPairings } from "../../../src/companion/api/pairing-state";
import { createMemoryStores } from "../../../src/companion/stores/memory";
import { until } from "../../support/until";
import { listKinds } from "./instances";

const LONG_MS = 60_000;

describe.each(listKinds())("one-time values in %s", (_title, create) => {
  it("are returned as stored, once", async () => {
    const { oneTimeValues } = create();
    const value = { state: "s", nested: { list: [1, "two", null] } };
    await oneTimeValues.put("a", value, LONG_MS);
    expect(await oneTimeValues.take("b")).toBeUndefined();
    expect(await oneTimeValues.take("a")).toEqual(value);
    expect(await oneTimeValues.take("a")).toBeUndefined();
  });

  it("are returned to one of many simultaneous callers", async () => {
    const { oneTimeValues } = create();
    await oneTimeValues.put("a", { one: 1 }, LONG_MS);
    const taken = await Promise.all(Array.from({ length: 50 }, () => oneTimeValues.take("a")));
    expect(taken.filter((value) => value !== undefined)).toEqual([{ one: 1 }]);
  });

  it("expire after their lifetime", async () => {
    const { oneTimeValues } = create();
    await oneTimeValues.put("a", {}, 1);
    const endMs = performance.now() + 10;
    await until(() => performance.now() > endMs);
    expect(await oneTimeValues.take("a")).toBeUndefined();
  });
});

describe("one-time values of one kind in memory", () => {
  it("stay, however many of another kind are stored", async () => {
    const { oneTimeValues } = createMemoryStores(createPairings(createMemoryPairings(), Date.now));
    await oneTimeValues.put("code 1", { one: 1 }, LONG_MS);
    for (let count = 0; count < 110_000; count += 1) await oneTimeValues.put(`sign-in ${count}`, {}, LONG_MS);
    expect(await oneTimeValues.take("sign-in 0")).toBeUndefined();
    expect(await oneTimeValues.take("code 1")).toEqual({ one: 1 });
  });
});
