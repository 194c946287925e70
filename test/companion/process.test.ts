import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { requestCode } from "./code-request";
import { sendRaw } from "./raw-request";

const MAIN = join(__dirname, "../../dist/companion/main.mjs");
const LAUNCHER = join(__dirname, "../../src/companion/built.mjs");
const started: ChildProcess[] = [];
let folder: string;

/** Starts the built program as `npm start` does, without settings or certificates. */
function start(words: string[], environment: NodeJS.ProcessEnv, program = MAIN) {
  const { PATH } = process.env;
  const folders = { HOME: folder, USERPROFILE: folder, APPDATA: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(process.execPath, [program, ...words], { env: { PATH, ...folders, ...environment } });
  started.push(child);
  const text = { output: "", errors: "" };
  child.stdout.on("data", (part) => {
    text.output += part;
  });
  child.stderr.on("data", (part) => {
    text.errors += part;
  });
  return { child, text };
}

/** Runs a command to its end, and gives its exit code and output. */
async function run(words: string[], environment: NodeJS.ProcessEnv = {}, program = MAIN) {
  const { child, text } = start(words, environment, program);
  child.stdin.end();
  const [code] = await once(child, "close");
  return { code, ...text };
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "feed-process-"));
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

/** Starts the program with a provider, and waits until it answers. */
async function startWithProvider() {
  const { output: made } = await run(["keygen", "--no-passphrase"]);
  const settings = {
    FEED_BASE_URL: "https://feed.example.com",
    FEED_CLIENT_ID: "client-1",
    FEED_KEY_ID: "kid-1",
    FEED_PRIVATE_KEY_FILE: made.match(/The private key is in (.*), not encrypted/)?.[1],
  };
  const { child, text } = start(["start"], { PORT: "0", ...settings });
  while (!text.output.includes("paired")) await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
  return { child, text, port: Number(new URL(text.output.match(/http:\S+/)?.[0] ?? "").port) };
}

describe("the built companion", () => {
  it("prints its address in one line, answers there, and exits with 0 on SIGTERM", async () => {
    const { child, text } = start(["start", "--companies", "50"], { PORT: "0" });
    await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
    expect([text.output, text.errors]).toEqual([
      expect.stringMatching(/^FEED for Excel is ready: http:\/\/localhost:\d+\/playground\.html \(sample data\)\n$/),
      "",
    ]);
    const address = text.output.match(/http:\S+/)?.[0] ?? "";
    expect((await fetch(address)).status).toBe(200);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("prints its address with a provider, and no code if its output is stored", async () => {
    const { child, text, port } = await startWithProvider();
    const invitation =
      "Nobody is paired yet\\. Open the FEED pane: it shows the command that makes a code for it\\.\\n";
    expect(text.output).toMatch(
      new RegExp(`^FEED for Excel is ready: http:\\S+ \\(feed\\.example\\.com\\)\\n${invitation}$`),
    );
    const { name } = await requestCode(port);
    expect((await run(["pair", name])).output).toContain("Pairing code: ");
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(text.output + text.errors).not.toMatch(/[2-9A-Z]{4}-[2-9A-Z]{4}/);
  });
});

describe("a page of the built companion", () => {
  it("is refused by the very next request after another process ended its pairing", async () => {
    const { port } = await startWithProvider();
    const { name, secret } = await requestCode(port);
    const [code] = (await run(["pair", name])).output.match(/[2-9A-Z]{4}-[2-9A-Z]{4}/) ?? [];
    const page = { "feed-client": "excel", "content-type": "application/json" };
    const { body } = await sendRaw(
      port,
      "POST",
      "/companion/pairing",
      page,
      JSON.stringify({ code: `${code}.${secret}` }),
    );
    const { id, bearer } = JSON.parse(body);
    const readStatus = async () =>
      (await sendRaw(port, "GET", "/companion/config", { ...page, "feed-pairing": bearer })).status;
    // The companion answers from memory once the file of pairings has been left alone for two seconds.
    await setTimeout(2_100);
    let isEnded = false;
    const unpaired = run(["unpair", id]).finally(() => {
      isEnded = true;
    });
    const before = new Set<number>();
    while (!isEnded) before.add(await readStatus());
    expect(await unpaired).toMatchObject({ code: 0, errors: "" });
    expect(await readStatus()).toBe(401);
    expect(before).toContain(200);
  });
});

describe("the built companion on SIGUSR1, which would open Node's debugger", () => {
  it("opens none, says so, and continues", async () => {
    const { child, text } = start(["start", "--companies", "50"], { PORT: "0" });
    while (!text.output.includes("ready")) await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
    child.kill("SIGUSR1");
    while (text.errors === "") await Promise.race([once(child.stderr, "data"), once(child, "exit")]);
    const { origin } = new URL(text.output.match(/http:\S+/)?.[0] ?? "");
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(text.errors).toBe("SIGUSR1 opens no debugger here.\n");
  });
});

describe("the built companion whose output is no longer read", () => {
  it("continues, and loses log lines alone", async () => {
    const { child, text } = start(["start", "--companies", "50"], { PORT: "0", LOG_LEVEL: "trace" });
    while (!text.output.includes("ready")) await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
    child.stderr.destroy();
    child.stdout.destroy();
    const { origin } = new URL(text.output.match(/http:\S+/)?.[0] ?? "");
    const load = (path: string) => fetch(`${origin}${path}`, { headers: { origin: "https://evil.example" } });
    for (let count = 0; count < 3; count += 1) expect((await load("/companion/config")).status).toBe(403);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("ends a command quietly, with its work done", async () => {
    const { child, text } = start(["keygen", "--no-passphrase", "--out", join(folder, "key.pem")], {});
    child.stdout.destroy();
    const [code] = await once(child, "exit");
    expect([code, text.errors, existsSync(join(folder, "key.pem"))]).toEqual([0, "", true]);
  });
});

describe("the exit code of the built companion", () => {
  it.each([["--help"], ["start", "--help"], ["keygen", "--help"], ["check", "--help"], ["certs", "--help"]])(
    "is 0 when it explains itself: %s %s",
    async (...words) => {
      const { code, output, errors } = await run(words.filter((word) => typeof word === "string"));
      expect([code, output.startsWith("Usage: "), errors]).toEqual([0, true, ""]);
    },
  );

  it("is 0 when a command has done its work", async () => {
    expect(await run(["certs"])).toMatchObject({ code: 0, errors: "" });
    expect(await run(["check"])).toMatchObject({ code: 0, errors: "" });
    expect(await run(["keygen", "--no-passphrase"])).toMatchObject({ code: 0, errors: "" });
    expect(await run(["pair", "--list"])).toMatchObject({ code: 0, errors: "" });
    expect(await run(["unpair", "--all"])).toMatchObject({ code: 0, errors: "" });
  });

  it("is 1 when a command has failed, with the reason in one line", async () => {
    expect(await run(["pair"])).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^Error: No FEED pane asks .*\n$/),
    });
    expect(await run(["unpair", "nobody"])).toMatchObject({ code: 1, errors: expect.stringMatching(/^Error: .*\n$/) });
    expect(await run(["keygen"])).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^Error: .*no terminal.*\n$/),
    });
  });

  it("is 2 when the command line is invalid", async () => {
    for (const words of [[], ["stop"], ["start", "--colour"], ["start", "again"], ["keygen", "--bits", "1"]]) {
      expect(await run(words)).toMatchObject({ code: 2, output: "", errors: expect.stringMatching(/^Error: .*\n$/) });
    }
  });

  it.each(["start", "check"])("is 3 when settings are incomplete, with all missing ones: %s", async (command) => {
    const { code, output, errors } = await run([command], { PORT: "0", FEED_CLIENT_ID: "client-1" });
    expect(code).toBe(3);
    for (const name of ["FEED_BASE_URL", "FEED_KEY_ID", "FEED_PRIVATE_KEY_FILE"])
      expect(output + errors).toContain(`${name} is missing`);
  });
});

describe("the installed command", () => {
  it("finds its pages, and calls itself feed in its help and its messages", async () => {
    const feed = join(folder, "feed");
    symlinkSync(MAIN, feed);
    expect((await run(["certs", "--help"], {}, feed)).output).toMatch(/^Usage: feed certs /);
    expect((await run(["strat"], {}, feed)).errors).toBe(
      "Error: Unknown command 'strat'. Did you mean start? Try: feed --help\n",
    );
    const { output: manifest } = await run(["manifest", "--origin", "https://localhost:3000"], {}, feed);
    expect(manifest).toContain("<OfficeApp");
    const { output, errors } = await run(["check"], { FEED_COLOUR: "blue" }, feed);
    expect(output).toContain("See: feed start --help");
    expect(output + errors).not.toContain("npm");
  });
});

describe("npm run companion", () => {
  it("runs the built program", async () => {
    expect(await run(["start", "--help"], {}, LAUNCHER)).toEqual(await run(["start", "--help"]));
  });

  it("says in one line what to do if nothing is built", async () => {
    const place = join(folder, "src", "companion", "built.mjs");
    mkdirSync(dirname(place), { recursive: true });
    copyFileSync(LAUNCHER, place);
    const errors = "Error: The companion is not built. Run: npm run build\n";
    expect(await run(["start"], {}, place)).toEqual({ code: 1, output: "", errors });
  });
});
