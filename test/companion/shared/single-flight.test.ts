import { expect, it } from "@jest/globals";
import { createSingleFlight } from "../../../src/companion/reads/shared/single-flight";
import type { Leases } from "../../../src/companion/stores";

it("a failure beside a fulfilled query rejects for its caller, and leaves no unhandled rejection", async () => {
  const unowned: unknown[] = [];
  const receive = (error: unknown) => void unowned.push(error);
  process.on("unhandledRejection", receive);
  let failLate = (_error: Error) => {};
  const late = new Promise<string>((_resolve, reject) => {
    failLate = reject;
  });
  const once = createSingleFlight<string>(undefined, Date.now);
  const steps = {
    readCached: async (keys: readonly string[]) => keys.map(() => undefined),
    load: () => [Promise.resolve("a"), late],
  };
  const load = once.load(["1", "2"], steps, "ann");
  setImmediate(() => failLate(new Error("no")));
  await expect(load).rejects.toThrow("no");
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", receive);
  expect(unowned).toEqual([]);
});

it("a query with progress keeps its lease to the end, so that no other instance requests it", async () => {
  const dropped: string[] = [];
  const leases: Leases = {
    acquire: async (keys) => [...keys],
    waitUntilReleased: async () => {},
    release: async (keys) => void dropped.push(...keys),
  };
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const once = createSingleFlight<string>(leases, Date.now, () => ended);
  const steps = { readCached: async () => [undefined], load: () => [Promise.resolve("not yet")] };
  expect(await once.load(["1"], steps, "ann")).toEqual(["not yet"]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(dropped).toEqual([]);
  end();
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(dropped).toEqual(["1"]);
});
