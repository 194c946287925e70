import type { FastifyInstance } from "fastify";
import { exportJWK } from "jose";
import { ALL_SCOPES, createSandbox, type SandboxOptions } from "../sandbox";
import { createKeySigner } from "./assertion";
import { createPair } from "./key";
import type { Client, Provider } from "./provider";

/** In the form of the companion's refusals, not of the sandbox's errors. */
const GONE = {
  error: {
    code: "FEED_SERVER_FAILED",
    message: "There is no sample data while a provider is set up: connect in the FEED pane.",
  },
};

/** Options of the embedded sandbox. */
export interface SampleOptions extends Pick<SandboxOptions, "companies" | "nowMs" | "controls"> {
  /** Its client; default one with a key pair that lives as long as the companion. */
  client?: Client;
}

/** Creates the sandbox's client. */
export async function createSampleClient(): Promise<Client> {
  const { privateKey } = await createPair();
  return { clientId: "sample-client", signers: [createKeySigner("sample-key", privateKey)] };
}

/**
 * Mounts the sandbox, with every scope and country for its client; it answers while it is the provider.
 * @param sample The sandbox as a provider.
 */
export async function addSample(
  app: FastifyInstance,
  provider: () => Provider,
  sample: Provider,
  options: SampleOptions,
): Promise<void> {
  const { baseUrl, client } = sample;
  const keys = await Promise.all(
    client.signers.map(async ({ keyId, publicKey }) => ({ kid: keyId, publicKey: await exportJWK(publicKey) })),
  );
  const clients = [{ clientId: client.clientId, keys, scopes: ALL_SCOPES, countries: "ALL" as const }];
  const { companies, nowMs, controls } = options;
  const weeks = () => sample.weeks ?? 0;
  const sandbox = createSandbox({ companies, nowMs, weeks, controls, baseUrl, clients });
  app.register(
    async (scope) => {
      scope.addHook("onRequest", async (_request, reply) => {
        if (!provider().sample) return reply.code(404).send(GONE);
      });
      await sandbox(scope, {});
    },
    { prefix: "/sandbox" },
  );
}
