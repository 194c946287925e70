import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { FastifyInstance } from "fastify";
import { LRUCache } from "lru-cache";
import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import type { Provider } from "../../companion/provider";
import { REFUSAL_CODES, type RefusalCode } from "../../companion/refusal";
import type { Standing } from "../../companion/stores";
import { FAMILIES, type Family, OPERATION_FAMILIES } from "../../contract/constants";
import type { NotifyPause } from "../relay/circuit-breaker";
import type { AnswerCache, FirmStores } from "../stores";
import {
  addBuild,
  addEnds,
  addGauge,
  addProviderTimes,
  addWaiting,
  PROVIDER_OUTCOMES,
  watchProviderRequests,
} from "./operations";
import { type ReadOutcome, SIGN_IN_RESULTS, type SignInResult } from "./outcomes";

const BUCKETS_SECONDS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const STATUSES = ["2xx", "4xx", "5xx"];
const ACTIVE_MS = 5 * 60_000;
/** More than the people of any firm. */
const MOST_PEOPLE = 100_000;
const STANDINGS: readonly Standing[] = ["alone", "joining", "shared", "apart"];

/** The sources of the metrics. */
export interface MetricsSources {
  provider: () => Provider;
  stores: Pick<FirmStores, "standing">;
  /** The end of the companion's own certificate, in milliseconds since 1970; undefined without one. */
  certificateEndMs: () => number | undefined;
}

/**
 * Creates this instance's metrics for a monitoring service such as Prometheus; no label names a person, a company or a
 * query. Every counter begins at 0, so that alerts see its first step.
 */
export function createMetrics({ provider, stores, certificateEndMs }: MetricsSources) {
  const register = new Registry();
  const people = new LRUCache<string, true>({ max: MOST_PEOPLE, ttl: ACTIVE_MS });
  const countRead = addReads(register);
  const waiting = addWaiting(register, Date.now);
  const sent = addCounter(register, "feed_provider_requests_total", "Requests to the provider, by outcome.", {
    outcome: PROVIDER_OUTCOMES,
  });
  const timeProvider = addProviderTimes(register);
  const signIns = addCounter(register, "feed_sign_ins_total", "Sign-ins that ended, by result.", {
    result: SIGN_IN_RESULTS,
  });
  let tokenEndMs: number | undefined;
  addEnds(register, { token: () => tokenEndMs, certificate: certificateEndMs }, Date.now);
  addGauge(register, "feed_people_active", "People who have read in the last five minutes.", () => {
    people.purgeStale();
    return [[people.size]];
  });
  addGauge(register, "feed_store", "1 for how this instance stands to the store.", () =>
    STANDINGS.map((each) => [stores.standing() === each ? 1 : 0, { standing: each }]),
  );
  const notifyPause = addPauses(register, Date.now);
  addBuild(register);
  collectDefaultMetrics({ register });
  return {
    notifyRead(outcome: ReadOutcome): void {
      const { pairing } = outcome;
      countRead(outcome);
      if (pairing !== null) people.set(pairing.person?.id ?? pairing.id, true);
    },
    /** A read has come, and is not answered yet. */
    notifyBegun: waiting.begin,
    /** It was answered, or its caller has left. */
    notifyEnded: waiting.end,
    notifySignIn: (result: SignInResult) => signIns.inc({ result }),
    /** The provider gave a token, valid until then, in milliseconds since 1970. */
    notifyToken(endMs: number): void {
      tokenEndMs = endMs;
    },
    /** The provider asks to wait. */
    notifyPause,
    /** Gives a cache whose reads are counted. */
    countReads: addCacheReads(register, stores.standing),
    /** Gives all metrics in the text form of Prometheus. */
    read: () => register.metrics(),
    close: watchProviderRequests(
      () => provider().baseUrl(),
      (outcome, seconds) => {
        sent.inc({ outcome });
        timeProvider(outcome, seconds);
      },
    ),
  };
}

/** Adds the count of looked-up answers, by where they may be and whether they were, and the size of those in memory. */
function addCacheReads(register: Registry, standing: FirmStores["standing"]): (answers: AnswerCache) => AnswerCache {
  const help =
    "Answers without contact data that were looked up in a cache, by its level (store: with this process's copies of it) and the result.";
  const reads = addCounter(register, "feed_cache_reads_total", help, {
    level: ["memory", "store"],
    result: ["hit", "miss"],
  });
  return (answers) => {
    addGauge(register, "feed_cache_bytes", "Size of the cached answers in this process's memory.", () => [
      [answers.bytes()],
    ]);
    return {
      ...answers,
      async read(keys) {
        const found = await answers.read(keys);
        const level = standing() === "shared" ? "store" : "memory";
        const hits = found.filter((each) => each !== undefined).length;
        reads.inc({ level, result: "hit" }, hits);
        reads.inc({ level, result: "miss" }, keys.length - hits);
        return found;
      },
    };
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
  const ofFamilies = { family: FAMILIES };
  const requested = addCounter(register, "feed_asked_total", "Companies and pages that people asked for.", ofFamilies);
  const known = addCounter(register, "feed_known_total", "Those that the provider was not asked for.", ofFamilies);
  const refused = addCounter(register, "feed_refused_total", "Reads that the companion itself refused.", {
    code: REFUSAL_CODES satisfies readonly RefusalCode[],
  });
  return (outcome) => {
    const family = OPERATION_FAMILIES[outcome.operation];
    taken.observe({ family, status: `${Math.floor(outcome.status / 100)}xx` }, outcome.seconds);
    requested.inc({ family }, outcome.requested ?? 0);
    known.inc({ family }, outcome.known ?? 0);
    if (outcome.refusal !== undefined) refused.inc({ code: outcome.refusal });
  };
}

/** Adds a counter that is 0 for every combination of its labels' values. */
function addCounter(
  register: Registry,
  name: string,
  help: string,
  values: Readonly<Record<string, readonly string[]>>,
): Counter {
  const labelNames = Object.keys(values);
  const counter = new Counter({ name, help, labelNames, registers: [register] });
  const combinations = labelNames.reduce<Record<string, string>[]>(
    (before, label) => before.flatMap((each) => values[label]!.map((value) => ({ ...each, [label]: value }))),
    [{}],
  );
  for (const labels of combinations) counter.inc(labels, 0);
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
  address: { host: string; port: number },
): void {
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
