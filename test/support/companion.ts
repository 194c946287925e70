import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Client } from "../../src/companion/client";
import { createCompanion } from "../../src/companion/companion";
import { type Configuration, readConfiguration } from "../../src/companion/configuration";
import { type Controls, createControls } from "../../src/sandbox";
import {
  createClient,
  createConfiguration,
  createTestPairings,
  createTestStores,
  type TestPairings,
} from "../companion/configured";
import "./contract-validator";
import type { RunningProvider } from "./provider";

const WEB = join(__dirname, "../../dist/web");
const SAMPLE_CLIENT = createClient("sample-client", "sample-key");

export interface CompanionStart {
  controls?: Controls;
  /** How many private companies the embedded sandbox has; default its own 5000. */
  companies?: number;
  /** The embedded sandbox's clock; default the real one. */
  nowMs?: () => number;
  /** The provider that it signs to, with whom pages must pair; default the embedded sandbox, with whom they need not. */
  provider?: RunningProvider;
  /** The client as whom it signs to that provider; default the one that the provider names. */
  client?: Client;
  /** Default "sign". */
  mode?: Configuration["mode"];
  /** Whether pages reach the provider through the companion; default "proxy". */
  transport?: Configuration["transport"];
  /** Of the built pages; default the one that the build fills. */
  webFolder?: string;
  /** Where it listens with sample data, as one that is started again does; default any that is free. */
  port?: number;
}

/** The real companion in this process, on a port of its own. */
export interface RunningCompanion {
  /** Of the pages and of the companion API, such as `http://127.0.0.1:41234`. */
  origin: string;
  /** Of the embedded sandbox. */
  controls: Controls;
  /** What `pair` and `unpair` in the companion's terminal do. */
  pairings: TestPairings;
  close(): Promise<void>;
  /** Ends it as a crash does: whatever is on the way is broken off. */
  kill(): Promise<void>;
}

/** Starts the companion as `npm start` does, serving the built pages, with the sandbox mounted where there is no provider. */
export async function startCompanion(start: CompanionStart = {}): Promise<RunningCompanion> {
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
  const kill = () => {
    app.server.closeAllConnections();
    return app.close();
  };
  return { origin: `http://127.0.0.1:${port}`, controls, pairings, close: () => app.close(), kill };
}

function toConfiguration(start: CompanionStart): Configuration {
  const { provider, mode = "sign", transport = "proxy", port = 0 } = start;
  if (provider === undefined) return readConfiguration({ HOST: "127.0.0.1", PORT: String(port), LOG_LEVEL: "silent" });
  const { baseUrl, clientId, kid, privateKey } = provider;
  const { client = createClient(clientId, kid, privateKey) } = start;
  return createConfiguration(baseUrl, { mode, transport, provider: { baseUrl, client } });
}
