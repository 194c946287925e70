import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { FAMILIES, OPERATION_FAMILIES } from "../../contract/constants";
import type { ReadOutcome } from "../api/outcomes";
import type { Provider } from "../provider";
import { receivePauses } from "../relay/circuit-breaker";
import type { Standing, Stores } from "../stores";

const BUCKETS_SECONDS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const STANDINGS: readonly Standing[] = ["alone", "joining", "shared", "apart"];

/** The sources of the metrics. */
export interface MetricsSources {
  provider: () => Provider;
  stores: Pick<Stores, "standing" | "pubSub">;
}

/** Metrics for a monitoring service such as Prometheus; no label names a person, a company or a query. */
export interface Metrics {
  notifyRead(outcome: ReadOutcome): void;
  /** Gives all metrics in the text form of Prometheus. */
  read(): Promise<string>;
  close(): void;
}

/** Creates the metrics of this instance. */
export function createMetrics({ provider, stores }: MetricsSources): Metrics {
  const register = new Registry();
  const activity = createActivity(Date.now);
  const countRead = addReads(register);
  const sent = addCounter(register, "feed_provider_requests_total", "Requests to the provider, by outcome.", "outcome");
  const countPeople = () => [[activity.count()]] as const;
  addGauge(register, "feed_people_active", "People who have read in the last five minutes.", countPeople);
  addGauge(register, "feed_store", "1 for how this instance stands to the store.", () =>
    STANDINGS.map((each) => [stores.standing() === each ? 1 : 0, { standing: each }]),
  );
  addPauses(register, stores.pubSub, Date.now);
  collectDefaultMetrics({ register });
  return {
    notifyRead(outcome) {
      const { pairing } = outcome;
      countRead(outcome);
      if (pairing !== null) activity.record(pairing.person?.id ?? pairing.id);
    },
    read: () => register.metrics(),
    close: watchProviderRequests(provider, (outcome) => sent.inc({ outcome })),
  };
}

/** Adds the metrics of reads, and gives the function that counts one. */
function addReads(register: Registry): Metrics["notifyRead"] {
  const taken = new Histogram({
    name: "feed_read_seconds",
    help: "Reads that were answered, by the family of data and the class of the status, and how long each took.",
    labelNames: ["family", "status"],
    buckets: BUCKETS_SECONDS,
    registers: [register],
  });
  const requested = addCounter(register, "feed_asked_total", "Companies and pages that people asked for.", "family");
  const known = addCounter(register, "feed_known_total", "Those that the provider was not asked for.", "family");
  const refused = addCounter(register, "feed_refused_total", "Reads that the companion itself refused.", "code");
  return (outcome) => {
    const family = OPERATION_FAMILIES[outcome.operation];
    taken.observe({ family, status: `${Math.floor(outcome.status / 100)}xx` }, outcome.seconds);
    requested.inc({ family }, outcome.requested ?? 0);
    known.inc({ family }, outcome.known ?? 0);
    if (outcome.refusal !== undefined) refused.inc({ code: outcome.refusal });
  };
}

function addCounter(register: Registry, name: string, help: string, label: string): Counter {
  return new Counter({ name, help, labelNames: [label], registers: [register] });
}

type Sample = readonly [value: number, labels?: Record<string, string>];

/** Adds a gauge that is read with the metrics. */
function addGauge(register: Registry, name: string, help: string, read: () => readonly Sample[]): void {
  const labelNames = Object.keys(read()[0]?.[1] ?? {});
  new Gauge({
    name,
    help,
    labelNames,
    registers: [register],
    collect() {
      for (const [value, labels = {}] of read()) this.set(labels, value);
    },
  });
}

/** Adds the remaining pause of each family; 0 without one. */
function addPauses(register: Registry, pubSub: Stores["pubSub"], nowMs: () => number): void {
  const endsMs = new Map<string, number>(FAMILIES.map((family) => [family, 0]));
  receivePauses(pubSub, ({ family }, forMs) => {
    if (endsMs.has(family)) endsMs.set(family, nowMs() + forMs);
  });
  addGauge(register, "feed_provider_pause_seconds", "How long the provider still asks to wait, by family.", () =>
    [...endsMs].map(([family, endMs]) => [Math.max(0, endMs - nowMs()) / 1000, { family }]),
  );
}

/**
 * Serves GET /metrics at its own address, to anybody who reaches it.
 * @throws Error with a sentence where the address cannot be used, when the companion gets ready.
 */
export function serveMetrics(app: FastifyInstance, metrics: Metrics, address: { host: string; port: number }): void {
  const server = createServer(async ({ method, url }, response) => {
    if (method !== "GET" || url !== "/metrics") return response.writeHead(404).end();
    const text = await metrics.read().catch(() => undefined);
    if (text === undefined) return response.writeHead(500).end();
    return response.writeHead(200, { "content-type": Registry.PROMETHEUS_CONTENT_TYPE }).end(text);
  });
  app.addHook("onReady", () => listen(server, address));
  app.addHook("onClose", async () => {
    metrics.close();
    server.close();
    server.closeAllConnections();
  });
}

async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  try {
    await once(server.listen({ host, port }), "listening");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`FEED_METRICS: figures cannot be served at ${host}, port ${port} (${code}). Choose another one.`);
  }
}

const ACTIVE_MS = 5 * 60_000;

/** Creates the count of the last five minutes' readers; it drops older ones. */
export function createActivity(nowMs: () => number) {
  const seen = new Map<string, number>();
  const dropOld = () => {
    for (const [who, atMs] of seen) {
      if (nowMs() - atMs < ACTIVE_MS) break; // ordered by last visit
      seen.delete(who);
    }
  };
  return {
    record(who: string): void {
      seen.delete(who);
      seen.set(who, nowMs());
      dropOld();
    },
    count(): number {
      dropOld();
      return seen.size;
    },
  };
}

const HEADERS = "undici:request:headers";
const ERROR = "undici:request:error";

/** The HTTP client's message about a request. */
interface ClientEvent {
  request: { origin?: string | URL; path: string };
  response?: { statusCode: number };
}

/**
 * Counts every request to the provider, token exchanges included, by the HTTP client's diagnostics.
 * @param count Gets "2xx", "3xx", "4xx" or "5xx", "429" for a rate limit, or "failed" without an answer.
 * @returns A function that ends it.
 */
export function watchProviderRequests(provider: () => Provider, count: (outcome: string) => void): () => void {
  const answered = new WeakSet<object>();
  const isOwn = ({ request: { origin, path } }: ClientEvent) =>
    `${origin}${path}`.startsWith(`${provider().baseUrl()}/`);
  const countAnswer = (message: unknown) => {
    const event = message as ClientEvent;
    if (!isOwn(event) || event.response === undefined) return;
    answered.add(event.request);
    count(toOutcome(event.response.statusCode));
  };
  const countFailure = (message: unknown) => {
    const event = message as ClientEvent;
    // A request that fails after its headers was counted.
    if (isOwn(event) && !answered.has(event.request)) count("failed");
  };
  subscribe(HEADERS, countAnswer);
  subscribe(ERROR, countFailure);
  return () => {
    unsubscribe(HEADERS, countAnswer);
    unsubscribe(ERROR, countFailure);
  };
}

const toOutcome = (status: number): string => (status === 429 ? "429" : `${Math.floor(status / 100)}xx`);
