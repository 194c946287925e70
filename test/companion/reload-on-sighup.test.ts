import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { until } from "../support/until";
import { COMPLETE } from "./complete-settings";

const MAIN = join(__dirname, "../../dist/companion/main.mjs");

let folder: string;
let child: ChildProcess;
let output: string;

/** Starts the built program with a settings file, as a service does. */
async function start(settings: object): Promise<void> {
  write(settings);
  const { PATH } = process.env;
  const environment = { PATH, HOME: folder, XDG_CONFIG_HOME: folder, HOST: "127.0.0.1", PORT: "0" };
  child = spawn(process.execPath, [MAIN, "start", "--settings", join(folder, "settings.json")], { env: environment });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (part) => {
      output += part;
    });
  }
  await until(() => output.includes("ready") || child.exitCode !== null);
}

function write(settings: object): void {
  writeFileSync(join(folder, "draft.json"), JSON.stringify(settings), { mode: 0o600 });
  renameSync(join(folder, "draft.json"), join(folder, "settings.json"));
}

beforeEach(() => {
  output = "";
  folder = mkdtempSync(join(tmpdir(), "feed-hang-up-"));
});
afterEach(() => {
  child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

describe("SIGHUP", () => {
  it("makes a firm's companion reload its settings and reopen its audit log", async () => {
    const audit = join(folder, "audit.jsonl");
    const firm = { ...COMPLETE, ALLOWED_ORIGINS: "https://feed.example.com", FEED_AUDIT_FILE: audit };
    await start(firm);
    renameSync(audit, `${audit}.1`);
    write({ ...firm, FEED_KEY_ID: "kid-2" });
    child.kill("SIGHUP");
    await until(() => output.includes('"kid":"kid-2","msg":"The changed settings are in force."') && existsSync(audit));
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("ends a personal companion after its pending answers", async () => {
    await start(COMPLETE);
    child.kill("SIGHUP");
    expect(await once(child, "exit")).toEqual([0, null]);
  });
});
