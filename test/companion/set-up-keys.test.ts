import { createPrivateKey, createPublicKey } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { importSPKI, jwtVerify } from "jose";
import { createSetUp } from "../../src/companion/api/set-up";
import { type Configuration, readConfiguration } from "../../src/companion/configuration";
import { toKeyPath } from "../../src/companion/key-folder";
import { itOnPosix } from "../support/posix";
import { reuseKeys } from "./quick-keys";
import {
  createFolder,
  fillFolder,
  type OnFolder,
  openFolder,
  readSettings,
  startOnFolder,
  WANTED,
} from "./set-up-companion";
import { createClient, createTestPairings } from "./test-configuration";

reuseKeys();
const { folder, start } = openFolder();
let running: OnFolder;

const makeKey = async (): Promise<string> => (await running.send(running.headers, "POST", "/keys", {})).json.thumbprint;

/** Changes the settings and gives the result: key ids, the key, and each key's use. */
async function change(wanted: object) {
  const { send, pair } = running;
  const { status } = await send(await pair(), "PUT", "/config", wanted);
  const headers = await pair();
  const { keyId, thumbprint, previousKeyId } = (await send(headers, "GET", "/config")).json;
  const { keys } = (await send(headers, "GET", "/keys")).json;
  const uses = new Map(keys.map((key: { thumbprint: string; use: string }) => [key.thumbprint, key.use]));
  return { status, keyId, thumbprint, previousKeyId, uses };
}

describe("a key created from the pane", () => {
  itOnPosix("is stored in a file of its owner alone, and only its public half is returned", async () => {
    running = await start();
    const { status, json } = await running.send(running.headers, "POST", "/keys", {});
    expect([status, json]).toEqual([
      201,
      {
        thumbprint: expect.stringMatching(/^[\w-]{43}$/),
        publicKeyPem: expect.stringMatching(/^-----BEGIN PUBLIC KEY-----\n[^-]+-----END PUBLIC KEY-----\n$/),
        jwk: { kty: "RSA", e: "AQAB", n: expect.stringMatching(/^[\w-]{342}$/) },
        bits: 2048,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        keyId: null,
      },
    ]);
    const path = toKeyPath(folder.keys, json.thumbprint);
    const pem = readFileSync(path, "utf8");
    expect(pem).toMatch(/^-----BEGIN PRIVATE KEY-----/);
    const publicKey = createPublicKey(createPrivateKey(pem));
    expect(publicKey.export({ type: "spki", format: "pem" })).toBe(json.publicKeyPem);
    expect([path, folder.keys].map((each) => statSync(each).mode & 0o777)).toEqual([0o600, 0o700]);
    const { keys } = (await running.send(running.headers, "GET", "/keys")).json;
    expect(keys).toEqual([{ ...json, use: "unused" }]);
  });

  it("is refused for any wish", async () => {
    const { send, headers } = await start();
    for (const body of [{ bits: 4096 }, { name: "../key" }, [2048], null]) {
      const refused = await send(headers, "POST", "/keys", body);
      expect([refused.status, refused.json.error.message]).toEqual([400, expect.stringMatching(/^Send .+\.$/)]);
    }
    expect((await send(headers, "GET", "/keys")).json.keys).toEqual([]);
  });

  it("is encrypted if a passphrase is configured, and signs", async () => {
    const { app, send, headers } = await start();
    await send(headers, "POST", "/keys", {});
    await send(headers, "PUT", "/config", WANTED);
    await app.close();
    running = await start({ environment: { FEED_PRIVATE_KEY_PASSPHRASE: "a passphrase of tests" } });
    const thumbprint = await makeKey();
    expect(readFileSync(toKeyPath(folder.keys, thumbprint), "utf8")).toMatch(/^-----BEGIN ENCRYPTED PRIVATE KEY-----/);
    expect(await change({ ...WANTED, keyId: "kid-2" })).toMatchObject({ status: 200, thumbprint });
    expect(JSON.stringify(readSettings(folder))).not.toContain("passphrase of tests");
  });

  it("is refused after 20, even if two are created at once", async () => {
    mkdirSync(folder.keys, { recursive: true });
    const thumbprint = await fillFolder(folder);
    const pem = readFileSync(`${toKeyPath(folder.keys, thumbprint)}.pub`);
    for (let count = 2; count < 20; count += 1) {
      for (const ending of [".pem", ".pem.pub"]) writeFileSync(join(folder.keys, `copy-${count}${ending}`), pem);
    }
    running = await start();
    const answers = await Promise.all([1, 2].map(() => running.send(running.headers, "POST", "/keys", {})));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.json.error.message).toContain(`${folder.keys} holds 20 keys already.`);
    expect(readdirSync(folder.keys)).toHaveLength(40);
  });

  it("is refused beyond ten attempts a minute", async () => {
    running = await start();
    const { send, headers } = running;
    for (let tries = 1; tries <= 10; tries += 1) await send(headers, "POST", "/keys", { bits: 1 });
    const { status, headers: answered } = await send(headers, "POST", "/keys", {});
    expect([status, Number(answered["retry-after"])]).toEqual([429, expect.any(Number)]);
    expect((await send(headers, "GET", "/keys")).json.keys).toEqual([]);
  });

  it("cannot be listed if its public half is broken, with a sentence", async () => {
    const thumbprint = await fillFolder(folder);
    const path = `${toKeyPath(folder.keys, thumbprint)}.pub`;
    running = await start();
    writeFileSync(path, "broken");
    const { status, json } = await running.send(running.headers, "GET", "/keys");
    expect([status, json.error.message]).toEqual([500, expect.stringContaining(`${path} is no public key`)]);
  });
});

describe("the signing key after a change", () => {
  let first: string;

  beforeEach(async () => {
    first = await fillFolder(folder);
    running = await start();
  });

  it("is the newest unused one for another key id, with the previous one beside it", async () => {
    const second = await makeKey();
    expect(await change({ ...WANTED, keyId: "kid-2" })).toEqual({
      status: 200,
      keyId: "kid-2",
      thumbprint: second,
      previousKeyId: "kid-1",
      uses: new Map([
        [second, "signing"],
        [first, "previous"],
      ]),
    });
    const { json } = await running.send(await running.pair(), "POST", "/assertion?refused=kid-2", {});
    expect(json.keyId).toBe("kid-1");
    // The previous one stays beside it if only the key id is corrected.
    expect(await change({ ...WANTED, keyId: "kid-3" })).toMatchObject({ keyId: "kid-3", previousKeyId: "kid-1" });
  });

  it("is the current one if only its key id was mistyped, or for the same one, whatever else was created", async () => {
    expect(await change({ ...WANTED, keyId: "kid-2" })).toMatchObject({ keyId: "kid-2", thumbprint: first });
    expect((await change(WANTED)).previousKeyId).toBeUndefined();
    await makeKey();
    const { thumbprint, previousKeyId } = await change({ ...WANTED, clientId: "client-2" });
    expect([thumbprint, previousKeyId]).toEqual([first, undefined]);
  });

  it("is the chosen one", async () => {
    const second = await makeKey();
    await makeKey();
    expect(await change({ ...WANTED, keyId: "kid-2", thumbprint: second })).toMatchObject({ thumbprint: second });
    expect(await change({ ...WANTED, thumbprint: first })).toMatchObject({
      keyId: "kid-1",
      thumbprint: first,
      previousKeyId: "kid-2",
    });
  });

  it.each([
    ["base URL", { baseUrl: "https://other.example.com" }],
    ["client", { clientId: "client-2" }],
  ])("has none beside it under another %s, which does not know the previous one", async (_title, other) => {
    await makeKey();
    await change({ ...WANTED, keyId: "kid-2" });
    const third = await makeKey();
    const after = await change({ ...WANTED, ...other, keyId: "kid-3" });
    expect([after.status, after.thumbprint, after.previousKeyId]).toEqual([200, third, undefined]);
    expect(Object.keys(readSettings(folder)).filter((name) => name.includes("PREVIOUS"))).toEqual([]);
  });
});

describe("with simultaneous requests", () => {
  const OTHER = { baseUrl: WANTED.baseUrl, clientId: "client-2", keyId: "kid-2" };
  const own = createFolder();
  const keys = new Map<string, CryptoKey>();
  const thumbprints: Record<string, string> = {};

  beforeAll(async () => {
    await fillFolder(own);
    running = await startOnFolder({ folder: own });
    const { send, headers } = running;
    await send(headers, "POST", "/keys", {});
    const listed = (await send(headers, "GET", "/keys")).json.keys;
    for (const { thumbprint, publicKeyPem, use } of listed) {
      const keyId = use === "signing" ? WANTED.keyId : OTHER.keyId;
      thumbprints[keyId] = thumbprint;
      keys.set(keyId, await importSPKI(publicKeyPem, "RS256"));
    }
  });
  afterAll(async () => {
    await running.app.close();
    own.remove();
  });

  const put = (wanted: typeof WANTED) =>
    running.send(running.headers, "PUT", "/config", { ...wanted, thumbprint: thumbprints[wanted.keyId] });

  it("settings are applied one after another, and the last is in the file", async () => {
    const answers = await Promise.all([OTHER, WANTED, OTHER, WANTED, OTHER, WANTED].map(put));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const { json } = await running.send(running.headers, "GET", "/config");
    const { FEED_CLIENT_ID, FEED_KEY_ID, FEED_PRIVATE_KEY_FILE } = readSettings(own);
    expect([FEED_CLIENT_ID, FEED_KEY_ID]).toEqual([json.clientId, json.keyId]);
    expect(FEED_PRIVATE_KEY_FILE).toContain(json.thumbprint);
  });

  it("a provider is set up after the previous one is in force and its pairings ended", async () => {
    let underWay = 0;
    let most = 0;
    const revoke = async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      for (let macrotasks = 0; macrotasks < 50; macrotasks += 1) await setImmediate();
      underWay -= 1;
      return 0;
    };
    await fillFolder(folder);
    const environment = { HOST: "127.0.0.1", PORT: "0" };
    let configuration = readConfiguration(environment, { own: folder.settings });
    const provider = () => ({ sample: false, baseUrl: () => configuration.provider!.baseUrl, client: createClient() });
    const use = (changed: Configuration) => {
      configuration = changed;
    };
    const pairings = { ...createTestPairings(), revoke };
    const setUp = createSetUp({
      ...{ folder, environment, configuration, provider, use, pairings },
      ...{ notify: () => {}, isTerminal: true },
    });
    const addresses = [1, 2, 3].map((count) => `https://feed-${count}.example.com`);
    await Promise.all(addresses.map((baseUrl) => setUp.change({ ...WANTED, baseUrl })));
    expect([most, configuration.provider?.baseUrl]).toEqual([1, addresses[2]]);
    expect(readSettings(folder).FEED_BASE_URL).toBe(addresses[2]);
  });

  it("an invalid change does not block the next one", async () => {
    const answers = await Promise.all([put({ ...OTHER, clientId: "" }), put(OTHER)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await running.send(running.headers, "GET", "/config")).json).toMatchObject(OTHER);
  });

  it("every assertion is of one client, signed by that client's key", async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 6; round += 1) {
      const pending = Array.from({ length: 8 }, () => running.send(running.headers, "POST", "/assertion", {}));
      const [answers] = await Promise.all([Promise.all(pending), put(round % 2 === 0 ? WANTED : OTHER)]);
      for (const { json } of answers) {
        const key = keys.get(json.keyId)!;
        const { payload, protectedHeader } = await jwtVerify(json.assertion, key);
        const { clientId, keyId } = json.keyId === "kid-1" ? WANTED : OTHER;
        expect([json.clientId, payload.iss, payload.sub]).toEqual([clientId, clientId, clientId]);
        expect(protectedHeader.kid).toBe(keyId);
        seen.add(keyId);
      }
    }
    expect([...seen].sort()).toEqual(["kid-1", "kid-2"]);
  });
});
