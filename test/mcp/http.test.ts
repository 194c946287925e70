import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { sendRaw } from "../companion/raw-request";
import { type FirmOfAgents, startFirmOfAgents } from "./agents";

const METADATA = "/.well-known/oauth-protected-resource";
const ROLES = {
  everything: { families: ["companies", "financials", "taxonomies", "rankings"], countries: "ALL" },
  rankings: { families: ["rankings"], countries: "ALL" },
} as const;

let firm: FirmOfAgents;
let port: number;

beforeAll(async () => {
  firm = await startFirmOfAgents({ roles: ROLES });
  port = Number(new URL(firm.origin).port);
});
afterAll(() => firm.close());

const accept = "application/json, text/event-stream";
const post = (headers: Record<string, string>, message: object = { jsonrpc: "2.0", id: 1, method: "ping" }) =>
  sendRaw(port, "POST", "/mcp", { accept, "content-type": "application/json", ...headers }, JSON.stringify(message));
const authorise = async (person = "ada") => ({
  authorization: `Bearer ${await firm.issuer.issue(person, ["everything"])}`,
});

describe("an agent without a token of the firm's identity provider", () => {
  it.each([
    ["none", undefined, ""],
    ["one that is not signed by it", "Bearer e30.e30.e30", ', error="invalid_token"'],
    ["another kind of credentials", "Basic YTpi", ', error="invalid_token"'],
  ])("learns where to get one: %s", async (_what, authorization, error) => {
    const { status, headers } = await post(authorization === undefined ? {} : { authorization });
    expect(status).toBe(401);
    expect(headers["www-authenticate"]).toBe(
      `Bearer resource_metadata="http://localhost:${port}${METADATA}/mcp", scope="feed.read"${error}`,
    );
  });

  it.each([`${METADATA}/mcp`, METADATA])("reads at %s who gives them, and what for", async (path) => {
    const answer = await fetch(firm.origin + path);
    expect(await answer.json()).toEqual({
      resource: firm.url,
      resource_name: "FEED for Excel",
      authorization_servers: [firm.issuer.url],
      scopes_supported: ["feed.read"],
      bearer_methods_supported: ["header"],
    });
  });
});

describe("a request to /mcp with a good token", () => {
  it.each([
    ["a rebound DNS name", { host: "evil.example.com" }, 421],
    ["a page of another site", { origin: "https://evil.example.com" }, 403],
    ["a page of another site that sends no Origin", { "sec-fetch-site": "cross-site" }, 403],
  ])("is refused from %s", async (_from, headers, status) => {
    expect((await post({ ...(await authorise()), ...headers })).status).toBe(status);
  });

  it("is refused with two Host headers", async () => {
    const { authorization } = await authorise();
    const own = `localhost:${port}`;
    for (const hosts of [`${own}\r\nHost: evil.example`, `evil.example\r\nHost: ${own}`]) {
      const socket = connect(port, "127.0.0.1");
      socket.write(
        `GET /mcp HTTP/1.1\r\nHost: ${hosts}\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`,
      );
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 .*more than one Host header/s);
    }
  });

  it("is refused with a body above 256 KB", async () => {
    const long = { jsonrpc: "2.0", id: 1, method: "ping", params: { text: "a".repeat(256 * 1024) } };
    expect((await post(await authorise(), long)).status).toBe(413);
  });
});

describe("a session", () => {
  it("is as unknown to another person as one that never was", async () => {
    const ada = await firm.connect("ada");
    const strange = await authorise("ben");
    const [others, none] = await Promise.all(
      [ada.session, "none"].map((session) => post({ ...strange, "mcp-session-id": session })),
    );
    expect(others).toMatchObject({ status: 404, body: none!.body });
    expect(none!.status).toBe(404);
    expect(await ada.ping()).toEqual({});
    await ada.close();
  });

  it("asks the person on the stream of the call, so that a client needs no other one", async () => {
    const headers = { ...(await authorise()), accept, "content-type": "application/json" };
    const send = (message: object, session = {}) =>
      fetch(firm.url, {
        method: "POST",
        headers: { ...headers, ...session },
        body: JSON.stringify({ jsonrpc: "2.0", ...message }),
      });
    const client = { capabilities: { elicitation: {} }, clientInfo: { name: "test", version: "1" } };
    const params = { protocolVersion: "2025-06-18", ...client };
    const begun = await send({ id: 1, method: "initialize", params });
    await begun.text();
    const session = { "mcp-session-id": `${begun.headers.get("mcp-session-id")}` };
    await send({ method: "notifications/initialized" }, session);
    const call = { name: "get_rankings", arguments: { show: "trend", period: "2003-01:2023-12" } };
    const { body } = await send({ id: 2, method: "tools/call", params: call }, session);
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toMatch(/"elicitation\/create".*This takes about 252 requests/);
    await reader.cancel();
  });

  it("ends with its token, its stream too", async () => {
    const long = await authorise();
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const begun = await post(long, { jsonrpc: "2.0", id: 1, method: "initialize", params });
    const session = { "mcp-session-id": String(begun.headers["mcp-session-id"]) };
    // Half a minute between clocks is tolerated: it ends 4 seconds from now.
    const authorization = `Bearer ${await firm.issuer.issue("ada", ["everything"], "-26s")}`;
    const headers = { authorization, accept, ...session };
    const stream = await fetch(firm.url, { headers });
    expect(stream.status).toBe(200);
    await stream.text().catch(() => {}); // until its end, which cuts it
    expect((await fetch(firm.url, { headers })).status).toBe(401);
    expect((await post(headers)).status).toBe(401);
    expect((await post({ ...long, ...session })).status).toBe(200);
  });

  it("is the oldest of its person's to end where they begin an eleventh, and nobody else's", async () => {
    const ben = await firm.connect("ben");
    const own = [];
    for (let nth = 0; nth < 11; nth++) own.push(await firm.connect("ada"));
    const [oldest, next] = own as [typeof ben, typeof ben];
    expect((await post({ ...oldest.headers, "mcp-session-id": oldest.session })).status).toBe(404);
    expect(await Promise.all([next.ping(), ben.ping()])).toEqual([{}, {}]);
    await Promise.all([ben, ...own].map((agent) => agent.close()));
  });

  it("is unknown after its client has ended it", async () => {
    const ada = await firm.connect("ada");
    await ada.leave();
    expect((await post({ ...ada.headers, "mcp-session-id": ada.session })).status).toBe(404);
    await ada.close();
  });
});

describe("two people of different rights", () => {
  it("each read as their role allows, and the audit log names both", async () => {
    const [ada, ben] = await Promise.all([firm.connect("ada"), firm.connect("ben", ["rankings"])]);
    const read = (agent: typeof ada) =>
      agent.callTool({ name: "run_formula", arguments: { formula: "FEED.TAXONOMY()" } });
    const [allowed, refused] = await Promise.all([read(ada), read(ben)]);
    expect(allowed.isError).toBeUndefined();
    expect(refused).toMatchObject({ isError: true, structuredContent: { error: { code: "FEED_SCOPE_MISSING" } } });
    expect(JSON.stringify(refused)).not.toContain("Sector");
    const reads = readFileSync(firm.audit, "utf8")
      .split("\n")
      .flatMap((line) => (line.includes('"read"') ? [JSON.parse(line)] : []));
    const tree = { family: "taxonomies", operation: "getTaxonomyTree" };
    expect(reads).toContainEqual(expect.objectContaining({ ...tree, name: "ada", status: 200 }));
    expect(reads).toContainEqual(expect.objectContaining({ ...tree, name: "ben", status: 403 }));
    await Promise.all([ada.close(), ben.close()]);
  });

  it("are offered no tool that writes files", async () => {
    const ada = await firm.connect("ada");
    const { tools } = await ada.listTools();
    expect(tools.length).toBeGreaterThan(0);
    expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint)).toEqual([]);
    await ada.close();
  });
});
