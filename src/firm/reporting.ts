import type { Tracer } from "@opentelemetry/api";
import type { FastifyInstance } from "fastify";
import type { Network } from "../companion/network";
import type { Firm } from "./configuration";
import { onHangUp } from "./followed-settings";
import type { NotifyPause } from "./relay/circuit-breaker";
import { type Audit, openAudit } from "./reporting/audit";
import type { MetricsSources } from "./reporting/metrics";
import { notifyOutcomes, type OutcomeListener } from "./reporting/outcomes";
import type { FirmStores } from "./stores";

/** How often pairings are looked for that a command has ended. */
const LOOK_MS = 1000;

interface ReportingOptions extends MetricsSources {
  stores: MetricsSources["stores"] & Pick<FirmStores, "pairings">;
  firm: Pick<Firm, "audit" | "metrics" | "traces">;
  hasTerminal?: boolean;
  network: Network;
}

/**
 * Reports the companion's answers by the audit log, metrics and traces, each where it is set.
 * @throws Error with a sentence when the audit log cannot be opened.
 */
export async function addReporting(app: FastifyInstance, options: ReportingOptions) {
  const { firm, hasTerminal } = options;
  const listeners: OutcomeListener[] = [];
  if (firm.audit !== undefined) {
    const audit = openAudit(firm.audit, app.log);
    listeners.push(audit);
    const stopWatching = watchRevoked(options.stores.pairings, audit);
    app.addHook("onClose", async () => {
      stopWatching();
      await audit.close();
    });
    if (!hasTerminal) onHangUp(app, audit.reopen);
  }
  /** The provider asks to wait. */
  let notifyPause: NotifyPause = () => {};
  if (firm.metrics !== undefined) {
    // Loaded on demand: a person's own companion needs no metrics.
    const { createMetrics, serveMetrics } = await import("./reporting/metrics");
    const metrics = createMetrics(options);
    listeners.push(metrics);
    serveMetrics(app, metrics, firm.metrics);
    notifyPause = metrics.notifyPause;
  }
  notifyOutcomes(app, listeners);
  /** The tracer makes the traces of reads; undefined where none are sent. */
  return { notifyPause, tracer: await openTracer(app, firm.traces, options.network) };
}

async function openTracer(
  app: FastifyInstance,
  url: string | undefined,
  network: Network,
): Promise<Tracer | undefined> {
  if (url === undefined) return undefined;
  // Loaded on demand: the SDK is large, and few companions trace.
  const { createTracing } = await import("./reporting/tracing");
  const { tracer, close } = createTracing(url, network, app.log);
  app.addHook("onClose", close);
  return tracer;
}

/**
 * Records the pairings that commands end, which run in a process of their own.
 * @returns A function that ends it.
 */
function watchRevoked({ takeRevoked }: FirmStores["pairings"], audit: Audit): () => void {
  const look = async () => {
    for (const { atMs, ...pairing } of await takeRevoked()) audit.notifyPairing({ event: "revoked", pairing, atMs });
  };
  // What cannot be read now is read the next time, and requests report the reason.
  const timer = setInterval(() => void look().catch(() => {}), LOOK_MS);
  return () => clearInterval(timer);
}
