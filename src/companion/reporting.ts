import type { FastifyInstance } from "fastify";
import { notifyOutcomes, type OutcomeListener } from "./api/outcomes";
import type { Firm } from "./configuration/firm";
import { onHangUp } from "./reload-on-sighup";
import { openAudit } from "./reporting/audit";
import type { MetricsSources } from "./reporting/metrics";

interface ReportingOptions extends MetricsSources {
  firm: Pick<Firm, "audit" | "metrics">;
  hasTerminal?: boolean;
}

/**
 * Reports the companion's answers by the audit log and by metrics, each where it is set.
 * @throws Error with a sentence when the audit log cannot be opened.
 */
export async function addReporting(app: FastifyInstance, options: ReportingOptions): Promise<void> {
  const { firm, hasTerminal } = options;
  const listeners: OutcomeListener[] = [];
  if (firm.audit !== undefined) {
    const audit = openAudit(firm.audit, app.log);
    listeners.push(audit);
    app.addHook("onClose", audit.close);
    if (!hasTerminal) onHangUp(app, audit.reopen);
  }
  if (firm.metrics !== undefined) {
    // Loaded on demand: a person's own companion needs no metrics.
    const { createMetrics, serveMetrics } = await import("./reporting/metrics");
    const metrics = createMetrics(options);
    listeners.push(metrics);
    serveMetrics(app, metrics, firm.metrics);
  }
  notifyOutcomes(app, listeners);
}
