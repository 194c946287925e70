import { describe, expect, it } from "@jest/globals";
import type { Stores } from "../../../src/companion/stores";
import { startRedis } from "../../support/redis.mjs";
import { until } from "../../support/until";
import { openFor } from "../test-configuration";
import { createInstances } from "./instances";

const instances = createInstances();
const ORIGIN = "https://localhost:3000";
const NOW_MS = Date.UTC(2026, 0, 1);
const ADA = { id: "https://login.example.com ada", name: "Ada", roles: ["analyst"] };

const isShared = ({ standing }: Stores) => standing() === "shared";

/** Pairs a page for a person, and gives its pairing with the bearer. */
async function pairAda({ pairings }: Pick<Stores, "pairings">) {
  const { bearer } = await openFor(pairings).pairPerson({ person: ADA, endsAtMs: NOW_MS * 2 }, ORIGIN);
  const [pairing] = (await pairings.list()).slice(-1);
  return { pairing: pairing!, bearer };
}

describe("a page that ends its pairing while the store is down", () => {
  it("is refused at once here, and everywhere once the store is back, also without its data", async () => {
    const server = await startRedis();
    const [one, other] = [0, 1].map(() => instances.start(undefined, server.url).stores) as [Stores, Stores];
    await until(() => isShared(one) && isShared(other));
    const { pairing, bearer } = await pairAda(one);
    await until(async () => (await other.pairings.list()).length === 1);
    await server.kill();
    await one.pairings.endOwn(pairing);
    expect(await openFor(one.pairings).find(bearer, ORIGIN)).toBeUndefined();
    const empty = await startRedis({ port: server.port });
    await until(() => isShared(one) && isShared(other));
    const later = instances.start(undefined, server.url).stores;
    for (const { pairings } of [one, other, later]) {
      await until(async () => (await openFor(pairings).find(bearer, ORIGIN)) === undefined);
    }
    await empty.kill();
  });

  it("is refused where this instance has never reached the store: nothing would end", async () => {
    const absent = await startRedis();
    await absent.kill();
    const { pairings } = instances.start(undefined, absent.url).stores;
    const pairing = { id: "ab12", hash: "hash", origin: ORIGIN, provider: "sample", pairedAtMs: NOW_MS };
    await expect(pairings.endOwn(pairing)).rejects.toMatchObject({ statusCode: 503 });
  });
});

describe("pairings that an administrator ends", () => {
  it("are given to one of several instances", async () => {
    const [command, one, other] = [0, 1, 2].map(() => instances.start().stores) as [Stores, Stores, Stores];
    for (let count = 0; count < 20; count += 1) await pairAda(one);
    expect(await command.pairings.revoke()).toBe(20);
    await until(() => isShared(other));
    const taken = await Promise.all([one.pairings.takeRevoked(), other.pairings.takeRevoked()]);
    expect(new Set(taken.flat().map(({ id }) => id)).size).toBe(20);
    expect(taken.flat()).toHaveLength(20);
  });
});
