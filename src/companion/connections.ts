import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/**
 * Lets the companion close as soon as all that it was asked is answered, and no sooner. Browsers open connections ahead
 * of need and keep others: Node takes them for busy until its timeouts. And of the two addresses that localhost may have,
 * the framework waits for the first one's answers only.
 */
export function endConnections(app: FastifyInstance): void {
  const unused = new Map<string, Socket>();
  const answers = new Set<ServerResponse>();
  let tellAnswered: (() => void) | undefined;
  app.server.on("connection", (socket: Socket) => {
    const peer = toPeer(socket);
    unused.set(peer, socket);
    socket.once("close", () => unused.get(peer) === socket && unused.delete(peer));
  });
  const end = (answer: ServerResponse) => {
    if (answers.delete(answer) && answers.size === 0) tellAnswered?.();
  };
  app.addHook("onRequest", async ({ raw }, { raw: answer }) => {
    unused.delete(toPeer(raw.socket));
    answers.add(answer);
    // Only the latter comes when the client has gone.
    for (const event of ["finish", "close"]) answer.once(event, () => end(answer));
  });
  app.addHook("onSend", async (_request, reply) => void (tellAnswered && reply.header("connection", "close")));
  app.addHook("preClose", async () => {
    const answered = new Promise<void>((resolve) => {
      tellAnswered = resolve;
    });
    for (const socket of unused.values()) socket.destroy();
    app.server.close();
    if (answers.size > 0) await answered;
  });
}

/** By https a request names another socket than the connection did, with the same peer. */
const toPeer = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
