import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { parse, parseAllDocuments } from "yaml";
import { type RunningProvider, startSandbox } from "../support/provider";
import type { runToEnd as RunToEnd } from "./command-run";

const FOLDER = join(__dirname, "../../src/companion/deploy");
const read = (name: string) => readFileSync(join(FOLDER, name), "utf8");
const folder = mkdtempSync(join(tmpdir(), "feed-deployed-"));

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
let runToEnd: typeof RunToEnd;
beforeAll(async () => {
  // The store and the identity provider of the examples are of nobody's.
  jest.doMock("../../src/companion/commands/open-stores", () => ({
    openStores: async () => ({ join: async () => false, close: async () => {} }),
  }));
  const discover = () => Promise.reject(new Error("The identity provider is elsewhere."));
  jest.doMock("../../src/companion/sign-in/identity-provider", () => ({
    createIdentityProvider: () => ({ discover, close: async () => {} }),
  }));
  ({ runToEnd } = await import("./command-run"));
  provider = await startSandbox({ companies: 10 });
  const key = String(provider.privateKey.export({ type: "pkcs8", format: "pem" }));
  const files = { "key.pem": key, "store.txt": "a", "sign-in.txt": "b", "roles.json": read("roles.example.json") };
  for (const [name, text] of Object.entries(files)) write(name, text);
});
afterAll(async () => {
  await provider.close();
  rmSync(folder, { recursive: true });
});

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

/** Fills placeholders in; the provider is the test's own, and the mounted folders are the test's. */
function fill(settings: string): string {
  return settings
    .replace("https://<the provider's host>", provider.baseUrl)
    .replace(/<([^<>]+)>/g, (_, name: string) => VALUES[name] ?? `<${name}>`)
    .replace(/"((key|store|sign-in)\.\w+)"/g, `"${folder}/$1"`)
    .replace(/\/(run\/secrets|etc)\/feed-for-excel(?=\/)/g, folder);
}

/** Runs `check` with a file of settings, as the deployment starts the companion. */
const check = (settings: string, environment: Record<string, string> = {}) =>
  runToEnd(["check", "--settings", write("settings.json", settings)], {
    ...{ environment, folder, certificateFolder: folder },
  });

const PASSED = {
  failed: [
    "FAIL  The server of FEED_STORE does not answer: see whether it runs, and check its address and password.",
    "FAIL  The identity provider is elsewhere.",
  ],
  lines: expect.arrayContaining([
    "pass  The settings are complete.",
    "pass  The client may read companies, financials, taxonomies and rankings.",
  ]),
};

describe("the command check misses only servers once the placeholders are filled", () => {
  it("for Docker", async () => {
    const { environment } = parse(read("compose.yaml"), { merge: true }).services["companion-1"];
    const own = { ALLOWED_ORIGINS: "https://feed.example.com", FEED_STORE_PASSWORD_FILE: join(folder, "store.txt") };
    expect(await check(fill(read("settings.docker.json")), { ...environment, ...own })).toMatchObject(PASSED);
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
    expect(await check(fill(read("settings.systemd.json")), { ...environment, ...audit })).toMatchObject(PASSED);
  });

  it("for Kubernetes, whose Secret has each file", async () => {
    const documents = parseAllDocuments(read("kubernetes.yaml")).map((document) => document.toJS());
    const { stringData } = documents.find(({ kind }) => kind === "Secret");
    write("roles.json", stringData["roles.json"]);
    expect(Object.keys(stringData)).toEqual(["settings.json", "roles.json", "key.pem", "sign-in.txt", "store.txt"]);
    expect(await check(fill(stringData["settings.json"]))).toMatchObject(PASSED);
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
