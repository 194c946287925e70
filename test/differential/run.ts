import { runFigureRound } from "./figure-round";
import { runListRound } from "./list-round";
import { startRound } from "./round";
import { type Mode, startSite } from "./site";
import type { Tally } from "./tally";

export interface RunOptions {
  seed: number;
  modes: readonly Mode[];
  /** The rows of lists and the figures that each mode must show. */
  rows: number;
  figures: number;
  rounds?: readonly number[];
  /** No round starts after this time, by the process's clock. */
  endMs: number;
  tally: Tally;
  print: (line: string) => void;
}

/** Parallel rounds: most of a round is waiting. */
const PARALLEL_ROUNDS = 3;
/** Lists and figures alternate, and one of this many rounds has faults; those run last, since their pauses affect all pages. */
const FAULTY = 5;
const LIMIT_MS = 60_000;
/** Rounds have data sets of their own, limited by the number of country codes. */
const ALL_ROUNDS = Array.from({ length: 800 }, (_, number) => number);
const PRINT_EVERY = 25;

/** Runs each mode in order; gives the number of provider requests. */
export async function run(options: RunOptions): Promise<number> {
  let requests = 0;
  for (const mode of options.modes) requests += await runMode(options, mode);
  return requests;
}

async function runMode(options: RunOptions, mode: Mode): Promise<number> {
  const { seed, rounds = ALL_ROUNDS, endMs, tally, print } = options;
  const site = await startSite(mode, seed);
  const { provider } = site;
  try {
    const bearers = [await site.pair("first person"), await site.pair("second person")];
    const start = { provider, site, tally, seed, bearers, limitMs: LIMIT_MS };
    for (const isFaulty of [false, true]) {
      const left = rounds.filter((number) => isFaultyRound(number) === isFaulty);
      const share = isFaulty ? 1 : 1 - 1 / FAULTY;
      const isEnough = (unit: "rows" | "figures") =>
        options.rounds === undefined && tally.shown(mode, unit) >= options[unit] * share;
      let done = 0;
      const runWorker = async () => {
        for (let number = left.shift(); number !== undefined && performance.now() < endMs; number = left.shift()) {
          const isList = number % 2 === 0;
          if (isEnough(isList ? "rows" : "figures")) continue;
          await (isList ? runListRound : runFigureRound)(startRound({ ...start, number, isFaulty }));
          done += 1;
          const shown = `${tally.shown(mode, "rows")} rows, ${tally.shown(mode, "figures")} figures`;
          if (done % PRINT_EVERY === 0) print(`${mode}: ${done} rounds, ${shown}`);
        }
      };
      await Promise.all(Array.from({ length: PARALLEL_ROUNDS }, runWorker));
    }
    print(`${mode}: ${provider.counts.requests} requests, ${provider.counts.tokens} tokens`);
    return provider.counts.requests;
  } finally {
    await site.close();
  }
}

const isFaultyRound = (number: number): boolean => number % FAULTY === FAULTY - 1;
