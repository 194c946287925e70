import type { FastifyServerOptions } from "fastify";

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

/**
 * Converts what was signed to the fields that each line about it has, be it signed or exchanged.
 * @param pairing The id of who asked; null where sample data lets anybody ask.
 */
export function toLogFields(pairing: string | null, { keyId, jti }: { keyId: string; jti?: string }) {
  return { pairing: pairing ?? "sample", kid: keyId, jti: jti?.slice(0, ID_SHOWN) };
}

/** Reads the path of a request's URL. */
export function readPath(url: string): string {
  return url.split("?", 1)[0] ?? "";
}

/** No other fields: Node puts the whole request, bearers included, beside the error of one that it could not read. */
function toErrorFields({ name, message, stack = "", code }: Error & { code?: string }) {
  return { type: name, message, stack, code };
}
