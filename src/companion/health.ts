import { verify } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { Signer } from "./assertion";
import { type Provider, pickSigner } from "./provider";
import type { Standing, Stores } from "./stores";

/** Lifetime of a result: anybody may request it, which must not use the key often. */
const KNOWN_MS = 10_000;
/** Bytes that no provider could take for an assertion. */
const DRY_BYTES = new TextEncoder().encode("FEED for Excel asks whether this key signs.");

/**
 * An instance without its store stays in service; otherwise all would be taken out at once. One that has never reached
 * the store knows no pairing.
 */
const READINESS: Readonly<Record<Standing, string>> = {
  alone: "ready",
  shared: "ready",
  apart: "degraded",
  joining: "not ready",
};

/**
 * Adds GET /healthz (the process answers) and GET /readyz (its key signs and its pairings are known), open to anybody
 * without details. A closing companion takes no new connections and answers neither.
 */
export function addHealth(
  app: FastifyInstance,
  provider: () => Provider,
  { standing }: Pick<Stores, "standing">,
  nowMs = Date.now,
): void {
  let tried: { signer: Signer; atMs: number; isReady: Promise<boolean> } | null = null;
  const trySigner = (): Promise<boolean> => {
    const signer = pickSigner(provider().client);
    if (tried?.signer !== signer || nowMs() - tried.atMs >= KNOWN_MS) {
      const isReady = signDry(signer).catch((error) => {
        app.log.warn({ kid: signer.keyId, err: error }, "The key does not sign.");
        return false;
      });
      tried = { signer, atMs: nowMs(), isReady };
    }
    return tried.isReady;
  };
  app.get("/healthz", (_request, reply) => reply.header("cache-control", "no-store").send({ status: "ok" }));
  app.get("/readyz", async (_request, reply) => {
    const status = (await trySigner()) ? READINESS[standing()] : "not ready";
    reply.code(status === "not ready" ? 503 : 200).header("cache-control", "no-store");
    return { status };
  });
}

async function signDry({ publicKey, sign }: Signer): Promise<boolean> {
  return verify("sha256", DRY_BYTES, publicKey, await sign(DRY_BYTES));
}
