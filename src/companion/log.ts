import type { FastifyRequest, FastifyServerOptions } from "fastify";

/** The output of log lines, one JSON object each. */
export interface LogSink {
  write(line: string): void;
}

/** Gives the logger's options; a request shows as method and path, without query, headers or body. */
export function toLoggerOptions(level: string, stream: LogSink): FastifyServerOptions["logger"] {
  return {
    level,
    stream,
    serializers: { req: ({ method, url }) => ({ method, path: readPath(url) }), err: toErrorFields },
  };
}

/** Shown part of a random id, enough to tell assertions apart. */
const ID_SHOWN = 8;

/**
 * Gives the caller's name in the log: the pairing's id, or "sample", since an unpaired caller gets only sample data.
 */
export function toCallerId({ pairing }: FastifyRequest): string {
  return pairing?.id ?? "sample";
}

/** Gives the fields of log lines about a signature. */
export function toLogFields(pairing: string, { keyId, jti }: { keyId: string; jti?: string }) {
  return { pairing, kid: keyId, jti: jti?.slice(0, ID_SHOWN) };
}

/** Gives the level of a line about a provider's refusal: its own failures deserve a look. */
export const toLevel = (status: number): "info" | "warn" => (status >= 500 ? "warn" : "info");

/** Longer than any path of the companion. */
const LONGEST_PATH = 200;

/** Gives the path of a request's URL, up to 200 characters. */
export function readPath(url: string): string {
  return (url.split("?", 1)[0] ?? "").slice(0, LONGEST_PATH);
}

const LINES_A_MINUTE = 60;

/**
 * Creates the limit of log lines that strangers can cause.
 * @returns A function that gives undefined beyond 60 lines a minute, otherwise the number of lines omitted before.
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

/** Only these fields: on a malformed request Node's error holds all of it, bearers included. */
function toErrorFields({ name, message, stack = "", code }: Error & { code?: string }) {
  return { type: name, message, stack, code };
}
