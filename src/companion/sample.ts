import type { FastifyInstance } from "fastify";
import { ALL_SCOPES, createControls, createSandbox } from "../sandbox";
import type { Signer } from "./assertion";
import { createPrivateKeyOfSample, toPublicJwk } from "./key";
import type { Provider } from "./provider";

/** The size and manner of the embedded sandbox. */
export interface SampleOptions {
  /** How many private companies there are; the sandbox's default is 5000. */
  companies?: number;
  /** Milliseconds that every answer is held back; default 0. */
  latencyMs?: number;
}

/** Creates the registered client of the sandbox, with a key pair that lives as long as the process. */
export async function createSampleSigner(): Promise<Signer> {
  return { clientId: "sample-client", keyId: "sample-key", privateKey: await createPrivateKeyOfSample() };
}

/** Mounts the sandbox, which knows the signer as a client with every scope in every country. */
export async function addSample(app: FastifyInstance, provider: Provider, options: SampleOptions = {}): Promise<void> {
  const { clientId, keyId, privateKey } = provider.signer;
  const controls = createControls();
  if (options.latencyMs !== undefined) controls.latencyMs = options.latencyMs;
  const sandbox = createSandbox({
    baseUrl: provider.baseUrl,
    clients: [
      {
        clientId,
        keys: [{ kid: keyId, publicKey: await toPublicJwk(privateKey) }],
        scopes: ALL_SCOPES,
        countries: "ALL",
      },
    ],
    companies: options.companies,
    controls,
  });
  app.register(sandbox, { prefix: "/sandbox" });
}
