import type { FastifyInstance } from "fastify";
import { ALL_SCOPES, createSandbox, type SandboxOptions } from "../sandbox";
import type { Signer } from "./assertion";
import { createPrivateKeyOfSample, toPublicJwk } from "./key";
import type { Provider } from "./provider";

/** The size and manner of the embedded sandbox. */
export type SampleOptions = Pick<SandboxOptions, "companies" | "nowMs" | "controls">;

/** Creates the registered client of the sandbox, with a key pair that lives as long as the process. */
export async function createSampleSigner(): Promise<Signer> {
  return { clientId: "sample-client", keyId: "sample-key", privateKey: await createPrivateKeyOfSample() };
}

/** Mounts the sandbox, which knows the signer as a client with every scope in every country. */
export async function addSample(app: FastifyInstance, provider: Provider, options: SampleOptions): Promise<void> {
  const { clientId, keyId, privateKey } = provider.signer;
  const keys = [{ kid: keyId, publicKey: await toPublicJwk(privateKey) }];
  const clients = [{ clientId, keys, scopes: ALL_SCOPES, countries: "ALL" as const }];
  app.register(createSandbox({ ...options, baseUrl: provider.baseUrl, clients }), { prefix: "/sandbox" });
}
