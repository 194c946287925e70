import { AsyncLocalStorage } from "node:async_hooks";
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import { Refusal } from "../../companion/refusal";

/**
 * The steps of a read that have a span, below that of the step in which they run.
 *
 * | step         | is                                                                    |
 * |--------------|-----------------------------------------------------------------------|
 * | read         | a reader's request, from its arrival to its answer                    |
 * | cache, store | a look-up in a cache, and what that asks the store                    |
 * | batch, query | companies of several readers in one query, or any other that they share |
 * | turn         | the wait for a token, the rate limit and the provider's pauses        |
 * | request      | one HTTP request to the provider                                      |
 */
type Step = "read" | "authorise" | "cache" | "store" | "batch" | "query" | "turn" | "request";

/** The kinds of steps that are calls of others; the rest are the companion's own. */
const KINDS: Readonly<Partial<Record<Step, SpanKind>>> = { read: SpanKind.SERVER, request: SpanKind.CLIENT };

/**
 * Adds attributes to a step's span: request ids, operations, statuses and counts; nothing of a person, a company or a
 * secret.
 */
type Note = (facts: Readonly<Record<string, string | number | undefined>>) => void;

/** A span, and what makes those below it. */
export interface Traced {
  span: Span;
  tracer: Tracer;
}

const active = new AsyncLocalStorage<Traced | undefined>();

/** Gives the span of the present step; undefined where nothing is traced. */
export const traced = (): Traced | undefined => active.getStore();

/**
 * Runs a reader's request as the first step of a trace.
 * @param tracer Undefined where nothing is traced.
 * @param sinceMs When it began, in milliseconds since 1970.
 */
export function traceRead<T>(tracer: Tracer | undefined, sinceMs: number, run: (note: Note) => Promise<T>): Promise<T> {
  return runIn(tracer && begin("read", tracer, undefined, sinceMs), run);
}

/** Runs a step; a failure is recorded by the refusal's code alone. */
export function traceStep<T>(step: Step, run: (note: Note) => Promise<T>): Promise<T> {
  const above = traced();
  return runIn(above && begin(step, above.tracer, above.span), run);
}

/**
 * Runs a step for several readers: in the trace of the first one, with a link to each.
 * @param joined What they have joined, with the spans of their reads. Read again at the end, for readers who have joined
 *   meanwhile.
 */
export function traceShared<T>(
  step: Step,
  joined: readonly { readers: ReadonlyMap<string, Traced | undefined> }[],
  run: (note: Note) => Promise<T>,
): Promise<T> {
  const listReads = () =>
    new Set(joined.flatMap(({ readers }) => [...readers.values()]).filter((read) => read !== undefined));
  const [first] = listReads();
  const own = first && begin(step, first.tracer, first.span);
  return runIn(own, run, () =>
    own?.span.addLinks([...listReads()].map(({ span }) => ({ context: span.spanContext() }))),
  );
}

function begin(step: Step, tracer: Tracer, above: Span | undefined, startTime?: number): Traced {
  const context = above === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, above);
  return {
    tracer,
    span: tracer.startSpan(`feed.${step}`, { kind: KINDS[step] ?? SpanKind.INTERNAL, startTime }, context),
  };
}

function runIn<T>(own: Traced | undefined, run: (note: Note) => Promise<T>, onEnd = () => {}): Promise<T> {
  return active.run(own, async () => {
    try {
      return await run((facts) => own?.span.setAttributes(facts));
    } catch (error) {
      // No message: an error's may hold anything.
      own?.span.setStatus({ code: SpanStatusCode.ERROR });
      if (error instanceof Refusal) {
        own?.span.setAttributes({ "error.type": error.code, "http.response.status_code": error.statusCode });
      }
      throw error;
    } finally {
      onEnd();
      own?.span.end();
    }
  });
}
