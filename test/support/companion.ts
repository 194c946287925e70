import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createCompanion } from "../../src/companion/companion";
import { readConfiguration } from "../../src/companion/configuration";
import { type Controls, createControls } from "../../src/sandbox";

const WEB = join(__dirname, "../../dist/web");

export interface CompanionStart {
  controls?: Controls;
  /** How many private companies the embedded sandbox has; default its own 5000. */
  companies?: number;
  /** The embedded sandbox's clock; default the real one. */
  nowMs?: () => number;
  /** FEED_ settings of a provider; with any of them there is no embedded sandbox. */
  environment?: NodeJS.ProcessEnv;
}

/** The real companion in this process, on a port of its own. */
export interface RunningCompanion {
  /** Of the pages and of the door, such as `http://127.0.0.1:41234`. */
  origin: string;
  /** Of the embedded sandbox. */
  controls: Controls;
  close(): Promise<void>;
}

/** Starts the companion as `npm start` does, serving the built pages, with the sandbox mounted. */
export async function startCompanion(start: CompanionStart = {}): Promise<RunningCompanion> {
  const { controls = createControls(), companies, nowMs, environment } = start;
  const configuration = readConfiguration({ ...environment, HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "silent" });
  const app = await createCompanion({ configuration, webFolder: WEB, sample: { companies, nowMs, controls } });
  await app.listen({ host: configuration.host, port: configuration.port });
  const { port } = app.server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, controls, close: () => app.close() };
}
