import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/**
 * Closes the companion as soon as all requests are answered. Browsers open connections ahead of need and keep others,
 * which Node counts as busy until its timeouts. Of localhost's two addresses the framework waits for the first one's
 * answers only.
 */
export function endConnections(app: FastifyInstance): void {
  const connections = followConnections(app);
  const answers = new Set<ServerResponse>();
  let notifyAnswered: (() => void) | undefined;
  const end = (answer: ServerResponse) => {
    if (!answers.delete(answer)) return;
    connections.leave(answer.req.socket);
    if (answers.size === 0) notifyAnswered?.();
  };
  app.addHook("onRequest", ({ raw, routeOptions }, { raw: answer }, done) => {
    connections.enter(raw.socket);
    if (!routeOptions.config.isEndless) answers.add(answer);
    const endThis = () => end(answer);
    // Only "close" comes when the client has left.
    answer.once("finish", endThis).once("close", endThis);
    done();
  });
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (notifyAnswered !== undefined) reply.header("connection", "close");
    done();
  });
  app.addHook("preClose", async () => {
    const answered = new Promise<void>((resolve) => {
      notifyAnswered = resolve;
    });
    connections.endUnused();
    app.server.close();
    if (answers.size > 0) await answered;
  });
}

/** An open connection, by its peer. */
interface Connection {
  socket: Socket;
  /** Requests under way. */
  requests: number;
  isUsed: boolean;
}

/**
 * Tracks idle connections. At the limit the one that was idle longest is closed: otherwise a client with many open ones
 * would shut out everybody else until Node's timeouts.
 */
function followConnections({ server }: FastifyInstance) {
  // In the order in which they became idle.
  const open = new Map<string, Connection>();
  const endOldest = (newest: Socket) => {
    for (const { socket, requests } of open.values()) {
      if (requests === 0 && socket !== newest) return socket.destroy();
    }
    return undefined;
  };
  server.on("connection", (socket: Socket) => {
    const peer = toPeer(socket);
    open.set(peer, { socket, requests: 0, isUsed: false });
    socket.once("close", () => open.get(peer)?.socket === socket && open.delete(peer));
    if (open.size >= server.maxConnections) endOldest(socket);
  });
  return {
    enter(socket: Socket): void {
      const connection = open.get(toPeer(socket));
      if (connection === undefined) return;
      connection.requests += 1;
      connection.isUsed = true;
    },
    leave(socket: Socket): void {
      const peer = toPeer(socket);
      const connection = open.get(peer);
      if (connection === undefined) return;
      connection.requests -= 1;
      open.delete(peer);
      open.set(peer, connection);
    },
    endUnused(): void {
      for (const { socket, isUsed } of open.values()) if (!isUsed) socket.destroy();
    },
  };
}

/** The key of a connection: with https a request has another socket with the same peer. */
const toPeer = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
