import { type CompanionOptions, createCompanion } from "../../src/companion/companion";
import { createPages } from "./pages-folder";
import { readPort, sendRaw } from "./raw-request";
import {
  createClient,
  createConfiguration,
  createTestPairings,
  createTestStores,
  pairHeaders,
  type TestPairings,
} from "./test-configuration";

/** A companion that listens in this process, with a paired page and its headers, and its log since then. */
export type PairedCompanion = Awaited<ReturnType<typeof startPaired>>;

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
  /** Sends a request as the paired page. */
  const send = (method: string, path: string, headers: Record<string, string> = {}, body = "") =>
    sendRaw(port, method, path, { ...paired, ...headers }, body);
  return { app, port, pairings, paired, lines, send };
}
