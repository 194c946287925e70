import { existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { describeOnPosix } from "../support/posix";
import { until } from "../support/until";
import { openHome, type Program } from "./built-program";
import { COMPLETE } from "./complete-settings";

const home = openHome();

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
