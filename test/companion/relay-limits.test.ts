import { type RequestListener, request as sendRequest } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import fastify, { type FastifyInstance, LogController } from "fastify";
import { createProviderClock } from "../../src/companion/clock";
import { NO_FIRM } from "../../src/companion/configuration/firm";
import { answerRefusals } from "../../src/companion/refusal";
import { addRelay, type RelayOptions } from "../../src/companion/relay";
import { createProviderServer, type ProviderServer } from "./provider-server";
import { readPort, sendRaw } from "./raw-request";
import { createClient, createTestPairings, createTestStores } from "./test-configuration";

const COMPANY = "/asia/private-markets/v1/companies/company-1";
const TREE = "/asia/industry-taxonomies/v1/tree";
const MEGABYTE = 1024 * 1024;

let provider: ProviderServer;
let answer: RequestListener;
let app: FastifyInstance;
const lines: string[] = [];

/** The relay alone, without the companion API's guards. */
async function startRelay(options: Partial<RelayOptions> = {}): Promise<void> {
  app = fastify({
    logger: { level: "info", stream: { write: (line: string) => lines.push(line) } },
    logController: new LogController({ disableRequestLogging: true }),
  });
  answerRefusals(app);
  const baseUrl = () => `http://127.0.0.1:${provider.port}`;
  app.register(addRelay, {
    mode: "sign",
    clock: createProviderClock(Date.now),
    provider: () => ({ sample: false, baseUrl, client: createClient() }),
    stores: createTestStores(createTestPairings()),
    firm: () => NO_FIRM,
    ...options,
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  lines.length = 0; // the line that names the listening address
}

async function restart(options: Partial<RelayOptions>): Promise<void> {
  await app.close();
  await startRelay(options);
}

const send = (path: string, headers?: Record<string, string>) => sendRaw(readPort(app), "GET", path, headers);

beforeEach(async () => {
  answer = (_request, response) => response.end("[]");
  provider = await createProviderServer((request, response) => answer(request, response));
  await startRelay();
});
afterEach(async () => {
  await app.close();
  await provider.close();
});

describe("the relay", () => {
  it("passes on 64 MB whole, as they come", async () => {
    answer = (_request, response) => {
      response.writeHead(200, { "content-length": 64 * MEGABYTE });
      for (let part = 0; part < 64; part++) response.write(Buffer.alloc(MEGABYTE, "x"));
      response.end();
    };
    expect((await send(TREE)).body).toHaveLength(64 * MEGABYTE);
  });

  it("reports an answer announced as larger as too large", async () => {
    answer = (_request, response) => response.writeHead(200, { "content-length": 64 * MEGABYTE + 1 }).write("x");
    const { status, headers, body } = await send(TREE);
    expect([status, headers["feed-refusal"]]).toEqual([502, "FEED_SERVER_FAILED"]);
    expect(JSON.parse(body).error.message).toBe("The provider's answer is above 64 MB; ask for fewer rows.");
  });

  it.each<[what: string, head: object, said: string]>([
    ["headers with its length", { "content-length": 100 }, ""],
    ["headers with its packing", { "content-encoding": "gzip" }, ""],
    ["half of what is held until it is whole", { "content-length": 64 * 1024, "content-encoding": "gzip" }, "half"],
  ])("reports an answer that breaks off after %s", async (_what, head, said) => {
    answer = (_request, response) => {
      response.writeHead(200, { ...head }).flushHeaders();
      response.write(said, () => setImmediate(() => response.socket?.resetAndDestroy()));
    };
    const { status, headers, body } = await send(TREE);
    expect([status, headers["feed-refusal"], headers["content-encoding"]]).toEqual([
      502,
      "FEED_NETWORK_FAILED",
      undefined,
    ]);
    expect(JSON.parse(body).error.message).toContain("The provider could not be reached");
  });

  it.each<[kind: string, head: object]>([
    ["of unknown length", {}],
    ["too large to be held", { "content-length": 64 * 1024 + 1 }],
  ])("breaks off its own answer when the provider's does, which is %s", async (_kind, head) => {
    answer = (_request, response) => {
      response.writeHead(200, { ...head });
      response.write("half", () => response.destroy());
    };
    await expect(send(TREE)).rejects.toThrow();
  });

  it("breaks off an answer that grows too large unannounced", async () => {
    answer = (_request, response) => {
      for (let part = 0; part < 65; part++) response.write(Buffer.alloc(MEGABYTE, "x"));
      response.end();
    };
    await expect(send(TREE)).rejects.toThrow();
  });

  it("gives up an answer that trickles beyond the total time", async () => {
    await restart({ totalMs: 200 });
    const gone = new Promise((resolve) => {
      answer = (_request, response) => {
        const drip = setInterval(() => response.write("x"), 10);
        response.on("close", () => resolve(clearInterval(drip)));
      };
    });
    await expect(send(TREE)).rejects.toThrow();
    await gone;
  });

  it("gives up an answer that does not start within the total time", async () => {
    await restart({ totalMs: 20 });
    answer = () => {};
    const { status, headers } = await send(TREE);
    expect([status, headers["feed-refusal"]]).toEqual([504, "FEED_TIMED_OUT"]);
  });

  it.each(["before the answer", "in the middle of it"])(
    "cancels the provider's request when the caller leaves %s",
    async (when) => {
      const caller = sendRequest({ host: "127.0.0.1", port: readPort(app), path: TREE });
      caller.on("error", () => {});
      const closed = new Promise((resolve) => caller.once("close", resolve));
      const gone = new Promise<void>((resolve) => {
        answer = (_request, response) => {
          response.on("close", resolve);
          if (when === "before the answer") caller.destroy();
          else response.write("half");
        };
      });
      caller.on("response", (response) => response.once("data", () => caller.destroy()).on("error", () => {}));
      caller.end();
      await gone;
      await closed;
      expect(provider.seen).toHaveLength(1);
    },
  );

  it("removes headers that mark its own refusals, whatever the status", async () => {
    for (const status of [200, 404, 503]) {
      answer = (_request, response) => response.writeHead(status, { "feed-refusal": "FEED_SERVER_FAILED" }).end("[]");
      const { headers } = await send(TREE);
      expect(headers["feed-refusal"]).toBeUndefined();
    }
  });
});

describe("the relay's log", () => {
  it("has a line for a failure alone: path without ids, status and trace id, no query, body or bearer", async () => {
    await send(`${COMPANY}`, { authorization: "Bearer secret-bearer-of-the-pane" });
    expect(lines).toEqual([]);
    answer = (_request, response) =>
      response.writeHead(404).end('{"error":{"code":"x","message":"secret-body","traceId":"trace-1"}}');
    await send(`/asia/private-markets/v1/financials/companies/company-1?year=2024`, {
      authorization: "Bearer secret-bearer",
    });
    expect(lines).toHaveLength(1);
    const { level, pairing, path, status, traceId } = JSON.parse(lines[0]!);
    expect({ level, pairing, path, status, traceId }).toEqual({
      level: 30,
      pairing: "sample",
      path: "/asia/private-markets/v1/financials/companies/{companyId}",
      status: 404,
      traceId: "trace-1",
    });
    for (const word of ["company-1", "2024", "secret"]) expect(lines[0]).not.toContain(word);
  });

  it.each([
    ["no JSON", "<html>"],
    ["an object", '{"error":{"traceId":{"a":1}}}'],
    ["a text of another kind", '{"traceId":"two words"}'],
    ["a long one", `{"traceId":"${"x".repeat(65)}"}`],
    ["the bearer", '{"traceId":"secret-bearer-of-the-pane"}'],
  ])("takes no trace id from %s", async (_what, body) => {
    answer = (_request, response) => response.writeHead(500).end(body);
    await send(TREE, { authorization: "Bearer secret-bearer-of-the-pane" });
    const { status, traceId } = JSON.parse(lines[0]!);
    expect([status, traceId]).toEqual([500, undefined]);
    expect(lines.join("")).not.toContain("secret-bearer");
  });

  it("has nothing of an answer that is no HTTP", async () => {
    answer = (_request, response) => response.socket?.end("HTTP/1.1 200 OK\r\nsecret body without a header\r\n\r\n");
    const { status, headers } = await send(TREE);
    expect([status, headers["feed-refusal"]]).toEqual([502, "FEED_NETWORK_FAILED"]);
    expect(lines.join("")).not.toContain("secret");
  });
});
