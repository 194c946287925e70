import { request } from "node:http";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";

/** What came back, read to its end. */
export interface RawAnswer {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
}

/** Reads which port a companion got that asked for any. */
export function readPort(app: FastifyInstance): number {
  return (app.server.address() as AddressInfo).port;
}

/** Sends a request exactly as written: `fetch` would tidy the path and refuse to set Host, Origin and Cookie. */
export function sendRaw(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body = "",
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const host = `localhost:${port}`;
    const sent = request({ host: "127.0.0.1", port, method, path, headers: { host, ...headers } }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(parts).toString(),
        }),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
