import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { HELP, runCommand } from "../../src/companion/command";
import { EXIT_CODES_HELP, UsageError } from "../../src/companion/commands/command";
import { ConfigurationError } from "../../src/companion/configuration";
import { createPages } from "./pages-folder";
import { readPort, sendRaw } from "./raw-request";

const COMMANDS = ["start", "keygen", "check", "pair", "unpair", "certs", "manifest"];
const ENVIRONMENT = { HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "silent" };
const webFolder = createPages();
const personsFolder = mkdtempSync(join(tmpdir(), "feed-person-"));

async function run(words: string[], environment: NodeJS.ProcessEnv = ENVIRONMENT, folder = webFolder) {
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  const app = await runCommand(words, { environment, webFolder: folder, print, folder: personsFolder });
  return { app, lines };
}

describe("the command line", () => {
  it("prints one line with the address that answers", async () => {
    const { app, lines } = await run(["start", "--companies", "50", "--latency", "0"]);
    const port = readPort(app!);
    expect(lines).toEqual([`FEED for Excel is ready: http://127.0.0.1:${port}/playground.html (sample data)`]);
    expect((await sendRaw(port, "GET", "/playground.html")).status).toBe(200);
    await app!.close();
  });

  it("listens on loopback under the name localhost by default", async () => {
    const { app, lines } = await run(["start", "--companies", "50"], { ...ENVIRONMENT, HOST: undefined });
    expect(lines[0]).toContain(`http://localhost:${readPort(app!)}/`);
    for (const { address } of app!.addresses() as { address: string }[])
      expect(["127.0.0.1", "::1"]).toContain(address);
    await app!.close();
  });

  it("says in one line what to do when the port is taken", async () => {
    const { app } = await run(["start", "--companies", "50"]);
    const port = readPort(app!);
    const second = run(["start", "--companies", "50"], { ...ENVIRONMENT, PORT: String(port) });
    await expect(second).rejects.toThrow(new RegExp(`^Port ${port} is taken\\. .*PORT=${port + 1} npm start$`));
    await app!.close();
  });

  it.each(["127.0.0.1", "::1"])("reports a port that is taken on %s alone, where a browser may look", async (host) => {
    const other = createServer().listen(0, host);
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const second = run(["start", "--companies", "50"], { ...ENVIRONMENT, HOST: undefined, PORT: String(port) });
    const outcome = await second.then(({ app }) => app?.close(), String);
    other.close();
    expect(outcome).toMatch(new RegExp(`^Error: Port ${port} is taken\\. .*PORT=\\d+ npm start$`));
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
    await app!.close();
  });

  it("explains itself", async () => {
    const { app, lines } = await run(["--help"]);
    expect([app, lines]).toEqual([undefined, [HELP]]);
  });

  it.each([
    [["start", "again"], 'start takes no "again". Try: npm run companion -- start --help'],
    [["start", "--colour"], "Unknown option '--colour'. Try: npm run companion -- start --help"],
    [["start", "-p", "80"], "Unknown option '-p'. Try: npm run companion -- start --help"],
    [["start", "--companies"], "Option '--companies <value>' argument missing. Try: npm run companion -- start --help"],
    [
      ["start", "--companies", "--https"],
      "Option '--companies' argument is ambiguous. Try: npm run companion -- start --help",
    ],
    [["start", "--https=1"], "Option '--https' does not take an argument. Try: npm run companion -- start --help"],
    [["start", "--companies", "12abc"], "--companies must be a whole number from 1 to 1000000."],
    [["start", "--companies", "0x10"], "--companies must be a whole number from 1 to 1000000."],
    [["start", "--companies", ""], "--companies must be a whole number from 1 to 1000000."],
    [["start", "--companies", "0"], "--companies must be a whole number from 1 to 1000000."],
    [["start", "--companies", "many"], "--companies must be a whole number from 1 to 1000000."],
    [["start", "--companies=1e9"], "--companies must be a whole number from 1 to 1000000."],
    [["start", "--latency", "1.5"], "--latency must be a whole number from 0 to 60000."],
  ])("refuses %j with one sentence", async (words, sentence) => {
    await expect(run(words)).rejects.toThrow(new UsageError(sentence));
  });

  it.each([
    [["stop"], '"stop" is not a command: '],
    [["constructor"], '"constructor" is not a command: '],
    [["--colour"], '"--colour" is not a command: '],
    [[], "The command is missing: "],
  ])("lists the commands for %j", async (words, beginning) => {
    const sentence = `${beginning}${COMMANDS.join(", ")}. Try: npm run companion -- --help`;
    await expect(run(words)).rejects.toThrow(new UsageError(sentence));
  });

  it.each(COMMANDS)("explains %s: its usage and its exit codes", async (name) => {
    const { app, lines } = await run([name, "--help"]);
    expect([app, lines.length]).toEqual([undefined, 1]);
    expect(lines[0]).toMatch(/^Usage: /);
    expect(lines[0]).toContain(`npm run companion -- ${name}`);
    expect(lines[0]).toContain("--help ");
    expect(lines[0]).toContain(EXIT_CODES_HELP);
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
