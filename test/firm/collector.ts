import { createProviderServer, type ProviderServer } from "../companion/provider-server";

/** A span as OTLP's JSON has it. */
export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
  links: { traceId: string; spanId: string }[];
  status: { code: number; message?: string };
}

/** A receiver of OTLP over HTTP on loopback. */
export const createCollector = (toStatus = () => 200): Promise<ProviderServer> =>
  createProviderServer((_request, response) => {
    response.writeHead(toStatus(), { "content-type": "application/json" }).end("{}");
  });

export function readSpans({ seen }: ProviderServer): Span[] {
  const toSpans = ({ body }: { body: string }) =>
    JSON.parse(body).resourceSpans.flatMap((each: { scopeSpans: { spans: Span[] }[] }) =>
      each.scopeSpans.flatMap(({ spans }) => spans),
    );
  return seen.flatMap(toSpans);
}

export const toFacts = ({ attributes }: Span) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));

export const findAll = (spans: readonly Span[], name: string) => spans.filter((span) => span.name === name);

/** The names of a span and those above it. */
export function listAbove(spans: readonly Span[], span: Span | undefined): string[] {
  if (span === undefined) return [];
  const above = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return [span.name, ...listAbove(spans, above)];
}
