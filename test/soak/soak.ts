import { setMaxListeners } from "node:events";
import { parseArgs } from "node:util";
import { endure } from "./endurance";
import { runSchedule, toReport } from "./schedule";
import { type Sites, startSites } from "./site";

const OPTIONS = {
  minutes: { type: "string", default: "10" },
  cells: { type: "string", default: "5000" },
  schedules: { type: "string", default: "10000" },
  seed: { type: "string" },
} as const;

const PROGRESS_EVERY = 500;

const print = (line: string) => void process.stdout.write(`${line}\n`);

/** Runs the schedules of these seeds; gives the number of failed ones. */
async function runSchedules(sites: Sites, first: number, count: number): Promise<number> {
  let bad = 0;
  let requests = 0;
  for (let done = 1; done <= count; done++) {
    const outcome = await runSchedule(sites, first + done - 1);
    requests += outcome.requests;
    if (outcome.complaints.length > 0) bad++;
    if (outcome.complaints.length > 0 || count === 1) print(toReport(outcome));
    if (done % PROGRESS_EVERY === 0 || done === count)
      print(`${done} schedules, ${requests} requests, ${bad} went wrong`);
  }
  return bad;
}

async function start(): Promise<void> {
  setMaxListeners(0); // the requests of a list share one signal
  const { values } = parseArgs({ options: OPTIONS });
  const sites = await startSites();
  let bad = 0;
  if (values.seed !== undefined) bad = await runSchedules(sites, Number(values.seed), 1);
  else {
    const minutes = Number(values.minutes);
    const options = { minutes, cells: Number(values.cells), seed: 1, print };
    const complaints = minutes > 0 ? await endure(sites, options) : [];
    for (const complaint of complaints.slice(0, 20)) print(complaint);
    bad = complaints.length + (await runSchedules(sites, 1, Number(values.schedules)));
  }
  await sites.close();
  print(bad === 0 ? "All is well." : `Gone wrong: ${bad}.`);
  process.exitCode = bad === 0 ? 0 : 1;
}

void start();
