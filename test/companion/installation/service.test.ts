import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { UsageError } from "../../../src/companion/commands/exit-codes";
import { createMachine, removeMachines, type TestMachine } from "./machine";

const UNIT = "systemd/user/feed-for-excel.service";
afterAll(removeMachines);

const readUnit = ({ home }: TestMachine) => readFileSync(join(home, ".config", UNIT), "utf8");

describe("service", () => {
  it.each(["linux", "darwin", "win32"] as const)("on and off leave %s as it was", async (platform) => {
    const machine = createMachine(platform);
    await machine.run(["install", "--yes"]);
    const before = machine.describe();
    await machine.run(["service", "on"]);
    expect((await machine.run(["service"]))[0]).toMatch(/^On: the /);
    expect(await machine.run(["service", "off"])).toEqual(["The companion was ended, and no longer starts at log-on."]);
    expect((await machine.run(["service"]))[0]).toBe(
      "Off. To start the companion at log-on, run: npm run companion -- service on",
    );
    expect(machine.describe()).toEqual(before);
  });

  it("starts Node with this program for Excel on Linux, and is restarted where it fails", async () => {
    const machine = createMachine("linux");
    await machine.run(["service", "on"]);
    expect(readUnit(machine)).toContain(`ExecStart="${process.execPath}" "${machine.script}" "start" "--https"\n`);
    expect(readUnit(machine)).toContain("Restart=on-failure\n");
    expect(machine.readState().units).toEqual({ "feed-for-excel.service": "active" });
  });

  it("writes signs that systemd would read as something else", async () => {
    const machine = createMachine("linux");
    await machine.run(["service", "on"], { script: '/opt/50% "off" $HOME\\feed.mjs' });
    expect(readUnit(machine)).toContain('"/opt/50%% \\"off\\" $$HOME\\\\feed.mjs"');
  });

  it("starts it in the person's session on a Mac", async () => {
    const machine = createMachine("darwin");
    await machine.run(["service", "on"], { script: "/Users/ada & co/feed.mjs" });
    const path = join(machine.home, "Library/LaunchAgents/feed-for-excel.companion.plist");
    expect(readFileSync(path, "utf8")).toContain("<string>/Users/ada &amp; co/feed.mjs</string>");
    expect(machine.readCalls().at(-1)).toBe(`launchctl bootstrap gui/${process.getuid?.() ?? 0} ${path}`);
  });

  it("starts it anew on a Mac by its present definition, once the former one is unloaded", async () => {
    const machine = createMachine("darwin");
    await machine.run(["service", "on"]);
    await machine.run(["service", "on"], { script: "/elsewhere/feed.mjs" });
    expect(machine.readState().agents).toEqual({ "feed-for-excel.companion": { isLeaving: false } });
    await machine.run(["uninstall"]);
    expect(machine.readState().agents).toEqual({});
  });

  it("is a task of the person on Windows, without an administrator and without an end", async () => {
    const machine = createMachine("win32");
    await machine.run(["service", "on"], { script: "C:\\Ada's\\feed.mjs" });
    const { text = "", isRunning } = machine.readState().tasks["FEED for Excel"] ?? {};
    expect(isRunning).toBe(true);
    expect(text).toContain("<UserId>FIRM\\ada</UserId>");
    expect(text).toContain("<RunLevel>LeastPrivilege</RunLevel>");
    expect(text).toContain("<ExecutionTimeLimit>PT0S</ExecutionTimeLimit>");
    expect(text).toContain("'C:\\Ada''s\\feed.mjs' 'start' '--https'");
  });

  it("leaves another's task of that name alone", async () => {
    const machine = createMachine("win32", { tasks: { "FEED for Excel": { text: "another's", isRunning: true } } });
    await expect(machine.run(["service", "on"])).rejects.toThrow(
      'There is the scheduled task "FEED for Excel" already, which this program has not made. Delete or rename it',
    );
    await machine.run(["uninstall"]);
    expect(machine.readState().tasks["FEED for Excel"]?.text).toBe("another's");
  });

  it("leaves nothing behind where the system has no service manager for people", async () => {
    const machine = createMachine("linux", { hasNoUserManager: true });
    await expect(machine.run(["service", "on"])).rejects.toThrow(
      'The companion does not start at log-on: systemctl ends with 1 and says "Failed to connect to bus: No medium found". Start it yourself: npm start -- --https',
    );
    expect(existsSync(join(machine.home, ".config", UNIT))).toBe(false);
    expect((await machine.run(["service"]))[0]).toMatch(/^Off\./);
  });

  it("names the settings that only the terminal has", async () => {
    const machine = createMachine("linux");
    const environment = { ...machine.environment, PORT: "3100", FEED_MODE: "sign" };
    const lines = await machine.run(["service", "on"], { environment });
    expect(lines.at(-1)).toBe(
      `It does not see what this terminal sets: PORT, FEED_MODE. Write that into ${join(machine.folder, "companion.json")}`,
    );
  });

  it("takes on, off or no word", async () => {
    await expect(createMachine("linux").run(["service", "start"])).rejects.toThrow(UsageError);
  });
});
