import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { decodeJwt } from "jose";
import { type Signer, SignerFailure } from "../../src/companion/assertion";
import type { Configuration } from "../../src/companion/configuration";
import { createLineLimit } from "../../src/companion/log";
import { CLIENT_HEADER } from "../../src/contract/companion-api";
import { until } from "../support/until";
import { type PairedCompanion, startPaired } from "./paired-companion";
import { createProviderServer, type ProviderServer } from "./provider-server";
import { createConfiguration, publicKey } from "./test-configuration";

const SECRET = "secret-bearer";
const TREE = "/asia/industry-taxonomies/v1/tree";

let companion: PairedCompanion;
/** One that signs for a provider, and logs its work. */
let usual: PairedCompanion;
let provider: ProviderServer;

beforeAll(async () => {
  provider = await createProviderServer((request, response) => {
    if (request.url === "/token") response.end('{"access_token":"secret-token","expires_in":300}');
    else if (request.url === TREE) response.end("[]");
    else response.destroy();
  });
  usual = await start();
});
beforeEach(() => {
  companion = usual;
  companion.lines.length = 0;
});
afterEach(async () => {
  if (companion !== usual) await companion.app.close();
});
afterAll(async () => {
  await usual.app.close();
  await provider.close();
});

async function start(settings: Partial<Configuration> = {}): Promise<PairedCompanion> {
  const configuration = createConfiguration(`http://127.0.0.1:${provider.port}`, { logLevel: "info", ...settings });
  companion = await startPaired({ configuration, sample: { companies: 1 } });
  return companion;
}

const startBroken = (failure: Error) => {
  const signer: Signer = { keyId: "kid-1", publicKey, sign: () => Promise.reject(failure) };
  return start({
    provider: { baseUrl: "https://feed.example.com", client: { clientId: "client-1", signers: [signer] } },
  });
};

const send: PairedCompanion["send"] = (...request) => companion.send(...request);
const sign = () => send("POST", "/companion/assertion", { "content-type": "application/json" }, "{}");
const readLines = () => companion.lines.map((line): Record<string, unknown> => JSON.parse(line));
const readPairing = async () => (await companion.pairings.list())[0]?.id;

/** The beginning of the id of a new assertion. */
async function readJti(): Promise<string> {
  const { jti = "" } = decodeJwt(JSON.parse((await sign()).body).assertion);
  expect(companion.lines.join("")).not.toContain(jti.slice(0, 9));
  return jti.slice(0, 8);
}

describe("the logs", () => {
  it("have one line for each assertion: caller, key, beginning of its id, and outcome", async () => {
    const jti = await readJti();
    expect(readLines()).toEqual([
      expect.objectContaining({ level: 30, pairing: await readPairing(), kid: "kid-1", jti, outcome: "signed" }),
    ]);
  });

  it("report an assertion that the key did not sign, with the reason", async () => {
    await startBroken(new Error("The card is out."));
    const { status, headers, body } = await sign();
    expect([status, headers["feed-refusal"], body.includes("card")]).toEqual([500, "FEED_INTERNAL", false]);
    expect(readLines()).toEqual([
      expect.objectContaining({ pairing: await readPairing(), kid: "kid-1", outcome: "failed" }),
      expect.objectContaining({ level: 50, err: expect.objectContaining({ message: "The card is out." }) }),
    ]);
  });

  it("report a failed signing program to the caller in its own sentence, without a stack", async () => {
    const sentence = "The signing program is gone.";
    await startBroken(new SignerFailure(sentence));
    const { status, headers, body } = await sign();
    expect([status, headers["feed-refusal"]]).toEqual([503, "FEED_SIGNER_REFUSED"]);
    expect(JSON.parse(body).error.message).toBe(sentence);
    expect(readLines()[1]).toMatchObject({ level: 40, status: 503, msg: sentence });
    expect(readLines()[1]).not.toHaveProperty("err");
  });

  it("have the id that the answer names, which no other companion gives", async () => {
    const readId = async () => {
      const { headers } = await send("GET", "/companion/relay/unknown");
      expect(readLines()).toMatchObject([{ reqId: headers["feed-request"] }]);
      return headers["feed-request"];
    };
    const id = await readId();
    await start();
    expect(await readId()).not.toBe(id);
  });

  it("name the route of a refused call, without its ids", async () => {
    await send("GET", "/companion/relay/asia/private-markets/v1/companies/secret-company?secret=1");
    const path = "/companion/relay/asia/private-markets/v1/companies/:companyId";
    expect(readLines()).toMatchObject([{ level: 40, pairing: await readPairing(), path, status: 400 }]);
  });

  it("have at most 60 lines a minute of refused strangers, with 200 characters of their paths", async () => {
    await start();
    const nowMs = Date.now();
    const clock = jest.spyOn(Date, "now").mockReturnValue(nowMs); // no minute ends in between
    const stranger = { origin: "https://evil.example", "feed-pairing": "" };
    for (let sent = 0; sent < 130; sent++) await send("GET", `/companion/${"a".repeat(2000)}`, stranger);
    clock.mockRestore();
    expect(companion.lines).toHaveLength(60);
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
    await start({ mode: "relay" });
    const form = { "content-type": "application/x-www-form-urlencoded" };
    expect((await send("POST", "/companion/relay/token", form, "a=b")).status).toBe(200);
    const jti = expect.stringMatching(/^[0-9a-f]{8}$/);
    expect(readLines()).toEqual([
      expect.objectContaining({ level: 30, pairing: await readPairing(), kid: "kid-1", jti, outcome: "granted" }),
    ]);
  });

  it("name the caller as anonymous for sample data", async () => {
    await start({ provider: undefined });
    for (const name of Object.keys(companion.paired)) if (name !== CLIENT_HEADER) delete companion.paired[name];
    const jti = await readJti();
    expect(readLines()).toEqual([
      expect.objectContaining({ pairing: "sample", kid: "sample-key", jti, outcome: "signed" }),
    ]);
  });

  it("omit pages, settings, health checks and successful reads", async () => {
    for (const path of ["/taskpane.html", "/functions.json", "/healthz", "/readyz", "/companion/config"]) {
      expect((await send("GET", path)).status).toBe(200);
    }
    expect((await send("GET", `/companion/relay${TREE}`, { authorization: "Bearer token" })).status).toBe(200);
    await sign(); // whose line comes after those of the requests before it
    expect(readLines()).toMatchObject([{ outcome: "signed" }]);
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
])("the log of a request with %s gives the reason of the refusal and nothing of its content", async (_, request) => {
  const { port, lines } = await start({ logLevel: "trace" });
  const socket = connect(port, "127.0.0.1").resume();
  socket.write(request, "latin1");
  await once(socket, "close");
  await until(() => lines.some((line) => line.includes("HPE_")));
  expect(readTexts(lines)).not.toContain(SECRET);
});
