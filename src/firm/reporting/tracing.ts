import { AsyncLocalStorage } from "node:async_hooks";
import { type Link, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from "@opentelemetry/sdk-trace-base";
import type { FastifyBaseLogger } from "fastify";
import pkg from "../../../package.json";
import { createHttpsAgent, type Network } from "../../companion/network";
import { Refusal } from "../../companion/refusal";
import type { Note, SpanReference, Step, Trace } from "./trace";

const SERVICE = "feed-companion";
/** Shorter than a companion has to end, and than the SDK's own 30 seconds. */
const EXPORT_MS = 5000;
/** A later reader of a full batch gets no link. */
const MOST_LINKS = 128;

/** The kinds of steps that are calls of others; the rest are the companion's own. */
const KINDS: Readonly<Partial<Record<Step, SpanKind>>> = { read: SpanKind.SERVER, request: SpanKind.CLIENT };

/** Traces by OpenTelemetry, until it is closed. */
export interface Tracing extends Trace {
  /** Sends the spans that are left, for up to five seconds. */
  close(): Promise<void>;
}

/**
 * Creates the traces. The SDK reads the other `OTEL_` variables by itself, such as of its sampler and headers.
 * @param url Where OTLP over HTTP is received, with the path of traces.
 * @param network How that is reached.
 * @param log Gets a warning when spans begin to be lost.
 */
export function createTracing(url: string, network: Network, log: Pick<FastifyBaseLogger, "info" | "warn">): Tracing {
  // The SDK's own agent has the certificates of its variables.
  const httpAgentOptions = network.pickProxy(new URL(url)) && (() => createHttpsAgent(network));
  const exporter = reportLoss(new OTLPTraceExporter({ url, timeoutMillis: EXPORT_MS, httpAgentOptions }), log);
  const provider = new BasicTracerProvider({
    // No name of the machine or its user, which the SDK's detectors would add.
    resource: resourceFromAttributes({ "service.name": SERVICE, "service.version": pkg.version }),
    spanLimits: { linkCountLimit: MOST_LINKS },
    spanProcessors: [new BatchSpanProcessor(exporter, { exportTimeoutMillis: EXPORT_MS })],
  });
  const close = () => provider.shutdown().catch(() => {}); // what cannot be sent is in the log
  return { ...createTrace(provider.getTracer(SERVICE, pkg.version)), close };
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

function createTrace(tracer: Tracer): Trace {
  const active = new AsyncLocalStorage<Span>();
  const start = (step: Step, parent: Span | undefined, startTime?: number) => {
    const context = parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent);
    return tracer.startSpan(`feed.${step}`, { kind: KINDS[step] ?? SpanKind.INTERNAL, startTime }, context);
  };
  const run = <T>(span: Span, work: (note: Note) => Promise<T>, onEnd = () => {}): Promise<T> =>
    active.run(span, async () => {
      try {
        return await work((facts) => span.setAttributes(facts));
      } catch (error) {
        fail(span, error);
        throw error;
      } finally {
        onEnd();
        span.end();
      }
    });
  return {
    read(requestId, operation, sinceMs, work) {
      const span = start("read", undefined, Date.now() - sinceMs);
      span.setAttributes({ "feed.request_id": requestId, "feed.operation": operation });
      return run(span, work);
    },
    step: (step, work) => run(start(step, active.getStore()), work),
    share(step, joined, work) {
      const listReaders = () =>
        [
          ...new Set(joined.flatMap(({ readers }) => [...readers.values()].filter((span) => span !== undefined))),
        ] as Span[];
      const span = start(step, listReaders()[0]);
      return run(span, work, () => span.addLinks(listReaders().map(toLink)));
    },
    current: () => active.getStore(),
  };
}

const toLink = (reference: SpanReference): Link => ({ context: (reference as Span).spanContext() });

/** Records no message: an error's may hold anything. */
function fail(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  if (!(error instanceof Refusal)) return;
  span.setAttributes({ "error.type": error.code, "http.response.status_code": error.statusCode });
}
