import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { UsageError } from "../../src/companion/commands/results";
import { createMachine, removeMachines, type TestMachine } from "../companion/installation/machine";

const SYSTEMS = ["linux", "darwin", "win32"] as const;
/** A Friday. */
const nowMs = () => new Date("2026-11-27 12:00").getTime();
const TIMES = ["--at", "MON-FRI 07:00", "--at", "SUN 23:05"];

afterAll(removeMachines);

/** A computer with a folder of workbooks. */
function createWithBooks(platform: (typeof SYSTEMS)[number]) {
  const machine = createMachine(platform);
  const books = join(machine.home, "50% of Ada's & co");
  mkdirSync(books);
  writeFileSync(join(books, "a.xlsx"), "");
  const run = (...words: string[]) => machine.run(["service", ...words], { nowMs });
  return { ...machine, books, run, runCommand: machine.run };
}

const listUnits = ({ home }: Pick<TestMachine, "home">) => join(home, ".config/systemd/user");
const readUnit = (machine: Pick<TestMachine, "home">, ending: string) => {
  const name = readdirSync(listUnits(machine)).find((each) => each.endsWith(ending)) ?? "";
  return readFileSync(join(listUnits(machine), name), "utf8");
};

describe("a scheduled refresh", () => {
  it.each(SYSTEMS)("is told, listed with its next time, and ended on %s", async (platform) => {
    const { run, books, describe } = createWithBooks(platform);
    const lines = await run("--refresh", books, ...TIMES);
    const sentence = new RegExp(
      `^${books} is refreshed MON-FRI 07:00, SUN 23:05; next: 2026-11-29 23:05 \\(the (systemd user timer|launchd agent|scheduled task) \\S.*\\)\\.$`,
    );
    expect(lines[0]).toMatch(sentence);
    expect(lines[1]).toMatch(/^It runs while you are logged on/);
    expect(lines.slice(2)).toEqual([
      `Try it now: npm run companion -- refresh "${books}"`,
      `End it: npm run companion -- service off --refresh "${books}"`,
    ]);
    const scheduled = describe();
    expect(await run()).toEqual([expect.stringMatching(sentence), expect.stringMatching(/^Off\. To start the comp/)]);
    expect(describe()).toEqual(scheduled);
    expect(await run("off", "--refresh", books)).toEqual([`${books} is no longer refreshed.`]);
    expect(await run("off", "--refresh", books)).toEqual([`No refresh is scheduled for ${books}.`]);
    expect(await run()).toHaveLength(1);
  });

  it.each(SYSTEMS)(
    "of two folders leaves %s as it was once uninstalled, in whichever order they end",
    async (platform) => {
      const machine = createWithBooks(platform);
      const other = join(machine.home, "other");
      mkdirSync(other);
      const before = machine.describe();
      for (const ended of [[], [machine.books], [other, machine.books], ["companion"]]) {
        await machine.run("--refresh", machine.books, "--at", "MON 07:00");
        await machine.run("on");
        await machine.run("on", "--refresh", other, "--at", "daily 06:30");
        expect((await machine.run()).filter((line) => line.includes(" is refreshed "))).toHaveLength(2);
        for (const each of ended) await machine.run("off", ...(each === "companion" ? [] : ["--refresh", each]));
        const lines = await machine.runCommand(["uninstall"]);
        if (ended.length === 0) expect(lines).toContain(`Nothing more is scheduled for ${other}.`);
        expect(machine.describe()).toEqual(before);
      }
    },
  );

  it.each(SYSTEMS)("at other times takes the former one's place on %s", async (platform) => {
    const machine = createWithBooks(platform);
    await machine.run("--refresh", machine.books, "--at", "MON 07:00");
    const { files, state } = machine.describe();
    await machine.run("--refresh", `${machine.books}/`, "--at", "TUE 08:00");
    const after = machine.describe();
    expect(Object.keys(after.files)).toHaveLength(Object.keys(files).length);
    for (const kind of ["tasks", "agents", "units"] as const)
      expect(Object.keys(after.state[kind])).toHaveLength(Object.keys(state[kind]).length);
    expect((await machine.run())[0]).toContain("is refreshed TUE 08:00; next: 2026-12-01 08:00");
  });

  it("is a timer of systemd that catches up, and runs this program's refresh of the folder", async () => {
    const machine = createWithBooks("linux");
    await machine.run("--refresh", machine.books, ...TIMES);
    expect(readUnit(machine, ".timer")).toContain(
      "OnCalendar=Mon,Tue,Wed,Thu,Fri *-*-* 07:00:00\nOnCalendar=Sun *-*-* 23:05:00\nPersistent=true\n",
    );
    const folder = machine.books.replace("%", "%%");
    expect(readUnit(machine, ".service")).toContain(
      `Type=oneshot\nExecStart="${process.execPath}" "${machine.script}" "refresh" "${folder}"\n`,
    );
    expect(machine.readCalls().at(-1)).toMatch(/^systemctl --user enable --now feed-for-excel-refresh-\w+\.timer$/);
  });

  it("is a timer that systemd itself reads, where there is one", async () => {
    if (spawnSync("systemd-analyze", ["--version"]).status !== 0) return;
    const machine = createWithBooks("linux");
    mkdirSync(join(machine.home, "bin"));
    writeFileSync(machine.script, "");
    await machine.run("--refresh", machine.books, ...TIMES, "--at", "daily 06:30");
    const calendars = [...readUnit(machine, ".timer").matchAll(/^OnCalendar=(.+)$/gm)].map(([, text = ""]) => text);
    const analyze = (...words: string[]) => spawnSync("systemd-analyze", words, { encoding: "utf8" });
    expect(calendars.map((text) => analyze("calendar", text).status)).toEqual([0, 0, 0]);
    const units = readdirSync(listUnits(machine)).filter((name) => /refresh/.test(name));
    const { stderr } = analyze("verify", "--man=no", ...units.map((name) => join(listUnits(machine), name)));
    expect(stderr.split("\n").filter((line) => line.includes("feed-for-excel"))).toEqual([]);
  });

  it("is an agent of launchd on a Mac, with an entry of each day", async () => {
    const machine = createWithBooks("darwin");
    await machine.run("--refresh", machine.books, "--at", "MON,SUN 07:00", "--at", "TUE 06:30");
    const folder = join(machine.home, "Library/LaunchAgents");
    const text = readFileSync(join(folder, readdirSync(folder)[0]!), "utf8");
    expect(text.replace(/\s+/g, "")).toContain(
      `<key>StartCalendarInterval</key><array>${[
        [
          ["Weekday", 0],
          ["Hour", 7],
          ["Minute", 0],
        ],
        [
          ["Weekday", 1],
          ["Hour", 7],
          ["Minute", 0],
        ],
        [
          ["Weekday", 2],
          ["Hour", 6],
          ["Minute", 30],
        ],
      ]
        .map(
          (keys) =>
            `<dict>${keys.map(([key, value]) => `<key>${key}</key><integer>${value}</integer>`).join("")}</dict>`,
        )
        .join("")}</array>`,
    );
    expect(text).toContain("<string>refresh</string>\n    <string>");
    expect(text).toContain("50% of Ada's &amp; co</string>");
    expect(text).not.toContain("RunAtLoad");
  });

  it("is a task of Windows that begins in the future and catches up", async () => {
    const machine = createWithBooks("win32");
    await machine.run("--refresh", machine.books, ...TIMES, "--at", "daily 06:30");
    const [task] = Object.values(machine.readState().tasks);
    expect(task?.isRunning).toBe(false);
    expect(task?.text).toContain("<StartBoundary>2026-11-30T07:00:00</StartBoundary>");
    expect(task?.text).toContain(
      "<ScheduleByWeek><DaysOfWeek><Sunday/></DaysOfWeek><WeeksInterval>1</WeeksInterval></ScheduleByWeek>",
    );
    expect(task?.text).toContain("<Sunday/><Monday/><Tuesday/><Wednesday/><Thursday/><Friday/><Saturday/>");
    expect(task?.text).toContain("<StartWhenAvailable>true</StartWhenAvailable>");
    expect(task?.text).toContain("50% of Ada''s &amp; co'; exit");
  });

  it("reads by a companion", async () => {
    const machine = createWithBooks("linux");
    const [companion, origin] = [["--companion", "https://feed.example.com/"], "https://feed.example.com"];
    const lines = await machine.run("--refresh", machine.books, ...TIMES, ...companion);
    expect(lines[2]).toMatch(/ refresh ".* & co" --companion https:\/\/feed\.example\.com$/);
    expect(readUnit(machine, ".service")).toContain(`& co" "--companion" "${origin}"\n`);
  });

  it("says that it sees no settings of the terminal, and that the folder is empty", async () => {
    const machine = createWithBooks("linux");
    rmSync(join(machine.books, "a.xlsx"));
    const environment = { ...machine.environment, FEED_MODE: "sign" };
    const words = ["service", "--refresh", machine.books, ...TIMES];
    const lines = await machine.runCommand(words, { environment });
    expect(lines).toContain("It holds no .xlsx or .xlsm workbook yet.");
    expect(lines.at(-1)).toMatch(/^It does not see what this terminal sets: FEED_MODE\./);
  });

  it("is listed as lost where somebody else ended it, or moved the folder", async () => {
    const machine = createWithBooks("win32");
    await machine.run("--refresh", machine.books, ...TIMES);
    rmSync(machine.books, { recursive: true });
    expect((await machine.run()).slice(0, 2)).toEqual([expect.stringContaining("; next: "), "  The folder is gone."]);
    machine.changeState({ tasks: {} });
    expect((await machine.run())[0]).toMatch(/ is not refreshed\. The system has lost the scheduled task ".*Schedule/);
    expect(await machine.run("off", "--refresh", machine.books)).toEqual([`${machine.books} is no longer refreshed.`]);
  });
});

describe("a refresh that cannot be scheduled", () => {
  it.each([
    [["--refresh", "BOOKS"], /^--refresh needs a time\. Try: .* service --refresh "BOOKS" --at "MON 07:00"$/],
    [
      ["--at", "MON 07:00"],
      /^--at and --companion need a folder\. Try: .* service --refresh "FOLDER" --at "MON 07:00"$/,
    ],
    [["--companion", "https://feed.example.com"], /^--at and --companion need a folder\./],
    [["--refresh", "BOOKS", ...TIMES, "--companion", "A"], /^--companion must be an origin such as /],
    [["--refresh", "BOOKS", "--at", "MON"], /^"MON" is no time of a week\./],
  ])("is a command line that says what it lacks: %j", async (words, sentence) => {
    const { run } = createWithBooks("linux");
    const error = await run(...words).catch((reason: Error) => reason);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).toMatch(sentence);
  });

  it("is one of a folder that is not there, or is a file", async () => {
    const { run, books } = createWithBooks("linux");
    await expect(run("--refresh", `${books}/no`, ...TIMES)).rejects.toThrow(`There is no folder ${books}/no.`);
    await expect(run("--refresh", `${books}/a.xlsx`, ...TIMES)).rejects.toThrow(
      `${books}/a.xlsx is no folder. Name the folder that holds the workbooks.`,
    );
  });

  it("leaves nothing behind where the system refuses, and says how another scheduler does it", async () => {
    const machine = createWithBooks("linux");
    const before = machine.describe();
    machine.changeState({ hasNoUserManager: true });
    await expect(machine.run("--refresh", machine.books, ...TIMES)).rejects.toThrow(
      `Nothing was scheduled: systemctl ends with 1 and says "Failed to connect to bus: No medium found". Have another scheduler run: npm run companion -- refresh "${machine.books}"`,
    );
    expect(existsSync(join(machine.home, ".config/systemd"))).toBe(false);
    await machine.runCommand(["uninstall"]);
    expect(machine.describe().files).toEqual(before.files);
  });

  it("keeps the former schedule where the new one fails", async () => {
    const machine = createWithBooks("win32");
    await machine.run("--refresh", machine.books, "--at", "MON 07:00");
    machine.changeState({ refusesTasks: true });
    await expect(machine.run("--refresh", machine.books, "--at", "TUE 07:00")).rejects.toThrow("Access is denied.");
    expect((await machine.run())[0]).toContain("is refreshed MON 07:00;");
  });
});
