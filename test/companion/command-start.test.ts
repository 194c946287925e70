import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import type { FastifyInstance } from "fastify";
import { ensureCertificate, readCertificate } from "../../src/companion/certificate";
import { runCommand } from "../../src/companion/command";
import { openPairings } from "../../src/companion/commands/open-stores";
import { requestCode } from "./code-request";
import { createPages } from "./pages-folder";
import { readPort, sendRaw } from "./raw-request";
import { createProvider, openFor, privateKey } from "./test-configuration";

const webFolder = createPages();
const ORIGIN = "http://127.0.0.1:3000";
let certificateFolder: string;
let folder: string;
let environment: Record<string, string>;
let app: FastifyInstance | undefined;

beforeAll(async () => {
  certificateFolder = mkdtempSync(join(tmpdir(), "feed-start-certificate-"));
  await ensureCertificate(certificateFolder, Date.now());
});
afterAll(() => rmSync(certificateFolder, { recursive: true }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "feed-start-"));
  const keyFile = join(folder, "key.pem");
  writeFileSync(keyFile, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  environment = {
    FEED_BASE_URL: "https://feed.example.com/base",
    FEED_CLIENT_ID: "client-1",
    FEED_KEY_ID: "kid-1",
    FEED_PRIVATE_KEY_FILE: keyFile,
  };
});
afterEach(async () => {
  await app?.close();
  app = undefined;
  rmSync(folder, { recursive: true });
});

/** Starts it at a terminal, or as a service. */
async function start(settings: NodeJS.ProcessEnv, ...words: string[]): Promise<string[]> {
  return startAt(true, settings, ...words);
}

async function startAt(isTerminal: boolean, settings: NodeJS.ProcessEnv, ...words: string[]): Promise<string[]> {
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  const plain = { HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "silent" };
  const places = { webFolder, folder, certificateFolder };
  const surroundings = { environment: { ...plain, ...settings }, print, isTerminal, ...places };
  app = await runCommand(["start", ...words], surroundings);
  return lines;
}

const open = (provider = createProvider()) =>
  openFor(openPairings({ environment: {}, webFolder, print: () => {}, folder }), provider);
const readCode = (line = "") => line.match(/[2-9A-Z]{4}-[2-9A-Z]{4}/)?.[0] ?? "";

/** Connects by https with the folder's authority alone, and gives the companion's fingerprint. */
function loadFingerprint(port: number): Promise<string | undefined> {
  const { authority: ca } = readCertificate(certificateFolder)!;
  return new Promise((resolve, reject) => {
    const sent = request({ host: "localhost", port, path: "/playground.html", ca, family: 4 }, (response) => {
      const shown = (response.socket as import("node:tls").TLSSocket).getPeerCertificate().raw;
      response.resume().on("end", () => resolve(createHash("sha256").update(shown).digest("hex")));
    });
    sent.on("error", reject).end();
  });
}

describe("standard output with the audit log on it", () => {
  it("has no other line: what is printed goes into the log, as JSON", async () => {
    const logged: string[] = [];
    const write = jest.spyOn(process.stderr, "write").mockImplementation((text) => logged.push(String(text)) > 0);
    const firm = { ...environment, FEED_AUDIT_FILE: "-", FEED_MODE: "relay" };
    const printed = await startAt(false, firm).finally(() => write.mockRestore());
    expect(printed).toEqual([]);
    const messages = logged.map((line) => JSON.parse(line).msg);
    expect(messages[0]).toMatch(/^FEED for Excel is ready: http/);
    expect(messages).toHaveLength(2);
  });
});

describe("a start with a provider", () => {
  it("prints its address and a code for the first page, which pairs that page", async () => {
    const lines = await start(environment);
    const port = readPort(app!);
    const ready = `FEED for Excel is ready: http://127.0.0.1:${port}/playground.html (feed.example.com)`;
    expect(lines).toEqual([ready, "Nobody is paired yet. Open the FEED pane: a code for it is shown here."]);
    const { name, secret } = await requestCode(port);
    expect(lines.slice(2)).toEqual([expect.stringMatching(`^Pairing code: .* in the FEED pane that shows ${name};`)]);
    await requestCode(port);
    expect(lines).toHaveLength(3); // for any other page the command creates one
    const headers = { "feed-client": "excel", "content-type": "application/json" };
    const body = JSON.stringify({ code: `${readCode(lines[2])}.${secret}` });
    const { status } = await sendRaw(readPort(app!), "POST", "/companion/pairing", headers, body);
    expect([status, (await open().list()).length]).toEqual([200, 1]);
    expect(statSync(join(folder, "pairings.json")).mode & 0o777).toBe(0o600);
  });

  it("prints and creates no code if its output is stored", async () => {
    const lines = await startAt(false, environment);
    expect(lines[1]).toBe("Nobody is paired yet. Open the FEED pane: it shows the command that makes a code for it.");
    await requestCode(readPort(app!));
    expect(lines).toHaveLength(2);
    expect(JSON.parse(readFileSync(join(folder, "pairings.json"), "utf8")).code).toBeNull();
  });

  it("prints a code if pairings exist for another provider alone", async () => {
    const pairings = open();
    await pairings.pair(await pairings.issueSent(), ORIGIN);
    const lines = await start({ ...environment, FEED_BASE_URL: "https://other.example.com" });
    await requestCode(readPort(app!));
    expect(readCode(lines[2])).not.toBe("");
  });

  it("prints no code if a pairing exists, which stays", async () => {
    const pairings = open();
    const { bearer } = await pairings.pair(await pairings.issueSent(), ORIGIN);
    const lines = await start(environment);
    await requestCode(readPort(app!));
    expect(lines).toHaveLength(1);
    expect(await open().find(bearer, ORIGIN)).toBeDefined();
  });

  it("starts even if no code can be stored, and shows a page where to look", async () => {
    const lock = join(folder, "pairings.json.lock");
    const later = new Date(Date.now() + 60_000);
    writeFileSync(lock, "");
    utimesSync(lock, later, later); // the lock of a program that is always changing the file
    expect(await start(environment)).toHaveLength(2);
    expect(await requestCode(readPort(app!))).toMatchObject({
      error: { message: expect.stringContaining("pair --list") },
    });
  });

  it("fails if the pairings cannot be read", async () => {
    writeFileSync(join(folder, "pairings.json"), "{", { mode: 0o600 });
    await expect(start(environment)).rejects.toThrow(/pairings\.json .* set up again/);
  });

  it.each([
    ["", {}],
    ["/playground.html", { PLAYGROUND: "on" }],
  ])("prints the first configured origin as its address, with the page %j served there", async (page, path) => {
    const lines = await start({
      ...environment,
      ...path,
      ALLOWED_ORIGINS: "https://feed.example.org,https://other.example.org",
    });
    expect(lines[0]).toBe(`FEED for Excel is ready: https://feed.example.org${page} (feed.example.com)`);
  });

  it("refuses a size of the sample data", async () => {
    await expect(start(environment, "--companies", "5")).rejects.toThrow("a provider is configured");
  });
});

describe("a start with files", () => {
  it("reads the person's own settings", async () => {
    writeFileSync(join(folder, "companion.json"), JSON.stringify(environment), { mode: 0o600 });
    expect((await start({}))[0]).toContain("(feed.example.com)");
  });

  it("reads an administrator's file instead, which the pane cannot change", async () => {
    const path = join(folder, "administrator.json");
    writeFileSync(join(folder, "companion.json"), "{}", { mode: 0o600 });
    writeFileSync(path, JSON.stringify(environment), { mode: 0o600 });
    const lines = await start({}, "--settings", path);
    const host = `127.0.0.1:${readPort(app!)}`;
    const { secret } = await requestCode(readPort(app!), { host });
    const paired = await open().pair(`${readCode(lines[2])}.${secret}`, `http://${host}`);
    const headers = { "feed-client": "excel", "feed-pairing": paired.bearer, host };
    const { status, body } = await sendRaw(readPort(app!), "GET", "/companion/config", headers);
    expect([status, JSON.parse(body).settable]).toEqual([200, []]);
  });

  it.each([
    [true, /nobody is paired\. Open the FEED pane: a code for it is shown here\.$/],
    [false, /nobody is paired\. Open the FEED pane: it shows the command that makes a code for it\.$/],
  ])("lets a paired page set up a provider if none is given, with a code at a terminal: %s", async (...row) => {
    const [isTerminal, sentence] = row;
    const lines = await startAt(isTerminal, {}, "--companies", "50");
    const host = `127.0.0.1:${readPort(app!)}`;
    const pairings = open(createProvider("", true));
    const { bearer } = await pairings.pair(await pairings.issueSent(), `http://${host}`);
    const headers = { "feed-client": "excel", "feed-pairing": bearer, host, "content-type": "application/json" };
    expect((await sendRaw(readPort(app!), "POST", "/companion/keys", headers, "{}")).status).toBe(201);
    const body = JSON.stringify({ baseUrl: "https://feed.example.com", clientId: "client-1", keyId: "kid-1" });
    expect((await sendRaw(readPort(app!), "PUT", "/companion/config", headers, body)).status).toBe(200);
    expect(lines.at(-1)).toMatch(sentence);
    await requestCode(readPort(app!));
    expect(lines.at(-1)!.startsWith("Pairing code: ")).toBe(isTerminal);
  });
});

describe("a start with https", () => {
  const readShown = (pem: string) =>
    createHash("sha256")
      .update(Buffer.from(pem.replace(/-----[^-]*-----/g, ""), "base64"))
      .digest("hex");

  it("uses the folder's certificate, and says how to trust it", async () => {
    const lines = await start({}, "--https", "--companies", "50");
    expect(lines).toEqual([
      "Once per machine, trust the certificate: npm run companion -- certs --trust",
      expect.stringContaining("ready: https://127.0.0.1:"),
    ]);
    expect(await loadFingerprint(readPort(app!))).toBe(readShown(readCertificate(certificateFolder)!.cert));
  });

  it("uses a configured certificate, without --https", async () => {
    const [cert, key] = ["localhost.crt", "localhost.key"].map((name) => join(certificateFolder, name));
    const lines = await start({ TLS_CERT_FILE: cert, TLS_KEY_FILE: key }, "--companies", "50");
    expect(lines).toEqual([expect.stringContaining("ready: https://127.0.0.1:")]);
    expect(await loadFingerprint(readPort(app!))).toBe(readShown(readCertificate(certificateFolder)!.cert));
  });
});
