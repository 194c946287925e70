import { type Command, InvalidArgumentError, Option } from "commander";
import type { ScheduledWork } from "../companion/commands/service";
import type { Surroundings } from "../companion/commands/surroundings";

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

const QUERY = `Shows the results of formulas, as a cell would: any formula with FEED in it. Figures come from the provider of the
settings, under their key, or by --companion as a paired person. Errors go to standard error.`;

/** Adds the command that shows formulas' results. */
export function addQuery(program: Command, surroundings: Surroundings): void {
  const format = (name: string, text: string) =>
    new Option(`--${name}`, text).conflicts(["csv", "json", "table"].filter((other) => other !== name));
  program
    .command("query")
    .summary("shows the result of a FEED formula")
    .description(QUERY)
    .argument("<formulas...>", `such as 'FEED.RANKING("2024-01",,20)'; - reads them from standard input, one a line`)
    .addOption(format("csv", "as CSV, the default where the output is no terminal"))
    .addOption(format("json", "as JSON, with currencies, periods, times and errors"))
    .addOption(format("table", "in columns, the default at a terminal"))
    .option("--max-requests <n>", "the most requests (default: 200)", readRequests)
    .option("--companion <url>", "reads by this companion, which runs, as the person that it is paired with")
    .option("--code <code>", "its pairing code, the first time")
    .option("--settings <file>", "an administrator's file of settings, instead of your own")
    .action(async (formulas: string[], options) => (await import("./query")).query(formulas, options, surroundings));
}

function readRequests(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 10_000) return Number(text);
  throw new InvalidArgumentError("It takes a whole number from 1 to 10000.");
}
