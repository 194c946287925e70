import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createCompanion } from "../../src/companion/companion";
import { type Configuration, readConfiguration } from "../../src/companion/configuration";
import type { Client } from "../../src/companion/provider";
import { type Controls, createControls } from "../../src/sandbox";
import {
  createClient,
  createConfiguration,
  createTestPairings,
  createTestStores,
} from "../companion/test-configuration";
import type { RunningProvider } from "./provider";

const WEB = join(__dirname, "../../dist/web");
const SAMPLE_CLIENT = createClient("sample-client", "sample-key");

export interface CompanionStart {
  controls?: Controls;
  /** The number of private companies of the embedded sandbox; default its own 5000. */
  companies?: number;
  /** The embedded sandbox's clock; default the real one. */
  nowMs?: () => number;
  /** The provider it signs for, which requires pairing; default the embedded sandbox, which does not. */
  provider?: RunningProvider;
  /** The client it signs as; default the provider's. */
  client?: Client;
  /** Default "sign". */
  mode?: Configuration["mode"];
  /** Whether pages reach the provider through the companion; default "proxy". */
  transport?: Configuration["transport"];
  /** The folder of the built pages; default the build's. */
  webFolder?: string;
  /** The port with sample data, for a restarted companion; default any free one. */
  port?: number;
}

/** The real companion in this process, on its own port. */
export type RunningCompanion = Awaited<ReturnType<typeof startCompanion>>;

/** Starts the companion as `npm start` does, with the built pages, and the sandbox if there is no provider. */
export async function startCompanion(start: CompanionStart = {}) {
  const { controls = createControls(), companies, nowMs, webFolder = WEB } = start;
  const configuration = toConfiguration(start);
  const pairings = createTestPairings();
  const app = await createCompanion({
    configuration,
    webFolder,
    sample: { companies, nowMs, controls, client: SAMPLE_CLIENT },
    stores: createTestStores(pairings),
  });
  await app.listen({ host: configuration.host, port: configuration.port });
  const { port } = app.server.address() as AddressInfo;
  /** Ends it like a crash: pending answers break off. */
  const kill = (): Promise<void> => {
    app.server.closeAllConnections();
    return app.close();
  };
  return { origin: `http://127.0.0.1:${port}`, controls, pairings, close: (): Promise<void> => app.close(), kill };
}

function toConfiguration(start: CompanionStart): Configuration {
  const { provider, mode = "sign", transport = "proxy", port = 0 } = start;
  if (provider === undefined) return readConfiguration({ HOST: "127.0.0.1", PORT: String(port), LOG_LEVEL: "silent" });
  const { baseUrl, clientId, kid, privateKey } = provider;
  const { client = createClient(clientId, kid, privateKey) } = start;
  return createConfiguration(baseUrl, { mode, transport, provider: { baseUrl, client } });
}
