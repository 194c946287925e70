import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/**
 * Drops, when the companion closes, the connections on which no request ever came, and each other one after its answer.
 * Browsers open some ahead of need and keep the rest; Node takes them for busy until its timeouts, and closing would wait for that.
 */
export function dropUnusedConnections(app: FastifyInstance): void {
  const unused = new Map<string, Socket>();
  let isClosing = false;
  app.server.on("connection", (socket: Socket) => {
    const peer = toPeer(socket);
    unused.set(peer, socket);
    socket.once("close", () => unused.get(peer) === socket && unused.delete(peer));
  });
  app.addHook("onRequest", async ({ raw }) => void unused.delete(toPeer(raw.socket)));
  app.addHook("onSend", async (_request, reply) => void (isClosing && reply.header("connection", "close")));
  // An answer that was under way when closing began has promised the client to keep the connection.
  app.addHook("onResponse", async ({ raw }) => void (isClosing && raw.socket.end()));
  app.addHook("preClose", async () => {
    isClosing = true;
    for (const socket of unused.values()) socket.destroy();
  });
}

/** By https a request names another socket than the connection did, with the same peer. */
const toPeer = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
