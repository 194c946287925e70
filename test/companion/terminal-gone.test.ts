import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { describeOnLinux } from "../support/posix";
import { until } from "../support/until";
import { MAIN, openHome, toHome } from "./built-program";
import { COMPLETE } from "./complete-settings";

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
  return Number(/PID=(\d+)/.exec(shown)?.[1]);
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
beforeEach(() => {
  shown = "";
  pid = undefined;
});
afterEach(() => {
  closeTerminal();
  if (pid !== undefined && isRunning(pid)) process.kill(pid, "SIGKILL");
});
const home = openHome(); // removes its folder last

/** Waits for the companion's end after its terminal is closed. */
async function seeEnd(): Promise<void> {
  await until(() => !isRunning(pid!));
  expect(isRunning(pid!)).toBe(false);
}

/** Opens a companion in its own process group, which SIGHUP does not reach, and closes its terminal. */
async function closeInBackground(): Promise<void> {
  pid = await openTerminal(`set -m; ${START} --companies 50 & echo PID=$!; wait`);
  closeTerminal();
  await until(() => window.exitCode !== null || window.signalCode !== null);
}

describeOnLinux("the built companion whose terminal is closed", () => {
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
