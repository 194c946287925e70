import type { FastifyInstance } from "fastify";
import { type CompanionOptions, createCompanion } from "../../src/companion/companion";
import { createPages } from "./pages-folder";
import { type RawAnswer, readPort, sendRaw } from "./raw-request";
import {
  createClient,
  createConfiguration,
  createTestPairings,
  createTestStores,
  pairHeaders,
  type TestPairings,
} from "./test-configuration";

/** A companion that listens in this process, with a paired page. */
export interface PairedCompanion {
  app: FastifyInstance;
  port: number;
  pairings: TestPairings;
  /** The headers of the paired page at localhost. */
  paired: Record<string, string>;
  /** Its log since it listens. */
  lines: string[];
  /** Sends a request as the paired page. */
  send(method: string, path: string, headers?: Record<string, string>, body?: string): Promise<RawAnswer>;
}

type Options = Partial<CompanionOptions> & { pairings?: TestPairings };

/** So that no start makes a key. */
export const SAMPLE_CLIENT = createClient("sample-client", "sample-key");

/** The pages of all companions of a test file, which only read them. */
let pages: string | undefined;

/** @param options Default a provider's client in sign mode, with stores of its own. */
export async function startPaired({ pairings = createTestPairings(), ...options }: Options = {}) {
  const lines: string[] = [];
  pages ??= createPages();
  const app = await createCompanion({
    configuration: createConfiguration(),
    webFolder: pages,
    stores: createTestStores(pairings),
    log: { write: (line: string) => void lines.push(line) },
    ...options,
    sample: { client: SAMPLE_CLIENT, ...options.sample },
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const port = readPort(app);
  const paired = await pairHeaders(pairings, `${options.certificate ? "https" : "http"}://localhost:${port}`);
  lines.length = 0; // without its address
  const companion: PairedCompanion = {
    app,
    port,
    pairings,
    paired,
    lines,
    send: (method, path, headers = {}, body = "") => sendRaw(port, method, path, { ...paired, ...headers }, body),
  };
  return companion;
}
