import { runFigureRound } from "./figure-round";
import { runLateRound } from "./late-round";
import { runListRound } from "./list-round";
import { type RoundStart, startRound } from "./round";
import { type Mode, startSite } from "./site";
import type { Tally } from "./tally";

export interface RunOptions {
  seed: number;
  modes: readonly Mode[];
  /** The rows of lists and the figures that each mode must show. */
  rows: number;
  figures: number;
  /** Whether to test answers that take up to half a minute. */
  late: boolean;
  /** Runs these rounds alone. */
  rounds?: readonly number[];
  /** No round starts after this time, by the process's clock. */
  endMs: number;
  tally: Tally;
  print: (line: string) => void;
}

/** Parallel rounds: most of a round is waiting. */
const PARALLEL_ROUNDS = 3;
/** One of this many rounds has faults; those run last, since their pauses affect all pages. */
const FAULTY = 5;
const LIMIT_MS = 60_000;
const LATE_LIMIT_MS = 75_000;
const LATE_ROUND = 900;
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
  const { seed, late, rounds, tally, print } = options;
  const site = await startSite(mode, seed);
  const { provider } = site;
  try {
    const bearers = [await site.pair("first person"), await site.pair("second person")];
    const start = { provider, site, tally, seed, bearers, limitMs: LIMIT_MS, isFaulty: false, number: 0 };
    const ways = createWays(options, start);
    for (const isFaulty of [false, true]) await ways.runInParallel(isFaulty);
    if (late && rounds === undefined)
      await runLateRound(startRound({ ...start, number: LATE_ROUND, limitMs: LATE_LIMIT_MS }));
    for (const refusal of provider.access.refusals) tally.complain("token", `TOKEN REFUSED in ${mode}: ${refusal}`);
    print(`${mode}: ${provider.requests} requests, ${provider.access.tokens} tokens`);
    return provider.requests;
  } finally {
    await site.close();
  }
}

/** Rounds alternate between lists and figures; the round's number decides on faults. */
function createWays(options: RunOptions, start: RoundStart) {
  const { tally, print, endMs, rounds = ALL_ROUNDS } = options;
  const { mode } = start.site;
  const isEnough = (number: number, share: number) => {
    if (options.rounds !== undefined) return false;
    const unit = isList(number) ? "rows" : "figures";
    return tally.shown(mode, unit) >= options[unit] * share;
  };
  const runOne = (number: number) => {
    const round = startRound({ ...start, number, isFaulty: isFaultyRound(number) });
    return isList(number) ? runListRound(round) : runFigureRound(round);
  };
  const toLine = (done: number) =>
    `${mode}: ${done} rounds, ${tally.shown(mode, "rows")} rows, ${tally.shown(mode, "figures")} figures`;
  return {
    async runInParallel(isFaulty: boolean) {
      const left = rounds.filter((number) => isFaultyRound(number) === isFaulty);
      let done = 0;
      const runWorker = async () => {
        for (let number = left.shift(); number !== undefined && performance.now() < endMs; number = left.shift()) {
          if (isEnough(number, isFaulty ? 1 : 1 - 1 / FAULTY)) continue;
          await runOne(number);
          done += 1;
          if (done % PRINT_EVERY === 0) print(toLine(done));
        }
      };
      await Promise.all(Array.from({ length: PARALLEL_ROUNDS }, runWorker));
    },
  };
}

const isList = (number: number): boolean => number % 2 === 0;
const isFaultyRound = (number: number): boolean => number % FAULTY === FAULTY - 1;
