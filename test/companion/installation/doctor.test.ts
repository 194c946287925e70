import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { FastifyInstance } from "fastify";
import { renewCertificate } from "../../../src/companion/certificate";
import type { Surroundings } from "../../../src/companion/commands/surroundings";
import { type RunningProvider, startSandbox } from "../../support/provider";
import { createProviderServer, type ProviderServer } from "../provider-server";
import { createMachine, removeMachines, type TestMachine } from "./machine";

const YEAR_MS = 366 * 24 * 3600 * 1000;
const POLICIES = "HKEY_CURRENT_USER\\Software\\Policies\\Microsoft\\Office\\16.0\\WEF\\TrustedCatalogs";
const DEVELOPER = "HKEY_CURRENT_USER\\Software\\Microsoft\\Office\\16.0\\WEF\\Developer";
const NPM = "npm run companion --";

let provider: RunningProvider;
/** A provider that gives a token, and refuses all data. */
let withoutRights: ProviderServer;
/** A program that is not the companion. */
let stranger: ReturnType<typeof createServer>;
let spare: string;
let companions: FastifyInstance[];
const machines = {} as Record<"win32" | "darwin", TestMachine>;
/** The environment of each sound computer, by which its companion was started. */
const environments = {} as Record<keyof typeof machines, NodeJS.ProcessEnv>;

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;

/** A port that nothing has now. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "localhost");
  await once(server, "listening");
  const port = portOf(server);
  server.close();
  await once(server, "close");
  return port;
}

/** Sets a computer up as a person does, and starts its companion. */
async function setUp(platform: keyof typeof machines): Promise<void> {
  const machine = createMachine(platform);
  const keyFile = join(machine.home, "key.pem");
  writeFileSync(keyFile, provider.privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  const environment = {
    ...{ ...machine.environment, PORT: String(await findFreePort()), LOG_LEVEL: "silent" },
    ...{ FEED_BASE_URL: provider.baseUrl, FEED_CLIENT_ID: provider.clientId },
    ...{ FEED_KEY_ID: provider.kid, FEED_PRIVATE_KEY_FILE: keyFile },
  };
  machines[platform] = machine;
  environments[platform] = environment;
  await machine.run(["install", "--yes", "--service"], { environment });
  await machine.run(["start", "--https"], { environment, onListen: (app) => companions.push(app) });
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
  stranger = createServer((socket) => socket.on("error", () => {}).end("220 mail\r\n")).listen(0, "localhost");
  await once(stranger, "listening");
  await setUp("win32");
  await setUp("darwin");
}, 60_000);
afterAll(async () => {
  await Promise.all(companions.map((app) => app.close()));
  await provider.close();
  await withoutRights.close();
  stranger.close();
  rmSync(spare, { recursive: true });
  removeMachines();
});

/** Runs doctor, and gives its lines and its error. */
async function diagnose(
  platform: keyof typeof machines,
  surroundings: Partial<Surroundings> = {},
  words: string[] = [],
) {
  const lines: string[] = [];
  const environment = environments[platform];
  const print = (line: string) => lines.push(line);
  const error = await machines[platform].run(["doctor", ...words], { environment, print, ...surroundings }).then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  return { lines, error, failed: lines.filter((line) => line.startsWith("FAIL")) };
}

describe("doctor on a sound computer", () => {
  it.each(["win32", "darwin"] as const)("passes every check, a line each: %s", async (platform) => {
    const { lines, error } = await diagnose(platform);
    expect(error).toBeUndefined();
    const names = ["Node", "settings", "storage", "companion", "certificate", "trust", "manifest", "policy", "log-on"];
    const checks = [...names, "key", "key", "key", "provider", "clock", "data rights"];
    expect(lines.map((line) => line.slice(0, 17).trimEnd())).toEqual(checks.map((name) => `pass  ${name}`));
    expect(lines).toContain(
      `pass  companion    The companion runs at https://localhost:${environments[platform].PORT}.`,
    );
    expect(lines).toContain("pass  data rights  The client may read companies, financials, taxonomies and rankings.");
  });

  it("changes nothing", async () => {
    const before = machines.win32.describe();
    await diagnose("win32");
    expect(machines.win32.describe()).toEqual(before);
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

interface Fault {
  platform?: keyof typeof machines;
  /** Brings the fault about; gives what differs in the surroundings. */
  inject: (
    machine: TestMachine,
    environment: NodeJS.ProcessEnv,
  ) => Promise<Partial<Surroundings>> | Partial<Surroundings>;
  check: string;
  cure: string | RegExp;
}

const FAULTS: Record<string, Fault> = {
  "Node is too old": {
    inject: () => ({ nodeVersion: "20.18.3" }),
    check: "Node",
    cure: "Node 20.18.3 is too old. Install Node 20.19 or newer, from https://nodejs.org.",
  },
  "a setting is missing": {
    inject: (_machine, { FEED_CLIENT_ID: _, ...environment }) => ({ environment }),
    check: "settings",
    cure: /^FEED_CLIENT_ID is missing/,
  },
  "others may read the key": {
    inject(_machine, { FEED_PRIVATE_KEY_FILE: path = "" }) {
      chmodSync(path, 0o644);
      return {};
    },
    check: "settings",
    cure: /^FEED_PRIVATE_KEY_FILE: Others on this machine may read the key file\. Run: chmod 600 /,
  },
  "the person's folder cannot be written": {
    inject() {
      const file = join(spare, "file");
      writeFileSync(file, "");
      return { folder: join(file, "feed-for-excel") };
    },
    check: "storage",
    cure: /\/file cannot be written\. Give your user the right to write there\.$/,
  },
  "the pairings are damaged": {
    inject() {
      const folder = mkdtempSync(join(spare, "damaged-"));
      writeFileSync(join(folder, "pairings.json"), "{", { mode: 0o600 });
      return { folder };
    },
    check: "storage",
    cure: /pairings\.json does not hold what this program wrote\. Mend it, or delete it and set up again\.$/,
  },
  "nothing runs": {
    inject: async (_machine, environment) => ({ environment: { ...environment, PORT: String(await findFreePort()) } }),
    check: "companion",
    cure: /^Nothing runs at port \d+\. Start the companion: npm start -- --https$/,
  },
  "another program has the port": {
    inject: (_machine, environment) => ({ environment: { ...environment, PORT: String(portOf(stranger)) } }),
    check: "companion",
    cure: /^Port \d+ is taken by another program\. Stop that, or choose another port, such as: PORT=\d+ npm start$/,
  },
  "the companion runs without https": {
    async inject(machine, environment) {
      const plain = { ...environment, PORT: String(await findFreePort()) };
      await machine.run(["start"], { environment: plain, onListen: (app) => companions.push(app) });
      return { environment: plain };
    },
    check: "companion",
    cure: "The companion runs without https, which Excel needs. Stop it, and run: npm start -- --https",
  },
  "the companion has a former certificate": {
    async inject() {
      const certificateFolder = mkdtempSync(join(spare, "renewed-"));
      await renewCertificate(certificateFolder);
      return { certificateFolder };
    },
    check: "companion",
    cure: "The companion that runs has another certificate than the present one. Stop it, and start it again.",
  },
  "there is no certificate": {
    inject: () => ({ certificateFolder: join(spare, "nowhere") }),
    check: "certificate",
    cure: `There is no certificate for https, which Excel needs. Run: ${NPM} install`,
  },
  "the certificate has ended": {
    inject: () => ({ nowMs: () => Date.now() + YEAR_MS }),
    check: "certificate",
    cure: /^The certificate of https ended on \d{4}-\d\d-\d\d\. Run: npm run companion -- certs --renew, then: .* install$/,
  },
  "Windows does not trust it": {
    inject(machine) {
      machine.changeState({ roots: [] });
      return {};
    },
    check: "trust",
    cure: `Windows does not trust the certificate. Run: ${NPM} install`,
  },
  "macOS does not trust it": {
    platform: "darwin",
    inject(machine) {
      machine.changeState({ roots: [] });
      return {};
    },
    check: "trust",
    cure: `macOS does not trust the certificate. Run: ${NPM} install`,
  },
  "Excel does not know the add-in": {
    inject(machine) {
      machine.changeState({ registry: { ...machine.readState().registry, [DEVELOPER]: {} } });
      return {};
    },
    check: "manifest",
    cure: /^Excel does not know the add-in at port \d+\. Run: npm run companion -- install$/,
  },
  "the manifest is gone": {
    inject(machine) {
      rmSync(join(machine.folder, "manifest.xml"));
      return {};
    },
    check: "manifest",
    cure: /^Excel looks for the add-in in .*manifest\.xml, which is missing\. Run: npm run companion -- install$/,
  },
  "a policy on Windows blocks web add-ins": {
    inject(machine) {
      const policy = { [POLICIES]: { disableallcatalogs: "dword:00000001" } };
      machine.changeState({ registry: { ...machine.readState().registry, ...policy } });
      return {};
    },
    check: "policy",
    cure: /^A policy blocks web add-ins in Office \(DisableAllCatalogs\)\. Ask your administrator to allow it/,
  },
  "a policy on Windows blocks the registry's tools": {
    inject(machine) {
      machine.changeState({ registryToolsForbidden: true });
      return {};
    },
    check: "policy",
    cure: /^A policy keeps you from the registry's tools \(DisableRegistryTools\).* Ask your administrator/,
  },
  "a policy on a Mac blocks web add-ins": {
    platform: "darwin",
    inject(machine) {
      machine.changeState({ preferences: { "com.microsoft.office OfficeWebAddinDisableAllCatalogs": "1" } });
      return {};
    },
    check: "policy",
    cure: /^A policy blocks web add-ins in Office \(OfficeWebAddinDisableAllCatalogs\)\. Ask your administrator/,
  },
  "the start at log-on is gone": {
    inject(machine) {
      machine.changeState({ tasks: {} });
      return {};
    },
    check: "log-on",
    cure: /^The companion no longer starts at log-on: .* is gone or switched off\. Run: npm run companion -- service on$/,
  },
  "the clock is wrong": {
    inject: () => ({ nowMs: () => Date.now() - 600_000 }),
    check: "clock",
    cure: /^This computer's clock is 10 min behind the provider's\. Set it by network time/,
  },
  "the provider cannot be reached": {
    inject: async (_machine, environment) => ({
      environment: { ...environment, FEED_BASE_URL: `http://127.0.0.1:${await findFreePort()}` },
    }),
    check: "provider",
    cure: /could not be reached \(ECONNREFUSED\)\. Check FEED_BASE_URL, the network, and what filters it/,
  },
  "the provider does not know the client": {
    inject: (_machine, environment) => ({ environment: { ...environment, FEED_CLIENT_ID: "nobody" } }),
    check: "provider",
    cure: /^Key "test-key": the provider refused .*Check FEED_CLIENT_ID and FEED_KEY_ID, and that the provider has the public key/,
  },
  "the client may read nothing": {
    inject: (_machine, environment) => ({
      environment: { ...environment, FEED_BASE_URL: `http://127.0.0.1:${withoutRights.port}` },
    }),
    check: "data rights",
    cure: /^The client may read nothing: .* Ask the provider for the scopes of your contract\.$/,
  },
};

describe("doctor names the fault and its cure:", () => {
  let saved: ReturnType<TestMachine["readState"]>;
  let platform: keyof typeof machines;

  afterEach(async () => {
    const machine = machines[platform];
    machine.changeState({ registryToolsForbidden: undefined, ...saved });
    chmodSync(environments[platform].FEED_PRIVATE_KEY_FILE ?? "", 0o600);
    await machine.run(["install", "--yes"], { environment: environments[platform] });
  });

  it.each(Object.entries(FAULTS))("%s", async (_name, fault) => {
    platform = fault.platform ?? "win32";
    saved = machines[platform].readState();
    const surroundings = await fault.inject(machines[platform], environments[platform]);
    const { failed, error } = await diagnose(platform, surroundings);
    const texts = failed.filter((line) => line.slice(6, 17).trimEnd() === fault.check).map((line) => line.slice(19));
    const expected = typeof fault.cure === "string" ? fault.cure : expect.stringMatching(fault.cure);
    expect(texts).toContainEqual(expected);
    expect(error?.message).toMatch(/^\d+ of \d+ checks failed; each line says what to do\.$/);
  });
});

describe("doctor elsewhere", () => {
  it("notes on Linux what it cannot see, and is content with sample data", async () => {
    const machine = createMachine("linux");
    const environment = { ...machine.environment, PORT: String(await findFreePort()), LOG_LEVEL: "silent" };
    await machine.run(["install"], { environment });
    await machine.run(["start", "--https"], { environment, onListen: (app) => companions.push(app) });
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
    expect(lines.join("\n")).not.toMatch(/certificate|manifest|log-on/);
    expect(lines).toContainEqual(expect.stringMatching(/^pass {2}companion/));
  });

  it("gives no stack where the record of the installation is damaged", async () => {
    const machine = createMachine("linux");
    await machine.run(["install"]);
    writeFileSync(join(machine.folder, "installed.json"), "{", { mode: 0o600 });
    const lines: string[] = [];
    const print = (line: string) => lines.push(line);
    await machine.run(["doctor"], { print }).catch(() => {});
    expect(lines).toContainEqual(
      expect.stringMatching(/^FAIL {2}log-on .*installed\.json does not hold what this program wrote/),
    );
  });
});
