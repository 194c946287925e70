import { mapValues } from "../measure";
import type { Finding } from "../row";
import { type Constants, toNeed } from "./capacity";
import { isFailing } from "./failing";
import { type Crowd, countAlone } from "./plan";
import type { Simulated, VisitResult } from "./simulate";

const AT_ONCE = 25;
const GOAL_RATIO = 1.1;
const MB = 2 ** 20;

const one = (value: number): Finding["samples"] => ({ FEED: [value] });
const none = (count: number): Finding["goal"] => ({ text: "none", isReached: count === 0 });

/** The figures of a run. */
export function describe(who: string, run: Simulated): Finding[] {
  const { visited, distinct, seconds, provider, processes, storeBytes } = run;
  const waits = listWaits(visited);
  const bad = visited.reduce((sum, { failed, wrong }) => sum + failed.length + wrong, 0);
  const rates = Object.values(provider.bySecond);
  const peaks = listInstances(run).map(({ peakBytes }) => peakBytes / MB);
  const toFinding = (what: string, unit: Finding["unit"], samples: Finding["samples"], goal?: Finding["goal"]) => ({
    ...{ what: `${who}: ${what}`, unit, samples, goal },
  });
  return [
    describeRequests(who, run),
    toFinding("to the provider in a second, mean", "requests/s", one(provider.requests / seconds)),
    toFinding("to the provider in a second, most", "requests/s", one(Math.max(...rates))),
    toFinding("cells that fail or are wrong", "cells", one(bad), none(bad)),
    toFinding(`${waits.length} cells in ${seconds.toFixed(0)} s`, "cells/s", one(waits.length / seconds)),
    toFinding("wait of a cell, median", "ms", one(pickShare(waits, 0.5))),
    toFinding("wait of a cell, 99th percentile", "ms", one(pickShare(waits, 0.99))),
    toFinding("an instance's memory at its most", "MB", { FEED: peaks }),
    toFinding(`Redis's used_memory for ${distinct} companies`, "MB", one(storeBytes / MB)),
    ...Object.entries(processes).map(([name, { cpuSeconds }]) =>
      toFinding(`share of a core, ${name}`, "%", one((100 * cpuSeconds) / seconds)),
    ),
  ];
}

/** The floor fills every request, which would make some readers wait. */
function describeRequests(who: string, { visited, distinct, provider }: Simulated): Finding {
  const full = distinct / AT_ONCE;
  const alone = countAlone(
    visited.map(({ visit }) => visit),
    AT_ONCE,
  );
  const goal = { text: `${GOAL_RATIO} × the floor`, isReached: provider.requests <= GOAL_RATIO * full };
  const samples = { FEED: [provider.requests], floor: [full], "waiting for nobody": [alone] };
  return { what: `${who}, ${distinct} distinct companies`, unit: "requests", samples, goal };
}

/** Analysts without failing companies wait as long as in a run without any. */
export function compare(faulty: Simulated, sound: Simulated): Finding[] {
  const others = faulty.visited.filter(({ visit }) => !isFailing(visit));
  const failed = others.flatMap((each) => each.failed).length;
  const groups = {
    FEED: listWaits(others),
    "where nobody's fail": listWaits(sound.visited.filter(({ visit }) => !isFailing(visit))),
    "whose own fail": listWaits(faulty.visited.filter(({ visit }) => isFailing(visit))),
  };
  const toWait = (name: string, share: number): Finding => ({
    what: `wait of a cell beside people whose companies fail, ${name}`,
    unit: "ms",
    samples: mapValues(groups, (waits) => [pickShare(waits, share)]),
  });
  return [
    toWait("median", 0.5),
    toWait("99th percentile", 0.99),
    { what: "cells that fail beside them", unit: "cells", samples: one(failed), goal: none(failed) },
    {
      what: "requests while some companies fail",
      unit: "requests",
      samples: { FEED: [faulty.provider.requests], "where nobody's fail": [sound.provider.requests] },
    },
  ];
}

/** The runs that check the formula, and the firm to predict. */
interface Prediction {
  smaller: Simulated;
  whole: Simulated;
  crowd: Crowd;
  large: Crowd;
}

/** Compares the smaller run's prediction with the larger run, and predicts a large firm. */
export function predict({ smaller, whole, crowd, large }: Prediction): Finding[] {
  const [expected, need] = [toNeed(crowd, toConstants(smaller)), toNeed(large, toConstants(whole))];
  const toCheck = (what: string, unit: Finding["unit"], foretold: number, measured: number): Finding => ({
    ...{
      what: `${crowd.analysts} analysts, foretold: ${what}`,
      unit,
      samples: { FEED: [foretold], measured: [measured] },
    },
  });
  const toFinding = (what: string, unit: Finding["unit"], value: number): Finding => ({
    ...{ what: `${large.analysts} analysts within ${large.overMs / 60_000} min: ${what}`, unit, samples: one(value) },
  });
  return [
    toCheck("distinct companies", "companies", expected.distinct, whole.distinct),
    toCheck("to the provider", "requests", expected.requests, whole.provider.requests),
    toCheck("Redis", "MB", expected.storeBytes / MB, whole.storeBytes / MB),
    toCheck("busy", "cores", expected.cores, sumCpu(whole) / (crowd.overMs / 1_000)),
    toFinding("distinct companies", "companies", need.distinct),
    toFinding("while all are new", "requests", need.requests),
    toFinding("Redis", "MB", need.storeBytes / MB),
    toFinding("busy", "cores", need.cores),
    toFinding("with one to spare", "instances", need.instances),
    toFinding("memory of all instances", "MB", need.instanceBytes / MB),
  ];
}

function toConstants(run: Simulated): Constants {
  const answers = run.visited.reduce((sum, { visit }) => sum + visit.companies.length, 0);
  return {
    requestsPerFull: run.provider.requests / (run.distinct / AT_ONCE),
    storeBytesPerCompany: run.storeBytes / run.distinct,
    cpuSecondsPerAnswer: sumCpu(run) / answers,
    instanceBytes: Math.max(...listInstances(run).map(({ peakBytes }) => peakBytes)),
  };
}

const listInstances = ({ processes }: Simulated) =>
  Object.entries(processes)
    .filter(([name]) => name.startsWith("instance"))
    .map(([, taken]) => taken);

const sumCpu = (run: Simulated): number => listInstances(run).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);

const listWaits = (visited: readonly VisitResult[]): number[] =>
  visited.flatMap(({ waitsMs }) => waitsMs).sort((one, other) => one - other);

const pickShare = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor((sorted.length - 1) * share)] as number;
