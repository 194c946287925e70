import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { renewCertificate } from "../../../src/companion/certificate";
import { toExitCode, UsageError } from "../../../src/companion/commands/results";
import { RunsAlready } from "../../../src/companion/presence";
import { createMachine, removeMachines, type TestMachine } from "./machine";

const ID = "e5e98938-6bbc-4356-824e-1329b3cfb00d";
const OFFICE = "HKEY_CURRENT_USER\\Software\\Microsoft\\Office";
const DEVELOPER = `${OFFICE}\\16.0\\WEF\\Developer`;
const SYSTEMS = ["linux", "darwin", "win32"] as const;
const ALL = ["install", "--yes", "--service"];

afterAll(removeMachines);

const toManifestPath = ({ platform, home, folder }: TestMachine) =>
  platform === "darwin"
    ? join(home, `Library/Containers/com.microsoft.Excel/Data/Documents/wef/${ID}.manifest.xml`)
    : join(folder, "manifest.xml");

describe("install", () => {
  it.each(SYSTEMS)("and uninstall restore what stood there before on %s", async (platform) => {
    const former = { [ID]: "hex(2):43,00,3a,00,00,00", 'Another "one"': '"C:\\\\other.xml"', Third: "dword:00000001" };
    const machine = createMachine(platform);
    const { registry } = machine.readState();
    const parents = [`${OFFICE}\\16.0\\WEF`, `${OFFICE}\\16.0`, OFFICE, OFFICE.slice(0, OFFICE.lastIndexOf("\\"))];
    for (const key of parents) registry[key] = {};
    machine.changeState({ registry: { ...registry, [DEVELOPER]: former } });
    await renewCertificate(machine.certificateFolder);
    mkdirSync(dirname(toManifestPath(machine)), { recursive: true });
    writeFileSync(toManifestPath(machine), "former");
    const unit = join(machine.home, ".config/systemd/user/feed-for-excel.service");
    mkdirSync(dirname(unit), { recursive: true });
    writeFileSync(unit, Buffer.from([0xff, 0x00, 0x0a]));
    const before = machine.describe();
    await machine.run(ALL);
    await machine.run(["uninstall"]);
    expect(machine.describe()).toEqual(before);
  });

  it.each(SYSTEMS)("changes nothing on %s the second time, and uninstall leaves all as it was", async (platform) => {
    const machine = createMachine(platform);
    const before = machine.describe();
    await machine.run(ALL);
    const once = machine.describe();
    expect(once).not.toEqual(before);
    await machine.run(ALL);
    expect(machine.describe()).toEqual(once);
    await machine.run(["uninstall"]);
    expect(machine.describe()).toEqual(before);
  });

  it("registers the manifest on Windows by its id, and has the person alone trust the authority", async () => {
    const machine = createMachine("win32");
    const lines = await machine.run(["install", "--yes"]);
    const path = toManifestPath(machine);
    expect(machine.readState().registry[DEVELOPER]).toEqual({ [ID]: JSON.stringify(path) });
    expect(machine.readState().roots).toHaveLength(1);
    expect(readFileSync(path, "utf8")).toContain(
      '<SourceLocation DefaultValue="https://localhost:3000/taskpane.html"/>',
    );
    expect(lines).toContain(
      `Excel knows the add-in (${path}). Start Excel anew, then: Home > Add-ins > FEED for Excel.`,
    );
    expect(machine.readCalls().join("\n")).not.toMatch(/HKEY_LOCAL_MACHINE.* \/d/);
  });

  it("puts the manifest into Excel's folder on a Mac", async () => {
    const machine = createMachine("darwin");
    await machine.run(["install", "--yes"]);
    expect(readFileSync(toManifestPath(machine), "utf8")).toContain(`<Id>${ID}</Id>`);
    expect(machine.readState().roots).toHaveLength(1);
  });

  it("says on a Mac to start Excel first, and leaves nothing behind once that is taken back", async () => {
    const machine = createMachine("darwin");
    rmSync(join(machine.home, "Library"), { recursive: true });
    const before = machine.describe();
    await expect(machine.run(["install", "--yes"])).rejects.toThrow(
      /^Excel has not run for this user yet\. Start Excel once/,
    );
    await machine.run(["uninstall"]);
    expect(machine.describe()).toEqual(before);
  });

  it("says on Linux how Excel on the web takes the manifest, and has nothing trusted", async () => {
    const machine = createMachine("linux");
    const text = (await machine.run(["install"])).join("\n");
    expect(text).toContain(`Upload My Add-in, and choose ${toManifestPath(machine)}`);
    expect(text).toContain("Each browser has a list of its own here.");
    expect(text).not.toContain("sudo");
    expect(machine.readCalls()).toEqual([]);
  });

  it("registers the present address alone after the port has changed", async () => {
    const machine = createMachine("win32");
    await machine.run(["install", "--yes"]);
    await machine.run(["install", "--yes"], { environment: { ...machine.environment, PORT: "3100" } });
    const values = machine.readState().registry[DEVELOPER] ?? {};
    expect(Object.keys(values)).toHaveLength(1);
    expect(values[ID]).toBeUndefined();
    expect(readFileSync(toManifestPath(machine), "utf8")).toContain("https://localhost:3100/taskpane.html");
  });

  it("changes nothing where a policy forbids it", async () => {
    const machine = createMachine("win32", { registryToolsForbidden: true });
    const before = machine.describe();
    await expect(machine.run(["install", "--yes"])).rejects.toThrow(
      /^A policy keeps you from the registry's tools .*Ask your administrator/,
    );
    expect(machine.describe()).toEqual(before);
  });
});

describe("consent to a trusted certificate", () => {
  const explained = (lines: string[]) => lines.join("\n").includes("accepts, for your user alone, each certificate");

  it.each(["darwin", "win32"] as const)("is asked for on %s once explained; else nothing changes", async (platform) => {
    const machine = createMachine(platform);
    const before = machine.describe();
    const { lines, error } = await machine.runToEnd(["install"], { confirm: async () => false });
    expect(error?.message).toMatch(/^Nothing was changed\. Excel shows the add-in only/);
    expect(explained(lines)).toBe(true);
    await expect(machine.run(["install"])).rejects.toThrow(/no terminal to ask at\. Add --yes\.$/);
    expect(machine.describe()).toEqual(before);
  });

  it("is not asked for a certificate that is trusted already", async () => {
    const machine = createMachine("win32");
    await machine.run(["install"], { confirm: async () => true });
    const lines = await machine.run(["install"]);
    expect(explained(lines)).toBe(false);
  });

  it("is the system's as well: where that is refused, the trust is not recorded", async () => {
    const machine = createMachine("win32", { refusesTrust: true });
    await expect(machine.run(["install", "--yes"])).rejects.toThrow(
      /^The certificate was not trusted: certutil ends with 1 and says "CertUtil: -addstore command FAILED/,
    );
    machine.changeState({ refusesTrust: undefined });
    expect((await machine.run(["uninstall"])).join("\n")).not.toContain("no longer trusts");
  });

  it.each([
    ["linux", {}, /^Each browser/],
    [
      "darwin",
      { refusesTrust: true },
      /^Error: This system does not trust .* yet\.\nRun, and agree:\n {2}security add-trusted/,
    ],
    [
      "win32",
      { refusesTrust: true },
      /^Error: This system does not trust .* yet\.\nRun, and agree:\n {2}certutil -user -add/,
    ],
  ] as const)("is by certs --trust on %s as the system's tool says", async (platform, initial, outcome) => {
    const machine = createMachine(platform, initial);
    const text = await machine.run(["certs", "--trust"]).then((lines) => lines.join("\n"), String);
    expect(text).toMatch(outcome);
    expect(text).toContain(join(machine.certificateFolder, "ca.crt"));
    expect(text).not.toContain("sudo");
  });

  it("given by certs --trust is taken back by uninstall", async () => {
    const machine = createMachine("darwin");
    expect(await machine.run(["certs", "--trust"])).toEqual([
      expect.stringMatching(/^This system trusts the certificate\./),
    ]);
    expect(machine.readState().roots).toHaveLength(1);
    await machine.run(["uninstall"]);
    expect(machine.readState().roots).toEqual([]);
  });
});

describe("uninstall", () => {
  it("keeps keys, settings and pairings, and says where", async () => {
    const machine = createMachine("linux");
    await machine.run(["install"]);
    await machine.run(["keygen", "--no-passphrase"]);
    writeFileSync(join(machine.folder, "companion.json"), "{}", { mode: 0o600 });
    const lines = await machine.run(["uninstall"]);
    expect(lines.at(-1)).toBe(`Your keys, settings and pairings stay in ${machine.folder}.`);
    expect(existsSync(join(machine.folder, "keys"))).toBe(true);
    expect(existsSync(join(machine.folder, "companion.json"))).toBe(true);
    expect(existsSync(join(machine.folder, "installed.json"))).toBe(false);
    const nothing = ["Nothing was installed here, so there is nothing to take back."];
    expect(await machine.run(["uninstall"])).toEqual(nothing);
  });

  it("deletes them with --purge, after asking", async () => {
    const machine = createMachine("linux");
    const before = machine.describe();
    await machine.run(["install"]);
    await machine.run(["keygen", "--no-passphrase"]);
    writeFileSync(join(machine.folder, "companions.json"), "{}");
    for (const kept of ["names", "answers"]) mkdirSync(join(machine.folder, kept));
    const installed = machine.describe();
    await expect(machine.run(["uninstall", "--purge"])).rejects.toThrow(/no terminal to ask at\. Add --yes\.$/);
    await expect(machine.run(["uninstall", "--purge"], { confirm: async () => false })).rejects.toThrow(
      /^Nothing was changed/,
    );
    expect(machine.describe()).toEqual(installed);
    await machine.run(["uninstall", "--purge"], { confirm: async () => true });
    expect(machine.describe()).toEqual(before);
  });

  it("leaves what others have put into the folders since", async () => {
    const machine = createMachine("win32");
    await machine.run(["install", "--yes"]);
    const { registry } = machine.readState();
    registry[DEVELOPER]!.Another = '"C:\\\\other.xml"';
    machine.changeState({ registry });
    await machine.run(["uninstall"]);
    expect(machine.readState().registry[DEVELOPER]).toEqual({ Another: '"C:\\\\other.xml"' });
  });
});

const UNIT = "systemd/user/feed-for-excel.service";
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
    // Where it runs already, a further start ends alike.
    expect(readUnit(machine)).toContain(`RestartPreventExitStatus=${toExitCode(new RunsAlready())}\n`);
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

  it.each([
    ["service", "on"],
    ["install", "--service"],
  ])("names the settings that only the terminal has: %s %s", async (...words) => {
    const machine = createMachine("linux");
    const environment = {
      ...machine.environment,
      PORT: "3100",
      FEED_MODE: "sign",
      https_proxy: "http://a:secret@one:1",
    };
    const lines = await machine.run(words, { environment });
    expect(lines).toContain(
      `It does not see what this terminal sets: PORT, FEED_MODE, HTTPS_PROXY. Write that into ${join(machine.folder, "companion.json")}`,
    );
    expect(lines.join()).not.toContain("secret");
  });

  it("takes on, off or no word", async () => {
    await expect(createMachine("linux").run(["service", "start"])).rejects.toThrow(UsageError);
  });
});
