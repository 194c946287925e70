import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { FastifyInstance } from "fastify";
import { renewCertificate } from "../../../src/companion/certificate";
import type { Surroundings } from "../../../src/companion/commands/surroundings";
import { REFUSAL_HEADER } from "../../../src/contract/companion-api";
import { findPort } from "../../support/free-port.mjs";
import { type RunningProvider, startSandbox } from "../../support/provider";
import { createProviderServer, type ProviderServer } from "../provider-server";
import { makeCertificate } from "../proxy-server";
import { reuseKeys } from "../quick-keys";
import { toPattern } from "../sentence-pattern";
import FAULTS from "./doctor-faults.json";
import { createMachine, removeMachines, type TestMachine } from "./machine";

const YEAR_MS = 366 * 24 * 3600 * 1000;
const DEVELOPER = "HKEY_CURRENT_USER\\Software\\Microsoft\\Office\\16.0\\WEF\\Developer";
const POLICIES = "HKEY_CURRENT_USER\\Software\\Policies\\Microsoft\\Office\\16.0\\WEF\\TrustedCatalogs";

reuseKeys();
let provider: RunningProvider;
/** A provider that gives a token, and refuses all data. */
let withoutRights: ProviderServer;
/** The companion's port as a guard of the computer shows it. */
let guard: ProviderServer;
/** A program that is not the companion. */
let stranger: ReturnType<typeof createServer>;
let spare: string;
let companions: FastifyInstance[];
const machines = {} as Record<"win32" | "darwin", TestMachine>;
/** The environment of each sound computer, by which its companion was started. */
const environments = {} as Record<keyof typeof machines, NodeJS.ProcessEnv>;

const onListen = (app: FastifyInstance) => companions.push(app);

/** Sets a computer up as a person does, and starts its companion. */
async function setUp(platform: keyof typeof machines): Promise<void> {
  const machine = createMachine(platform);
  const keyFile = join(machine.home, "key.pem");
  writeFileSync(keyFile, provider.privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  const environment = {
    ...{ ...machine.environment, PORT: String(await findPort()), LOG_LEVEL: "silent" },
    ...{ FEED_BASE_URL: provider.baseUrl, FEED_CLIENT_ID: provider.clientId },
    ...{ FEED_KEY_ID: provider.kid, FEED_PRIVATE_KEY_FILE: keyFile },
  };
  machines[platform] = machine;
  environments[platform] = environment;
  await machine.run(["install", "--yes", "--service"], { environment });
  await machine.run(["start", "--https"], { environment, onListen });
}

beforeAll(async () => {
  companions = [];
  spare = mkdtempSync(join(tmpdir(), "feed-doctor-"));
  provider = await startSandbox({ companies: 10 });
  withoutRights = await createProviderServer(({ url }, response) => {
    const isToken = url?.endsWith("/token");
    response.writeHead(isToken ? 200 : 403, { "content-type": "application/json" });
    response.end(JSON.stringify(isToken ? { access_token: "token-1", expires_in: 300 } : { error: "forbidden" }));
  });
  const inspection = makeCertificate(spare, "Kaspersky Anti-Virus Personal Root Certificate", "localhost");
  guard = await createProviderServer((_request, response) => {
    response.writeHead(401, { [REFUSAL_HEADER]: "pairing" }).end();
  }, inspection);
  stranger = createServer((socket) => socket.on("error", () => {}).end("220 mail\r\n")).listen(0, "localhost");
  await once(stranger, "listening");
  await setUp("win32");
  await setUp("darwin");
}, 60_000);
afterAll(async () => {
  await Promise.all(companions.map((app) => app.close()));
  await provider.close();
  await withoutRights.close();
  await guard.close();
  stranger.close();
  rmSync(spare, { recursive: true });
  removeMachines();
});

const diagnose = (platform: keyof typeof machines, surroundings: Partial<Surroundings> = {}, words: string[] = []) =>
  machines[platform].runToEnd(["doctor", ...words], { environment: environments[platform], ...surroundings });

describe("doctor on a sound computer", () => {
  it.each(["win32", "darwin"] as const)("passes each check, a line each, and changes nothing: %s", async (platform) => {
    const before = machines[platform].describe();
    const { lines, error } = await diagnose(platform);
    expect(machines[platform].describe()).toEqual(before);
    expect(error).toBeUndefined();
    const names = ["Node", "settings", "storage", "companion", "certificate", "trust", "manifest", "policy", "log-on"];
    const checks = [...names, "key", "key", "key", "provider", "clock", "data rights"];
    expect(lines.map((line) => line.slice(0, 17).trimEnd())).toEqual(checks.map((name) => `pass  ${name}`));
    expect(lines).toContain(
      `pass  companion    The companion runs at https://localhost:${environments[platform].PORT}.`,
    );
    expect(lines).toContain("pass  data rights  The client may read companies, financials, taxonomies and rankings.");
  });

  it("prints a list for programs with --json, with an error beside it where a check fails", async () => {
    const { lines, error } = await diagnose("win32", { nodeVersion: "18.20.4" }, ["--json"]);
    const [first, ...others] = JSON.parse(lines.join("\n"));
    expect(first).toEqual({
      check: "Node",
      verdict: "FAIL",
      text: expect.stringMatching(/^Node 18\.20\.4 is too old\./),
    });
    expect(others.map(({ verdict }: { verdict: string }) => verdict)).not.toContain("FAIL");
    expect(error?.message).toBe("1 of 15 checks failed; each line says what to do.");
  });
});

/** Brings a fault about; gives the surroundings that differ, if any do. */
type Inject = (place: { machine: TestMachine; environment: NodeJS.ProcessEnv }) => unknown;

/** The environment with another provider or port. */
const change =
  (name: string, find: () => Promise<unknown> | unknown): Inject =>
  async ({ environment }) => ({ environment: { ...environment, [name]: String(await find()) } });

const INJECT: Record<keyof typeof FAULTS, Inject> = {
  "Node is too old": () => ({ nodeVersion: "20.18.3" }),
  "a setting is missing": ({ environment: { FEED_CLIENT_ID: _, ...environment } }) => ({ environment }),
  "others may read the key": ({ environment }) => chmodSync(environment.FEED_PRIVATE_KEY_FILE ?? "", 0o644),
  "the person's folder cannot be written"() {
    writeFileSync(join(spare, "file"), "");
    return { folder: join(spare, "file", "feed-for-excel") };
  },
  "the pairings are damaged"() {
    writeFileSync(join(spare, "pairings.json"), "{", { mode: 0o600 });
    return { folder: spare };
  },
  "nothing runs": change("PORT", findPort),
  "another program has the port": change("PORT", () => (stranger.address() as AddressInfo).port),
  async "the companion runs without https"({ machine, environment }) {
    const plain = { ...environment, PORT: String(await findPort()) };
    await machine.run(["start"], { environment: plain, onListen });
    return { environment: plain };
  },
  async "the companion has a former certificate"() {
    await renewCertificate(join(spare, "renewed"));
    return { certificateFolder: join(spare, "renewed") };
  },
  // The names that guards give to their authorities: mozilla/addons #525, zaproxy #3266.
  "a virus guard stands before localhost": change("PORT", () => guard.port),
  "there is no certificate": () => ({ certificateFolder: join(spare, "nowhere") }),
  "the certificate has ended": () => ({ nowMs: () => Date.now() + YEAR_MS }),
  "Windows does not trust it": ({ machine }) => machine.changeState({ roots: [] }),
  "macOS does not trust it": ({ machine }) => machine.changeState({ roots: [] }),
  "Excel does not know the add-in": ({ machine }) => changeRegistry(machine, { [DEVELOPER]: {} }),
  "the manifest is gone": ({ machine }) => rmSync(join(machine.folder, "manifest.xml")),
  "a policy on Windows blocks web add-ins": ({ machine }) =>
    changeRegistry(machine, { [POLICIES]: { disableallcatalogs: "dword:00000001" } }),
  "a policy on Windows blocks the registry's tools": ({ machine }) =>
    machine.changeState({ registryToolsForbidden: true }),
  "a policy on a Mac blocks web add-ins": ({ machine }) =>
    machine.changeState({ preferences: { "com.microsoft.office OfficeWebAddinDisableAllCatalogs": "1" } }),
  "the start at log-on is gone": ({ machine }) => machine.changeState({ tasks: {} }),
  "the clock is wrong": () => ({ nowMs: () => Date.now() - 600_000 }),
  "the provider cannot be reached": change("FEED_BASE_URL", async () => `http://127.0.0.1:${await findPort()}`),
  "the provider does not know the client": change("FEED_CLIENT_ID", () => "nobody"),
  "the client may read nothing": change("FEED_BASE_URL", () => `http://127.0.0.1:${withoutRights.port}`),
};

function changeRegistry(machine: TestMachine, values: Record<string, Record<string, string>>): void {
  machine.changeState({ registry: { ...machine.readState().registry, ...values } });
}

describe("doctor names the fault and its cure:", () => {
  let saved: ReturnType<TestMachine["readState"]>;
  let platform: keyof typeof machines;

  afterEach(async () => {
    const machine = machines[platform];
    machine.changeState({ registryToolsForbidden: undefined, ...saved });
    chmodSync(environments[platform].FEED_PRIVATE_KEY_FILE ?? "", 0o600);
    await machine.run(["install", "--yes"], { environment: environments[platform] });
  });

  const faults = Object.entries<{ platform?: string; check: string; cure: string }>(FAULTS).filter(
    // Windows has no such modes.
    ([name]) => process.platform !== "win32" || name !== "others may read the key",
  );

  it.each(faults)("%s", async (name, { platform: own = "win32", check, cure }) => {
    platform = own as keyof typeof machines;
    saved = machines[platform].readState();
    const place = { machine: machines[platform], environment: environments[platform] };
    const changed = (await INJECT[name as keyof typeof FAULTS](place)) as Partial<Surroundings> | undefined;
    const { failed, error } = await diagnose(platform, changed);
    const texts = failed.filter((line) => line.slice(6, 17).trimEnd() === check).map((line) => line.slice(19));
    expect(texts).toContainEqual(expect.stringMatching(toPattern(cure)));
    expect(error?.message).toMatch(/^\d+ of \d+ checks failed; each line says what to do\.$/);
  });
});

const INTERNET = "HKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings";
const PAC = "http://wpad.example.com/proxy.pac";

describe("doctor names this system's proxy, which is not used by itself:", () => {
  it.each<[string, keyof typeof machines, Record<string, string> | string, string]>([
    ["a PAC file", "win32", { AutoConfigURL: `"${PAC}"` }, `comes from a PAC file (${PAC}), which is not read here.`],
    [
      "a PAC file with a password",
      "win32",
      { AutoConfigURL: '"http://a:b@pac.test/p"' },
      "PAC file (http://pac.test/p)",
    ],
    [
      "a proxy",
      "win32",
      { ProxyEnable: "dword:00000001", ProxyServer: '"one:8080"' },
      "HTTPS_PROXY to http://one:8080.",
    ],
    [
      "a list of proxies",
      "win32",
      { ProxyEnable: "dword:00000001", ProxyServer: '"http=one:80;https=two:81;ftp=three:82"' },
      "HTTPS_PROXY to http://two:81.",
    ],
    [
      "a PAC file on a Mac",
      "darwin",
      `ProxyAutoConfigEnable : 1\n  ProxyAutoConfigURLString : ${PAC}`,
      `PAC file (${PAC})`,
    ],
    [
      "a proxy on a Mac",
      "darwin",
      "HTTPSEnable : 1\n  HTTPSPort : 81\n  HTTPSProxy : two",
      "HTTPS_PROXY to http://two:81.",
    ],
    ["none that is switched off", "win32", { ProxyEnable: "dword:00000000", ProxyServer: '"one:8080"' }, ""],
    [
      "none that is switched off on a Mac",
      "darwin",
      `ProxyAutoConfigEnable : 0\n  ProxyAutoConfigURLString : ${PAC}`,
      "",
    ],
  ])("%s", async (_what, platform, proxies, sentence) => {
    const machine = machines[platform];
    const saved = machine.readState();
    if (typeof proxies === "string") machine.changeState({ proxies: `<dictionary> {\n  ${proxies}\n}` });
    else changeRegistry(machine, { [INTERNET]: proxies });
    const environment = { ...environments[platform], FEED_BASE_URL: "https://feed.invalid" };
    const { lines } = await diagnose(platform, { environment });
    machine.changeState({ proxies: "", ...saved });
    const notes = lines.filter((line) => line.startsWith("note  network"));
    expect(notes).toEqual(sentence === "" ? [] : [expect.stringContaining(sentence)]);
    expect(notes.join()).toMatch(sentence === "" ? /^$/ : /set HTTPS_PROXY to/);
  });
});

describe("doctor elsewhere", () => {
  it("notes on Linux what it cannot see, and is content with sample data", async () => {
    const machine = createMachine("linux");
    const environment = { ...machine.environment, PORT: String(await findPort()), LOG_LEVEL: "silent" };
    await machine.run(["install"], { environment });
    await machine.run(["start", "--https"], { environment, onListen });
    const lines = await machine.run(["doctor"], { environment });
    expect(lines.filter((line) => !line.startsWith("pass")).map((line) => line.slice(0, 17).trimEnd())).toEqual([
      "note  trust",
      "note  manifest",
      "note  log-on",
      "note  provider",
    ]);
  });

  it("leaves a firm's certificate and manifest to its administrator", async () => {
    const environment = { ...environments.win32, ALLOWED_ORIGINS: "https://feed.example.com" };
    const { lines } = await diagnose("win32", { environment });
    expect(lines.join("\n")).not.toMatch(/trust|manifest|log-on/);
    expect(lines).toContainEqual(
      expect.stringMatching(/^note {2}certificate .* is its proxy's, and is not checked here/),
    );
    expect(lines).toContainEqual(expect.stringMatching(/^pass {2}companion/));
  });

  it("takes an address of no computer for one where nothing runs, not for another program", async () => {
    const { lines } = await diagnose("win32", { environment: { ...environments.win32, HOST: "127.0.0.999" } });
    expect(lines).toContainEqual(expect.stringMatching(/^FAIL {2}companion .*Nothing runs at port/));
  });

  it("gives no stack where the record of the installation is damaged", async () => {
    const machine = createMachine("linux");
    await machine.run(["install"]);
    writeFileSync(join(machine.folder, "installed.json"), "{", { mode: 0o600 });
    const { lines } = await machine.runToEnd(["doctor"]);
    expect(lines).toContainEqual(
      expect.stringMatching(/^FAIL {2}log-on .*installed\.json does not hold what this program wrote/),
    );
  });
});
