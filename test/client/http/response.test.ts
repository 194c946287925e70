import { Readable } from "node:stream";
import { afterEach, describe, expect, it } from "@jest/globals";
import { parseJson, readReply } from "../../../src/client/http/response";
import type { Feed } from "../../../src/feed/feed";
import type { Query } from "../../../src/feed/query-cache";
import { ASSERTION_PATH, awaitAnswer, type FeedOnServer, startFeedOn, TOKEN_PATH } from "../../support/feed";
import type { Received } from "../../support/http-server";
import { createWire, HTML, OK, readWhole } from "../wire";
import CASES from "./response.json";

const readBytes = (hex: string, charset: string, status = 200) => {
  const headers = { "content-type": `application/json; charset=${charset}` };
  return readWhole(new Response(Buffer.from(hex, "hex"), { status, headers }));
};

describe("an answer's text", () => {
  it.each(CASES.charsets as [string, string, string][])("is read in %s: %s", async (charset, name, hex) => {
    expect((await readBytes(hex, charset)).body).toEqual({ name });
  });

  it.each(CASES.notOfTheirCharset as [string, string][])("that is not %s is malformed: %s", async (charset, hex) => {
    await expect(readBytes(hex, charset)).rejects.toMatchObject({ code: "FEED_RESPONSE_MALFORMED" });
  });

  it.each(["ISO-8859-1", "us-ascii", "windows-1252", "utf8mb4", "'utf-8'", "utf-8, application/json"])(
    "is UTF-8 where it is written so, though %s is declared",
    async (charset) => {
      const hex = Buffer.from('{"name":"ソニー"}').toString("hex");
      expect((await readBytes(hex, charset)).body).toEqual({ name: "ソニー" });
    },
  );

  it("that is not of its charset keeps the error's status", async () => {
    await expect(readBytes("7bff22", "x-unknown", 503)).rejects.toMatchObject({ code: "FEED_SERVER_FAILED" });
  });

  it("that ends within a letter was cut off", async () => {
    const hex = Buffer.from('{"name":"株').toString("hex").slice(0, -2);
    await expect(readBytes(hex, "utf-8")).rejects.toMatchObject({ code: "FEED_NETWORK_FAILED" });
  });
});

describe("a refused request", () => {
  const wire = createWire();
  const { startWith, send, fail } = wire;
  afterEach(() => wire.server.close());
  /** The message of a refusal with a text, for a request with a secret. */
  const failWith = async (secret: string, message: string) => {
    await startWith([{ status: 403, json: { error: { message } } }]);
    const url = `${wire.server.url}/x`;
    const sent = wire.http.send(async () => ({ method: "GET", url, headers: {}, secrets: [secret] }));
    return sent.then(String, (error) => error.message);
  };

  const STATUSES = CASES.statuses as [number, string, number][];
  it.each(STATUSES)("with %p is %s after %p attempts", async (status, code, tries) => {
    await startWith([{ status, json: {} }]);
    expect(await fail()).toMatchObject({ code, facts: { status } });
    expect(wire.server.requests).toHaveLength(tries);
    expect(wire.clock.timers()).toBe(0);
  });

  it("with a passing failure is answered by the next attempt", async () => {
    await startWith([{ status: 503, json: {} }, { status: 429, json: {} }, OK]);
    expect((await send()).body).toEqual({ fine: true });
  });

  const SHAPES = CASES.shapes as [string, unknown, string | null, string | null][];
  it.each(SHAPES)("in %s shape carries the provider's details", async (_, json, said, traceId) => {
    await startWith([{ status: 400, json }]);
    const error = await fail();
    const end = said === null ? "; check the arguments" : ` (${said}); correct what it names`;
    expect(error.message).toBe(`the provider refused the request with 400${end}`);
    expect(error.facts).toMatchObject(traceId === null ? { status: 400 } : { status: 400, traceId });
    expect(error.facts.said ?? null).toBe(said);
  });

  it("does not repeat a token or an assertion that the provider quotes", async () => {
    const jwt = `${"h".repeat(30)}.${"p".repeat(40)}.${"s".repeat(50)}`;
    const message = `token opaque~1 and ${jwt} lack a scope`;
    expect(await failWith("opaque~1", message)).toBe(
      "this client may not read that (token … and … lack a scope); ask the provider",
    );
  });

  it.each([
    ["encoded for an address", (secret: string) => encodeURIComponent(secret)],
    ["in lower case", (secret: string) => secret.toLowerCase()],
    ["in part", (secret: string) => secret.slice(5, 25)],
    ["in base64", (secret: string) => btoa(secret)],
    ["in part, with more around it", (secret: string) => `"${secret.slice(0, 30)}",`],
  ])("does not repeat a token %s, but keeps a company's id", async (_, disguise) => {
    const secret = "Abc~DEF+123/ghi=JKL456mnoPQR789stuVWX";
    const id = "3d1ce6e7-7fd1-463c-ab13-8646d111213d";
    expect(await failWith(secret, `${disguise(secret)} lacks ${id}`)).toBe(
      `this client may not read that (… lacks ${id}); ask the provider`,
    );
  });

  it("to a companion that does not answer is the companion's failure", async () => {
    await startWith([OK]);
    const url = "http://127.0.0.1:1/x";
    const sent = wire.http.send(async () => ({ method: "GET", url, headers: {}, isToCompanion: true }));
    await expect(sent).rejects.toMatchObject({ code: "FEED_SIGNER_UNREACHABLE" });
  });

  it.each([
    ["HTML", { text: "<h1>Bad gateway</h1>", headers: HTML }],
    ["nothing", { text: "" }],
  ])("with %s is described by its status", async (_, body) => {
    await startWith([{ status: 502, ...body }]);
    expect((await fail()).message).toBe("the provider failed with 502; refresh later");
  });

  it("is quoted in 200 characters at most, trace id included", async () => {
    await startWith([{ status: 400, json: { error: { message: "m ".repeat(5_000), traceId: "t ".repeat(5_000) } } }]);
    const { message, facts } = await fail();
    expect(message).toHaveLength("the provider refused the request with 400 (); correct what it names".length + 201);
    expect(facts.traceId).toHaveLength(201);
  });
});

const DAY = { start: "2026-01-01T00:00:00", end: "2026-01-01T23:59:59" };
const ALL = { country: "ALL", companyType: "ALL" };

/** A query for each shape of answer. */
const QUESTIONS: Record<string, (feed: Feed) => Query<unknown>> = {
  "a company": ({ companies }) => companies.query("a"),
  "a company's classifications": ({ taxonomies }) => taxonomies.query({ companyId: "a" }),
  "a company's financials": ({ financials }) => financials.query({ companyId: "a" }),
  "the company of a number": ({ companies }) => companies.queryId({ registrationNumber: "7" }),
  "a list of companies": ({ companies }) => companies.querySearch({ country: "ALL" }, 5),
  "the tree": ({ taxonomies }) => taxonomies.queryTree(),
  "a list of classified companies": ({ taxonomies }) => taxonomies.queryUniverse(ALL, 5),
  "the companies of a node": ({ taxonomies }) => taxonomies.queryConstituentsOf("sector:1", ALL, false, 5),
  "a ranking": ({ rankings }) => rankings.queryCompanies(DAY, 5),
};

const ERROR = { error: { code: "TEMPORARY", message: "try later", traceId: "t-9" } };
const MALFORMED = { code: "FEED_RESPONSE_MALFORMED" };

describe("an error body with status 200", () => {
  let running: FeedOnServer;
  afterEach(() => running.close());
  const start = async (toJson: (request: Received) => unknown) => {
    running = await startFeedOn((request) =>
      [ASSERTION_PATH, TOKEN_PATH].includes(request.path) ? undefined : { json: toJson(request) },
    );
    return running.feed;
  };

  it.each(Object.keys(QUESTIONS))("is malformed in place of %s, with its message", async (name) => {
    const query = QUESTIONS[name]!;
    const failed = async (json: unknown) => {
      const feed = await start(() => json);
      const error = await awaitAnswer(feed, query(feed)).catch((thrown) => thrown);
      await running.close();
      return error;
    };
    const failure = { message: expect.stringContaining("(try later); refresh later"), facts: { traceId: "t-9" } };
    expect(await failed(ERROR)).toMatchObject({ ...MALFORMED, ...failure });
    expect(await failed({})).toMatchObject(MALFORMED);
    expect(await failed({ error: "temporary" })).toMatchObject(MALFORMED);
  });

  it("does not repeat a token that it quotes", async () => {
    const feed = await start(({ headers }) => ({ error: { message: `bad ${headers.authorization}` } }));
    const error = await awaitAnswer(feed, feed.companies.query("a")).catch((thrown) => thrown);
    expect(error.message).toBe("the provider answered with an error in place of data (bad Bearer …); refresh later");
  });
});

/** Parses a text, and lists what happened. */
async function parse(text: string) {
  const steps: string[] = [];
  const pending = parseJson(text, async () => void steps.push("pause"));
  pending.then(() => steps.push("value"));
  return { value: await pending, steps };
}

const toText = (rows: number) => JSON.stringify({ data: Array(rows).fill({ name: "company ".repeat(100) }) });

describe("an answer's JSON", () => {
  it("is parsed at once where it is short", async () => {
    expect(await parse('{"data":[]}')).toEqual({ value: { data: [] }, steps: ["value"] });
  });

  it("is parsed between two pauses where it is long", async () => {
    const text = toText(1_000);
    expect(await parse(text)).toEqual({ value: JSON.parse(text), steps: ["pause", "pause", "value"] });
  });

  it.each(["{", `${toText(1_000)},`])("is undefined where it is invalid", async (text) => {
    expect((await parse(text)).value).toBeUndefined();
  });
});

it("a long body is read with a pause before so much of it has come in one task that people notice", async () => {
  const rows = Array.from({ length: 1_000 }, (_, at) => ({ at, name: "company ".repeat(100) }));
  const bytes = new TextEncoder().encode(JSON.stringify({ data: rows }));
  const inTask: number[] = [0];
  const receive = (count: number) => void inTask.push(inTask.pop()! + count);
  const pause = async () => void inTask.push(0);
  const chunks = Array.from({ length: bytes.length / 65_536 + 1 }, (_, at) =>
    bytes.subarray(at * 65_536, (at + 1) * 65_536),
  );
  const stream = Readable.toWeb(Readable.from(chunks)) as ReadableStream<Uint8Array>;
  const { body } = await readReply(new Response(stream), 0, [], false, receive, pause);
  expect(body).toEqual({ data: rows });
  expect(Math.max(...inTask)).toBeLessThan(500_000);
});
