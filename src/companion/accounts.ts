import type { FastifyInstance } from "fastify";
import { openAudit } from "./accounts/audit";
import type { MetricsSources } from "./accounts/metrics";
import type { Firm } from "./configuration/firm";
import { type OutcomeListener, tellOutcomes } from "./door/outcomes";
import { onHangUp } from "./hang-up";

export interface AccountsOptions extends MetricsSources {
  firm: Pick<Firm, "audit" | "metrics">;
  isTerminal: boolean;
}

/**
 * Keeps account of what the companion answers: the audit log, and figures, each where it is set.
 * @throws Error with a sentence when the audit log cannot be opened.
 */
export async function keepAccounts(app: FastifyInstance, options: AccountsOptions): Promise<void> {
  const { firm, isTerminal } = options;
  const listeners: OutcomeListener[] = [];
  if (firm.audit !== undefined) {
    const audit = openAudit(firm.audit, app.log);
    listeners.push(audit);
    app.addHook("onClose", audit.close);
    if (!isTerminal) onHangUp(app, audit.reopen);
  }
  if (firm.metrics !== undefined) {
    // A person's own companion never loads what figures need.
    const { createMetrics, serveMetrics } = await import("./accounts/metrics");
    const metrics = createMetrics(options);
    listeners.push(metrics);
    serveMetrics(app, metrics, firm.metrics);
  }
  tellOutcomes(app, listeners);
}
