import type { FastifyInstance } from "fastify";
import { exportJWK } from "jose";
import { ALL_SCOPES, createSandbox, type SandboxOptions } from "../sandbox";
import type { Client } from "./client";
import { createPrivateKeyOfSample } from "./key";
import type { Provider } from "./provider";
import { createKeySigner } from "./signer";

/** The size and manner of the embedded sandbox. */
export type SampleOptions = Pick<SandboxOptions, "companies" | "nowMs" | "controls">;

/** Creates the registered client of the sandbox, with a key pair that lives as long as the process. */
export async function createSampleClient(): Promise<Client> {
  return { clientId: "sample-client", signers: [createKeySigner("sample-key", await createPrivateKeyOfSample())] };
}

/** Mounts the sandbox, which knows the client with every scope in every country. */
export async function addSample(app: FastifyInstance, provider: Provider, options: SampleOptions): Promise<void> {
  const { clientId, signers } = provider.client;
  const keys = await Promise.all(
    signers.map(async ({ keyId, publicKey }) => ({ kid: keyId, publicKey: await exportJWK(publicKey) })),
  );
  const clients = [{ clientId, keys, scopes: ALL_SCOPES, countries: "ALL" as const }];
  app.register(createSandbox({ ...options, baseUrl: provider.baseUrl, clients }), { prefix: "/sandbox" });
}
