import { afterEach, expect, it, jest } from "@jest/globals";
import { openFor } from "../../companion/test-configuration";
import { startRedis } from "../../support/redis.mjs";
import { createInstances } from "./instances";

const instances = createInstances();
const ORIGIN = "https://localhost:3000";
const MINUTE_MS = 60_000;

afterEach(() => void jest.restoreAllMocks());

it("an instance whose clock is an hour and a half ahead of its store's ends no pairing early, and says how far it is off", async () => {
  const server = await startRedis();
  const first = instances.start(undefined, server.url).stores;
  await first.join();
  const person = { id: "https://login.example.com ada", roles: ["all"] };
  const endsAtMs = Date.now() + 30 * MINUTE_MS;
  const { bearer } = await openFor(first.pairings).pairPerson({ person, endsAtMs }, ORIGIN);
  const now = Date.now.bind(Date);
  jest.spyOn(Date, "now").mockImplementation(() => now() + 90 * MINUTE_MS);
  const { stores, logged } = instances.start(() => Date.now(), server.url);
  await stores.join();
  expect(await openFor(stores.pairings).find(bearer, ORIGIN)).toMatchObject({ person });
  expect(Math.round(stores.skewMs() / MINUTE_MS)).toBe(90);
  expect(logged.join()).toContain("5400 s ahead of that of FEED_STORE's server");
  await server.kill();
});
