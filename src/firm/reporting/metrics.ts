import fastify, { type FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import type { Provider } from "../../companion/provider";
import { REFUSAL_CODES } from "../../companion/refusal";
import type { Standing } from "../../companion/stores";
import { FAMILIES, type Family, OPERATION_FAMILIES } from "../../contract/constants";
import type { NotifyPause } from "../relay/circuit-breaker";
import type { FirmStores } from "../stores";
import { addBuild, addCertificate, addGauge, addProviderTimes, addWaiting, watchProviderRequests } from "./operations";
import { type ReadOutcome, SIGN_IN_RESULTS, type SignInResult } from "./outcomes";

const BUCKETS_SECONDS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const STATUSES = ["2xx", "4xx", "5xx"];
const STANDINGS: readonly Standing[] = ["alone", "joining", "shared", "apart"];

/** The sources of the metrics. */
export interface MetricsSources {
  provider: () => Provider;
  stores: Pick<FirmStores, "standing" | "answers" | "ownAnswers">;
  /** The end of the companion's own certificate, in milliseconds since 1970; undefined without one. */
  certificateEndMs: () => number | undefined;
}

/**
 * Creates this instance's metrics for a monitoring service such as Prometheus; no label names a person, a company or a
 * query. Every counter begins at 0, so that alerts see its first step.
 */
export function createMetrics({ provider, stores, certificateEndMs }: MetricsSources) {
  const register = new Registry();
  const notifyRead = addReads(register);
  const waiting = addWaiting(register, Date.now);
  const help = "Sign-ins that ended, by result.";
  const signIns = addCounter(register, "feed_sign_ins_total", help, "result", SIGN_IN_RESULTS);
  addCertificate(register, certificateEndMs, Date.now);
  addGauge(register, "feed_cache_bytes", "Size of the cached answers in this process's memory.", () => [
    [stores.answers.bytes() + stores.ownAnswers.bytes()],
  ]);
  addGauge(register, "feed_store", "1 for how this instance stands to the store.", () =>
    STANDINGS.map((each) => [stores.standing() === each ? 1 : 0, { standing: each }]),
  );
  const notifyPause = addPauses(register, Date.now);
  addBuild(register);
  collectDefaultMetrics({ register });
  return {
    notifyRead,
    /** A read has come, and is not answered yet. */
    notifyBegun: waiting.begin,
    /** It was answered, or its caller has left. */
    notifyEnded: waiting.end,
    notifySignIn: (result: SignInResult) => signIns.inc({ result }),
    /** The provider asks to wait. */
    notifyPause,
    /** Gives all metrics in the text form of Prometheus. */
    read: () => register.metrics(),
    close: watchProviderRequests(() => provider().baseUrl(), addProviderTimes(register)),
  };
}

/** Adds the metrics of reads, and gives the function that counts one. */
function addReads(register: Registry): (outcome: ReadOutcome) => void {
  const taken = new Histogram({
    name: "feed_read_seconds",
    help: "Reads that were answered, by the family of data and the class of the status, and how long each took.",
    labelNames: ["family", "status"],
    buckets: BUCKETS_SECONDS,
    registers: [register],
  });
  for (const family of FAMILIES) for (const status of STATUSES) taken.zero({ family, status });
  const add = (name: string, help: string) => addCounter(register, name, help, "family", FAMILIES);
  const requested = add("feed_asked_total", "Companies and pages that people asked for.");
  const known = add("feed_known_total", "Those that the provider was not asked for.");
  const help = "Reads that the companion itself refused.";
  const refused = addCounter(register, "feed_refused_total", help, "code", REFUSAL_CODES);
  return (outcome) => {
    const family = OPERATION_FAMILIES[outcome.operation];
    taken.observe({ family, status: `${Math.floor(outcome.status / 100)}xx` }, outcome.seconds);
    requested.inc({ family }, outcome.requested ?? 0);
    known.inc({ family }, outcome.known ?? 0);
    if (outcome.refusal !== undefined) refused.inc({ code: outcome.refusal });
  };
}

/** Adds a counter that is 0 for each value of its label. */
function addCounter(register: Registry, name: string, help: string, label: string, values: readonly string[]): Counter {
  const counter = new Counter({ name, help, labelNames: [label], registers: [register] });
  for (const value of values) counter.inc({ [label]: value }, 0);
  return counter;
}

/** Adds the remaining pause of each family; 0 without one. */
function addPauses(register: Registry, nowMs: () => number): NotifyPause {
  const endsMs = new Map<Family, number>(FAMILIES.map((family) => [family, 0]));
  addGauge(register, "feed_provider_pause_seconds", "How long the provider still asks to wait, by family.", () =>
    [...endsMs].map(([family, endMs]) => [Math.max(0, endMs - nowMs()) / 1000, { family }]),
  );
  return (family, forMs) => endsMs.set(family, nowMs() + forMs);
}

/**
 * Serves GET /metrics at its own address, to anybody who reaches it.
 * @throws Error with a sentence where the address cannot be used, when the companion gets ready.
 */
export function serveMetrics(
  app: FastifyInstance,
  metrics: Pick<ReturnType<typeof createMetrics>, "read" | "close">,
  { host, port }: { host: string; port: number },
): void {
  const server = fastify({ forceCloseConnections: true });
  server.get("/metrics", async (_request, reply) =>
    reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await metrics.read()),
  );
  app.addHook("onReady", async () => {
    await server.listen({ host, port }).catch(({ code }) => {
      throw new Error(`FEED_METRICS: figures cannot be served at ${host}, port ${port} (${code}). Choose another one.`);
    });
  });
  app.addHook("onClose", async () => {
    metrics.close();
    await server.close();
  });
}
