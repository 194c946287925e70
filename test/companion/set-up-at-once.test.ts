import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { importSPKI, jwtVerify } from "jose";
import { createSetUp } from "../../src/companion/api/set-up";
import { type Configuration, readConfiguration } from "../../src/companion/configuration";
import { createFolder, fillFolder, type OnFolder, readSettings, startOnFolder, WANTED } from "./set-up-companion";
import { createClient, createTestPairings } from "./test-configuration";

const OTHER = { baseUrl: WANTED.baseUrl, clientId: "client-2", keyId: "kid-2" };
const folder = createFolder();
const keys = new Map<string, CryptoKey>();
const thumbprints: Record<string, string> = {};
let running: OnFolder;

beforeAll(async () => {
  await fillFolder(folder);
  running = await startOnFolder({ folder });
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
  folder.remove();
});

const put = (wanted: typeof WANTED) =>
  running.send(running.headers, "PUT", "/config", { ...wanted, thumbprint: thumbprints[wanted.keyId] });

describe("with simultaneous requests", () => {
  it("settings are applied one after another, and the last is in the file", async () => {
    const answers = await Promise.all([OTHER, WANTED, OTHER, WANTED, OTHER, WANTED].map(put));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const { json } = await running.send(running.headers, "GET", "/config");
    const { FEED_CLIENT_ID, FEED_KEY_ID, FEED_PRIVATE_KEY_FILE } = readSettings(folder);
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
    const own = createFolder();
    await fillFolder(own);
    const environment = { HOST: "127.0.0.1", PORT: "0" };
    let configuration = readConfiguration(environment, { own: own.settings });
    const provider = () => ({ sample: false, baseUrl: () => configuration.provider!.baseUrl, client: createClient() });
    const use = (changed: Configuration) => {
      configuration = changed;
    };
    const pairings = { ...createTestPairings(), revoke };
    const setUp = createSetUp({
      folder: own,
      environment,
      configuration,
      provider,
      use,
      pairings,
      notify: () => {},
      isTerminal: true,
    });
    const addresses = [1, 2, 3].map((count) => `https://feed-${count}.example.com`);
    await Promise.all(addresses.map((baseUrl) => setUp.change({ ...WANTED, baseUrl })));
    expect([most, configuration.provider?.baseUrl]).toEqual([1, addresses[2]]);
    expect(readSettings(own).FEED_BASE_URL).toBe(addresses[2]);
    own.remove();
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
