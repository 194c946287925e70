import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { FastifyInstance } from "fastify";
import { ensureCertificate, readCertificate } from "../../src/companion/certificate";
import { runCommand } from "../../src/companion/command";
import { openPairings } from "../../src/companion/commands/open-stores";
import { createProvider, openFor, privateKey } from "./configured";
import { createPages } from "./pages-folder";
import { readPort, sendRaw } from "./raw-request";

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

/** Starts it at a terminal, or as a service does. */
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

/** Connects by https, trusting the folder's authority alone, and gives the fingerprint that the companion shows. */
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

describe("a start with a provider", () => {
  it("prints its address, then a code that pairs a page of it", async () => {
    const lines = await start(environment);
    expect(lines).toEqual([
      `FEED for Excel is ready: http://127.0.0.1:${readPort(app!)}/playground.html (feed.example.com)`,
      expect.stringContaining("Pairing code: "),
    ]);
    const headers = { "feed-client": "excel", "content-type": "application/json" };
    const body = JSON.stringify({ code: readCode(lines[1]) });
    const { status } = await sendRaw(readPort(app!), "POST", "/companion/pairing", headers, body);
    expect([status, (await open().list()).length]).toEqual([200, 1]);
    expect(statSync(join(folder, "pairings.json")).mode & 0o777).toBe(0o600);
  });

  it("prints no code where its output is kept, and makes none", async () => {
    expect((await startAt(false, environment))[1]).toBe(
      "Nobody is paired yet. For a code, run: npm run companion -- pair",
    );
    expect(existsSync(join(folder, "pairings.json"))).toBe(false);
  });

  it("prints a code where somebody is paired for another provider alone", async () => {
    const pairings = open();
    await pairings.pair(await pairings.issue(), ORIGIN);
    const lines = await start({ ...environment, FEED_BASE_URL: "https://other.example.com" });
    expect(readCode(lines[1])).not.toBe("");
  });

  it("prints no code where somebody is paired already, who stays so", async () => {
    const pairings = open();
    const { bearer } = await pairings.pair(await pairings.issue(), ORIGIN);
    expect(await start(environment)).toHaveLength(1);
    expect(await open().find(bearer, ORIGIN)).toBeDefined();
  });

  it("starts all the same where no code can be kept, and says why", async () => {
    const lock = join(folder, "pairings.json.lock");
    const later = new Date(Date.now() + 60_000);
    writeFileSync(lock, "");
    utimesSync(lock, later, later); // always of a program that is changing them at this moment
    const lines = await start(environment);
    expect(lines).toEqual([expect.stringContaining("is ready"), expect.stringContaining("pairings.json")]);
  });

  it("does not start on pairings that cannot be read", async () => {
    writeFileSync(join(folder, "pairings.json"), "{", { mode: 0o600 });
    await expect(start(environment)).rejects.toThrow(/pairings\.json .* set up again/);
  });

  it.each([
    ["", {}],
    ["/playground.html", { PLAYGROUND: "on" }],
  ])(
    "prints the first configured origin as its address, with the page %j that is served there",
    async (page, asked) => {
      const lines = await start({
        ...environment,
        ...asked,
        ALLOWED_ORIGINS: "https://feed.example.org,https://other.example.org",
      });
      expect(lines[0]).toBe(`FEED for Excel is ready: https://feed.example.org${page} (feed.example.com)`);
    },
  );

  it("takes no size of the sample data", async () => {
    await expect(start(environment, "--companies", "5")).rejects.toThrow("a provider is configured");
  });
});

describe("a start with files", () => {
  it("reads the person's own settings", async () => {
    writeFileSync(join(folder, "companion.json"), JSON.stringify(environment), { mode: 0o600 });
    expect((await start({}))[0]).toContain("(feed.example.com)");
  });

  it("reads an administrator's file in place of them, of which the pane changes nothing", async () => {
    const path = join(folder, "administrator.json");
    writeFileSync(join(folder, "companion.json"), "{}", { mode: 0o600 });
    writeFileSync(path, JSON.stringify(environment), { mode: 0o600 });
    const lines = await start({}, "--settings", path);
    const host = `127.0.0.1:${readPort(app!)}`;
    const paired = await open().pair(readCode(lines[1]), `http://${host}`);
    const headers = { "feed-client": "excel", "feed-pairing": paired.bearer, host };
    const { status, body } = await sendRaw(readPort(app!), "GET", "/companion/config", headers);
    expect([status, JSON.parse(body).settable]).toEqual([200, []]);
  });

  it.each([
    [true, /nobody is paired\. Pairing code: [2-9A-Z]{4}-[2-9A-Z]{4}\./],
    [false, /nobody is paired\. For a code, run: npm run companion -- pair$/],
  ])("lets a paired page set a provider up where none is given, with a code at a terminal: %s", async (...row) => {
    const [isTerminal, sentence] = row;
    const lines = await startAt(isTerminal, {}, "--companies", "50");
    const host = `127.0.0.1:${readPort(app!)}`;
    const pairings = open(createProvider("", true));
    const { bearer } = await pairings.pair(await pairings.issue(), `http://${host}`);
    const headers = { "feed-client": "excel", "feed-pairing": bearer, host, "content-type": "application/json" };
    expect((await sendRaw(readPort(app!), "POST", "/companion/keys", headers, "{}")).status).toBe(201);
    const body = JSON.stringify({ baseUrl: "https://feed.example.com", clientId: "client-1", keyId: "kid-1" });
    expect((await sendRaw(readPort(app!), "PUT", "/companion/config", headers, body)).status).toBe(200);
    expect(lines.at(-1)).toMatch(sentence);
  });
});

describe("a start by https", () => {
  const readShown = (pem: string) =>
    createHash("sha256")
      .update(Buffer.from(pem.replace(/-----[^-]*-----/g, ""), "base64"))
      .digest("hex");

  it("shows the folder's certificate, and says how it is trusted", async () => {
    const lines = await start({}, "--https", "--companies", "50");
    expect(lines).toEqual([
      "Once per machine, trust the certificate: npm run companion -- certs --trust",
      expect.stringContaining("ready: https://127.0.0.1:"),
    ]);
    expect(await loadFingerprint(readPort(app!))).toBe(readShown(readCertificate(certificateFolder)!.cert));
  });

  it("shows one's own certificate, without being told to serve https", async () => {
    const [cert, key] = ["localhost.crt", "localhost.key"].map((name) => join(certificateFolder, name));
    const lines = await start({ TLS_CERT_FILE: cert, TLS_KEY_FILE: key }, "--companies", "50");
    expect(lines).toEqual([expect.stringContaining("ready: https://127.0.0.1:")]);
    expect(await loadFingerprint(readPort(app!))).toBe(readShown(readCertificate(certificateFolder)!.cert));
  });
});
