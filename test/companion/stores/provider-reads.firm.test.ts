import type { RequestListener } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import fastify from "fastify";
import { until } from "../../support/until";
import { createInstanceReads } from "../instance-reads";
import { createProviderServer, type ProviderServer } from "../provider-server";
import { createInstances } from "./instances";

const TREE = { method: "GET", path: "/asia/industry-taxonomies/v1/tree" } as const;
const NOW_MS = Date.parse("2026-11-24T09:00:00Z");

const instances = createInstances();
const { log } = fastify();

let server: ProviderServer;
let answer: RequestListener;
let opened: { close(): Promise<void> }[];

/** Two instances that share a server. */
async function startTwo(perMinute: number) {
  const both = [instances.start(), instances.start()].map(({ stores }) => stores);
  await until(() => both.every(({ standing }) => standing() === "shared"));
  opened = both.map((stores) =>
    createInstanceReads({ port: server.port, stores, log, nowMs: () => NOW_MS, perMinute }),
  );
  return opened as [ReturnType<typeof createInstanceReads>, ReturnType<typeof createInstanceReads>];
}

beforeEach(async () => {
  answer = (_request, response) => response.end("[]");
  server = await createProviderServer((request, response) => {
    if (request.url !== "/token") answer(request, response);
    else response.end(JSON.stringify({ access_token: "token-1", expires_in: 300 }));
  });
});
afterEach(async () => {
  await Promise.all(opened.map((reads) => reads.close()));
  await server.close();
});

describe("two instances on one server", () => {
  it("pause together when the provider demands it from one of them", async () => {
    const [first, second] = await startTwo(6000);
    answer = (_request, response) => {
      answer = (_next, other) => other.end("[]");
      response.writeHead(429, { "retry-after": "30" }).end();
    };
    expect((await first.load(TREE)).status).toBe(429);
    await until(() =>
      second.load(TREE).then(
        () => false,
        ({ retryAfterSeconds }) => retryAfterSeconds === 30,
      ),
    );
  });
});
