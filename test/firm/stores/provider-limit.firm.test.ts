import { expect, it } from "@jest/globals";
import { createMemoryLimit } from "../../../src/companion/stores";
import { createProviderRateLimit } from "../../../src/firm/relay/rate-limit";
import type { FirmStores } from "../../../src/firm/stores";
import { until } from "../../support/until";
import { countInSecond } from "../count-in-second";
import { createInstances } from "./instances";

const instances = createInstances();

/** 20 a second. */
const PER_MINUTE = 1200;
const MOST = 21;
/** The requests of all in five seconds. */
const CAP = 100;
const CAP_MS = 5_000;

async function startThree(): Promise<FirmStores[]> {
  const all = [1, 2, 3].map(() => instances.start().stores);
  await until(() => all.every(({ standing }) => standing() === "shared"));
  return all;
}

it("three instances at work keep together to the provider's limit, and each alone while their server is gone", async () => {
  const all = await startThree();
  const limits = all.map((stores) => createProviderRateLimit(stores, PER_MINUTE));
  const atMs: number[] = [];
  let isOver = false;
  const act = async (limit: (typeof limits)[number]) => {
    while (!isOver) {
      await limit.acquire();
      atMs.push(performance.now());
    }
  };
  const acting = limits.map(act);
  await until(() => atMs.length >= 2 * CAP);
  const [first = 0] = atMs;
  // A third window may have begun.
  const inTwo = atMs.filter((each) => each < first + 2 * CAP_MS - 100).length;
  expect(inTwo).toBeLessThanOrEqual(2 * CAP);
  await instances.server().kill();
  await until(() => all.every(({ standing }) => standing() === "apart"));
  const before = atMs.length;
  await until(() => atMs.length >= before + 30);
  isOver = true;
  await Promise.all(acting);
  await instances.restart();
});

it("an instance that works alone spaces its requests evenly, by 96 % of the limit", async () => {
  const limit = createProviderRateLimit({ createSharedLimit: createMemoryLimit }, PER_MINUTE);
  const atMs: number[] = [];
  while (atMs.length < 60) {
    await limit.acquire();
    atMs.push(performance.now());
  }
  expect(countInSecond(atMs)).toBeLessThanOrEqual(MOST);
});
