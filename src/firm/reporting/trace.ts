import type { AnswerCache } from "../stores";

/** The steps of a read that have a span. */
export type Step =
  /** A reader's request, from its arrival to its answer. */
  | "read"
  | "authorise"
  /** A look-up in a cache. */
  | "cache"
  /** Companies of several readers in one query. */
  | "batch"
  /** A query that is no batch; several readers may share it. */
  | "query"
  /** The wait for a token, the rate limit and the provider's pauses. */
  | "turn"
  /** One HTTP request to the provider. */
  | "request";

/** Attributes: request ids, operations, statuses, cache levels and counts; nothing of a person, a company or a secret. */
export type Facts = Readonly<Record<string, string | number | undefined>>;

/** Adds attributes to the span of a step. */
export type Note = (facts: Facts) => void;

/** A span that others may refer to; only its tracer reads it. */
export type SpanReference = object;

/** Work for several readers. */
export interface Joined {
  /** The readers, with the spans of their reads. */
  readers: ReadonlyMap<string, SpanReference | undefined>;
}

/** Traces reads by spans, each below that of the step in which it runs. */
export interface Trace {
  /** Runs a reader's request as the first span of a trace, which began some milliseconds ago. */
  read<T>(requestId: string, operation: string, sinceMs: number, run: (note: Note) => Promise<T>): Promise<T>;
  /** Runs a step; a failure is recorded by the refusal's code alone. */
  step<T>(step: Step, run: (note: Note) => Promise<T>): Promise<T>;
  /**
   * Runs a step for several readers: in the trace of the first one, with a link to each.
   * @param joined What they have joined. Read again at the end, for readers who have joined meanwhile.
   */
  share<T>(step: Step, joined: readonly Joined[], run: (note: Note) => Promise<T>): Promise<T>;
  /** Gives the span of the present step; undefined without one. */
  current(): SpanReference | undefined;
}

const ignore: Note = () => {};

/** Traces nothing. */
export const NO_TRACE: Trace = {
  read: (_requestId, _operation, _sinceMs, run) => run(ignore),
  step: (_step, run) => run(ignore),
  share: (_step, _joined, run) => run(ignore),
  current: () => undefined,
};

/** Gives a cache whose look-ups are traced; the cache itself where nothing is traced. */
export function traceCache(answers: AnswerCache, trace: Trace, level: () => "memory" | "store"): AnswerCache {
  if (trace === NO_TRACE) return answers;
  return {
    ...answers,
    async read(keys) {
      if (keys.length === 0) return [];
      return trace.step("cache", async (note) => {
        const found = await answers.read(keys);
        const hits = found.filter((each) => each !== undefined).length;
        note({ "feed.cache.level": level(), "feed.cache.hits": hits, "feed.cache.misses": keys.length - hits });
        return found;
      });
    },
  };
}
