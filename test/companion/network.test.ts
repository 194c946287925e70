import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import type { RequestListener } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tls, { type ConnectionOptions } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { loadSkewMs } from "../../src/companion/clock";
import { readConfiguration } from "../../src/companion/configuration";
import { exchangeAssertion } from "../../src/companion/exchange";
import { createConnections, DIRECT, type Network, readBypass, readProxy } from "../../src/companion/network";
import { createUpstream } from "../../src/companion/relay/upstream";
import { HELD } from "../../src/contract/companion-api";
import { createTracing } from "../../src/firm/reporting/tracing";
import { createIdentityProvider } from "../../src/firm/sign-in/identity-provider";
import { runToEnd } from "./command-run";
import { COMPLETE, createFiles } from "./complete-settings";
import { startPaired } from "./paired-companion";
import { createProviderServer, type ProviderServer } from "./provider-server";
import ROWS from "./proxy-addresses.json";
import { makeCertificate, startProxy } from "./proxy-server";
import { toPattern } from "./sentence-pattern";
import { createConfiguration } from "./test-configuration";

const BASE_URL = "https://feed.example.com";
const TOKEN = JSON.stringify({ access_token: "token-1", expires_in: 300 });
const write = createFiles();
const BASIC = `Basic ${Buffer.from("ada:se@cret").toString("base64")}`;

let folder: string;
let certificate: ReturnType<typeof makeCertificate>;
let provider: ProviderServer;
let proxies: Awaited<ReturnType<typeof startProxy>>[];

const answer: RequestListener = ({ url }, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(url?.endsWith("/token") ? TOKEN : url?.includes("openid") ? JSON.stringify({ issuer: "x" }) : "[]");
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "feed-network-"));
  certificate = makeCertificate(folder, "Zscaler Root CA", "feed.example.com");
  provider = await createProviderServer(answer, certificate);
  proxies = [];
});
afterEach(async () => {
  provider.seen.length = 0;
  await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
});
afterAll(async () => {
  await provider.close();
  rmSync(folder, { recursive: true });
});

async function start(rules: Partial<Parameters<typeof startProxy>[0]> = {}) {
  const proxy = await startProxy({ port: provider.port, ...rules });
  proxies.push(proxy);
  return proxy;
}

/** Reads the network of an environment, beside the settings of a provider. */
const read = (environment: NodeJS.ProcessEnv): Network => readConfiguration({ ...COMPLETE, ...environment }).network;

const exchange = (network: Network, baseUrl = BASE_URL) =>
  exchangeAssertion(`${baseUrl}/token`, "client-1", "a.b.c", { network });

describe("a proxy's address", () => {
  it.each(ROWS.read as [string, string, string][])("is read with %s", (_what, text, expected) => {
    const proxy = readProxy("HTTPS_PROXY", text);
    const signs = proxy.authorization && Buffer.from(proxy.authorization.slice(6), "base64").toString();
    const { protocol, hostname, port } = proxy.url;
    const parts = [protocol.slice(0, -1), `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`, signs];
    expect(parts.filter((part) => part !== undefined).join(" ")).toBe(expected);
  });

  it.each(ROWS.refused as [string, string, string][])(
    "is refused without being repeated: %s",
    (_what, text, sentence) => {
      const read = () => readProxy("HTTPS_PROXY", text);
      expect(read).toThrow(expect.objectContaining({ message: expect.stringMatching(toPattern(sentence)) }));
      expect(read).not.toThrow(/secret|se\/cret/);
    },
  );

  it.each(ROWS.bypassed as [string, string, string, boolean][])(
    "is passed over by %s",
    (_what, list, url, isPassed) => {
      expect(readBypass(list)(new URL(url))).toBe(isPassed);
    },
  );
});

describe("the settings of the network", () => {
  it.each([
    ["HTTPS_PROXY", { HTTPS_PROXY: "http://one:1", HTTP_PROXY: "http://two:2" }, "one:1"],
    ["https_proxy", { https_proxy: "http://one:1", HTTPS_PROXY: "http://two:2" }, "one:1"],
    ["HTTP_PROXY, as with undici", { HTTP_PROXY: "http://one:1" }, "one:1"],
    ["http_proxy", { http_proxy: "one:1", no_proxy: "other.test" }, "one:1"],
    ["none where no_proxy names the provider", { HTTPS_PROXY: "http://one:1", no_proxy: "example.com" }, undefined],
    ["none where the value is empty", { HTTPS_PROXY: "" }, undefined],
    ["none where a broken one is not needed", { HTTPS_PROXY: "socks5://one:1", NO_PROXY: "*" }, undefined],
  ])("take %s", (_what, environment, place) => {
    expect(read(environment).pickProxy(new URL(BASE_URL))?.url.host).toBe(place);
  });

  it("come from a settings file too, which nobody else may read then", () => {
    const file = JSON.stringify({ HTTPS_PROXY: "http://ada:secret@one:1" });
    const own = write("network.json", file);
    expect(readConfiguration(COMPLETE, { own }).network.pickProxy(new URL(BASE_URL))).toMatchObject({
      name: "HTTPS_PROXY",
      authorization: expect.stringMatching(/^Basic /),
    });
    const open = write("open.json", file, 0o644);
    expect(() => readConfiguration(COMPLETE, { own: open })).toThrow(/Others on this machine may read/);
  });

  it.each([
    ["is missing", () => join(folder, "absent.pem"), /NODE_EXTRA_CA_CERTS: .*absent\.pem/],
    [
      "holds no certificate",
      () => certificate.path.replace(".pem", ".key"),
      /NODE_EXTRA_CA_CERTS: The file holds no certificate in PEM/,
    ],
  ])("refuse a file of authorities that %s", (_what, find, sentence) => {
    expect(() => read({ NODE_EXTRA_CA_CERTS: find() })).toThrow(sentence);
  });
});

describe("behind a proxy", () => {
  const trusting = (port: number) =>
    read({ HTTPS_PROXY: `http://127.0.0.1:${port}`, NODE_EXTRA_CA_CERTS: certificate.path });

  it.each<[string, (network: Network) => Promise<unknown>, unknown]>([
    ["the exchange", (network) => exchange(network), { ok: true }],
    ["the clock", async (network) => typeof (await loadSkewMs(`${BASE_URL}/token`, Date.now, network)), "number"],
    [
      "a relayed call",
      async (network) => {
        const upstream = createUpstream({ network });
        const request = { method: "GET", baseUrl: BASE_URL, path: "/x" } as const;
        const given = { authorization: undefined, contentType: undefined, body: undefined };
        const { statusCode, body } = await upstream.send({ ...request, ...given });
        await body.dump();
        await upstream.close();
        return { statusCode };
      },
      { statusCode: 200 },
    ],
    [
      "the identity provider",
      async (network) => {
        const identityProvider = createIdentityProvider(BASE_URL, network);
        const answer = await identityProvider.fetch(`${BASE_URL}/keys`, {});
        await identityProvider.close();
        return { status: answer.status };
      },
      { status: 200 },
    ],
    [
      "a collector of traces",
      async (network) => {
        const tracing = createTracing(`${BASE_URL}/v1/traces`, network, { info() {}, warn() {} });
        tracing.tracer.startSpan("feed.read").end();
        await tracing.close();
        return provider.seen[0];
      },
      { url: "/v1/traces" },
    ],
  ])("%s goes through it, by TLS to the server itself", async (_what, call, expected) => {
    const proxy = await start();
    const result = await call(trusting(proxy.port));
    expect(result).toEqual(typeof expected === "string" ? expected : expect.objectContaining(expected as object));
    expect([proxy.asked, provider.seen.length]).toEqual([["feed.example.com:443"], 1]);
  });

  it("a whole companion exchanges and reads through it, and this machine is never asked of it", async () => {
    const proxy = await start();
    const network = trusting(proxy.port);
    const configuration = createConfiguration(BASE_URL, { mode: "relay", network });
    const companion = await startPaired({ configuration });
    const tree = "/companion/relay/asia/industry-taxonomies/v1/tree";
    const { status } = await companion.send("GET", tree, { authorization: `Bearer ${HELD}` });
    await companion.app.close();
    await exchange(network, `https://localhost:${provider.port}`);
    expect([status, new Set(proxy.asked)]).toEqual([200, new Set(["feed.example.com:443"])]);
    expect(provider.seen.map(({ url }) => url)).toEqual(["/token", "/asia/industry-taxonomies/v1/tree"]);
  });

  it("goes through a proxy of https, whose certificate is checked too", async () => {
    mkdirSync(join(folder, "proxy"));
    const own = makeCertificate(join(folder, "proxy"), "Own CA", "localhost");
    const proxy = await start({ tls: own });
    const HTTPS_PROXY = `https://localhost:${proxy.port}`;
    expect(await exchange(read({ HTTPS_PROXY }))).toMatchObject({
      reason: expect.stringMatching(
        /: the proxy of HTTPS_PROXY \(localhost:\d+\): its certificate is not trusted here/,
      ),
      cure: expect.stringContaining("NODE_EXTRA_CA_CERTS"),
    });
    expect(proxy.asked).toEqual([]);
    const both = write("both.pem", own.cert + certificate.cert);
    expect(await exchange(read({ HTTPS_PROXY, NODE_EXTRA_CA_CERTS: both }))).toMatchObject({ ok: true });
  });

  it("signs in where the proxy wants it, and shows the password to nobody else", async () => {
    const proxy = await start({ wants: BASIC });
    const set = (user: string) =>
      read({ HTTPS_PROXY: `http://${user}127.0.0.1:${proxy.port}`, NODE_EXTRA_CA_CERTS: certificate.path });
    expect(await exchange(set("ada:se%40cret@"))).toMatchObject({ ok: true });
    expect(JSON.stringify(provider.seen)).not.toMatch(/proxy-authorization|cret/i);
    const results = [await exchange(set("")), await exchange(set("ada:secret@"))];
    expect(results).toMatchObject([
      { status: 0, reason: expect.stringMatching(/wants a name and a password \(407\)$/) },
      { status: 0, reason: expect.stringMatching(/does not take the name and password \(407\)$/) },
    ]);
    expect(JSON.stringify(results)).not.toContain("secret");
  });

  it.each([
    [{ refuses: 403 }, "refuses feed.example.com:443 (403)", "have who runs the proxy allow it"],
    [
      { refuses: 407, schemes: "Negotiate\r\nProxy-Authenticate: NTLM" },
      "wants a sign-in by Negotiate or NTLM (407)",
      "set HTTPS_PROXY to a helper",
    ],
    [{ refuses: 502 }, "does not get to feed.example.com:443 (502)", "ask who runs the proxy"],
    [{ refuses: 504 }, "does not get to feed.example.com:443 (504)", "ask who runs the proxy"],
    [{ refuses: 405 }, "answers as no proxy does (405)", "check the name and port in HTTPS_PROXY"],
    [{ refuses: 404 }, "answers as no proxy does (404)", "check the name and port in HTTPS_PROXY"],
    [{ refuses: 451 }, "refuses feed.example.com:443 (451)", "have who runs the proxy allow it"],
  ])("a refusal is named with its cure: %j", async (rules, sentence, cure) => {
    const proxy = await start(rules);
    expect(await exchange(trusting(proxy.port))).toMatchObject({
      status: 0,
      reason: `could not be reached: the proxy of HTTPS_PROXY (127.0.0.1:${proxy.port}) ${sentence}`.concat(
        sentence.endsWith("NTLM (407)") ? ", which this program has not" : "",
      ),
      cure: expect.stringContaining(cure),
    });
    expect(provider.seen).toEqual([]);
  });

  it.each<[string, (port: number) => string, RegExp, string]>([
    [
      "nothing listens at its port",
      () => "http://127.0.0.1:9",
      /does not answer \(ECONNREFUSED\)/,
      "check the name and port",
    ],
    [
      "its name leads nowhere",
      () => "http://proxy.invalid:8080",
      /does not answer \((ENOTFOUND|EAI_AGAIN)\)/,
      "check the name and port",
    ],
    [
      "https is written for http (requests #5843)",
      (port) => `https://127.0.0.1:${port}`,
      /speaks no https itself/,
      "write http:// before ",
    ],
    [
      "http is written for https",
      () => `http://127.0.0.1:${provider.port}`,
      /answers as no proxy does/,
      "http or https in HTTPS_PROXY",
    ],
  ])("a wrong address is named with its cure: %s", async (_what, toAddress, sentence, cure) => {
    const proxy = await start();
    const network = read({ HTTPS_PROXY: toAddress(proxy.port) });
    expect(await exchange(network)).toMatchObject({
      reason: expect.stringMatching(sentence),
      cure: expect.stringContaining(cure),
    });
  });
});

describe("a certificate of an authority that is not known", () => {
  const REASON =
    'could not be reached: its certificate of "Zscaler Root CA" is not trusted here (DEPTH_ZERO_SELF_SIGNED_CERT)';

  it("is named by its issuer, with the variable to set", async () => {
    const proxy = await start();
    const network = read({ HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` });
    expect(await exchange(network)).toMatchObject({
      reason: REASON,
      cure: expect.stringContaining("set NODE_EXTRA_CA_CERTS to a file"),
    });
    const identityProvider = createIdentityProvider(BASE_URL, network);
    await expect(identityProvider.discover()).rejects.toThrow(
      /^The identity provider could not be reached: its certificate of "Zscaler Root CA".*NODE_EXTRA_CA_CERTS/,
    );
    await identityProvider.close();
    expect(provider.seen).toEqual([]);
  });

  it("is refused whatever the environment says, the proxy's too", async () => {
    const proxy = await start({ tls: certificate });
    const connect = jest.spyOn(tls, "connect");
    const listChecks = () => connect.mock.calls.map(([options]) => (options as ConnectionOptions).rejectUnauthorized);
    await exchange(read({ HTTPS_PROXY: `https://feed.example.com:${proxy.port}` }));
    await exchange(read({ HTTPS_PROXY: `http://127.0.0.1:${(await start()).port}` }));
    expect(listChecks()).toEqual([true, true]);
    connect.mockRestore();
  });

  it("reaches the pane in the companion's refusal", async () => {
    const proxy = await start();
    const network = read({ HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` });
    const upstream = createUpstream({ network });
    const request = {
      method: "GET",
      baseUrl: BASE_URL,
      path: "/",
      authorization: undefined,
      contentType: undefined,
      body: undefined,
    } as const;
    await expect(upstream.send(request)).rejects.toMatchObject({
      statusCode: 502,
      message: expect.stringMatching(
        /^The provider could not be reached: its certificate of "Zscaler Root CA".* NODE_EXTRA_CA_CERTS to a file .*\(PEM\)\.$/,
      ),
    });
    await upstream.close();
  });
});

describe("check", () => {
  const check = async (environment: NodeJS.ProcessEnv) => {
    const { lines } = await runToEnd(["check"], {
      environment: { ...COMPLETE, ...environment },
      folder,
      certificateFolder: folder,
    });
    return lines;
  };

  it("names the proxy that is used, and reads the provider through it", async () => {
    const proxy = await start({ wants: BASIC });
    const place = `127.0.0.1:${proxy.port}`;
    const lines = await check({ https_proxy: `http://ada:se@cret@${place}`, NODE_EXTRA_CA_CERTS: certificate.path });
    expect(lines).toContain(`pass  The provider is reached by the proxy of HTTPS_PROXY (${place}).`);
    expect(lines).toContain("pass  The client may read companies, financials, taxonomies and rankings.");
    expect(lines.join()).not.toContain("cret");
    expect(new Set(proxy.asked)).toEqual(new Set(["feed.example.com:443"]));
  });

  it("names what the proxy refuses, and what to do", async () => {
    const proxy = await start({ refuses: 407 });
    const lines = await check({ HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` });
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^FAIL {2}Key "kid-1": the provider could not be reached: the proxy of HTTPS_PROXY .* wants a name and a password \(407\)\. Set HTTPS_PROXY to http:\/\/NAME:PASSWORD@127/,
      ),
    );
  });

  it("names ALL_PROXY, which is not read", async () => {
    const network = { ALL_PROXY: "http://127.0.0.1:9", FEED_BASE_URL: "https://feed.invalid" };
    expect(await check(network)).toContainEqual(
      expect.stringMatching(/^note {2}ALL_PROXY is not read\. .* set HTTPS_PROXY to/),
    );
  });
});

/** A body that fills a reader's room, so that the reader waits when the connection ends. */
const BODY = "a".repeat(64 * 1024);

describe("an answer that ends with its connection, before anybody reads on", () => {
  it.each([
    ["of HTTP/1.0", `HTTP/1.0 200 OK\r\ncontent-length: ${BODY.length}`],
    ["by its header", `HTTP/1.1 200 OK\r\ncontent-length: ${BODY.length}\r\nconnection: close`],
    ["without a length", "HTTP/1.1 200 OK"],
  ])("is read whole: %s", async (_which, head) => {
    const server = createServer((socket) => socket.once("data", () => socket.end(`${head}\r\n\r\n${BODY}`)));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const ended = once(server, "connection").then(([socket]: Socket[]) => once(socket!, "close"));
    const { port } = server.address() as AddressInfo;
    const connections = createConnections(DIRECT);
    const { body } = await connections.request({ origin: `http://127.0.0.1:${port}`, path: "/", method: "GET" });
    await ended;
    expect(await body.text()).toBe(BODY);
    await connections.destroy();
    server.close();
  });
});

it("one module alone makes connections", () => {
  const list = (place: string): string[] =>
    readdirSync(place, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const root = join(__dirname, "../../src/companion");
  const makers = list(root).filter((name) =>
    /\b(Agent|ProxyAgent|Pool|Client)\b[^"]*"undici"|globalThis\.fetch/.test(readFileSync(join(root, name), "utf8")),
  );
  expect(makers).toEqual(["network.ts"]);
});
