import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import type { FastifyInstance } from "fastify";
import { version } from "../../package.json";
import { describeCertificate, readCertificate } from "../../src/companion/certificate";
import { HELP, runCommand } from "../../src/companion/command";
import { EXIT_CODES_HELP, toExitCode, UsageError } from "../../src/companion/commands/results";
import { openPairings } from "../../src/companion/commands/surroundings";
import { ConfigurationError } from "../../src/companion/configuration/reading";
import { toProgramName, toStartAt } from "../../src/companion/program";
import { createCertificateFolder } from "../support/certificate";
import { findPort } from "../support/free-port.mjs";
import { itOnIpv6 } from "../support/posix";
import { requestCode } from "./code-request";
import WORDS from "./command-words.json";
import { createPages } from "./pages-folder";
import { reuseKeys } from "./quick-keys";
import { readPort, sendRaw } from "./raw-request";
import { createProvider, openFor, privateKey } from "./test-configuration";

const COMMANDS = [
  ...["start", "install", "uninstall", "doctor", "service", "query", "refresh", "mcp", "skill"],
  ...["keygen", "check", "pair", "unpair", "certs", "manifest"],
];
const ENVIRONMENT = { HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "silent" };
const webFolder = createPages();
const personsFolder = mkdtempSync(join(tmpdir(), "feed-person-"));

reuseKeys();
const opened: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
});

async function run(words: string[], environment: NodeJS.ProcessEnv = ENVIRONMENT, folder = webFolder) {
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  const app = await runCommand(words, { environment, webFolder: folder, print, folder: personsFolder });
  if (app) opened.push(app);
  return { app, lines };
}

describe("the command line", () => {
  it("prints one line with the address that answers", async () => {
    const { app, lines } = await run(["start", "--companies", "50", "--latency", "0"]);
    const port = readPort(app!);
    expect(lines).toEqual([`FEED for Excel is ready: http://127.0.0.1:${port}/playground.html (sample data)`]);
    expect((await sendRaw(port, "GET", "/playground.html")).status).toBe(200);
  });

  it("listens on loopback under the name localhost by default", async () => {
    const { app, lines } = await run(["start", "--companies", "50"], { ...ENVIRONMENT, HOST: undefined });
    expect(lines[0]).toContain(`http://localhost:${readPort(app!)}/`);
    for (const { address } of app!.addresses() as { address: string }[])
      expect(["127.0.0.1", "::1"]).toContain(address);
  });

  /** A program that is not the companion. */
  const createStranger = () => createServer((socket) => socket.destroy());

  const refuseTaken = async (host: string) => {
    const other = createStranger().listen(0, host);
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const second = run(["start", "--companies", "50"], { ...ENVIRONMENT, HOST: undefined, PORT: String(port) });
    const outcome = await second.catch(String);
    other.close();
    expect(outcome).toMatch(new RegExp(`^Error: Port ${port} is taken\\. .*PORT=\\d+ npm start$`));
  };
  it.each(["127.0.0.1"])("reports a port that is taken on %s alone, where a browser may look", refuseTaken);
  itOnIpv6.each(["::1"])("reports a port that is taken on %s alone, where a browser may look", refuseTaken);

  it.each([
    ["http", []],
    ["https", ["--https"]],
  ])("says that it runs already, and where: by %s", async (scheme, words) => {
    const environment = { ...ENVIRONMENT, HOST: undefined, PORT: String(await findPort()) };
    const start = () => run(["start", "--companies", "50", ...words], environment);
    await start();
    const error = await start().catch((refused: Error) => refused);
    const where = `${scheme}://localhost:${environment.PORT}`;
    expect(String(error)).toMatch(
      new RegExp(
        `^RunsAlready: FEED for Excel runs already at ${where}\\. Use that one, or stop it.* PORT=\\d+ npm start$`,
      ),
    );
    expect(toExitCode(error)).toBe(4);
  });

  it("writes the command for the shell of the system", () => {
    const expected = ["$env:PORT=3001; npm start", "PORT=3001 npm start"];
    expect([toStartAt(3001, "win32"), toStartAt(3001, "linux")]).toEqual(expected);
  });

  it("suggests an existing port when the last one is taken", async () => {
    const other = createStranger().listen(65_535, "127.0.0.1");
    await once(other, "listening").catch((error) => expect(error.code).toBe("EADDRINUSE")); // taken already
    const outcome = await run(["start", "--companies", "50"], { ...ENVIRONMENT, PORT: "65535" }).catch(String);
    other.close();
    expect(outcome).toMatch(/ PORT=65534 npm start$/);
  });

  it("reports a HOST that is not of this machine as an invalid setting", async () => {
    const outcome = await run(["start"], { ...ENVIRONMENT, HOST: "127.0.0.999" }).catch((error: Error) => error);
    const sentence = "HOST is no address of this machine. Unset HOST, or set it to 127.0.0.1.";
    expect(outcome).toEqual(new ConfigurationError([sentence]));
    expect(outcome).toMatchObject({ mistakes: [sentence] });
  });

  itOnIpv6("listens on an IPv6 address in any notation", async () => {
    const { app, lines } = await run(["start", "--companies", "50"], { ...ENVIRONMENT, HOST: "[::1]" });
    expect(lines[0]).toContain(`http://[::1]:${readPort(app!)}/`);
  });

  it("explains itself, and shows its version", async () => {
    const { app, lines } = await run(["--help"]);
    expect([app, lines.join("\n")]).toEqual([undefined, `${HELP}\n${EXIT_CODES_HELP}`]);
    expect((await run(["help", "certs"])).lines).toEqual((await run(["certs", "--help"])).lines);
    expect(await run(["--version"])).toEqual({ app: undefined, lines: [version] });
  });

  it("explains a command in a process that has failed before", async () => {
    const { exitCode } = process;
    process.exitCode = 1;
    try {
      expect((await run(["help", "certs"])).lines[0]).toMatch(/^Usage: .* certs/);
    } finally {
      process.exitCode = exitCode;
    }
  });

  it.each(WORDS.ofStart)("refuses start $words with one line", async ({ words, sentence }) => {
    const expected = new UsageError(`${sentence} Try: npm run companion -- start --help`);
    await expect(run(["start", ...words])).rejects.toThrow(expected);
  });

  it.each(WORDS.commands)("says what is wrong with $words, and where the commands are explained", async (row) => {
    const expected = new UsageError(`${row.sentence} Try: npm run companion -- --help`);
    await expect(run(row.words)).rejects.toThrow(expected);
  });

  it.each(COMMANDS)("explains %s: its usage and its exit codes", async (name) => {
    const { app, lines } = await run([name, "--help"]);
    const help = lines.join("\n");
    expect(app).toBeUndefined();
    expect(help.startsWith(`Usage: npm run companion -- ${name}`)).toBe(true);
    expect(help).toContain("--help ");
    expect(help.endsWith(EXIT_CODES_HELP)).toBe(true);
    expect(HELP).toMatch(new RegExp(`^  ${name} +\\w`, "m"));
  });

  it("fails to start without built pages", async () => {
    const empty = mkdtempSync(join(tmpdir(), "feed-web-"));
    await expect(run(["start"], ENVIRONMENT, empty)).rejects.toThrow("npm run build");
  });
});

it.each([
  [new UsageError("Unknown option"), 2],
  [new ConfigurationError(["PORT must be a whole number"]), 3],
  [new Error("Port 3000 is taken"), 1],
])("the exit code of a failed command is by the kind of failure: %s", (error, code) => {
  expect(toExitCode(error)).toBe(code);
  expect(EXIT_CODES_HELP).toContain(`${code} `);
});

describe("the name of the program", () => {
  it.each(WORDS.programs)("is what a person typed: $script", ({ script, name }) => {
    expect(toProgramName(script)).toBe(name);
  });

  it("is npm's if no script is known", () => {
    expect(toProgramName(undefined)).toBe("npm run companion --");
  });
});

const ORIGIN = "http://127.0.0.1:3000";
const JSON_TYPE = { "feed-client": "excel", "content-type": "application/json" };
const SAMPLE = ["--companies", "50"];
let certificateFolder: string;
let folder: string;
let keyFile: string;
let environment: Record<string, string>;
let app: FastifyInstance | undefined;

beforeAll(async () => {
  certificateFolder = await createCertificateFolder();
});
afterAll(() => rmSync(certificateFolder, { recursive: true }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "feed-start-"));
  keyFile = join(folder, "key.pem");
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

/** Starts it at a terminal. */
const start = (settings: NodeJS.ProcessEnv, ...words: string[]) => startAt(true, settings, words);

/** Starts it at a terminal, or as a service; gives what it printed and prints. */
async function startAt(isTerminal: boolean, settings: NodeJS.ProcessEnv, words: string[] = [], nowMs = Date.now) {
  const lines: string[] = [];
  const plain = { HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "silent" };
  const print = (line: string) => lines.push(line);
  const places = { webFolder, folder, certificateFolder, isTerminal, nowMs };
  app = await runCommand(["start", ...words], { environment: { ...plain, ...settings }, print, ...places });
  return lines;
}

const open = (provider = createProvider()) =>
  openFor(openPairings({ environment: {}, webFolder, print: () => {}, folder }), provider);
const readCode = (line = "") => line.match(/[2-9A-Z]{4}-[2-9A-Z]{4}/)?.[0] ?? "";
const send = (method: string, path: string, headers: Record<string, string>, body = "") =>
  sendRaw(readPort(app!), method, `/companion${path}`, headers, body);

it("standard output with the audit log on it has no other line: what is printed goes into the log, as JSON", async () => {
  const logged: string[] = [];
  const write = jest.spyOn(process.stderr, "write").mockImplementation((text) => logged.push(String(text)) > 0);
  const firm = { ...environment, FEED_AUDIT_FILE: "-", FEED_MODE: "relay" };
  expect(await startAt(false, firm).finally(() => write.mockRestore())).toEqual([]);
  const messages = logged.map((line) => JSON.parse(line).msg);
  expect(messages).toEqual([expect.stringMatching(/^FEED for Excel is ready: http/), expect.any(String)]);
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
    const code = `${readCode(lines[2])}.${secret}`;
    const { status } = await send("POST", "/pairing", JSON_TYPE, JSON.stringify({ code }));
    expect([status, (await open().list()).length]).toEqual([200, 1]);
  });

  it("prints and creates no code if its output is stored", async () => {
    const lines = await startAt(false, environment);
    expect(lines[1]).toBe("Nobody is paired yet. Open the FEED pane: it shows the command that makes a code for it.");
    await requestCode(readPort(app!));
    expect(lines).toHaveLength(2);
    expect(JSON.parse(readFileSync(join(folder, "pairings.json"), "utf8")).code).toBeNull();
  });

  it.each([
    ["no code if a pairing exists, which stays", "https://feed.example.com/base", 1],
    ["a code if pairings exist for another provider alone", "https://other.example.com", 3],
  ])("prints %s", async (_what, baseUrl, count) => {
    const pairings = open();
    const { bearer } = await pairings.pair(await pairings.issueSent(), ORIGIN);
    const lines = await start({ ...environment, FEED_BASE_URL: baseUrl });
    await requestCode(readPort(app!));
    expect([lines.length, readCode(lines[2]) !== ""]).toEqual([count, count === 3]);
    expect(await open().find(bearer, ORIGIN)).toBeDefined();
  });

  it("starts even if no code can be stored, and shows a page where to look", async () => {
    const lock = join(folder, "pairings.json.lock");
    mkdirSync(lock);
    utimesSync(lock, 0, 0); // a lock that nobody can take, nor remove
    expect(await start(environment)).toHaveLength(2);
    const { error } = (await requestCode(readPort(app!))) as unknown as { error: { message: string } };
    expect(error.message).toContain("pair --list");
  });

  it("fails if the pairings cannot be read", async () => {
    writeFileSync(join(folder, "pairings.json"), "{", { mode: 0o600 });
    await expect(start(environment)).rejects.toThrow(/pairings\.json .* set up again/);
  });

  it.each([
    ["", {}],
    ["/playground.html", { PLAYGROUND: "on" }],
  ])("prints the first configured origin as its address, with the page %j served there", async (page, path) => {
    const ALLOWED_ORIGINS = "https://feed.example.org,https://other.example.org";
    const [ready] = await start({ ...environment, ...path, ALLOWED_ORIGINS });
    expect(ready).toBe(`FEED for Excel is ready: https://feed.example.org${page} (feed.example.com)`);
  });

  it("refuses a size of the sample data", async () => {
    await expect(start(environment, ...SAMPLE)).rejects.toThrow("a provider is configured");
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
    const { bearer } = await open().pair(`${readCode(lines[2])}.${secret}`, `http://${host}`);
    const { status, body } = await send("GET", "/config", { ...JSON_TYPE, "feed-pairing": bearer, host });
    expect([status, JSON.parse(body).settable]).toEqual([200, []]);
  });

  it.each([
    [true, /nobody is paired\. Open the FEED pane: a code for it is shown here\.$/],
    [false, /nobody is paired\. Open the FEED pane: it shows the command that makes a code for it\.$/],
  ])("lets a paired page set up a provider if none is given, with a code at a terminal: %s", async (...row) => {
    const [isTerminal, sentence] = row;
    const lines = await startAt(isTerminal, {}, SAMPLE);
    const host = `127.0.0.1:${readPort(app!)}`;
    const pairings = open(createProvider("", true));
    const { bearer } = await pairings.pair(await pairings.issueSent(), `http://${host}`);
    const headers = { ...JSON_TYPE, "feed-pairing": bearer, host };
    expect((await send("POST", "/keys", headers, "{}")).status).toBe(201);
    const body = JSON.stringify({ baseUrl: "https://feed.example.com", clientId: "client-1", keyId: "kid-1" });
    expect((await send("PUT", "/config", headers, body)).status).toBe(200);
    expect(lines.at(-1)).toMatch(sentence);
    await requestCode(readPort(app!));
    expect(lines.at(-1)!.startsWith("Pairing code: ")).toBe(isTerminal);
  });
});

describe("a start with https", () => {
  /** Connects with the folder's authority alone, and compares the certificate shown with the folder's. */
  async function seesOwnCertificate(): Promise<boolean> {
    const { authority: ca, cert } = readCertificate(certificateFolder)!;
    const port = readPort(app!);
    const shown = await new Promise<Buffer>((resolve, reject) => {
      request({ host: "localhost", port, path: "/playground.html", ca, family: 4 }, (response) => {
        resolve((response.resume().socket as TLSSocket).getPeerCertificate().raw);
      })
        .on("error", reject)
        .end();
    });
    return shown.equals(Buffer.from(cert.replace(/-----[^-]*-----/g, ""), "base64"));
  }
  const toFiles = () => ({
    TLS_CERT_FILE: join(certificateFolder, "localhost.crt"),
    TLS_KEY_FILE: join(certificateFolder, "localhost.key"),
  });

  it("uses the folder's certificate, and says how to trust it", async () => {
    expect(await start({}, "--https", ...SAMPLE)).toEqual([
      "Once per machine, trust the certificate: npm run companion -- certs --trust",
      expect.stringContaining("ready: https://127.0.0.1:"),
    ]);
    expect(await seesOwnCertificate()).toBe(true);
  });

  it("uses a configured certificate, without --https", async () => {
    expect(await start(toFiles(), ...SAMPLE)).toEqual([expect.stringContaining("ready: https://127.0.0.1:")]);
    expect(await seesOwnCertificate()).toBe(true);
  });

  it("warns of a configured certificate that ends within a week", async () => {
    const { endsMs } = describeCertificate(readCertificate(certificateFolder)!);
    const lines = await startAt(true, toFiles(), SAMPLE, () => endsMs - 6 * 24 * 3600 * 1000);
    const day = new Date(endsMs).toISOString().slice(0, 10);
    expect(lines[0]).toBe(`The certificate of TLS_CERT_FILE ends on ${day}: ask whoever issued it for the next one.`);
    expect(lines[1]).toContain("FEED for Excel is ready: https://");
  });
});
