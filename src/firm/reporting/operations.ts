import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Gauge, Histogram, type Registry } from "prom-client";
import pkg from "../../../package.json";
import { OPERATIONS } from "../../contract/constants";

const BUCKETS_SECONDS = [0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

type Sample = readonly [value: number, labels?: Record<string, string>];

/** Adds a gauge that is read with the metrics; without a sample it has no line. */
export function addGauge(register: Registry, name: string, help: string, read: () => readonly Sample[]): void {
  const labelNames = Object.keys(read()[0]?.[1] ?? {});
  new Gauge({
    name,
    help,
    labelNames,
    registers: [register],
    collect() {
      const samples = read();
      if (samples.length === 0) this.remove();
      for (const [value, labels = {}] of samples) this.set(labels, value);
    },
  });
}

/** Adds the version that runs, always 1. */
export function addBuild(register: Registry): void {
  const labels = { version: pkg.version, node: process.versions.node };
  addGauge(register, "feed_build_info", "1, with the version of the companion and of Node.", () => [[1, labels]]);
}

/** Adds the seconds that the certificate is still valid. @param endMs In milliseconds since 1970; undefined without one. */
export function addCertificate(register: Registry, endMs: () => number | undefined, nowMs: () => number): void {
  const help = "How long the companion's own certificate is valid; none where a proxy has the certificate.";
  addGauge(register, "feed_certificate_left_seconds", help, () => {
    const end = endMs();
    return end === undefined ? [] : [[(end - nowMs()) / 1000]];
  });
}

/** Adds the number of reads that wait for their answer, and how long the oldest has waited. */
export function addWaiting(register: Registry, nowMs: () => number) {
  const begun = new Map<object, number>(); // in the order of their beginning
  addGauge(register, "feed_reads_waiting", "Reads that are not answered yet.", () => [[begun.size]]);
  addGauge(register, "feed_reads_oldest_seconds", "How long the oldest of them has waited; 0 without one.", () => {
    const [oldestMs = nowMs()] = begun.values();
    return [[(nowMs() - oldestMs) / 1000]];
  });
  return { begin: (read: object) => void begun.set(read, nowMs()), end: (read: object) => void begun.delete(read) };
}

/** The HTTP client's message about a request. */
interface ClientEvent {
  request: { origin?: string | URL; path: string };
  response?: { statusCode: number };
}

/** Every outcome of a request to the provider. */
const PROVIDER_OUTCOMES = ["2xx", "3xx", "4xx", "429", "5xx", "failed", "refused"] as const;

/** The client itself is refused by a 401, or where it exchanges its assertion for a token. */
function toOutcome(path: string, status: number): string {
  if (status === 429) return "429";
  const isRefused = status === 401 || (status >= 400 && status < 500 && path.endsWith(OPERATIONS.createToken.path));
  return isRefused ? "refused" : `${Math.floor(status / 100)}xx`;
}

/**
 * Follows every request to the provider, token exchanges included, by the HTTP client's diagnostics.
 * @param notify Gets one of `PROVIDER_OUTCOMES`, and the seconds until the answer began or the request failed.
 * @returns A function that ends it.
 */
export function watchProviderRequests(
  baseUrl: () => string,
  notify: (outcome: string, seconds: number) => void,
): () => void {
  const sentAtMs = new WeakMap<object, number>();
  /** Notifies once: a request that fails after its headers was counted. */
  const end = ({ request }: ClientEvent, outcome: string) => {
    const startMs = sentAtMs.get(request);
    if (startMs !== undefined && sentAtMs.delete(request)) notify(outcome, (performance.now() - startMs) / 1000);
  };
  const listeners: Record<string, (event: ClientEvent) => void> = {
    "undici:request:create"({ request }) {
      const isProviders = `${request.origin}${request.path}`.startsWith(`${baseUrl()}/`);
      if (isProviders) sentAtMs.set(request, performance.now());
    },
    "undici:request:headers": (event) => end(event, toOutcome(event.request.path, event.response!.statusCode)),
    "undici:request:error": (event) => end(event, "failed"),
  };
  const act = (change: typeof subscribe) => {
    for (const [name, listen] of Object.entries(listeners)) change(name, listen as (message: unknown) => void);
  };
  act(subscribe);
  return () => act(unsubscribe);
}

/** Adds the time that the provider takes, by outcome. */
export function addProviderTimes(register: Registry): (outcome: string, seconds: number) => void {
  const taken = new Histogram({
    name: "feed_provider_seconds",
    help: "Requests to the provider, by outcome, and the time until each answer began.",
    labelNames: ["outcome"],
    buckets: BUCKETS_SECONDS,
    registers: [register],
  });
  for (const outcome of PROVIDER_OUTCOMES) taken.zero({ outcome });
  return (outcome, seconds) => taken.observe({ outcome }, seconds);
}
