import type { AddressInfo } from "node:net";
import fastify from "fastify";
import { ALL_SCOPES, createControls, createSandbox } from "../../src/sandbox";
import { answerOrders } from "../support/forked";
import { CLIENT, type Given, type ProviderCommand, type Seen, WEEK_MS } from "./provider";

/** The sandbox in a separate process, which counts requests and fails for some companies on demand. */
async function run({ companies, jwk }: Given): Promise<void> {
  const controls = createControls();
  let laterMs = 0;
  const app = fastify({ forceCloseConnections: true, rewriteUrl: ({ url = "" }) => toLaterDays(url, laterMs) });
  const baseUrl = () => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  let broken = new Set<string>();
  let hangs = false;
  let fails = false;
  let seen = createCounts();
  // Counted as it arrives, before the answer's delay.
  app.addHook("onRequest", async ({ url }) => {
    if (url !== "/token") seen.arrive(FINANCIALS.test(url));
  });
  app.addHook("preHandler", async ({ body, url }, reply) => {
    if (url === "/token") return;
    const { companyIds = listSingle(url) } = Object(body) as { companyIds?: string[] };
    seen.addCompanies(companyIds?.length ?? 0);
    if (hangs) await new Promise(() => {});
    if (fails || companyIds?.some((id) => broken.has(id))) await reply.code(500).send({ error: { message: "broken" } });
  });
  const keys = [{ kid: CLIENT.keyId, publicKey: jwk }];
  const clients = [{ clientId: CLIENT.clientId, keys, scopes: ALL_SCOPES, countries: "ALL" as const }];
  app.register(createSandbox({ companies, baseUrl, clients, controls }));
  await app.listen({ host: "127.0.0.1", port: 0 });
  answerOrders<ProviderCommand>(baseUrl(), (order) => {
    const { latencyMs, failFor, weeks, forget } = order;
    const reported = seen.report();
    if (forget) seen = createCounts();
    if (order.hangs !== undefined) hangs = order.hangs;
    if (order.fails !== undefined) fails = order.fails;
    if (weeks !== undefined) laterMs = weeks * WEEK_MS;
    if (latencyMs !== undefined) controls.latencyMs = latencyMs;
    if (failFor !== undefined) broken = new Set(failFor);
    return reported;
  });
}

const FINANCIALS = /\/financials(\/companies\/[^/?]+)?(\?|$)/;

/** Changes the days of a ranking. */
const toLaterDays = (url: string, laterMs: number): string =>
  url.replace(/(?<=_datetime=)[\d-]{10}/g, (day) => new Date(Date.parse(day) + laterMs).toISOString().slice(0, 10));

/** The company of a request for one, by its path. */
function listSingle(url: string): string[] | undefined {
  const [, id] = /\/financials\/companies\/([^/?]+)/.exec(url) ?? [];
  return id === undefined ? undefined : [id];
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

function createCounts() {
  const atMs: number[] = [];
  const bySecond: Record<number, number> = {};
  const [inSecond, inMinute] = [createWindow(atMs, SECOND_MS), createWindow(atMs, MINUTE_MS)];
  let requests = 0;
  let companies = 0;
  return {
    arrive(isForFinancials: boolean): void {
      const second = Math.floor(Date.now() / SECOND_MS);
      bySecond[second] = (bySecond[second] ?? 0) + 1;
      if (isForFinancials) requests += 1;
      atMs.push(performance.now());
      inSecond.move();
      inMinute.move();
    },
    addCompanies(count: number): void {
      companies += count;
    },
    report: (): Seen => {
      const all = atMs.length;
      return { requests, companies, all, bySecond, mostInSecond: inSecond.most(), mostInMinute: inMinute.most() };
    },
  };
}

/** Finds the most times within a length that slides over them. */
function createWindow(atMs: readonly number[], lengthMs: number) {
  let first = 0;
  let most = 0;
  return {
    move(): void {
      while (atMs[first]! <= atMs.at(-1)! - lengthMs) first += 1;
      most = Math.max(most, atMs.length - first);
    },
    most: () => most,
  };
}

void run(JSON.parse(process.argv[2]!));
