import { X509Certificate } from "node:crypto";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import fastify from "fastify";
import { type Certificate, renewCertificate } from "../../src/companion/certificate";
import { readAllSettings, readConfiguration } from "../../src/companion/configuration";
import type { Settings } from "../../src/companion/configuration/settings";
import { HELD } from "../../src/contract/companion-api";
import { followSettings } from "../../src/firm/followed-settings";
import { COMPLETE, otherKey, toPem } from "../companion/complete-settings";
import { type PairedCompanion, startPaired } from "../companion/paired-companion";
import { readSerial } from "../companion/raw-request";
import { readTestCertificate } from "../support/certificate";
import { type RunningProvider, startSandbox } from "../support/provider";

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const RESTART = "These settings changed, which needs a restart; the former ones stay in force.";
const IN_FORCE = "The changed settings are in force.";
const REFUSED = "The changed settings do not serve; the former ones stay in force, roles among them.";

const TREE = "/relay/asia/industry-taxonomies/v1/tree";
const ROLES = { "roles.json": { Analyst: { families: ["financials"], countries: "ALL" } } };

/** A folder as orchestrators mount it: replaced as a whole by switching one link. */
function createMount() {
  const folder = mkdtempSync(join(tmpdir(), "feed-mount-"));
  let version = 0;
  return {
    at: (name: string) => join(folder, name),
    put(files: Record<string, string | object>) {
      if (process.platform === "win32") return overwrite(folder, files); // without rights to make links
      version += 1;
      mkdirSync(join(folder, `..${version}`), { mode: 0o700 });
      for (const [name, content] of Object.entries(files)) {
        writeFileSync(join(folder, `..${version}`, name), toText(content), { mode: 0o600 });
        if (version === 1) symlinkSync(join("..data", name), join(folder, name));
      }
      symlinkSync(`..${version}`, join(folder, "..new"));
      renameSync(join(folder, "..new"), join(folder, "..data"));
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

const toText = (content: string | object): string => (typeof content === "string" ? content : JSON.stringify(content));

function overwrite(folder: string, files: Record<string, string | object>): void {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), toText(content));
}

describe("a running companion of a firm", () => {
  let provider: RunningProvider;
  let mount: ReturnType<typeof createMount>;
  let companion: PairedCompanion;
  let settings: Settings;
  const listMessages = () =>
    companion.lines
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => [RESTART, IN_FORCE, REFUSED].includes(String(msg)));
  const look = () => process.emit("SIGHUP");
  const send = (method: string, path: string, headers?: Record<string, string>, body?: string) =>
    companion.send(method, `/companion${path}`, headers, body);
  const readKeyIds = async () => {
    const { keyId, previousKeyId } = JSON.parse((await send("GET", "/config")).body);
    return [keyId, previousKeyId];
  };
  const exchange = async () => (await send("POST", "/relay/token", FORM, `client_assertion=${HELD}`)).status;

  beforeAll(async () => {
    provider = await startSandbox({ companies: 20 });
  });
  afterAll(() => provider.close());
  beforeEach(async () => {
    mount = createMount();
    settings = {
      FEED_BASE_URL: provider.baseUrl,
      FEED_CLIENT_ID: provider.clientId,
      FEED_KEY_ID: provider.kid,
      FEED_PRIVATE_KEY_FILE: mount.at("key.pem"),
      FEED_MODE: "relay",
      FEED_SIGN_IN_ISSUER: "https://login.example.com",
      FEED_SIGN_IN_CLIENT_ID: "companion",
      FEED_ROLES_FILE: mount.at("roles.json"),
      ALLOWED_ORIGINS: "https://feed.example.com",
      HOST: "127.0.0.1",
      PORT: "0",
    };
    mount.put({ "settings.json": settings, "key.pem": toPem(provider.privateKey), "former.pem": "", ...ROLES });
    const settingsFiles = { administrators: mount.at("settings.json") };
    companion = await startPaired({ configuration: readConfiguration({}, settingsFiles), settingsFiles });
  });
  afterEach(async () => {
    await companion.app.close();
    mount.remove();
    provider.controls.reset();
  });

  it("signs with a newly mounted key, and with the previous one while the provider does not know it", async () => {
    expect(await exchange()).toBe(200);
    const changed = {
      ...settings,
      FEED_KEY_ID: "new-key",
      FEED_PREVIOUS_KEY_ID: provider.kid,
      FEED_PREVIOUS_PRIVATE_KEY_FILE: mount.at("former.pem"),
    };
    mount.put({
      "settings.json": changed,
      "key.pem": toPem(otherKey),
      "former.pem": toPem(provider.privateKey),
      ...ROLES,
    });
    look();
    expect(await readKeyIds()).toEqual(["new-key", provider.kid]);
    expect(listMessages()).toEqual([expect.objectContaining({ msg: IN_FORCE, kid: "new-key" })]);
    expect(await exchange()).toBe(200);
    expect(provider.controls.count("createToken")).toBe(3);
  });

  it("keeps its key while the new one is invalid, reports that once, and switches when it is valid", async () => {
    const files = { "settings.json": { ...settings, FEED_KEY_ID: "new-key" }, "key.pem": toPem(otherKey), ...ROLES };
    mount.put({ ...files, "key.pem": "no key" });
    look();
    look();
    expect(listMessages()).toEqual([
      expect.objectContaining({ msg: REFUSED, mistakes: [expect.stringMatching(/^FEED_PRIVATE_KEY_FILE: /)] }),
    ]);
    expect(await readKeyIds()).toEqual([provider.kid, undefined]);
    expect(await exchange()).toBe(200);
    mount.put(files);
    look();
    expect(await readKeyIds()).toEqual(["new-key", undefined]);
  });

  it.each([
    ["FEED_SIGN_IN_SCOPE", "feed.other"],
    ["PORT", "3001"],
    ["FEED_CLIENT_ID", "client-2"],
    ["FEED_PROVIDER_PER_MINUTE", "60"],
  ])("applies nothing of a change that includes %s, and reports that it needs a restart", async (name, text) => {
    const changed = { ...settings, [name]: text, FEED_KEY_ID: "new-key" };
    mount.put({ "settings.json": changed, "key.pem": toPem(otherKey), ...ROLES });
    look();
    expect(listMessages()).toEqual([expect.objectContaining({ msg: RESTART, settings: [name] })]);
    expect(await readKeyIds()).toEqual([provider.kid, undefined]);
  });

  it("applies changed roles without a new sign-in", async () => {
    const signedIn = { person: { id: "ada", roles: ["Analyst"] }, endsAtMs: Date.now() + 60_000 };
    const { bearer } = await companion.pairings.pairPerson(signedIn, `http://localhost:${companion.port}`);
    const readTree = async () =>
      (await send("GET", TREE, { "feed-pairing": bearer, authorization: `Bearer ${HELD}` })).status;
    expect(await readTree()).toBe(403);
    const more = { "roles.json": { Analyst: { families: ["financials", "taxonomies"], countries: "ALL" } } };
    mount.put({ "settings.json": settings, "key.pem": toPem(provider.privateKey), ...more });
    expect(await exchange()).toBe(200);
    look();
    expect(await readTree()).toBe(200);
    expect(provider.controls.count("createToken")).toBe(1);
  });

  it("logs nothing of a key, valid or not", async () => {
    const marks = [toPem(provider.privateKey), toPem(otherKey)].map((pem) => pem.split("\n")[3] as string);
    mount.put({ "settings.json": { ...settings, FEED_KEY_ID: "new-key" }, "key.pem": toPem(otherKey), ...ROLES });
    look();
    mount.put({ "settings.json": settings, "key.pem": toPem(otherKey).slice(0, -200), ...ROLES });
    look();
    expect(listMessages()).toHaveLength(2);
    for (const mark of marks) expect(companion.lines.join()).not.toContain(mark);
  });
});

it("the certificate of a running companion is the new one for connections after it was changed", async () => {
  const mount = createMount();
  const toFiles = ({ cert, key }: Certificate) => ({ "cert.pem": cert, "tls.pem": key });
  const [one, other] = [await readTestCertificate(), await renewCertificate(mount.at("renewed"))];
  const own = { ...COMPLETE, HOST: "127.0.0.1", PORT: "0", ALLOWED_ORIGINS: "https://feed.example.com" };
  const settings = { ...own, TLS_CERT_FILE: mount.at("cert.pem"), TLS_KEY_FILE: mount.at("tls.pem") };
  mount.put({ "settings.json": settings, ...toFiles(one) });
  const settingsFiles = { administrators: mount.at("settings.json") };
  const configuration = readConfiguration({}, settingsFiles);
  const { app, port } = await startPaired({ configuration, settingsFiles, certificate: one });
  expect(await readSerial(port)).toBe(new X509Certificate(one.cert).serialNumber);
  mount.put({ "settings.json": settings, ...toFiles(other) });
  process.emit("SIGHUP");
  expect(await readSerial(port)).toBe(new X509Certificate(other.cert).serialNumber);
  await app.close();
  mount.remove();
});

it("watched settings are checked by a timer that ends with the companion", async () => {
  jest.useFakeTimers({ doNotFake: ["nextTick", "queueMicrotask", "setImmediate", "setTimeout", "clearTimeout"] });
  const mount = createMount();
  const put = (level: string) => {
    mount.put({ "settings.json": { ...COMPLETE, LOG_LEVEL: level } });
    jest.advanceTimersByTime(10_000);
  };
  const follow = () => {
    const app = fastify();
    const levels: string[] = [];
    const path = mount.at("settings.json");
    const read = () => {
      const { configuration, ...readout } = readAllSettings({}, { administrators: path }, Date.now());
      const use = () => {
        levels.push(configuration.logLevel);
        return undefined;
      };
      return { ...readout, use };
    };
    followSettings(app, { path, read }, true);
    return { app, levels };
  };
  const listeners = process.listenerCount("SIGHUP");
  put("silent");
  const { app, levels } = follow();
  put("error");
  put("warn");
  expect(levels).toEqual(["error", "warn"]);
  expect(process.listenerCount("SIGHUP")).toBe(listeners);
  await app.close();
  const other = follow();
  for (const level of ["fatal", "info", "debug"]) put(level);
  expect([levels, other.levels]).toEqual([
    ["error", "warn"],
    ["fatal", "info", "debug"],
  ]);
  await other.app.close();
  jest.useRealTimers();
  mount.remove();
});
