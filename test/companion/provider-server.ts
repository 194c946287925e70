import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";

export interface Seen {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A minimal provider on loopback that records requests and gives a test's answers. */
export interface ProviderServer {
  port: number;
  seen: Seen[];
  close: () => Promise<void>;
}

export async function createProviderServer(
  answer: RequestListener,
  tls?: { cert: string; key: string },
): Promise<ProviderServer> {
  const seen: Seen[] = [];
  const record: RequestListener = (request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      seen.push({ method, url, headers, body: Buffer.concat(parts).toString() });
      answer(request, response);
    });
  };
  const server = tls ? createSecureServer(tls, record) : createServer(record);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port: (server.address() as AddressInfo).port, seen, close };
}
