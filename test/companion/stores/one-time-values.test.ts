import { describe, expect, it } from "@jest/globals";
import { createPairings } from "../../../src/companion/api/pairing";
import { createMemoryPairings } from "../../../src/companion/api/pairing-state";
import { createMemoryStores } from "../../../src/companion/stores/memory";
import { createInstances, listKinds } from "./instances";

const instances = createInstances();
const LONG_MS = 60_000;

describe.each(listKinds(instances))("notes in %s", (_title, create) => {
  it("are taken as they were put, once", async () => {
    const { notes } = create();
    const value = { state: "s", nested: { list: [1, "two", null] } };
    await notes.put("a", value, LONG_MS);
    expect(await notes.take("b")).toBeUndefined();
    expect(await notes.take("a")).toEqual(value);
    expect(await notes.take("a")).toBeUndefined();
  });

  it("are taken by one of many that ask at once", async () => {
    const { notes } = create();
    await notes.put("a", { one: 1 }, LONG_MS);
    const taken = await Promise.all(Array.from({ length: 50 }, () => notes.take("a")));
    expect(taken.filter((value) => value !== undefined)).toEqual([{ one: 1 }]);
  });

  it("are gone after their lifetime", async () => {
    const { notes } = create();
    await notes.put("a", {}, 1);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await notes.take("a")).toBeUndefined();
  });
});

describe("notes of one kind in memory", () => {
  it("stay, however many of another kind are put down", async () => {
    const { notes } = createMemoryStores(createPairings(createMemoryPairings(), Date.now));
    await notes.put("code 1", { one: 1 }, LONG_MS);
    for (let count = 0; count < 110_000; count += 1) await notes.put(`sign-in ${count}`, {}, LONG_MS);
    expect(await notes.take("sign-in 0")).toBeUndefined();
    expect(await notes.take("code 1")).toEqual({ one: 1 });
  });
});

describe("a note of one instance", () => {
  it("is taken by another, or by the first, and not by both", async () => {
    const [one, other] = [instances.start().stores.notes, instances.start().stores.notes];
    await one.put("a", { for: "either" }, LONG_MS);
    const taken = await Promise.all([one.take("a"), other.take("a")]);
    expect(taken.filter((value) => value !== undefined)).toEqual([{ for: "either" }]);
  });
});
