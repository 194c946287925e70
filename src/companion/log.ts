import type { FastifyRequest, FastifyServerOptions } from "fastify";

/** Where log lines go, one JSON object each. */
export interface LogSink {
  write(line: string): void;
}

/** Converts a level to the logger's options; a request shows as method and path, never with its query, headers or body. */
export function toLoggerOptions(level: string, stream: LogSink): FastifyServerOptions["logger"] {
  return {
    level,
    stream,
    serializers: { req: ({ method, url }) => ({ method, path: readPath(url) }), err: toErrorFields },
  };
}

/** Enough of a random id to tell assertions apart in a log. */
const ID_SHOWN = 8;

/** Names who asks: by the pairing's id, or "sample", since nothing else is given to who is not paired. */
export function toCallerId({ pairing }: FastifyRequest): string {
  return pairing?.id ?? "sample";
}

/** Converts what was signed to the fields that each line about it has, be it signed or exchanged. */
export function toLogFields(pairing: string, { keyId, jti }: { keyId: string; jti?: string }) {
  return { pairing, kid: keyId, jti: jti?.slice(0, ID_SHOWN) };
}

/** Longer than any path of the companion's own. */
const LONGEST_PATH = 200;

/** Reads the path of a request's URL, of whatever length a stranger makes it, up to 200 characters. */
export function readPath(url: string): string {
  return (url.split("?", 1)[0] ?? "").slice(0, LONGEST_PATH);
}

const LINES_A_MINUTE = 60;

/**
 * Creates the bound of lines that strangers can cause.
 * @returns A function that gives undefined once a minute's 60 lines are written, else how many were left out before.
 */
export function createLineLimit(nowMs: () => number): () => number | undefined {
  let minute = 0;
  let lines = 0;
  return () => {
    const present = Math.floor(nowMs() / 60_000);
    const leftOut = present === minute ? 0 : Math.max(0, lines - LINES_A_MINUTE);
    if (present !== minute) lines = 0;
    minute = present;
    lines += 1;
    return lines > LINES_A_MINUTE ? undefined : leftOut;
  };
}

/** No other fields: Node puts the whole request, bearers included, beside the error of one that it could not read. */
function toErrorFields({ name, message, stack = "", code }: Error & { code?: string }) {
  return { type: name, message, stack, code };
}
