import type { AddressInfo } from "node:net";
import fastify from "fastify";
import { ALL_SCOPES, type Controls, createControls, createSandbox } from "../../src/sandbox";
import { readTestKey } from "./keys";

export interface ProviderOptions {
  /** The number of private companies; default the sandbox's 5000. */
  companies?: number;
  seed?: number;
  /** The provider's clock; default the real one. */
  nowMs?: () => number;
  controls?: Controls;
  /** The client's scopes; default all. */
  scopes?: string[];
  /** ISO codes of the client's countries; default all. */
  countries?: string[] | "ALL";
  /** Its public address, if a proxy is before it; default its own. */
  seenAs?: () => string;
}

export type RunningProvider = Awaited<ReturnType<typeof startSandbox>>;

const CLIENT = { clientId: "test-client", kid: "test-key" };

const { publicKey, privateKey } = readTestKey("provider");

/** Starts the sandbox alone on a free port of this machine. */
export async function startSandbox(options: ProviderOptions = {}) {
  const { controls = createControls(), scopes = ALL_SCOPES, countries = "ALL", seenAs, ...data } = options;
  const app = fastify({ forceCloseConnections: true });
  const baseUrl = () => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const keys = [{ kid: CLIENT.kid, publicKey: publicKey.export({ format: "jwk" }) }];
  const clients = [{ clientId: CLIENT.clientId, keys, scopes, countries }];
  app.register(createSandbox({ ...data, baseUrl: seenAs ?? baseUrl, clients, controls }));
  await app.listen({ host: "127.0.0.1", port: 0 });
  return { ...CLIENT, baseUrl: baseUrl(), controls, privateKey, close: (): Promise<void> => app.close() };
}
