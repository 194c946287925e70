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
  let seen = createSeen();
  app.addHook("preHandler", async ({ body, url }, reply) => {
    const { companyIds } = Object(body) as { companyIds?: string[] };
    if (url === "/token" || companyIds === undefined) return;
    record(seen, companyIds.length);
    if (companyIds.some((id) => broken.has(id))) await reply.code(500).send({ error: { message: "broken" } });
  });
  const keys = [{ kid: CLIENT.keyId, publicKey: jwk }];
  const clients = [{ clientId: CLIENT.clientId, keys, scopes: ALL_SCOPES, countries: "ALL" as const }];
  app.register(createSandbox({ companies, baseUrl, clients, controls }));
  await app.listen({ host: "127.0.0.1", port: 0 });
  process.on("message", ({ id, latencyMs, failFor, forget }: ProviderCommand & { id: number }) => {
    const reported = seen;
    if (forget) seen = createSeen();
    if (latencyMs !== undefined) controls.latencyMs = latencyMs;
    if (failFor !== undefined) broken = new Set(failFor);
    process.send?.({ id, seen: reported });
  });
  process.on("disconnect", () => process.exit());
  process.send?.({ id: 0, baseUrl: baseUrl() });
}

const createSeen = (): Seen => ({ requests: 0, companies: 0, bySecond: {} });

function record(seen: Seen, companies: number): void {
  const second = Math.floor(Date.now() / 1_000);
  seen.requests += 1;
  seen.companies += companies;
  seen.bySecond[second] = (seen.bySecond[second] ?? 0) + 1;
}

void run(JSON.parse(process.argv[2]!));
