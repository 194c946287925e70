import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "@jest/globals";
import type { FastifyInstance } from "fastify";
import { version } from "../../package.json";
import { HELP, runCommand } from "../../src/companion/command";
import { EXIT_CODES_HELP, toExitCode, UsageError } from "../../src/companion/commands/exit-codes";
import { ConfigurationError } from "../../src/companion/configuration";
import { toProgramName, toStartAt } from "../../src/companion/program";
import WORDS from "./command-words.json";
import { createPages } from "./pages-folder";
import { readPort, sendRaw } from "./raw-request";

const COMMANDS = [
  ...["start", "install", "uninstall", "doctor", "service"],
  ...["keygen", "check", "pair", "unpair", "certs", "manifest"],
];
const ENVIRONMENT = { HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "silent" };
const webFolder = createPages();
const personsFolder = mkdtempSync(join(tmpdir(), "feed-person-"));

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

  it("says in one line what to do when the port is taken", async () => {
    const { app } = await run(["start", "--companies", "50"]);
    const port = readPort(app!);
    const second = run(["start", "--companies", "50"], { ...ENVIRONMENT, PORT: String(port) });
    await expect(second).rejects.toThrow(new RegExp(`^Port ${port} is taken\\. .*PORT=${port + 1} npm start$`));
  });

  it.each(["127.0.0.1", "::1"])("reports a port that is taken on %s alone, where a browser may look", async (host) => {
    const other = createServer().listen(0, host);
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const second = run(["start", "--companies", "50"], { ...ENVIRONMENT, HOST: undefined, PORT: String(port) });
    const outcome = await second.catch(String);
    other.close();
    expect(outcome).toMatch(new RegExp(`^Error: Port ${port} is taken\\. .*PORT=\\d+ npm start$`));
  });

  it("writes the command for the shell of the system", () => {
    expect([toStartAt(3001, "win32"), toStartAt(3001, "linux")]).toEqual([
      "$env:PORT=3001; npm start",
      "PORT=3001 npm start",
    ]);
  });

  it("suggests an existing port when the last one is taken", async () => {
    const other = createServer().listen(65_535, "127.0.0.1");
    await once(other, "listening");
    const outcome = await run(["start", "--companies", "50"], { ...ENVIRONMENT, PORT: "65535" }).catch(String);
    other.close();
    expect(outcome).toMatch(/ PORT=65534 npm start$/);
  });

  it("reports a HOST that is not of this machine as an invalid setting", async () => {
    const outcome = await run(["start"], { ...ENVIRONMENT, HOST: "127.0.0.999" }).catch((error: Error) => error);
    const sentence = 'HOST is "127.0.0.999", which is no address of this machine. Unset HOST, or set it to 127.0.0.1.';
    expect(outcome).toEqual(new ConfigurationError([sentence]));
    expect(outcome).toMatchObject({ mistakes: [sentence] });
  });

  it("listens on an IPv6 address in any notation", async () => {
    const { app, lines } = await run(["start", "--companies", "50"], { ...ENVIRONMENT, HOST: "[::1]" });
    expect(lines[0]).toContain(`http://[::1]:${readPort(app!)}/`);
  });

  it("explains itself", async () => {
    const { app, lines } = await run(["--help"]);
    expect([app, lines.join("\n")]).toEqual([undefined, `${HELP}\n${EXIT_CODES_HELP}`]);
  });

  it("shows its version", async () => {
    expect(await run(["--version"])).toEqual({ app: undefined, lines: [version] });
  });

  it("explains a command by help as well", async () => {
    expect((await run(["help", "certs"])).lines).toEqual((await run(["certs", "--help"])).lines);
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

  it("fails to start with an incomplete configuration", async () => {
    await expect(run(["start"], { ...ENVIRONMENT, FEED_CLIENT_ID: "client-1" })).rejects.toThrow(
      /FEED_BASE_URL[\s\S]*FEED_KEY_ID[\s\S]*FEED_PRIVATE_KEY_FILE/,
    );
  });
});

describe("the exit code of a failed command", () => {
  it.each([
    [new UsageError("Unknown option"), 2],
    [new ConfigurationError(["PORT must be a whole number"]), 3],
    [new Error("Port 3000 is taken"), 1],
  ])("is by the kind of failure: %s", (error, code) => {
    expect(toExitCode(error)).toBe(code);
    expect(EXIT_CODES_HELP).toContain(`${code} `);
  });
});

describe("the name of the program", () => {
  it.each(WORDS.programs)("is what a person typed: $script", ({ script, name }) => {
    expect(toProgramName(script)).toBe(name);
  });

  it("is npm's if no script is known", () => {
    expect(toProgramName(undefined)).toBe("npm run companion --");
  });
});
