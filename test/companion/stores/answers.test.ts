import { describe, expect, it } from "@jest/globals";
import { Redis } from "ioredis";
import type { Stores } from "../../../src/companion/stores";
import { createInstances, listKinds, waitUntil } from "./instances";

const instances = createInstances();
const LONG_MS = 60_000;

describe.each(listKinds(instances))("answers in %s", (_title, create) => {
  it("are returned byte for byte with their time, each under its key", async () => {
    const { answers } = create();
    const bytes = Buffer.from([0, 255, 13, 10, 0xc3, 0x28, 0]);
    const atMs = 1_700_000_000_123.5;
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
    await waitUntil(async () => (await readOne()) === undefined);
  });
});

describe("answers of two instances", () => {
  const toEntry = (text: string, lifetimeMs = LONG_MS) => ({
    key: "one",
    body: Buffer.from(text),
    atMs: 5,
    lifetimeMs,
  });
  const readText = async ({ answers }: Stores) => (await answers.read(["one"]))[0]?.body.toString();
  const startTwo = async () => {
    const two = [instances.start().stores, instances.start().stores] as const;
    await waitUntil(() => two.every(({ standing }) => standing() === "shared"));
    return two;
  };

  it("are read from the server once, as long as nobody replaces them", async () => {
    const [one, other] = await startTwo();
    let isTold = false;
    other.pubSub.subscribe("stored", () => {
      isTold = true;
    });
    await one.answers.store([toEntry("text")]);
    one.pubSub.publish("stored", "");
    await waitUntil(() => isTold);
    expect(await readText(other)).toBe("text");
    const redis = new Redis(instances.server().url);
    await redis.flushall();
    expect([await readText(one), await readText(other)]).toEqual(["text", "text"]);
    redis.disconnect();
  });

  it("are replaced in all of them", async () => {
    const [one, other] = await startTwo();
    await one.answers.store([toEntry("old")]);
    expect(await readText(other)).toBe("old");
    await one.answers.store([toEntry("new")]);
    await waitUntil(async () => (await readText(other)) === "new");
    await other.answers.store([toEntry("newest")]);
    await waitUntil(async () => (await readText(one)) === "newest");
  });

  it("expire in each of them after their lifetime", async () => {
    const [one, other] = await startTwo();
    await one.answers.store([toEntry("short", 200)]);
    await readText(other);
    for (const stores of [one, other]) await waitUntil(async () => (await readText(stores)) === undefined);
  });

  it("are shared", async () => {
    const [one, other] = [instances.start().stores, instances.start().stores];
    await one.answers.store([{ key: "one", body: Buffer.from("text"), atMs: 5, lifetimeMs: LONG_MS }]);
    expect(await other.answers.read(["one"])).toMatchObject([{ body: Buffer.from("text"), atMs: 5 }]);
    expect([one.standing(), other.standing()]).toEqual(["shared", "shared"]);
  });
});
