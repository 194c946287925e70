import { setMaxListeners } from "node:events";
import fc from "fast-check";
import { endure } from "./endurance";
import { createSchedules } from "./schedule";
import { type Sites, startSites } from "./site";

const PROGRESS_EVERY = 500;

interface WorkbookSoakOptions {
  minutes: number;
  cells: number;
  /** How many schedules of the seed. */
  count: number;
  seed: number;
  /** The place of one schedule among those of the seed: the report's `path`. */
  path: string;
  /** The steps that were left of it: the report's `replayPath`. */
  steps: string | undefined;
  print: (line: string) => void;
}

/**
 * Runs a full workbook, then schedules of faults; one schedule alone if its path is given.
 * @returns the complaints; nothing if all is well
 */
export async function soakWorkbook(options: WorkbookSoakOptions): Promise<readonly string[]> {
  const { minutes, cells, path, print } = options;
  setMaxListeners(0); // the requests of a list share one signal
  const sites = await startSites();
  const complaints = minutes > 0 && path === "" ? await endure(sites, { minutes, cells, seed: 1, print }) : [];
  const isWell = await runSchedules(sites, options);
  await sites.close();
  return isWell ? complaints : [...complaints, "A schedule went wrong."];
}

/** Runs schedules until one goes wrong, which is then shortened. @returns whether all went well */
async function runSchedules(sites: Sites, { count, seed, path, steps, print }: WorkbookSoakOptions): Promise<boolean> {
  let [done, requests] = [0, 0];
  const onEnd = (more: number) => {
    done++;
    requests += more;
    if (done % PROGRESS_EVERY === 0 || done === count) print(`${done} schedules, ${requests} requests`);
  };
  const result = await fc.check(createSchedules(sites, onEnd, steps), { seed, path, numRuns: count });
  if (result.failed) print(fc.defaultReportMessage(result) ?? "");
  return !result.failed;
}
