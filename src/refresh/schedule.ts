import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { UsageError } from "../companion/commands/results";
import { type ScheduledWork, warnOfSettings } from "../companion/commands/service";
import { findMachine, type Surroundings } from "../companion/commands/surroundings";
import { openInstallation } from "../companion/installation";
import { toExecStart, toPropertyList, toTask, toUser } from "../companion/installation/definitions";
import type { Schedule, ScheduleChange } from "../companion/installation/record";
import { type Machine, succeeds } from "../companion/machine";
import { toCommand } from "../companion/program";
import { isWritable } from "../companion/store";
import { listBooks } from "./folder";
import { readOrigin } from "./pairing";
import { DAYS, nextTime, readTime, toLocalMinute, type WeekTime } from "./week-time";

/** The options of `service` that are of refreshes. */
export interface ScheduleOptions {
  refresh?: string;
  at?: string[];
  /** As of the refresh. */
  companion?: string;
}

/**
 * Schedules the refresh of a folder, or ends it.
 * @returns whether the options said so; otherwise what is scheduled has been printed, if anything is
 * @throws UsageError for words that do not go together; Error of the system's tools
 */
export const run: ScheduledWork["run"] = async (state, options: ScheduleOptions, surroundings) => {
  const { refresh, at = [], companion } = options;
  if (refresh === undefined) {
    if (at.length > 0 || companion !== undefined)
      throw new UsageError(`--at and --companion need a folder. Try: ${toExample("FOLDER")}`);
    if (state === undefined) await list(surroundings);
    return false;
  }
  const folder = resolve(refresh);
  const further = companion === undefined ? [] : ["--companion", readOrigin(companion)];
  if (state === "off") await end(folder, surroundings);
  else if (at.length > 0) await start(folder, at, further, surroundings);
  else throw new UsageError(`--refresh needs a time. Try: ${toExample(refresh)}`);
  return true;
};

const toExample = (folder: string) => toCommand(`service --refresh "${folder}" --at "MON 07:00"`);

async function start(folder: string, at: string[], further: string[], surroundings: Surroundings): Promise<void> {
  const { print, nowMs = Date.now } = surroundings;
  const times = at.map(readTime);
  refuseFolder(folder);
  const machine = findMachine(surroundings);
  const call = ["refresh", folder, ...further];
  const schedule = toSchedule(call, times, machine, new Date(nowMs()));
  const command = toCommand(call.map((word) => (/[^\w./:@=,-]/.test(word) ? `"${word}"` : word)).join(" "));
  try {
    await openInstallation(machine).schedule(schedule);
  } catch (error) {
    throw new Error(`${(error as Error).message} Have another scheduler run: ${command}`);
  }
  print(describe(schedule, nowMs()));
  if (listBooks(folder).length === 0) print("It holds no .xlsx or .xlsm workbook yet.");
  print(WHEN_IT_RUNS[machine.platform] ?? ON_LINUX);
  print(`Try it now: ${command}`);
  print(`End it: ${toCommand(`service off --refresh "${folder}"`)}`);
  warnOfSettings(surroundings);
}

const ON_LINUX =
  "It runs while you are logged on, and catches up on a missed time. To have it run always: loginctl enable-linger";
const WHEN_IT_RUNS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "It runs while you are logged on. A Mac that slept catches up; one that was switched off does not.",
  win32: "It runs while you are logged on, also with a locked screen, and catches up on a missed time.",
};

function refuseFolder(folder: string): void {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) throw new Error(`There is no folder ${folder}.`);
  if (!stats.isDirectory()) throw new Error(`${folder} is no folder. Name the folder that holds the workbooks.`);
  if (!isWritable(folder)) throw new Error(`You may not write into ${folder}, so nothing was scheduled.`);
}

async function end(folder: string, surroundings: Surroundings): Promise<void> {
  const isEnded = await openInstallation(findMachine(surroundings)).endSchedule(folder);
  surroundings.print(isEnded ? `${folder} is no longer refreshed.` : `No refresh is scheduled for ${folder}.`);
}

async function list(surroundings: Surroundings): Promise<void> {
  const { environment, print, nowMs = Date.now } = surroundings;
  for (const change of await openInstallation(findMachine(surroundings)).listSchedules()) {
    const [tool, ...words] = change.query;
    const isThere = await succeeds(tool, words, { environment });
    const lost = `The system has lost ${change.name}. Schedule it again: ${toExample(change.subject)}`;
    print(isThere ? describe(change, nowMs()) : `${change.subject} is not refreshed. ${lost}`);
    if (statSync(change.subject, { throwIfNoEntry: false }) === undefined) print("  The folder is gone.");
  }
}

function describe({ subject, times, name }: Schedule | ScheduleChange, nowMs: number): string {
  const next = nextTime(times.map(readTime), new Date(nowMs));
  return `${subject} is refreshed ${times.join(", ")}; next: ${toLocalMinute(next)} (${name}).`;
}

/** Describes the schedule to this operating system, under a name that was never used. */
function toSchedule(call: readonly string[], times: readonly WeekTime[], machine: Machine, now: Date): Schedule {
  const id = randomBytes(4).toString("hex");
  const [, subject = ""] = call;
  const about = { subject, times: times.map(({ text }) => text) };
  const words = [...machine.program, ...call];
  if (machine.platform === "win32") return { ...about, ...toTaskSchedule(id, words, times, machine, now) };
  if (machine.platform === "darwin") return { ...about, ...toAgentSchedule(id, words, times, machine) };
  return { ...about, ...toTimerSchedule(id, words, times, machine) };
}

type Definition = Omit<Schedule, "subject" | "times">;

function toTimerSchedule(id: string, words: string[], times: readonly WeekTime[], machine: Machine): Definition {
  const unit = `feed-for-excel-refresh-${id}`;
  const timer = `${unit}.timer`;
  const { XDG_CONFIG_HOME } = machine.environment;
  const folder = join(XDG_CONFIG_HOME || join(machine.home, ".config"), "systemd", "user");
  const head = `# Written by FEED for Excel. What is scheduled, says: ${toCommand("service")}
[Unit]
Description=FEED for Excel, refresh of workbooks
`;
  const service = `${head}
[Service]
Type=oneshot
ExecStart=${toExecStart(words)}
NoNewPrivileges=yes
`;
  const calendar = times.map((time) => `OnCalendar=${toCalendar(time)}`).join("\n");
  const schedule = `${head}
[Timer]
${calendar}
Persistent=true

[Install]
WantedBy=timers.target
`;
  return {
    name: `the systemd user timer ${timer}`,
    files: [
      { path: join(folder, `${unit}.service`), content: service },
      { path: join(folder, timer), content: schedule },
    ],
    enable: [
      ["systemctl", "--user", "daemon-reload"],
      ["systemctl", "--user", "enable", "--now", timer],
    ],
    query: ["systemctl", "--user", "is-enabled", "--quiet", timer],
    disable: [
      ["systemctl", "--user", "disable", "--now", timer],
      // The file by which systemd knows a missed time.
      ["systemctl", "--user", "clean", "--what=state", timer],
    ],
    afterRemoval: [["systemctl", "--user", "daemon-reload"]],
  };
}

function toCalendar({ days, hour, minute }: WeekTime): string {
  return `${days.map((day) => DAYS[day]?.slice(0, 3)).join(",")} *-*-* ${toTwoDigits(hour)}:${toTwoDigits(minute)}:00`;
}

const toTwoDigits = (value: number): string => String(value).padStart(2, "0");

function toAgentSchedule(id: string, words: string[], times: readonly WeekTime[], machine: Machine): Definition {
  const label = `feed-for-excel.refresh-${id}`;
  const path = join(machine.home, "Library", "LaunchAgents", `${label}.plist`);
  const domain = `gui/${process.getuid?.() ?? 0}`;
  const entries = times.flatMap(({ days, hour, minute }) =>
    days.map((day) => {
      const keys = Object.entries({ Weekday: day, Hour: hour, Minute: minute }).map(
        ([key, value]) => `      <key>${key}</key>\n      <integer>${value}</integer>\n`,
      );
      return `    <dict>\n${keys.join("")}    </dict>\n`;
    }),
  );
  const calendar = `  <key>StartCalendarInterval</key>\n  <array>\n${entries.join("")}  </array>`;
  return {
    name: `the launchd agent ${label}`,
    files: [{ path, content: toPropertyList(label, words, calendar) }],
    enable: [["launchctl", "bootstrap", domain, path]],
    query: ["launchctl", "print", `${domain}/${label}`],
    disable: [["launchctl", "bootout", `${domain}/${label}`]],
    afterRemoval: [],
  };
}

function toTaskSchedule(
  id: string,
  words: string[],
  times: readonly WeekTime[],
  { environment, folder }: Machine,
  now: Date,
): Definition {
  const task = `FEED for Excel, refresh ${id}`;
  const path = join(folder, `refresh-${id}.xml`);
  const text = toTask({
    user: toUser(environment),
    words,
    description: `FEED for Excel, refresh of workbooks. What is scheduled, says: ${toCommand("service")}`,
    triggers: times.map((time) => toTrigger(time, nextTime([time], now))).join("\n"),
    settings: "    <StartWhenAvailable>true</StartWhenAvailable>",
  });
  return {
    name: `the scheduled task "${task}"`,
    files: [{ path, content: Buffer.from(text, "utf16le") }],
    enable: [["schtasks", "/Create", "/TN", task, "/XML", path]],
    query: ["schtasks", "/Query", "/TN", task],
    disable: [["schtasks", "/Delete", "/TN", task, "/F"]],
    afterRemoval: [],
  };
}

/** A begin in the past would be a time that was missed. */
function toTrigger({ days }: WeekTime, begin: Date): string {
  const names = days.map((day) => `<${DAYS[day]}/>`).join("");
  return `    <CalendarTrigger>
      <StartBoundary>${toLocalMinute(begin).replace(" ", "T")}:00</StartBoundary>
      <ScheduleByWeek><DaysOfWeek>${names}</DaysOfWeek><WeeksInterval>1</WeeksInterval></ScheduleByWeek>
    </CalendarTrigger>`;
}
