import { parseArgs } from "node:util";

const OPTIONS = {
  firm: { type: "boolean", default: false },
  minutes: { type: "string" },
  cells: { type: "string", default: "5000" },
  schedules: { type: "string", default: "10000" },
  seed: { type: "string", default: "1" },
  path: { type: "string", default: "" },
  steps: { type: "string" },
} as const;

/** How long a workbook and a firm run, unless told otherwise. */
const MINUTES = "10";
const FIRM_MINUTES = "100"; // the answers fill in the first quarter, which no verdict counts

const print = (line: string) => void process.stdout.write(`${line}\n`);

/** Each way loads its own sources: those of a workbook set globals of a page. */
async function soak(): Promise<readonly string[]> {
  const { firm, minutes, cells, schedules, seed, path, steps } = parseArgs({ options: OPTIONS }).values;
  if (firm) {
    const { endureFirm } = await import("./firm/endurance");
    return endureFirm({ minutes: Number(minutes ?? FIRM_MINUTES), print });
  }
  const { soakWorkbook } = await import("./workbook-soak");
  return soakWorkbook({
    ...{ minutes: Number(minutes ?? MINUTES), cells: Number(cells), count: Number(schedules) },
    ...{ seed: Number(seed), path, steps, print },
  });
}

async function start(): Promise<void> {
  const complaints = await soak();
  for (const complaint of complaints.slice(0, 20)) print(complaint);
  print(complaints.length === 0 ? "All is well." : "Something went wrong.");
  process.exitCode = complaints.length === 0 ? 0 : 1;
}

void start();
