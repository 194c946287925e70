import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/**
 * Drops, when the companion closes, the connections on which no request ever came. Browsers open some ahead of
 * need; Node takes them for busy until its timeout for headers, and closing would wait for that.
 */
export function dropUnusedConnections(app: FastifyInstance): void {
  const unused = new Set<Socket>();
  app.server.on("connection", (socket: Socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  app.addHook("onRequest", async ({ raw }) => void unused.delete(raw.socket));
  app.addHook("preClose", async () => {
    for (const socket of unused) socket.destroy();
  });
}
