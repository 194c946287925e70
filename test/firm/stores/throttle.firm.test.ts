import { describe, expect, it } from "@jest/globals";
import fastify from "fastify";
import type { FirmStores, Throttle } from "../../../src/firm/stores";
import { createProviderServer } from "../../companion/provider-server";
import { until } from "../../support/until";
import { countInSecond } from "../count-in-second";
import { createInstanceReads } from "../instance-reads";
import { createInstances } from "./instances";

const instances = createInstances();

/** 20 a second. */
const PER_MINUTE = 1200;
const MOST = 21;
const NOW_MS = Date.parse("2026-11-24T09:00:00Z");

/** Acts as often as a throttle admits until it is stopped, and gives the times. */
function act(throttle: Throttle, atMs: number[], isOver: () => boolean): Promise<void> {
  const actNext = async (): Promise<void> => {
    if (isOver()) return;
    const waitMs = await throttle.take();
    if (waitMs === 0) atMs.push(performance.now());
    else await new Promise((resolve) => setTimeout(resolve, waitMs));
    return actNext();
  };
  return actNext();
}

async function startThree(): Promise<FirmStores[]> {
  const all = [1, 2, 3].map(() => instances.start().stores);
  await until(() => all.every(({ standing }) => standing() === "shared"));
  return all;
}

describe("a throttle of three instances", () => {
  it("is one for all of them, also while their server is gone, and when it comes back empty", async () => {
    const all = await startThree();
    const throttles = all.map(({ createThrottle }) => createThrottle("provider", PER_MINUTE));
    const atMs: number[] = [];
    let isOver = false;
    const acting = throttles.map((throttle) => act(throttle, atMs, () => isOver));
    const actFor = (count: number) => {
      const from = atMs.length;
      return until(() => atMs.length >= from + count);
    };
    await actFor(60); // each instance knows the others once all have reported
    await instances.server().kill();
    await until(() => all.every(({ standing }) => standing() === "apart"));
    await actFor(40);
    await instances.restart();
    await until(() => all.every(({ standing }) => standing() === "shared"));
    await actFor(60);
    isOver = true;
    await Promise.all(acting);
    expect(countInSecond(atMs)).toBeLessThanOrEqual(MOST);
    expect(atMs.length).toBeGreaterThanOrEqual(160);
  });

  it("ignores a time far ahead, as of a server whose clock was set back", async () => {
    const [first] = await startThree();
    const throttle = first!.createThrottle("provider", 1);
    expect(await throttle.take()).toBe(0);
    const waitMs = await throttle.take();
    expect(waitMs).toBeGreaterThan(50_000);
    expect(waitMs).toBeLessThanOrEqual(60_000);
  });
});

it("two instances on one server pause together when the provider demands it from one of them", async () => {
  const tree = { method: "GET", path: "/asia/industry-taxonomies/v1/tree" } as const;
  let isPaused = false;
  const server = await createProviderServer(({ url }, response) => {
    if (url === "/token") return response.end(JSON.stringify({ access_token: "token-1", expires_in: 300 }));
    if (isPaused) return response.end("[]");
    isPaused = true;
    return response.writeHead(429, { "retry-after": "30" }).end();
  });
  const { log } = fastify();
  const both = [1, 2].map(() => instances.start().stores);
  await until(() => both.every(({ standing }) => standing() === "shared"));
  const [first, second] = both.map((stores) =>
    createInstanceReads({ port: server.port, stores, log, nowMs: () => NOW_MS }),
  );
  expect((await first!.load(tree)).status).toBe(429);
  await until(() =>
    second!.load(tree).then(
      () => false,
      ({ retryAfterSeconds }) => retryAfterSeconds === 30,
    ),
  );
  await Promise.all([first!.close(), second!.close()]);
  await server.close();
});
