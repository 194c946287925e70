import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** Starts a proxy before a firm's companion that adds a person's token, for a client that has none. */
export async function startBearerProxy(target: string, token: string) {
  const { hostname, port, host } = new URL(target);
  const server = createServer((received, response) => {
    const own = `localhost:${(server.address() as AddressInfo).port}`;
    // Another name than the proxy's own goes on as it came.
    const toOwn = (text: string) => text.replace(own, host);
    const { origin } = received.headers;
    const headers = {
      ...received.headers,
      host: toOwn(received.headers.host ?? ""),
      ...(origin === undefined ? {} : { origin: toOwn(origin) }),
      authorization: `Bearer ${token}`,
    };
    const sent = request({ hostname, port, path: received.url, method: received.method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    response.on("close", () => sent.destroy());
    sent.on("error", () => response.destroy());
    received.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/mcp`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
