import { once } from "node:events";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:tls";
import type { FastifyInstance } from "fastify";

export interface RawAnswer {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
}

/** Reads the port of a companion that listens on any free one. */
export function readPort(app: FastifyInstance): number {
  return (app.server.address() as AddressInfo).port;
}

/** Reads the serial number of the certificate that a server shows. */
export async function readSerial(port: number): Promise<string> {
  const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

/** Sends a request whose caller leaves before its answer. @returns what makes it leave */
export function sendAndLeave(port: number, method: string, path: string, headers: Record<string, string>): () => void {
  const host = `localhost:${port}`;
  const sent = request({ host: "127.0.0.1", port, method, path, headers: { host, ...headers } });
  sent.on("error", () => {}).end();
  return () => void sent.destroy();
}

/** Sends a request exactly as written: `fetch` would normalise the path and refuse Host, Origin and Cookie. */
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
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts).toString() }),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
