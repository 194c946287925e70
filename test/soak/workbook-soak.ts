import { setMaxListeners } from "node:events";
import fc from "fast-check";
import { endure } from "./endurance";
import { createSchedules } from "./schedule";
import { type Sites, startSites } from "./site";

const PROGRESS_EVERY = 500;

export interface WorkbookSoakOptions {
  minutes: number;
  cells: number;
  schedules: Schedules;
  print: (line: string) => void;
}

interface Schedules {
  count: number;
  seed: number;
  /** The place of one schedule among those of the seed: the report's `path`. */
  path: string;
  /** The steps that were left of it: the report's `replayPath`. */
  steps: string | undefined;
}

/**
 * Runs a full workbook, then schedules of faults; one schedule alone if its path is given.
 * @returns the complaints; nothing if all is well
 */
export async function soakWorkbook(options: WorkbookSoakOptions): Promise<readonly string[]> {
  const { minutes, cells, schedules, print } = options;
  setMaxListeners(0); // the requests of a list share one signal
  const sites = await startSites();
  const isWhole = minutes > 0 && schedules.path === "";
  const complaints = isWhole ? await endure(sites, { minutes, cells, seed: 1, print }) : [];
  const isWell = await runSchedules(sites, schedules, print);
  await sites.close();
  return isWell ? complaints : [...complaints, "A schedule went wrong."];
}

/** Runs schedules until one goes wrong, which is then shortened. @returns whether all went well */
async function runSchedules(
  sites: Sites,
  { count, seed, path, steps }: Schedules,
  print: WorkbookSoakOptions["print"],
): Promise<boolean> {
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
