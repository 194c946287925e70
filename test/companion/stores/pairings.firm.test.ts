import { describe, expect, it } from "@jest/globals";
import { until } from "../../support/until";
import { openFor } from "../test-configuration";
import { createInstances } from "./instances";

const instances = createInstances();
const ORIGIN = "https://localhost:3000";
const NOW_MS = Date.UTC(2026, 0, 1);
const REFUSED = { statusCode: 403, code: "FEED_PAIRING_CODE_WRONG" };

const start = () => openFor(instances.start(() => NOW_MS).stores.pairings);
/** A well-formed code that differs. */
const toOther = (code: string) => (code.startsWith("A") ? "B" : "A") + code.slice(1);

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

  it("have a code whose attempts count together", async () => {
    const [one, other] = [start(), start()];
    const code = await one.issueSent();
    await Promise.allSettled([one, other, one, other, one].map((each) => each.pair(toOther(code), ORIGIN)));
    await expect(other.pair(code, ORIGIN)).rejects.toMatchObject(REFUSED);
  });
});
