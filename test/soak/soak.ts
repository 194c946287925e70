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
  steps: { type: "string" },
} as const;

const PROGRESS_EVERY = 500;

const print = (line: string) => void process.stdout.write(`${line}\n`);

interface Schedules {
  count: number;
  seed: number;
  /** The place of one schedule among those of the seed: the report's `path`. */
  path: string;
  /** The steps that were left of it: the report's `replayPath`. */
  steps: string | undefined;
}

/** Runs schedules until one goes wrong, which is then shortened. @returns whether all went well */
async function runSchedules(sites: Sites, { count, seed, path, steps }: Schedules): Promise<boolean> {
  let done = 0;
  let requests = 0;
  const onEnd = (more: number) => {
    done++;
    requests += more;
    if (done % PROGRESS_EVERY === 0 || done === count) print(`${done} schedules, ${requests} requests`);
  };
  const schedules = createSchedules(sites, onEnd, steps);
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
  const { path, steps } = values;
  const count = Number(values.schedules);
  const isWell = await runSchedules(sites, { count, seed: Number(values.seed), path, steps });
  await sites.close();
  print(isWell && complaints.length === 0 ? "All is well." : "Something went wrong.");
  process.exitCode = isWell && complaints.length === 0 ? 0 : 1;
}

void start();
