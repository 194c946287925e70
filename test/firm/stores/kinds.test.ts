import { describe, expect, it } from "@jest/globals";
import { createPairings } from "../../../src/companion/api/pairing";
import { createMemoryPairings } from "../../../src/companion/api/pairing-state";
import { createMemoryStores } from "../../../src/firm/stores/memory";
import { openFor } from "../../companion/test-configuration";
import { until } from "../../support/until";
import { hasServer, listKinds } from "./instances";

const LONG_MS = 60_000;
/** A server counts in whole seconds. */
const SHORT_MS = hasServer() ? 1000 : 200;
const KINDS = listKinds();
const ORIGIN = "https://localhost:3000";
const ADA = { id: "https://login.example.com ada", name: "Ada", roles: ["analyst"] };

describe.each(KINDS)("answers in %s", (_title, create) => {
  it("are returned byte for byte with their time, each under its key", async () => {
    const { answers } = create();
    const bytes = Buffer.from([0, 255, 13, 10, 0xc3, 0x28, 0]);
    const atMs = Date.now() - 1_000.5;
    await answers.store([
      { key: "one", body: bytes, atMs, lifetimeMs: LONG_MS },
      { key: "empty", body: Buffer.alloc(0), atMs: 1, lifetimeMs: LONG_MS },
    ]);
    const found = await answers.read(["empty", "other", "one", "one"]);
    expect(found.map((answer) => answer && [answer.atMs, [...answer.body]])).toEqual([
      [1, []],
      undefined,
      [atMs, [...bytes]],
      [atMs, [...bytes]],
    ]);
  });

  it("can be many at once", async () => {
    const { answers } = create();
    const keys = Array.from({ length: 1234 }, (_, index) => `key ${index}`);
    await answers.store(keys.map((key) => ({ key, body: Buffer.from(key), atMs: 1, lifetimeMs: LONG_MS })));
    expect((await answers.read(keys)).map((answer) => answer?.body.toString())).toEqual(keys);
    expect([await answers.read([]), await answers.store([])]).toEqual([[], undefined]);
  });

  it("are replaced by newer ones, and expire after their lifetime", async () => {
    const { answers } = create();
    const readOne = async () => (await answers.read(["one"]))[0]?.body.toString();
    const storeOne = (text: string, lifetimeMs: number) =>
      answers.store([{ key: "one", body: Buffer.from(text), atMs: 1, lifetimeMs }]);
    await storeOne("old", LONG_MS);
    await storeOne("new", LONG_MS);
    expect(await readOne()).toBe("new");
    await storeOne("newest", 20);
    await until(async () => (await readOne()) === undefined);
  });
});

it.each(KINDS)("an ended pairing is given once with person and time, to be recorded: in %s", async (_kind, open) => {
  const { pairings } = open();
  const pairAda = async () => {
    await openFor(pairings).pairPerson({ person: ADA, endsAtMs: Date.now() + 60_000 }, ORIGIN);
    return (await pairings.list()).at(-1)!;
  };
  const ended = await pairAda();
  await pairings.endOwn(await pairAda());
  const before = Date.now();
  await pairings.revoke(ended.id);
  const revoked = await pairings.takeRevoked();
  expect(revoked).toEqual([{ id: ended.id, person: ADA, atMs: expect.any(Number) }]);
  expect(revoked[0]!.atMs).toBeGreaterThanOrEqual(before);
  expect(await pairings.takeRevoked()).toEqual([]);
});

describe.each(KINDS)("a limit in %s", (_title, create) => {
  it("admits its number in its time for each key, and then says how long to wait", async () => {
    const limit = create().createLimit("limit", 3, LONG_MS);
    const waits: number[] = [];
    for (let count = 0; count < 4; count += 1) waits.push(await limit.count("one"));
    expect(waits.slice(0, 3)).toEqual([0, 0, 0]);
    expect(waits[3]).toBeGreaterThan(LONG_MS - 10_000);
    expect(waits[3]).toBeLessThanOrEqual(LONG_MS);
    expect(await limit.count("other")).toBe(0);
  });

  it("is separate from one of another name", async () => {
    const { createLimit } = create();
    expect(await createLimit("first", 1, LONG_MS).count("one")).toBe(0);
    expect(await createLimit("second", 1, LONG_MS).count("one")).toBe(0);
  });

  it("starts again after its time", async () => {
    const limit = create().createLimit("limit", 1, SHORT_MS);
    const [first, second = 0] = await Promise.all([limit.count("one"), limit.count("one")]);
    expect([first, second > 0]).toEqual([0, true]);
    await until(async () => (await limit.count("one")) === 0);
  });
});

describe.each(KINDS)("one-time values in %s", (_title, create) => {
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

it("one-time values of one kind in memory stay, however many of another kind are stored", async () => {
  const { oneTimeValues } = createMemoryStores(createPairings(createMemoryPairings(), Date.now));
  await oneTimeValues.put("code 1", { one: 1 }, LONG_MS);
  for (let count = 0; count < 110_000; count += 1) await oneTimeValues.put(`sign-in ${count}`, {}, LONG_MS);
  expect(await oneTimeValues.take("sign-in 0")).toBeUndefined();
  expect(await oneTimeValues.take("code 1")).toEqual({ one: 1 });
});
