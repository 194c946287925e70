import dns from "node:dns";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, isIP, type Socket } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { connect as connectSecurely } from "node:tls";
import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import fastify, { type FastifyInstance } from "fastify";
import { type Address, createAddress, toOrigin, toOwnOrigin } from "../../src/companion/address";
import type { Certificate } from "../../src/companion/certificate";
import { createCompanion } from "../../src/companion/companion";
import { endConnections } from "../../src/companion/connections";
import { closeGently, listen, toClosing } from "../../src/companion/listener";
import { createGate } from "../firm/shared/shared-reads-world";
import { readTestCertificate } from "../support/certificate";
import { itOnLinux } from "../support/posix";
import { until } from "../support/until";
import HOSTS from "./address-hosts.json";
import { createPages } from "./pages-folder";
import { SAMPLE_CLIENT } from "./paired-companion";
import { readPort } from "./raw-request";
import { createConfiguration } from "./test-configuration";

const IN_FLIGHT = 20;
const SECOND = "127.0.0.2";
let certificate: Certificate;

beforeAll(async () => {
  certificate = await readTestCertificate();
});
afterEach(() => void jest.restoreAllMocks());

/** A server whose answers wait until the test releases them. */
async function startGated(scheme: string, host = "127.0.0.1") {
  const { opened: gate, open } = createGate();
  const https = scheme === "https" ? { cert: certificate.cert, key: certificate.key } : null;
  const app = fastify({ https }) as unknown as FastifyInstance;
  endConnections(app);
  app.get("/whole", async () => {
    await gate;
    return "answered";
  });
  app.get("/begun", async (_request, reply) => reply.send(Readable.from(createParts(gate))));
  await listen(app, createConfiguration(undefined, { host }));
  return { app, open, port: (app.addresses() as AddressInfo[])[0]!.port };
}

async function* createParts(gate: Promise<void>) {
  yield "begun, ";
  await gate;
  yield "answered";
}

async function connectTo(port: number, scheme = "http", host = "127.0.0.1"): Promise<Socket> {
  const socket = scheme === "http" ? connect(port, host) : connectSecurely({ port, host, ca: certificate.authority });
  await once(socket, scheme === "http" ? "connect" : "secureConnect");
  return socket;
}

/** Waits until the port is closed. */
const seeRefused = (port: number) =>
  until(() =>
    connectTo(port).then(
      (socket) => void socket.destroy(),
      ({ code }: NodeJS.ErrnoException) => code === "ECONNREFUSED",
    ),
  );

const send = (socket: Socket, path: string) => socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);

describe("the companion's shutdown", () => {
  it.each([
    ["/whole", "https"],
    ["/begun", "http"],
  ])("answers %s by %s to all earlier callers, to none later, and closes connections", async (path, scheme) => {
    const { app, open, port } = await startGated(scheme);
    const sockets = await Promise.all(Array.from({ length: IN_FLIGHT }, () => connectTo(port, scheme)));
    const answers = sockets.map((socket) => text(socket));
    for (const socket of sockets) send(socket, path);
    const closed = closeGently(app);
    await seeRefused(port);
    open();
    await closed;
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*answered/);
      if (path === "/whole") expect(answer).toMatch(/\r\nconnection: close\r\n/i);
    }
  });

  itOnLinux("waits for answers on both addresses of localhost", async () => {
    // Not every machine has a second address for localhost.
    jest.spyOn(dns, "lookup").mockImplementation(lookUpTwo as typeof dns.lookup);
    const { app, open, port } = await startGated("http", "localhost");
    const socket = await connectTo(port, "http", SECOND);
    const answer = text(socket);
    send(socket, "/whole");
    const closed = closeGently(app).then(() => "closed");
    await seeRefused(port);
    expect(await Promise.race([closed, new Promise((resolve) => setImmediate(resolve, "waiting"))])).toBe("waiting");
    open();
    expect([await closed, await answer]).toEqual(["closed", expect.stringMatching(/answered$/)]);
  });

  it("does not wait for an answer whose caller has left", async () => {
    const { app, port } = await startGated("http");
    const socket = await connectTo(port);
    send(socket, "/whole");
    await once(app.server, "request");
    socket.destroy();
    await closeGently(app);
    expect(app.server.listening).toBe(false);
  });
});

describe("the companion's connections", () => {
  const MOST = 20;
  /** Node's own timeouts close such a connection only after ten seconds or more. */
  const BEFORE_NODE_MS = 5_000;
  const OK = "HTTP/1.1 200 OK";
  const pages = createPages();
  let app: FastifyInstance;
  let sockets: Socket[];
  let release: () => void;

  beforeEach(async () => {
    const gate = createGate();
    release = gate.open;
    app = await createCompanion({
      ...{ configuration: createConfiguration(), webFolder: pages, sample: { client: SAMPLE_CLIENT } },
    });
    app.get("/slow", async () => gate.opened.then(() => ({ status: "ok" })));
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
    const socket = await connectTo(readPort(app));
    sockets.push(socket);
    return socket.on("error", () => {}); // closed in favour of another one
  }

  /** Reads the beginning of an answer, or nothing if the connection is closed. */
  const read = (socket: Socket): Promise<string> =>
    new Promise((resolve) => {
      socket.once("data", (part) => resolve(part.toString().slice(0, OK.length)));
      socket.once("close", () => resolve(""));
    });

  async function sendOnNewConnection(): Promise<string> {
    const socket = await open();
    const answer = read(socket);
    send(socket, "/healthz");
    return answer;
  }

  it(
    "are closed at once with it, even if a browser holds an unused one",
    async () => {
      const unused = await open();
      expect(await sendOnNewConnection()).toBe(OK); // accepted after the unused one, so that one is accepted too
      const closed = once(unused, "close");
      unused.resume();
      await app.close();
      await closed;
    },
    BEFORE_NODE_MS,
  );

  it("leave place for a new one, whether the others are used or not", async () => {
    for (let count = 0; count < MOST / 2; count += 1) expect(await sendOnNewConnection()).toBe(OK);
    for (let count = 0; count < MOST; count += 1) await open();
    for (let count = 0; count < MOST; count += 1) expect(await sendOnNewConnection()).toBe(OK);
  });

  it(
    "are ended from the one idle for the longest on, and none with a request under way",
    async () => {
      const waiting = await open();
      const answer = read(waiting);
      send(waiting, "/slow");
      const first = await open();
      const ended = once(first, "close");
      first.resume();
      const second = await open();
      expect(await sendOnNewConnection()).toBe(OK);
      while (sockets.filter(({ destroyed }) => !destroyed).length < MOST) await open();
      await ended;
      expect(second.destroyed).toBe(false);
      release();
      expect(await answer).toBe(OK);
    },
    BEFORE_NODE_MS,
  );
});

describe("the companion's end by a signal", () => {
  const of = (settings: Parameters<typeof createConfiguration>[1] = {}) =>
    toClosing(createConfiguration(undefined, settings));

  it("waits ten seconds for the answers of one person's companion, and 150 for those of a firm's", () => {
    expect(of().delay).toBe(10_000);
    expect(of({ origins: ["https://feed.example.com"] }).delay).toBe(150_000);
  });

  it("comes after that time, whether or not all are answered", async () => {
    const closings: object[] = [];
    const close = (closing: object) => {
      closings.push(closing);
      return { close() {} };
    };
    await jest.isolateModulesAsync(async () => {
      jest.doMock("close-with-grace", () => close);
      const { closeOnSignal } = await import("../../src/companion/listener");
      closeOnSignal(fastify() as unknown as FastifyInstance, createConfiguration());
    });
    expect(closings).toMatchObject([of()]);
  });

  it("leaves fatal signals to Node, and SIGHUP to a companion that reloads its settings by it", () => {
    expect(of().skip).toEqual(["SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGSEGV"]);
    const reload = () => {};
    process.on("SIGHUP", reload);
    expect(of().skip).toContain("SIGHUP");
    process.off("SIGHUP", reload);
  });
});

function lookUpTwo(name: string, ...rest: unknown[]): void {
  const done = rest.at(-1) as (error: null, ...found: unknown[]) => void;
  const addresses = name === "localhost" ? ["127.0.0.1", SECOND] : [name];
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  if ((rest[0] as dns.LookupOptions).all) done(null, found);
  else done(null, found[0]?.address, found[0]?.family);
}

const ORIGINS = ["https://feed.example.com", "https://feed.example.com:8443", "http://localhost:8080"];

const createTestAddress = (settings: { host?: string; port?: number } = {}, scheme: Address["scheme"] = "http") =>
  createAddress(createServer(), { host: "localhost", port: 3000, origins: ORIGINS, ...settings }, scheme);

describe("the companion's address", () => {
  it.each(Object.entries(HOSTS.own))("gives pages under the host %s their origin", (host, origin) => {
    expect(toOwnOrigin(host, createTestAddress())).toBe(origin);
  });

  it.each([undefined, ...HOSTS.rejected])("rejects the host %j", (host) => {
    expect(toOwnOrigin(host, createTestAddress())).toBeUndefined();
  });

  it.each(HOSTS.defaultPorts)("omits $scheme's default port: $host at $port", ({ scheme, port, host, origin }) => {
    expect(toOwnOrigin(host, createTestAddress({ port }, scheme as Address["scheme"]))).toBe(origin);
  });

  it("is the loopback address that the companion listens on", () => {
    const address = createTestAddress({ host: "127.0.0.2" });
    expect(toOrigin(address)).toBe("http://127.0.0.2:3000");
    expect(toOwnOrigin("127.0.0.2:3000", address)).toBe("http://127.0.0.2:3000");
  });

  it("has the port that the system gave, once the companion listens on any free one", async () => {
    const server = createServer();
    const address = createAddress(server, { host: "localhost", port: 0, origins: [] }, "http");
    expect(toOwnOrigin("localhost:0", address)).toBe("http://localhost:0");
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    expect(toOwnOrigin(`localhost:${port}`, address)).toBe(`http://localhost:${port}`);
    expect(toOwnOrigin("localhost:0", address)).toBeUndefined();
    server.close();
  });

  it("is localhost if the companion listens on a network", () => {
    const address = createTestAddress({ host: "0.0.0.0" });
    expect(toOrigin(address)).toBe("http://localhost:3000");
    expect(toOwnOrigin("0.0.0.0:3000", address)).toBeUndefined();
  });
});
