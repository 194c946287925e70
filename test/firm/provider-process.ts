import type { AddressInfo } from "node:net";
import fastify from "fastify";
import { ALL_SCOPES, createControls, createSandbox } from "../../src/sandbox";
import { CLIENT, type Given, type ProviderCommand, type Seen } from "./provider";

/** The sandbox in a separate process, which counts requests and fails for some companies on demand. */
async function run({ companies, jwk }: Given): Promise<void> {
  const controls = createControls();
  const app = fastify({ forceCloseConnections: true });
  const baseUrl = () => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  let broken = new Set<string>();
  let hangs = false;
  let seen = createCounts();
  // Counted as it arrives, before the answer's delay.
  app.addHook("onRequest", async ({ url }) => {
    if (FINANCIALS.test(url)) seen.arrive();
  });
  app.addHook("preHandler", async ({ body, url }, reply) => {
    const { companyIds = listSingle(url) } = Object(body) as { companyIds?: string[] };
    if (url === "/token" || companyIds === undefined) return;
    seen.addCompanies(companyIds.length);
    if (hangs) await new Promise(() => {});
    if (companyIds.some((id) => broken.has(id))) await reply.code(500).send({ error: { message: "broken" } });
  });
  const keys = [{ kid: CLIENT.keyId, publicKey: jwk }];
  const clients = [{ clientId: CLIENT.clientId, keys, scopes: ALL_SCOPES, countries: "ALL" as const }];
  app.register(createSandbox({ companies, baseUrl, clients, controls }));
  await app.listen({ host: "127.0.0.1", port: 0 });
  process.on("message", ({ id, latencyMs, failFor, hangs: isToHang, forget }: ProviderCommand & { id: number }) => {
    const reported = seen.report();
    if (forget) seen = createCounts();
    if (isToHang !== undefined) hangs = isToHang;
    if (latencyMs !== undefined) controls.latencyMs = latencyMs;
    if (failFor !== undefined) broken = new Set(failFor);
    process.send?.({ id, seen: reported });
  });
  process.on("disconnect", () => process.exit());
  process.send?.({ id: 0, baseUrl: baseUrl() });
}

const FINANCIALS = /\/financials(\/companies\/[^/?]+)?(\?|$)/;

/** The company of a request for one, by its path. */
function listSingle(url: string): string[] | undefined {
  const [, id] = /\/financials\/companies\/([^/?]+)/.exec(url) ?? [];
  return id === undefined ? undefined : [id];
}

const SECOND_MS = 1_000;

function createCounts() {
  const atMs: number[] = [];
  const bySecond: Record<number, number> = {};
  let companies = 0;
  let first = 0;
  let mostInSecond = 0;
  return {
    arrive(): void {
      const now = performance.now();
      const second = Math.floor(Date.now() / SECOND_MS);
      bySecond[second] = (bySecond[second] ?? 0) + 1;
      atMs.push(now);
      while (atMs[first]! <= now - SECOND_MS) first += 1;
      mostInSecond = Math.max(mostInSecond, atMs.length - first);
    },
    addCompanies(count: number): void {
      companies += count;
    },
    report: (): Seen => ({ requests: atMs.length, companies, bySecond, mostInSecond }),
  };
}

void run(JSON.parse(process.argv[2]!));
