import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { parse, parseAllDocuments } from "yaml";
import { runCommand } from "../../src/companion/command";
import { type RunningProvider, startSandbox } from "../support/provider";

const FOLDER = join(__dirname, "../../src/companion/deploy");
const read = (name: string) => readFileSync(join(FOLDER, name), "utf8");

/** What an administrator writes in place of each placeholder. */
const VALUES: Readonly<Record<string, string>> = {
  "the client id that the provider issued": "test-client",
  "the key id that the provider issued": "test-key",
  "your tenant's id": "00000000-0000-0000-0000-000000000000",
  "application-client-id": "00000000-0000-0000-0000-000000000001",
  "the name that people use": "feed.example.com",
  "the network of the ingress controller's pods": "10.42.0.0/16",
};

let provider: RunningProvider;
let folder: string;
beforeAll(async () => {
  provider = await startSandbox({ companies: 10 });
});
afterAll(() => provider.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "feed-deployed-"));
  const secrets = {
    "key.pem": provider.privateKey.export({ type: "pkcs8", format: "pem" }),
    "store.txt": "a",
    "sign-in.txt": "b",
  };
  for (const [name, text] of Object.entries(secrets)) write(name, String(text));
  write("roles.json", read("roles.example.json"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

/** Fills the placeholders in; the provider is the test's own, and the mounted folders are the test's. */
function fill(settings: string): string {
  return settings
    .replace("https://<the provider's host>", provider.baseUrl)
    .replace(/<([^<>]+)>/g, (_, name: string) => VALUES[name] ?? `<${name}>`)
    .replace(/"((key|store|sign-in)\.\w+)"/g, `"${folder}/$1"`)
    .replace(/\/(run\/secrets|etc)\/feed-for-excel(?=\/)/g, folder);
}

/** Runs `check` with a file of settings, as the deployment starts the companion. */
async function check(settings: string, environment: Record<string, string> = {}) {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const places = { webFolder: "", folder, certificateFolder: folder, platform: "linux" } as const;
  const words = ["check", "--settings", write("settings.json", settings)];
  await runCommand(words, { environment, print, ...places }).catch(() => {}); // the lines say what failed
  return { failed: lines.filter((line) => line.startsWith("FAIL") && !isOfServer(line)), lines };
}

/** The store and the identity provider of the examples are of nobody's. */
const isOfServer = (line: string): boolean =>
  /^FAIL {2}The (server of FEED_STORE|identity provider) does not/.test(line);

const PASSED = {
  failed: [],
  lines: expect.arrayContaining([
    "pass  The settings are complete.",
    "pass  The client may read companies, financials, taxonomies and rankings.",
  ]),
};

describe("the command check misses only servers once the placeholders are filled", () => {
  it("for Docker", async () => {
    const { environment } = parse(read("compose.yaml"), { merge: true }).services["companion-1"];
    const own = { ALLOWED_ORIGINS: "https://feed.example.com", FEED_STORE_PASSWORD_FILE: join(folder, "store.txt") };
    expect(await check(fill(read("settings.docker.json")), { ...environment, ...own })).toEqual(PASSED);
  });

  it("for systemd", async () => {
    mkdirSync(join(folder, "log"));
    const unit = read("feed-for-excel@.service").replaceAll("%i", "1");
    const environment = Object.fromEntries(
      [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    );
    const audit = {
      FEED_AUDIT_FILE: environment.FEED_AUDIT_FILE.replace("/var/log/feed-for-excel", join(folder, "log")),
    };
    expect(await check(fill(read("settings.systemd.json")), { ...environment, ...audit })).toEqual(PASSED);
  });

  it("for Kubernetes, whose Secret has each file", async () => {
    const documents = parseAllDocuments(read("kubernetes.yaml")).map((document) => document.toJS());
    const { stringData } = documents.find(({ kind }) => kind === "Secret");
    write("roles.json", stringData["roles.json"]);
    expect(Object.keys(stringData)).toEqual(["settings.json", "roles.json", "key.pem", "sign-in.txt", "store.txt"]);
    expect(await check(fill(stringData["settings.json"]))).toEqual(PASSED);
  });
});

describe("the command check names each placeholder that is left", () => {
  it.each(["settings.docker.json", "settings.systemd.json"])("in %s", async (name) => {
    const { failed } = await check(read(name));
    const left = Object.keys(VALUES).filter((each) => read(name).includes(`<${each}>`));
    for (const each of left) expect(failed.join("\n")).toContain(`<${each}>`);
    expect(left.length).toBeGreaterThan(3);
  });
});
