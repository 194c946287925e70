import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { openPairings } from "../../src/companion/commands/surroundings";
import { describeOnLinux, describeOnPosix, itOnPosix } from "../support/posix";
import { until } from "../support/until";
import { requestCode } from "./code-request";
import { COMPLETE } from "./complete-settings";
import { MAIN, openHome, type Program, toHome } from "./programs";
import { createProviderServer, type ProviderServer } from "./provider-server";
import { type RawAnswer, sendRaw } from "./raw-request";
import { createProvider, openFor, pairHeaders } from "./test-configuration";

const LAUNCHER = join(__dirname, "../../src/companion/built.mjs");
const SAMPLE = ["start", "--companies", "50"];
const CODE = /[2-9A-Z]{4}-[2-9A-Z]{4}/;
const home = openHome();

describeOnPosix("the built companion", () => {
  it("prints its address in one line, opens no debugger on SIGUSR1, and exits with 0 on SIGTERM", async () => {
    const program = home.start(SAMPLE, { HOST: undefined });
    const address = await program.find(/http:\S+/);
    expect((await fetch(address)).status).toBe(200);
    program.child.kill("SIGUSR1");
    await program.find(/SIGUSR1/);
    expect((await fetch(address)).status).toBe(200);
    expect(await program.end("SIGTERM")).toBe(0);
    expect([program.output, program.errors]).toEqual([
      expect.stringMatching(/^FEED for Excel is ready: http:\/\/localhost:\d+\/playground\.html \(sample data\)\n$/),
      "SIGUSR1 opens no debugger here.\n",
    ]);
  });

  it("refuses a page by the very next request after another process ended its pairing", async () => {
    const program = home.start(["start"], COMPLETE);
    const port = Number(await program.find(/http:\/\/[^/]*:(\d+)/));
    const page = { "feed-client": "excel", "content-type": "application/json" };
    const { name, secret } = await requestCode(port);
    const pairings = openPairings({ environment: toHome(home.folder), webFolder: "", print: () => {} });
    const { code } = await pairings.issue(name);
    const typed = JSON.stringify({ code: `${code}.${secret}` });
    const { id, bearer } = JSON.parse((await sendRaw(port, "POST", "/companion/pairing", page, typed)).body);
    const readStatus = async () =>
      (await sendRaw(port, "GET", "/companion/config", { ...page, "feed-pairing": bearer })).status;
    expect(await readStatus()).toBe(200);
    expect(await pairings.revoke(id)).toBe(1);
    expect(await readStatus()).toBe(401);
    expect(await program.end("SIGTERM")).toBe(0);
    expect(program.output + program.errors).not.toMatch(CODE); // no terminal, so it shows none
  });

  it("continues while its output is no longer read, and loses log lines alone", async () => {
    const { child, find, end } = home.start(SAMPLE, { LOG_LEVEL: "trace" });
    const { origin } = new URL(await find(/ready: (\S+)/));
    for (const stream of [child.stderr, child.stdout]) stream?.destroy();
    const load = (path: string) => fetch(`${origin}${path}`, { headers: { origin: "https://evil.example" } });
    for (let count = 0; count < 3; count += 1) expect((await load("/companion/config")).status).toBe(403);
    expect(await end("SIGTERM")).toBe(0);
  });
});

describe("a command of the built companion", () => {
  it("ends quietly with its work done while its output is no longer read", async () => {
    const program = home.start(["keygen", "--no-passphrase", "--out", join(home.folder, "key.pem")]);
    program.child.stdout?.destroy();
    const code = await program.end();
    expect([code, program.errors, existsSync(join(home.folder, "key.pem"))]).toEqual([0, "", true]);
  });

  it.each<[number, string, string[], NodeJS.ProcessEnv, output: RegExp, errors: RegExp]>([
    [
      0,
      "has done its work",
      ["check"],
      { ALLOWED_ORIGINS: "https://feed.example.org" },
      /^pass {2}The settings are complete\.\n[\s\S]*$/,
      /^$/,
    ],
    [1, "has failed, with the reason in one line", ["pair"], {}, /^$/, /^Error: No FEED pane asks .*\n$/],
    [1, "has no terminal", ["keygen"], {}, /^$/, /^Error: .*no terminal.*\n$/],
    [2, "is invalid", ["strat"], {}, /^$/, /^Error: Unknown command 'strat'\. .*\n$/],
    [3, "lacks settings", ["check"], { FEED_CLIENT_ID: "client-1" }, /^FAIL {2}FEED_BASE_URL is missing/, /^Error: /],
  ])("exits with %i if it %s", async (expected, _what, words, environment, output, errors) => {
    expect(await home.run(words, environment)).toEqual({
      code: expected,
      output: expect.stringMatching(output),
      errors: expect.stringMatching(errors),
    });
  });
});

itOnPosix("the installed command finds its pages, and calls itself feed in its help and its messages", async () => {
  const feed = join(home.folder, "feed");
  symlinkSync(MAIN, feed);
  expect((await home.run(["manifest", "--origin", "https://localhost:3000"], {}, feed)).output).toContain("<OfficeApp");
  const { output, errors } = await home.run(["check"], { FEED_COLOUR: "blue" }, feed);
  expect(output).toContain("See: feed start --help");
  expect(output + errors).not.toContain("npm");
});

describe("npm run companion", () => {
  it("runs the built program", async () => {
    const { code, output, errors } = await home.run(["start", "--help"], {}, LAUNCHER);
    expect([code, output.split(" ")[0], errors]).toEqual([0, "Usage:", ""]);
  });

  it("says in one line what to do if nothing is built", async () => {
    const place = join(home.folder, "src", "companion", "built.mjs");
    mkdirSync(dirname(place), { recursive: true });
    copyFileSync(LAUNCHER, place);
    const errors = "Error: The companion is not built. Run: npm run build\n";
    expect(await home.run(["start"], {}, place)).toEqual({ code: 1, output: "", errors });
  });
});

/** Starts the built program with a settings file, as a service does. */
async function start(settings: object): Promise<Program> {
  write(settings);
  const program = home.start(["start", "--settings", join(home.folder, "settings.json")]);
  await program.find(/ready/);
  return program;
}

function write(settings: object): void {
  writeFileSync(join(home.folder, "draft.json"), JSON.stringify(settings), { mode: 0o600 });
  renameSync(join(home.folder, "draft.json"), join(home.folder, "settings.json"));
}

describeOnPosix("SIGHUP", () => {
  it("makes a firm's companion reload its settings and reopen its audit log", async () => {
    const audit = join(home.folder, "audit.jsonl");
    const firm = { ...COMPLETE, ALLOWED_ORIGINS: "https://feed.example.com", FEED_AUDIT_FILE: audit };
    const program = await start(firm);
    renameSync(audit, `${audit}.1`);
    write({ ...firm, FEED_KEY_ID: "kid-2" });
    program.child.kill("SIGHUP");
    await program.find(/"kid":"kid-2","msg":"The changed settings are in force\."/);
    await until(() => existsSync(audit));
    expect(await program.end("SIGTERM")).toBe(0);
  });

  it("ends a personal companion after its pending answers", async () => {
    const program = await start(COMPLETE);
    expect(await program.end("SIGHUP")).toBe(0);
  });
});

const TREE = "/companion/relay/asia/industry-taxonomies/v1/tree";
const REQUESTS = 200;
/** The most connections that the companion opens to a provider. */
const UNDER_WAY = 128;
const BODY = JSON.stringify(["x".repeat(10_000)]);

const waiting: ServerResponse[] = [];
let provider: ProviderServer;
let program: Program;
let port: number;
let headers: Record<string, string>;

describeOnPosix("SIGTERM", () => {
  beforeEach(async () => {
    provider = await createProviderServer((_request, response) => void waiting.push(response));
    const baseUrl = `http://127.0.0.1:${provider.port}`;
    program = home.start(["start"], { ...COMPLETE, FEED_BASE_URL: baseUrl, LOG_LEVEL: "fatal" });
    port = Number(await program.find(/127\.0\.0\.1:(\d+)\//));
    const pairings = openPairings({ environment: toHome(home.folder), webFolder: "", print: () => {} });
    headers = await pairHeaders(openFor(pairings, createProvider(baseUrl)), `http://localhost:${port}`);
  });
  afterEach(async () => {
    for (const response of waiting.splice(0)) response.destroy();
    await provider.close();
  });

  it("lets 200 pending requests be answered in full, accepts no new connection, and ends with 0", async () => {
    let settled = 0;
    const answers = Array.from({ length: REQUESTS }, () =>
      sendRaw(port, "GET", TREE, headers)
        .catch((error: Error): RawAnswer => ({ status: 0, headers: {}, body: error.message }))
        .finally(() => settled++),
    );
    await until(() => waiting.length === UNDER_WAY);
    const ended = program.end("SIGTERM");
    await until(() => isRefused(port));
    expect(settled).toBe(0);

    // Half of each answer first, which must not be cut there.
    const finish = (response: ServerResponse) =>
      response.write(BODY.slice(0, 5000), () => response.end(BODY.slice(5000)));
    await until(() => waiting.splice(0).map(finish).length === 0 && settled === REQUESTS);
    const whole = (await Promise.all(answers)).filter(({ status, body }) => status === 200 && body === BODY);
    expect(whole).toHaveLength(REQUESTS);
    expect([provider.seen.length, await ended]).toEqual([REQUESTS, 0]);
  });

  it("ends it at once if it comes twice, even if an answer never comes", async () => {
    const answer = sendRaw(port, "GET", TREE, headers).then(
      () => "answered",
      () => "cut",
    );
    await until(() => waiting.length === 1);
    program.child.kill("SIGTERM");
    await until(() => isRefused(port));
    expect([await program.end("SIGTERM"), await answer]).toEqual([1, "cut"]);
  });
});

const isRefused = (to: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(to, "127.0.0.1");
    socket.once("connect", () => socket.destroy()).once("error", () => resolve(true));
    socket.once("close", () => resolve(false));
  });

const START = `"${process.execPath}" "${MAIN}" start`;

/** Holds the other end of the terminal, as its window does. */
let window: ChildProcess;
let shown: string;

/** Runs a shell command in its own terminal until the companion is ready; its process id is printed first. */
async function openTerminal(words: string): Promise<number> {
  const env = { ...toHome(home.folder), SHELL: "/bin/sh", HOST: "127.0.0.1", PORT: "0" };
  window = spawn("script", ["--quiet", "--flush", "--command", words, "/dev/null"], { env });
  window.stdout?.on("data", (part) => {
    shown += part;
  });
  await until(() => /ready: \S+/.test(readShown()) || window.exitCode !== null);
  expect(readShown()).toMatch(/ready: \S+/);
  const opened = Number(/PID=(\d+)/.exec(shown)?.[1]);
  expect(isRunning(opened)).toBe(true);
  return opened;
}

/** A companion whose output goes to a file shows nothing at the terminal. */
function readShown(): string {
  try {
    return shown + readFileSync(join(home.folder, "output"), "utf8");
  } catch {
    return shown;
  }
}

const closeTerminal = () => void window.kill("SIGKILL");

/** Whether a process runs; a zombie does not. */
function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

let pid: number | undefined;
/** Waits for the companion's end after its terminal is closed. */
const seeEnd = (): Promise<void> => until(() => !isRunning(pid!));

/** Opens a companion in its own process group, which SIGHUP does not reach, and closes its terminal. */
async function closeInBackground(): Promise<void> {
  pid = await openTerminal(`set -m; ${START} --companies 50 & echo PID=$!; wait`);
  closeTerminal();
  await until(() => window.exitCode !== null || window.signalCode !== null);
}

describeOnLinux("the built companion whose terminal is closed", () => {
  beforeEach(() => {
    shown = "";
    pid = undefined;
  });
  afterEach(() => {
    closeTerminal();
    if (pid !== undefined && isRunning(pid)) process.kill(pid, "SIGKILL");
  });

  it("ends instead of looping in its last fault", async () => {
    pid = await openTerminal(`echo PID=$$; exec ${START} --companies 50`);
    closeTerminal();
    await seeEnd();
  });

  it("ends too if its output goes to a file and it watches an administrator's settings", async () => {
    const firm = { ...COMPLETE, ALLOWED_ORIGINS: "https://feed.example.com" };
    writeFileSync(join(home.folder, "settings.json"), JSON.stringify(firm), { mode: 0o600 });
    const words = `${START} --settings "${home.folder}/settings.json" > "${home.folder}/output" 2>&1`;
    pid = await openTerminal(`echo PID=$$; exec ${words}`);
    closeTerminal();
    await seeEnd();
  });

  it("ends with its next log line if no SIGHUP reached it", async () => {
    await closeInBackground();
    const { origin } = new URL(/http:\S+/.exec(shown)?.[0] ?? "");
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    await fetch(`${origin}/companion/config`, { headers: { origin: "https://evil.example" } }).catch(() => {});
    await seeEnd();
  });

  it("ends on SIGTERM, even long after its terminal is gone", async () => {
    await closeInBackground();
    process.kill(pid!, "SIGTERM");
    await seeEnd();
  });
});
