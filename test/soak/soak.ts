import { setMaxListeners } from "node:events";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { endure } from "./endurance";
import { createSchedules } from "./schedule";
import { type Sites, startSites } from "./site";

const OPTIONS = {
  minutes: { type: "string", default: "10" },
  cells: { type: "string", default: "5000" },
  schedules: { type: "string", default: "10000" },
  seed: { type: "string", default: "1" },
  path: { type: "string", default: "" },
} as const;

const PROGRESS_EVERY = 500;

const print = (line: string) => void process.stdout.write(`${line}\n`);

/**
 * Runs schedules until one goes wrong, which is then shortened.
 *
 * @param path the place of one schedule among those of the seed, as an earlier report gives it
 * @returns whether all went well
 */
async function runSchedules(sites: Sites, count: number, seed: number, path: string): Promise<boolean> {
  let done = 0;
  let requests = 0;
  const schedules = createSchedules(sites, (more) => {
    done++;
    requests += more;
    if (done % PROGRESS_EVERY === 0 || done === count) print(`${done} schedules, ${requests} requests`);
  });
  const result = await fc.check(schedules, { seed, path, numRuns: count });
  if (result.failed) print(fc.defaultReportMessage(result) ?? "");
  return !result.failed;
}

async function start(): Promise<void> {
  setMaxListeners(0); // the requests of a list share one signal
  const { values } = parseArgs({ options: OPTIONS });
  const sites = await startSites();
  const minutes = Number(values.minutes);
  const options = { minutes, cells: Number(values.cells), seed: 1, print };
  const complaints = minutes > 0 && values.path === "" ? await endure(sites, options) : [];
  for (const complaint of complaints.slice(0, 20)) print(complaint);
  const isWell = await runSchedules(sites, Number(values.schedules), Number(values.seed), values.path);
  await sites.close();
  print(isWell && complaints.length === 0 ? "All is well." : "Something went wrong.");
  process.exitCode = isWell && complaints.length === 0 ? 0 : 1;
}

void start();
