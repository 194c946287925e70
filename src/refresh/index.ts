import { type Command, InvalidArgumentError, Option } from "commander";
import type { ScheduledWork } from "../companion/commands/service";
import type { Surroundings } from "../companion/commands/surroundings";
import type { Failing } from "./report";

/** The refresh of folders at set times, as options of the command "service". */
export const scheduledRefresh: ScheduledWork = {
  options: [
    new Option("--refresh <folder>", "refreshes the workbooks of a folder at set times; with off no longer"),
    new Option(
      "--at <time>",
      'a time of it, such as "MON 07:00", "MON-FRI 07:00", "daily 06:30"; several by --at each',
    ).argParser((time: string, former: string[] = []) => [...former, time]),
    new Option("--companion <url>", "has it read by this companion, as the person that it is paired with"),
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

const REFRESH = `Refreshes the FEED formulas of a workbook (.xlsx, .xlsm) without Excel. A folder stands for the workbooks in it.

It writes values: of cells with FEED formulas, and of cells that depend on them. Formulas stay live. What only Excel can
calculate loses its value, and Excel calculates it when it opens the file. All else stays byte for byte; a signature ends.
A formula that fails keeps its old value. The file is replaced as a whole, or not at all, and never while it is open in
Excel. Figures come from the provider of the settings, under their key, or by --companion as a paired person.`;

const REFRESH_EXIT_CODES = `
Exit codes of refresh
  0 all is fresh, 1 something failed and has its old value, or is as --fail-on says, 2 nothing was written`;

/** Adds the command that refreshes workbooks' files. */
export function addRefresh(program: Command, surroundings: Surroundings): void {
  program
    .command("refresh")
    .summary("refreshes the FEED formulas of a workbook's file without Excel")
    .description(REFRESH)
    .argument("<book>", "a workbook, or a folder of workbooks")
    .option("--out <file>", "writes this file, which it replaces; the workbook stays as it is")
    .option("--sheets <names>", "only the formulas of these sheets, with commas between", readList)
    .option("--report <file>", "writes what changed, failed and was left to Excel as JSON")
    .option("--dry-run", "lists the formulas and tells the number of requests; sends and writes nothing")
    .option("--max-requests <n>", "the most requests (default: the workbook's own limit, else 200)", readRequests)
    .option("--fail-on <what>", "ends with 1 for any of these too: missing, changed, stale", readFailings)
    .option("--adopt-sheets", "makes formulas live that came by Google Sheets, which keep their old values otherwise")
    .option("--sample", "lets sample data fill a workbook that has no figures yet, to try this")
    .option("--companion <url>", "reads by this companion, which runs, as the person that it is paired with")
    .option("--code <code>", "its pairing code, the first time")
    .option("--settings <file>", "an administrator's file of settings, instead of your own")
    .addHelpText("after", REFRESH_EXIT_CODES)
    .action(async (book: string, options) => (await import("./refresh")).refresh(book, options, surroundings));
}

function readList(text: string): string[] {
  const list = text
    .trim()
    .split(/\s*,\s*/)
    .filter(Boolean);
  if (list.length > 0) return list;
  throw new InvalidArgumentError("It takes one or more, with commas between.");
}

export function readRequests(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 10_000) return Number(text);
  throw new InvalidArgumentError("It takes a whole number from 1 to 10000.");
}

function readFailings(text: string): string[] {
  const failings = readList(text);
  if (failings.every((each) => FAILINGS.includes(each))) return failings;
  throw new InvalidArgumentError(`It takes ${FAILINGS.join(", ")}, with commas between.`);
}

const FAILINGS: readonly string[] = ["missing", "changed", "stale"] satisfies Failing[];
