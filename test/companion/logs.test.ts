import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { type Signer, SignerFailure } from "../../src/companion/assertion";
import type { Configuration } from "../../src/companion/configuration";
import { createLineLimit } from "../../src/companion/log";
import { CLIENT_HEADER, CLIENT_NAME } from "../../src/contract/companion-api";
import { until } from "../support/until";
import { type PairedCompanion, startPaired } from "./paired-companion";
import { createProviderServer, type ProviderServer } from "./provider-server";
import { createConfiguration, privateKey, publicKey } from "./test-configuration";

type Line = Record<string, unknown>;

const TREE = "/companion/relay/asia/industry-taxonomies/v1/tree";
const BEARER = { authorization: "Bearer secret-bearer" };
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const SECRET = "secret-bearer";
const JSON_TYPE = { "content-type": "application/json" };

let companion: PairedCompanion;
let lines: string[];
let provider: ProviderServer;

beforeAll(async () => {
  provider = await createProviderServer((request, response) => {
    if (request.url === "/token") response.end('{"access_token":"secret-token","expires_in":300}');
    else response.destroy();
  });
});
afterEach(() => companion.app.close());
afterAll(() => provider.close());

/** Starts a companion with recorded logs, and pairs with it. */
async function start(settings: Partial<Configuration> = {}) {
  const configuration = createConfiguration(`http://127.0.0.1:${provider.port}`, { logLevel: "info", ...settings });
  companion = await startPaired({ configuration, sample: { companies: 1 } });
  ({ lines } = companion);
  return (await companion.pairings.list())[0]?.id;
}

const send: PairedCompanion["send"] = (...request) => companion.send(...request);
const readLines = () => lines.map((line): Line => JSON.parse(line));

/** The parts of the JWT in the companion API's answer. */
async function readAssertion() {
  const { assertion } = JSON.parse((await send("POST", "/companion/assertion", JSON_TYPE, "{}")).body);
  const jti: string = JSON.parse(Buffer.from(assertion.split(".")[1], "base64url").toString()).jti;
  return { assertion, jti };
}

describe("the logs", () => {
  it("hold no key, assertion, token, bearer or body at any level, for success, failure and refusal", async () => {
    await start({ logLevel: "trace" });
    const { assertion } = await readAssertion();
    const exchanged = await send("POST", "/companion/relay/token", FORM, `client_assertion=${assertion}`);
    expect(exchanged.body).toContain("secret-token");
    expect((await send("GET", TREE, BEARER)).status).toBe(502);
    expect((await send("GET", TREE, { ...BEARER, host: "evil.example" })).status).toBe(421);
    expect((await send("POST", "/companion/assertion", JSON_TYPE, '{"note":"secret-claim"}')).status).toBe(400);
    expect((await send("POST", "/companion/assertion?refused=secret-query", JSON_TYPE, "{}")).status).toBe(200);
    expect((await send("POST", "/companion/pairing", JSON_TYPE, '{"code":"SECR-ETSE"}')).status).toBe(403);
    expect((await send("GET", "/companion/absent?token=secret-query", BEARER)).status).toBe(404);

    const logged = lines.join("");
    expect(logged).toContain("The provider could not be reached");
    expect(logged).toContain("own address only");
    const exponent = privateKey.export({ format: "jwk" }).d ?? "";
    const bearers = Object.values(companion.paired).filter((value) => value !== CLIENT_NAME);
    expect(bearers).toHaveLength(1);
    const secrets = [assertion, assertion.split(".")[2], "secret-", "SECR", exponent, "PRIVATE KEY", ...bearers];
    expect(secrets.filter((secret) => logged.includes(secret))).toEqual([]);
  });

  it("have one line for each assertion: caller, key, beginning of its id, and outcome", async () => {
    const id = await start();
    const { jti } = await readAssertion();
    expect(readLines()).toEqual([
      expect.objectContaining({ level: 30, pairing: id, kid: "kid-1", jti: jti.slice(0, 8), outcome: "signed" }),
    ]);
    expect(lines.join("")).not.toContain(jti.slice(0, 9));
  });

  it("report an assertion that the key did not sign, with the reason", async () => {
    const sign: Signer["sign"] = () => Promise.reject(new Error("The card is out."));
    const client = { clientId: "client-1", signers: [{ keyId: "kid-1", publicKey, sign }] as const };
    const id = await start({ provider: { baseUrl: "https://feed.example.com", client } });
    const { status, headers, body } = await send("POST", "/companion/assertion", JSON_TYPE, "{}");
    expect([status, headers["feed-refusal"], body.includes("card")]).toEqual([500, "FEED_INTERNAL", false]);
    expect(readLines()).toEqual([
      expect.objectContaining({ pairing: id, kid: "kid-1", outcome: "failed" }),
      expect.objectContaining({ level: 50, err: expect.objectContaining({ message: "The card is out." }) }),
    ]);
  });

  it("report a failed signing program to the caller in its own sentence, without a stack", async () => {
    const sign: Signer["sign"] = () => Promise.reject(new SignerFailure("The signing program is gone."));
    const client = { clientId: "client-1", signers: [{ keyId: "kid-1", publicKey, sign }] as const };
    await start({ provider: { baseUrl: "https://feed.example.com", client } });
    const { status, headers, body } = await send("POST", "/companion/assertion", JSON_TYPE, "{}");
    expect([status, headers["feed-refusal"], JSON.parse(body).error.message]).toEqual([
      503,
      "FEED_SIGNER_REFUSED",
      "The signing program is gone.",
    ]);
    expect(readLines()[1]).toMatchObject({ level: 40, status: 503, msg: "The signing program is gone." });
    expect(readLines()[1]).not.toHaveProperty("err");
  });

  it("have the id that the answer names, which no other companion gives", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      await start();
      const { headers } = await send("GET", "/companion/relay/unknown");
      expect(readLines()).toMatchObject([{ reqId: headers["feed-request"] }]);
      ids.push(String(headers["feed-request"]));
      if (count === 0) await companion.app.close();
    }
    expect(new Set(ids.map((id) => id.split("-")[0])).size).toBe(2);
  });

  it("name the route of a refused call, without its ids", async () => {
    const id = await start();
    await send("GET", "/companion/relay/asia/private-markets/v1/companies/secret-company?secret=1");
    expect(readLines()).toMatchObject([
      { level: 40, pairing: id, path: "/companion/relay/asia/private-markets/v1/companies/:companyId", status: 400 },
    ]);
  });

  it("have at most 60 lines a minute of refused strangers, with 200 characters of their paths", async () => {
    await start();
    const stranger = { origin: "https://evil.example", "feed-pairing": "" };
    for (let sent = 0; sent < 130; sent++) await send("GET", `/companion/${"a".repeat(2000)}`, stranger);
    expect(lines.length).toBeGreaterThanOrEqual(60);
    expect(lines.length).toBeLessThanOrEqual(120); // a minute may end in between
    const paths = readLines().map(({ path }) => String(path).length);
    expect(new Set(paths)).toEqual(new Set([200]));
    expect(readLines()[0]).toMatchObject({ pairing: null });
  });

  it("report with the next line how many were omitted", () => {
    let nowMs = 0;
    const admit = createLineLimit(() => nowMs);
    expect(Array.from({ length: 62 }, admit).slice(-3)).toEqual([0, undefined, undefined]);
    nowMs = 60_000;
    expect([admit(), admit()]).toEqual([2, 0]);
  });

  it("report each exchange of the companion's own with the same fields", async () => {
    const id = await start({ mode: "relay" });
    expect((await send("POST", "/companion/relay/token", FORM, "a=b")).status).toBe(200);
    expect(readLines()).toEqual([
      expect.objectContaining({
        level: 30,
        pairing: id,
        kid: "kid-1",
        jti: expect.stringMatching(/^[0-9a-f]{8}$/),
        outcome: "granted",
      }),
    ]);
  });

  it("name the caller as anonymous for sample data", async () => {
    await start({ provider: undefined });
    for (const name of Object.keys(companion.paired)) if (name !== CLIENT_HEADER) delete companion.paired[name];
    const { jti } = await readAssertion();
    expect(readLines()).toEqual([
      expect.objectContaining({ pairing: "sample", kid: "sample-key", jti: jti.slice(0, 8), outcome: "signed" }),
    ]);
  });

  it("omit pages, settings, health checks and successful reads", async () => {
    await start();
    for (const path of ["/taskpane.html", "/functions.json", "/healthz", "/readyz", "/companion/config"]) {
      expect((await send("GET", path)).status).toBe(200);
    }
    expect(lines).toEqual([]);
  });
});

/** Every text of the lines, byte lists decoded. */
function readTexts(lines: string[]): string {
  const bytes = lines.flatMap((line) => [...line.matchAll(/\[(\d+(?:,\d+)+)\]/g)]);
  return [...lines, ...bytes.map(([, list]) => Buffer.from((list ?? "").split(",").map(Number)).toString())].join("\n");
}

it.each([
  ["a path with a byte that none may have", `GET /companion/\x9b HTTP/1.1\r\nfeed-pairing: ${SECRET}\r\n\r\n`],
  [
    "two lengths",
    `POST / HTTP/1.1\r\nauthorization: Bearer ${SECRET}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`,
  ],
  ["headers that are too large", `GET / HTTP/1.1\r\nfeed-pairing: ${SECRET}\r\nlarge: ${"x".repeat(20_000)}\r\n\r\n`],
])(
  "the log of a request with %s gives the reason of the refusal and nothing of its content",
  async (_what, request) => {
    await start({ logLevel: "trace" });
    const socket = connect(companion.port, "127.0.0.1").resume();
    socket.write(request, "latin1");
    await once(socket, "close");
    await until(() => lines.some((line) => line.includes("HPE_")));
    expect(readTexts(lines)).not.toContain(SECRET);
  },
);
