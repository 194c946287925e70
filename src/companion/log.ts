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
    serializers: { req: ({ method, url }) => ({ method, path: readPath(url) }) },
  };
}

/** Reads the path of a request's URL. */
export function readPath(url: string): string {
  return url.split("?", 1)[0] ?? "";
}
