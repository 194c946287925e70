import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { FastifyInstance } from "fastify";
import { createCompanion } from "../../src/companion/companion";
import { startCompanion } from "../support/companion";
import { createPages } from "./pages-folder";
import { readPort } from "./raw-request";
import { createConfiguration } from "./test-configuration";

/** Node's own timeouts close such a connection only after ten seconds or more. */
const BEFORE_NODE_MS = 5_000;

it(
  "closes at once even if a browser holds an unused connection",
  async () => {
    const companion = await startCompanion();
    const socket = connect(Number(new URL(companion.origin).port), "127.0.0.1");
    await once(socket, "connect");
    await fetch(`${companion.origin}/companion/config`); // accepted after the unused one, so that one is accepted too
    const closed = once(socket, "close");
    socket.resume();
    await companion.close();
    await closed;
  },
  BEFORE_NODE_MS,
);

describe("a companion with all connections open", () => {
  const MOST = 20;
  let app: FastifyInstance;
  let sockets: Socket[];
  /** Releases the pending requests. */
  let release: () => void;

  beforeEach(async () => {
    app = await createCompanion({ configuration: createConfiguration(), webFolder: createPages() });
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    app.get("/slow", async () => held.then(() => ({ status: "ok" })));
    app.server.maxConnections = MOST;
    await app.listen({ host: "127.0.0.1", port: 0 });
    sockets = [];
  });
  afterEach(async () => {
    release();
    for (const socket of sockets) socket.destroy();
    await app.close();
  });

  async function open(): Promise<Socket> {
    const socket = connect(readPort(app), "127.0.0.1");
    sockets.push(socket);
    socket.on("error", () => {}); // closed in favour of another one
    await once(socket, "connect");
    return socket;
  }

  const send = (socket: Socket, path: string) => socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);

  /** Reads the beginning of an answer, or nothing if the connection is closed. */
  const read = (socket: Socket): Promise<string> =>
    new Promise((resolve) => {
      socket.once("data", (part) => resolve(part.toString().slice(0, 15)));
      socket.once("close", () => resolve(""));
    });

  async function sendOnNewConnection(): Promise<string> {
    const socket = await open();
    const answer = read(socket);
    send(socket, "/healthz");
    return answer;
  }

  it("answers a new connection, whether the others are used or not", async () => {
    for (let count = 0; count < MOST / 2; count += 1) expect(await sendOnNewConnection()).toBe("HTTP/1.1 200 OK");
    for (let count = 0; count < MOST; count += 1) await open();
    for (let count = 0; count < MOST; count += 1) expect(await sendOnNewConnection()).toBe("HTTP/1.1 200 OK");
  });

  it(
    "ends the connection idle for the longest, and none with a request under way",
    async () => {
      const waiting = await open();
      const answer = read(waiting);
      send(waiting, "/slow");
      const first = await open();
      const ended = once(first, "close");
      first.resume();
      const second = await open();
      expect(await sendOnNewConnection()).toBe("HTTP/1.1 200 OK");
      while (sockets.filter(({ destroyed }) => !destroyed).length < MOST) await open();
      await ended;
      expect(second.destroyed).toBe(false);
      release();
      expect(await answer).toBe("HTTP/1.1 200 OK");
    },
    BEFORE_NODE_MS,
  );
});
