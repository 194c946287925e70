import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { connect as connectSecurely } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fastify, { type FastifyInstance } from "fastify";
import { type Certificate, loadCertificate } from "../../src/companion/certificate";
import { closeGently, listen } from "../../src/companion/listener";
import { dropUnusedConnections } from "../../src/companion/unused-connections";
import { createConfiguration } from "./configured";

const IN_FLIGHT = 200;
const folder = mkdtempSync(join(tmpdir(), "feed-listener-"));
let certificate: Certificate;

beforeAll(async () => {
  certificate = (await loadCertificate(folder, Date.now())).certificate;
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A server whose answers end only when it closes. */
async function startGated(secure: boolean) {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const https = secure ? { cert: certificate.cert, key: certificate.key } : null;
  const app = fastify({ https }) as unknown as FastifyInstance;
  dropUnusedConnections(app);
  app.addHook("preClose", async () => open());
  app.get("/whole", async () => {
    await gate;
    return "answered";
  });
  app.get("/begun", async (_request, reply) => reply.send(Readable.from(createParts(gate))));
  await listen(app, createConfiguration());
  return { app, port: (app.addresses() as AddressInfo[])[0]!.port };
}

async function* createParts(gate: Promise<void>) {
  yield "begun, ";
  await gate;
  yield "answered";
}

async function connectTo(port: number, secure: boolean): Promise<Socket> {
  if (!secure) {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    return socket;
  }
  const socket = connectSecurely({ port, host: "127.0.0.1", ca: certificate.authority });
  await once(socket, "secureConnect");
  return socket;
}

describe("the companion's closing", () => {
  it.each([
    ["/whole", "http"],
    ["/whole", "https"],
    ["/begun", "http"],
    ["/begun", "https"],
  ])("answers %s by %s to all who asked before it, and lets every connection go", async (path, scheme) => {
    const secure = scheme === "https";
    const { app, port } = await startGated(secure);
    const sockets = await Promise.all(Array.from({ length: IN_FLIGHT }, () => connectTo(port, secure)));
    const answers = sockets.map((socket) => text(socket));
    for (const socket of sockets) socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await closeGently(app);
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*answered/);
      if (path === "/whole") expect(answer).toMatch(/\r\nconnection: close\r\n/i);
    }
    const refused = connect(port, "127.0.0.1");
    expect(await once(refused, "error")).toEqual([expect.objectContaining({ code: "ECONNREFUSED" })]);
  });
});
