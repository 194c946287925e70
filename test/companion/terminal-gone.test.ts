import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { until } from "../support/until";
import { COMPLETE } from "./complete-settings";

const MAIN = join(__dirname, "../../dist/companion/main.mjs");
const START = `"${process.execPath}" "${MAIN}" start`;

let folder: string;
/** Holds the other end of the terminal, as its window does. */
let window: ChildProcess;
let shown: string;

/** Runs a shell command in its own terminal until the companion is ready; its process id is printed first. */
async function openTerminal(words: string): Promise<number> {
  const { PATH } = process.env;
  const env = { PATH, SHELL: "/bin/sh", HOME: folder, XDG_CONFIG_HOME: folder, HOST: "127.0.0.1", PORT: "0" };
  window = spawn("script", ["--quiet", "--flush", "--command", words, "/dev/null"], { env });
  window.stdout?.on("data", (part) => {
    shown += part;
  });
  await until(() => /ready: \S+/.test(readShown()) || window.exitCode !== null);
  return Number(/PID=(\d+)/.exec(shown)?.[1]);
}

/** A companion whose output goes to a file shows nothing at the terminal. */
function readShown(): string {
  try {
    return shown + readFileSync(join(folder, "output"), "utf8");
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
beforeEach(() => {
  shown = "";
  pid = undefined;
  folder = mkdtempSync(join(tmpdir(), "feed-terminal-"));
});
afterEach(() => {
  closeTerminal();
  if (pid !== undefined && isRunning(pid)) process.kill(pid, "SIGKILL");
  rmSync(folder, { recursive: true });
});

const FOREGROUND = `echo PID=$$; exec ${START} --companies 50`;
/** In its own process group, which SIGHUP does not reach. */
const BACKGROUND = `set -m; ${START} --companies 50 & echo PID=$!; wait`;

describe("the built companion whose terminal is closed", () => {
  it("ends instead of looping in its last fault", async () => {
    pid = await openTerminal(FOREGROUND);
    closeTerminal();
    await until(() => !isRunning(pid!));
    expect(isRunning(pid)).toBe(false);
  });

  it("ends too if its output goes to a file and it watches an administrator's settings", async () => {
    const firm = { ...COMPLETE, ALLOWED_ORIGINS: "https://feed.example.com" };
    writeFileSync(join(folder, "settings.json"), JSON.stringify(firm), { mode: 0o600 });
    const words = `${START} --settings "${folder}/settings.json" > "${folder}/output" 2>&1`;
    pid = await openTerminal(`echo PID=$$; exec ${words}`);
    closeTerminal();
    await until(() => !isRunning(pid!));
    expect(isRunning(pid)).toBe(false);
  });

  it("ends with its next log line if no SIGHUP reached it", async () => {
    pid = await openTerminal(BACKGROUND);
    closeTerminal();
    await until(() => window.exitCode !== null || window.signalCode !== null);
    const { origin } = new URL(/http:\S+/.exec(shown)?.[0] ?? "");
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    await fetch(`${origin}/companion/config`, { headers: { origin: "https://evil.example" } }).catch(() => {});
    await until(() => !isRunning(pid!));
    expect(isRunning(pid)).toBe(false);
  });

  it("ends on SIGTERM, even long after its terminal is gone", async () => {
    pid = await openTerminal(BACKGROUND);
    closeTerminal();
    await until(() => window.exitCode !== null || window.signalCode !== null);
    process.kill(pid, "SIGTERM");
    await until(() => !isRunning(pid!));
    expect(isRunning(pid)).toBe(false);
  });
});
