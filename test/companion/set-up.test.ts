import { chmodSync, existsSync, mkdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { importSPKI, jwtVerify } from "jose";
import { toKeyPath } from "../../src/companion/key-folder";
import { CLIENT_HEADER, CLIENT_NAME, REFUSAL_HEADER } from "../../src/contract/companion-api";
import { itOnPosix } from "../support/posix";
import { requestCode } from "./code-request";
import { reuseKeys } from "./quick-keys";
import { sendRaw } from "./raw-request";
import {
  createFolder,
  fillFolder,
  type OnFolder,
  openFolder,
  readSettings,
  startOnFolder,
  WANTED,
} from "./set-up-companion";
import MISTAKEN from "./set-up-mistakes.json";
import { createTestPairings, pairHeaders } from "./test-configuration";

const STRANGER = { [CLIENT_HEADER]: CLIENT_NAME };
const TREE = "/sandbox/asia/industry-taxonomies/v1/tree";
reuseKeys();
const { folder, start, startFilled } = openFolder();

describe("set-up from the pane", () => {
  it("leads from sample data to the first assertion for a provider, now and after a restart", async () => {
    const { send, headers, pair, app, port } = await start();
    expect((await sendRaw(port, "GET", TREE)).status).toBe(401); // the sandbox answers requests with a token
    const made = await send(headers, "POST", "/keys", {});
    const typed = { baseUrl: ` ${WANTED.baseUrl}/ `, clientId: " client-1\t", keyId: "kid-1 " };
    const { status, json } = await send(headers, "PUT", "/config", typed);
    expect(status).toBe(200);
    const provider = { ...WANTED, sample: false, tokenUrl: `${WANTED.baseUrl}/token` };
    const { thumbprint } = made.json;
    const own = { mode: "sign", transport: "proxy", thumbprint, version: expect.stringMatching(/^\d/) };
    expect(json).toEqual({ ...provider, ...own, settable: ["baseUrl", "clientId", "keyId", "thumbprint"] });
    expect((await sendRaw(port, "GET", TREE)).status).toBe(404);
    const paired = await pair();
    expect((await send(paired, "GET", "/config")).json).toEqual(json);
    const { assertion } = (await send(paired, "POST", "/assertion", {})).json;
    const publicKey = await importSPKI(made.json.publicKeyPem, "RS256");
    const { payload, protectedHeader } = await jwtVerify(assertion, publicKey, { audience: json.tokenUrl });
    expect([payload.iss, protectedHeader.kid]).toEqual(["client-1", "kid-1"]);
    expect(readSettings(folder)).toEqual({
      FEED_BASE_URL: `${WANTED.baseUrl}/`,
      FEED_CLIENT_ID: "client-1",
      FEED_KEY_ID: "kid-1",
      FEED_PRIVATE_KEY_FILE: toKeyPath(folder.keys, json.thumbprint),
    });
    if (process.platform !== "win32") expect(statSync(folder.settings).mode & 0o777).toBe(0o600);
    await app.close();
    const next = await start();
    expect((await next.send(next.headers, "GET", "/config")).json).toEqual(json);
  });

  it("keeps the other contents of the file", async () => {
    mkdirSync(folder.path);
    writeFileSync(folder.settings, '{"LOG_LEVEL":"warn"}', { mode: 0o600 });
    const { send, headers } = await start();
    await send(headers, "POST", "/keys", {});
    expect((await send(headers, "PUT", "/config", WANTED)).status).toBe(200);
    expect(readSettings(folder)).toMatchObject({ LOG_LEVEL: "warn", FEED_KEY_ID: "kid-1" });
  });

  it("ends every pairing at a new base URL, and shows a new code at the companion's terminal", async () => {
    const { send, headers, messages, pairings, port } = await startFilled();
    const baseUrl = "https://other.example.com";
    expect((await send(headers, "PUT", "/config", { ...WANTED, baseUrl })).status).toBe(200);
    expect((await send(headers, "GET", "/config")).status).toBe(401);
    expect((await send(headers, "POST", "/assertion", {})).status).toBe(401);
    expect(await pairings.list()).toEqual([]);
    expect(messages).toEqual([expect.stringMatching(/^The provider is now https:\/\/other\.example\.com, and nobody/)]);
    const { secret } = await requestCode(port);
    const [code = ""] = messages[1]!.match(/\b[2-9A-Z]{4}-[2-9A-Z]{4}\b/) ?? [];
    const { json } = await send(STRANGER, "POST", "/pairing", { code: `${code}.${secret}` });
    const origin = `http://localhost:${port}`;
    expect(await pairings.find(json.bearer, origin)).toBeDefined();
  });

  it("keeps pairings and shows nothing while the base URL stays, in any spelling", async () => {
    const { send, headers, messages } = await startFilled();
    const baseUrl = "HTTPS://FEED.example.com:443/base//";
    expect((await send(headers, "PUT", "/config", { ...WANTED, baseUrl, clientId: "client-2" })).status).toBe(200);
    expect((await send(headers, "GET", "/config")).json).toMatchObject({ ...WANTED, clientId: "client-2" });
    expect(messages).toEqual([]);
  });

  it("changes nothing if the file cannot be written, and says so", async () => {
    const { send, headers, messages, thumbprint } = await startFilled();
    const before = readSettings(folder);
    // A lock that nobody can create here, not even a superuser.
    mkdirSync(`${folder.settings}.lock`);
    utimesSync(`${folder.settings}.lock`, 0, 0);
    const { status, json } = await send(headers, "PUT", "/config", { ...WANTED, baseUrl: "https://other.example.com" });
    expect([status, json.error.message]).toEqual([500, expect.stringContaining(folder.settings)]);
    expect((await send(headers, "GET", "/config")).json).toMatchObject({ ...WANTED, thumbprint });
    expect([readSettings(folder), messages]).toEqual([before, []]);
  });

  it("admits no page of the previous provider even if pairings cannot be ended, and says why", async () => {
    await fillFolder(folder);
    const pairings = createTestPairings();
    const stuck = { ...pairings, revoke: () => Promise.reject(new Error("The disk is full.")) };
    const { send, headers, messages } = await start({ pairings: stuck });
    const baseUrl = "https://other.example.com";
    expect((await send(headers, "PUT", "/config", { ...WANTED, baseUrl })).status).toBe(200);
    expect((await send(headers, "GET", "/config")).status).toBe(401);
    expect(await pairings.list()).toHaveLength(1);
    expect(messages).toEqual([
      expect.stringMatching(/^The provider is now .+, and nobody is paired\. The disk is full\.$/),
    ]);
  });

  it("admits no page of a previous provider replaced while the companion did not run", async () => {
    const origin = "https://excel.example.com";
    const environment = { ALLOWED_ORIGINS: origin };
    const first = await startFilled({ environment });
    const headers = { ...(await pairHeaders(first.pairings, origin)), host: new URL(origin).host };
    expect((await first.send(headers, "GET", "/config")).status).toBe(200);
    await first.app.close();
    await fillFolder(folder, { FEED_BASE_URL: "https://other.example.com" });
    const { send } = await start({ environment, pairings: first.pairings });
    expect((await send(headers, "GET", "/config")).status).toBe(401);
    expect((await send(headers, "POST", "/assertion", {})).status).toBe(401);
  });
});

describe("a companion whose provider changes", () => {
  const OWN = "connect-src 'self' https://appsforoffice.microsoft.com";

  it.each([
    ["the current provider if calls are direct", "direct", " https://feed.example.com", " https://other.example.com"],
    ["itself alone when calls go through it", "proxy", "", ""],
  ])("lets pages reach %s", async (_what, FEED_TRANSPORT, before, after) => {
    const { send, headers, port } = await startFilled({}, { FEED_TRANSPORT });
    const readSources = async () => {
      const policy = String((await sendRaw(port, "GET", "/taskpane.html")).headers["content-security-policy"]);
      return policy.split(";").find((directive) => directive.startsWith("connect-src"));
    };
    expect(await readSources()).toBe(OWN + before);
    const wanted = { ...WANTED, baseUrl: "https://other.example.com/base" };
    expect((await send(headers, "PUT", "/config", wanted)).status).toBe(200);
    expect(await readSources()).toBe(OWN + after);
  });

  it.each([
    ["as with a provider", "", ["A page was paired."]],
    ["at the level that is set", "warn", []],
  ])("logs %s from then on", async (_how, LOG_LEVEL, messages) => {
    const { send, headers, pairings, lines } = await start({ environment: { LOG_LEVEL } });
    await send(headers, "POST", "/keys", {});
    await send(headers, "PUT", "/config", WANTED);
    lines.length = 0;
    const code = await pairings.issueSent();
    expect((await send(STRANGER, "POST", "/pairing", { code })).status).toBe(200);
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(messages);
  });
});

describe("the return to sample data", () => {
  it("removes the provider's settings, keeps the others and the keys, ends every pairing, and lasts", async () => {
    const { app, send, headers, port, pair, messages } = await startFilled({}, { LOG_LEVEL: "silent" });
    for (const path of [TREE, "/sandbox/token", "/sandbox/x"]) {
      const { status, body } = await sendRaw(port, path === TREE ? "GET" : "POST", path);
      const sentence = expect.stringContaining("connect in the FEED pane");
      expect([status, JSON.parse(body).error.message]).toEqual([404, sentence]);
    }
    const { status, json } = await send(headers, "DELETE", "/config");
    expect([status, json.sample, json.clientId]).toEqual([200, true, "sample-client"]);
    expect(readSettings(folder)).toEqual({ LOG_LEVEL: "silent" });
    expect((await sendRaw(port, "GET", TREE)).status).toBe(401); // it answers requests with a token
    expect((await send(STRANGER, "POST", "/assertion", {})).json.clientId).toBe("sample-client");
    expect((await send(await pair(), "GET", "/keys")).json.keys).toHaveLength(1);
    expect(messages.join()).toContain("Sample data answers now");
    expect((await send(headers, "PUT", "/config", WANTED)).status).toBe(401);
    await app.close();
    const next = await start();
    expect((await next.send(STRANGER, "GET", "/config")).json.sample).toBe(true);
    expect((await next.send(next.headers, "PUT", "/config", WANTED)).json).toMatchObject({ ...WANTED, sample: false });
  });

  it("is refused to strangers, and if the environment gives any provider setting", async () => {
    const { send, headers } = await startFilled({ environment: { FEED_MODE: "relay" } });
    expect((await send(STRANGER, "DELETE", "/config")).status).toBe(401);
    const { status, json } = await send(headers, "DELETE", "/config");
    expect([status, json.error.message]).toEqual([409, expect.stringContaining("FEED_MODE")]);
    expect(readSettings(folder).FEED_CLIENT_ID).toBe(WANTED.clientId);
  });

  it("changes nothing without a provider", async () => {
    mkdirSync(folder.path);
    writeFileSync(folder.settings, '{"LOG_LEVEL":"silent"}', { mode: 0o600 });
    const { send, headers } = await start();
    expect((await send(headers, "DELETE", "/config")).json.sample).toBe(true);
    expect(readSettings(folder)).toEqual({ LOG_LEVEL: "silent" });
  });
});

const CHANGES = [
  ["PUT", "/config", WANTED],
  ["POST", "/keys", {}],
  ["GET", "/keys", undefined],
] as const;

describe("the week of sample data", () => {
  const WEEK = "/sample/week";

  it("is moved on up to ten years, and back, by whoever reads them", async () => {
    const { send } = await start({ environment: { SAMPLE_WEEKS: "519" } });
    for (const [method, weeks] of [
      ["POST", 520],
      ["POST", 520],
      ["DELETE", 0],
      ["POST", 1],
    ] as const) {
      expect(await send(STRANGER, method, WEEK)).toMatchObject({ status: 200, json: { sample: true, weeks } });
    }
  });

  it("stays where others come by further origins", async () => {
    const { send, headers } = await start({ environment: { ALLOWED_ORIGINS: "https://excel.example.com" } });
    for (const method of ["POST", "DELETE"]) {
      const { status, json } = await send(headers, method, WEEK);
      expect([status, json.error.message]).toEqual([404, expect.stringContaining("Set it up where it is started")]);
    }
    expect((await send(headers, "GET", "/config")).json.weeks).toBe(0);
  });

  it("is that of no provider", async () => {
    const { send, headers } = await startFilled();
    expect((await send(STRANGER, "POST", WEEK)).status).toBe(401);
    const { status, json } = await send(headers, "POST", WEEK);
    expect([status, json.error.message]).toEqual([404, "A provider answers: there is no sample data to move."]);
  });
});

describe("a form is refused", () => {
  const own = createFolder();
  let running: OnFolder;
  let before: object;
  beforeAll(async () => {
    await fillFolder(own);
    running = await startOnFolder({ folder: own });
    before = readSettings(own);
  });
  afterEach(async () => {
    const { send, headers, messages } = running;
    expect((await send(headers, "GET", "/config")).json).toMatchObject(WANTED);
    expect([readSettings(own), messages]).toEqual([before, []]);
  });
  afterAll(async () => {
    await running.app.close();
    own.remove();
  });

  it.each(MISTAKEN.fields)("for $title, naming every field, and changes nothing", async (row) => {
    const { status, headers, json } = await running.send(running.headers, "PUT", "/config", {
      ...WANTED,
      ...row.wanted,
    });
    expect([status, headers[REFUSAL_HEADER]]).toEqual([400, "FEED_REQUEST_INVALID"]);
    const { mistakes, message } = json.error;
    expect(mistakes).toEqual(row.mistakes.map((beginning) => expect.stringContaining(beginning)));
    expect(message).toBe(mistakes.join(" "));
    expect(JSON.stringify(json)).not.toContain("secret");
  });

  it.each(Object.entries(MISTAKEN.bodies))("for %s", async (_title, body) => {
    const { status, json } = await running.send(running.headers, "PUT", "/config", body);
    expect([status, json.error.message]).toEqual([400, expect.stringMatching(/^\w.+\.$/)]);
  });

  it("if it can be sent without a preflight", async () => {
    const plain = { ...running.headers, "content-type": "text/plain" };
    expect((await running.send(plain, "PUT", "/config", WANTED)).status).toBe(415);
    expect((await running.send(plain, "POST", "/keys", {})).status).toBe(415);
  });
});

describe("set-up is refused", () => {
  it("for an empty form with sample data, which stays with its pairings", async () => {
    const { send, headers, messages } = await start();
    const { status, json } = await send(headers, "PUT", "/config", {});
    expect(status).toBe(400);
    for (const field of ["baseUrl", "clientId", "keyId"]) expect(json.error.message).toContain(`${field} is missing`);
    const complete = await send(headers, "PUT", "/config", WANTED);
    const expected = [400, ["No key was made here as yet: make one first."]];
    expect([complete.status, complete.json.error.mistakes]).toEqual(expected);
    expect((await send(headers, "GET", "/config")).json.sample).toBe(true);
    expect((await send(headers, "GET", "/keys")).status).toBe(200);
    expect([existsSync(folder.settings), messages]).toEqual([false, []]);
  });

  it("to an unpaired page, with sample data too", async () => {
    const { send } = await start();
    for (const [method, path, body] of CHANGES) {
      expect((await send(STRANGER, method, path, body)).status).toBe(401);
    }
    expect(existsSync(folder.path)).toBe(false);
  });

  it("for settings of the environment, by name, while the rest can change", async () => {
    const thumbprint = await fillFolder(folder);
    const environment = { FEED_BASE_URL: WANTED.baseUrl, FEED_CLIENT_ID: "client-0" };
    const { send, headers } = await start({ environment });
    expect((await send(headers, "GET", "/config")).json.settable).toEqual(["keyId", "thumbprint"]);
    const refused = await send(headers, "PUT", "/config", { ...WANTED, baseUrl: "https://other.example.com" });
    expect([refused.status, refused.json.error.message]).toEqual([
      409,
      expect.stringMatching(
        /^FEED_BASE_URL, FEED_CLIENT_ID cannot be changed from here: .+ start the companion again\.$/,
      ),
    ]);
    for (const wanted of [{ keyId: "kid-2" }, { ...WANTED, clientId: "client-0", keyId: "kid-3" }]) {
      const { status, json } = await send(headers, "PUT", "/config", wanted);
      expect([status, json]).toMatchObject([200, { clientId: "client-0", keyId: wanted.keyId, thumbprint }]);
    }
    expect(readSettings(folder)).toMatchObject({ FEED_CLIENT_ID: "client-1", FEED_KEY_ID: "kid-3" });
  });

  it("wholly if an administrator's key signs", async () => {
    await fillFolder(folder);
    const environment = {
      FEED_BASE_URL: WANTED.baseUrl,
      FEED_CLIENT_ID: "client-0",
      FEED_KEY_ID: "kid-0",
      FEED_PRIVATE_KEY_FILE: readSettings(folder).FEED_PRIVATE_KEY_FILE,
    };
    const { send, headers } = await start({ environment });
    expect((await send(headers, "GET", "/config")).json.settable).toEqual([]);
    for (const wanted of [{}, WANTED]) expect((await send(headers, "PUT", "/config", wanted)).status).toBe(409);
    const { status, json } = await send(headers, "POST", "/keys", {});
    expect([status, json.error.message]).toEqual([409, expect.stringContaining("FEED_KEY_ID cannot be changed")]);
  });

  it("for a key in the person's file or of a program, which would be lost", async () => {
    const thumbprint = await fillFolder(folder);
    await fillFolder(folder, {
      FEED_PRIVATE_KEY_FILE: undefined,
      FEED_SIGNER_COMMAND: '["signer"]',
      FEED_PUBLIC_KEY_FILE: `${toKeyPath(folder.keys, thumbprint)}.pub`,
    });
    const { send, headers } = await start();
    expect((await send(headers, "GET", "/config")).json.settable).toEqual(["baseUrl", "clientId"]);
    expect((await send(headers, "PUT", "/config", { ...WANTED, keyId: "kid-2" })).status).toBe(409);
    expect((await send(headers, "PUT", "/config", { ...WANTED, clientId: "client-2" })).status).toBe(200);
    expect(readSettings(folder)).toMatchObject({ FEED_SIGNER_COMMAND: '["signer"]', FEED_CLIENT_ID: "client-2" });
  });

  it.each([
    ["it is not offered", { isOffered: false }],
    ["others come by further origins", { environment: { ALLOWED_ORIGINS: "https://excel.example.com" } }],
  ])("if %s, with a sentence", async (_title, options) => {
    const { send, headers } = await startFilled(options);
    expect((await send(headers, "GET", "/config")).json.settable).toEqual([]);
    for (const [method, path, body] of CHANGES) {
      const { status, json } = await send(headers, method, path, body);
      expect([status, json.error.message]).toEqual([404, expect.stringContaining("Set it up where it is started")]);
    }
  });

  itOnPosix("while the person's file is open to others", async () => {
    const { send, headers } = await startFilled();
    chmodSync(folder.settings, 0o666);
    const { status, json } = await send(headers, "PUT", "/config", { ...WANTED, clientId: "client-2" });
    expect([status, json.error.message]).toEqual([500, expect.stringContaining("chmod")]);
  });
});
