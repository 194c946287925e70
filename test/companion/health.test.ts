import { sign } from "node:crypto";
import { afterEach, describe, expect, it } from "@jest/globals";
import fastify, { type FastifyInstance } from "fastify";
import type { Signer } from "../../src/companion/assertion";
import { addHealth } from "../../src/companion/health";
import type { Client } from "../../src/companion/provider";
import type { Standing } from "../../src/companion/stores";
import { startPaired } from "./paired-companion";
import { readPort, sendRaw } from "./raw-request";
import { privateKey, publicKey } from "./test-configuration";

let app: FastifyInstance;
afterEach(() => app.close());

async function readHealth(path: string, headers: Record<string, string> = {}) {
  const answer = await sendRaw(readPort(app), "GET", path, headers);
  return [answer.status, JSON.parse(answer.body), answer.headers["cache-control"]];
}

const readReady = () => readHealth("/readyz");
const READY = [200, { status: "ready" }, "no-store"];
const NOT_READY = [503, { status: "not ready" }, "no-store"];

/** A health page on the test's clock, and the bytes given to its signer. */
async function startWatched(signBytes: Signer["sign"], standing: Standing = "alone") {
  const clock = { nowMs: 0 };
  const signed: Uint8Array[] = [];
  const createClient = (keyId: string): Client => {
    const signer: Signer = {
      keyId,
      publicKey,
      async sign(bytes) {
        signed.push(bytes);
        return signBytes(bytes);
      },
    };
    return { clientId: "client-1", signers: [signer] };
  };
  const provider = { sample: false, baseUrl: () => "https://feed.example.com", client: createClient("kid-1") };
  app = fastify();
  addHealth(
    app,
    () => provider,
    { standing: () => standing },
    () => clock.nowMs,
  );
  await app.listen({ host: "127.0.0.1", port: 0 });
  return { clock, signed, changeKey: () => Object.assign(provider, { client: createClient("kid-2") }) };
}

const signWell = async (bytes: Uint8Array) => sign("sha256", bytes, privateKey);

describe("the companion's health", () => {
  it("is readable by anyone under any host name, and contains nothing else", async () => {
    ({ app } = await startPaired());
    const headers = { host: "balancer.example", origin: "https://other.example", "sec-fetch-site": "cross-site" };
    expect(await readHealth("/healthz", headers)).toEqual([200, { status: "ok" }, "no-store"]);
    expect(await readHealth("/readyz", headers)).toEqual(READY);
  });

  it("tests the key at most once in ten seconds, however many requests come", async () => {
    const { clock, signed } = await startWatched(signWell);
    const many = Array.from({ length: 20 }, readReady);
    expect(await Promise.all(many)).toEqual(many.map(() => READY));
    clock.nowMs = 9_999;
    await readReady();
    expect(signed).toHaveLength(1);
    clock.nowMs = 10_000;
    await readReady();
    expect(signed).toHaveLength(2);
  });

  it("signs nothing that could be an assertion", async () => {
    const { signed } = await startWatched(signWell);
    await readReady();
    expect(signed.map((bytes) => /^[\w-]+\.[\w-]+$/.test(Buffer.from(bytes).toString()))).toEqual([false]);
  });

  it.each<[string, Signer["sign"]]>([
    ["fails to sign", () => Promise.reject(new Error("The card is out."))],
    ["signs as another key", async (bytes) => Buffer.from(await signWell(bytes)).reverse()],
  ])("is not ready while the key %s, and ready again when it signs", async (_, signBadly) => {
    let signBytes = signBadly;
    const { clock } = await startWatched((bytes) => signBytes(bytes));
    expect(await readReady()).toEqual(NOT_READY);
    expect(await readHealth("/healthz")).toEqual([200, { status: "ok" }, "no-store"]);
    signBytes = signWell;
    expect(await readReady()).toEqual(NOT_READY);
    clock.nowMs = 10_000;
    expect(await readReady()).toEqual(READY);
  });

  it.each<[Standing, unknown[]]>([
    ["shared", READY],
    ["apart", [200, { status: "degraded" }, "no-store"]],
    ["joining", NOT_READY],
  ])("reflects an instance that is %s from the shared store", async (standing, answer) => {
    await startWatched(signWell, standing);
    expect(await readReady()).toEqual(answer);
  });

  it("is not ready, rather than degraded, if the key does not sign", async () => {
    await startWatched(() => Promise.reject(new Error("The card is out.")), "apart");
    expect(await readReady()).toEqual(NOT_READY);
  });

  it("tests a changed key at once", async () => {
    const { signed, changeKey } = await startWatched(signWell);
    await readReady();
    changeKey();
    expect(await readReady()).toEqual(READY);
    expect(signed).toHaveLength(2);
  });
});
