import { Option } from "commander";
import type { ScheduledWork } from "../companion/commands/service";

/** The refresh of folders at set times, as options of the command "service". */
export const scheduledRefresh: ScheduledWork = {
  options: [
    new Option("--refresh <folder>", "refreshes the workbooks of a folder at set times; with off no longer"),
    new Option(
      "--at <time>",
      'a time of it, such as "MON 07:00", "MON-FRI 07:00", "daily 06:30"; several by --at each',
    ).argParser((time: string, former: string[] = []) => [...former, time]),
    new Option("--with <options>", 'further options of the refresh, such as "--companion https://feed.example.com"'),
  ],
  run: async (...call) => (await import("./schedule")).run(...call),
};
