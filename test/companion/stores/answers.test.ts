import { describe, expect, it } from "@jest/globals";
import { until } from "../../support/until";
import { listKinds } from "./instances";

const LONG_MS = 60_000;

describe.each(listKinds())("answers in %s", (_title, create) => {
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
    await until(async () => (await readOne()) === undefined);
  });
});
