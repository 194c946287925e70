import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from "@opentelemetry/sdk-trace-base";
import type { FastifyBaseLogger } from "fastify";
import pkg from "../../../package.json";
import { createHttpsAgent, type Network } from "../../companion/network";

const SERVICE = "feed-companion";
/** Shorter than a companion has to end, and than the SDK's own 30 seconds. */
const EXPORT_MS = 5000;
/** A later reader of a full batch gets no link. */
const MOST_LINKS = 128;

/**
 * Creates what sends traces. The SDK reads the other `OTEL_` variables by itself, such as of its sampler and headers.
 * @param url Where OTLP over HTTP is received, with the path of traces.
 * @param network How that is reached.
 * @param log Gets a warning when spans begin to be lost.
 */
export function createTracing(url: string, network: Network, log: Pick<FastifyBaseLogger, "info" | "warn">) {
  // The SDK's own agent has the certificates of its variables.
  const httpAgentOptions = network.pickProxy(new URL(url)) && (() => createHttpsAgent(network));
  const exporter = reportLoss(new OTLPTraceExporter({ url, timeoutMillis: EXPORT_MS, httpAgentOptions }), log);
  const provider = new BasicTracerProvider({
    // No name of the machine or its user, which the SDK's detectors would add.
    resource: resourceFromAttributes({ "service.name": SERVICE, "service.version": pkg.version }),
    spanLimits: { linkCountLimit: MOST_LINKS },
    spanProcessors: [new BatchSpanProcessor(exporter, { exportTimeoutMillis: EXPORT_MS })],
  });
  return {
    tracer: provider.getTracer(SERVICE, pkg.version),
    /** Sends the spans that are left, for up to five seconds; what cannot be sent is in the log. */
    close: () => provider.shutdown().catch(() => {}),
  };
}

/** Logs the first failed export of a row, and the end of it; never what was to be sent. */
function reportLoss(exporter: SpanExporter, log: Pick<FastifyBaseLogger, "info" | "warn">): SpanExporter {
  let isLosing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const isLost = result.error !== undefined || result.code !== 0;
        if (isLost && !isLosing) log.warn("traces are lost: OTEL_EXPORTER_OTLP_ENDPOINT does not accept them");
        if (!isLost && isLosing) log.info("traces are accepted again");
        isLosing = isLost;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
