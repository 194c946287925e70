import { mapValues, pickShare } from "../measure";
import { type Finding, toFinding } from "../row";
import { AT_ONCE, type Constants, toNeed } from "./capacity";
import { type Crowd, countAlone, isFailing } from "./plan";
import type { Simulated, VisitResult } from "./simulate";

const GOAL_RATIO = 1.1;
const MB = 2 ** 20;

/** The figures of a run. The floor fills every request, which would make some readers wait. */
export function describe(who: string, run: Simulated): Finding[] {
  const { visited, distinct, seconds, provider, processes, storeBytes } = run;
  const waits = listWaits(visited);
  const bad = visited.reduce((sum, { failed, wrong }) => sum + failed.length + wrong, 0);
  const peaks = listInstances(run).map(({ peakBytes }) => peakBytes / MB);
  const full = distinct / AT_ONCE;
  const visits = visited.map(({ visit }) => visit);
  const requests = { FEED: [provider.requests], floor: [full], "waiting for nobody": [countAlone(visits, AT_ONCE)] };
  const goal = [`${GOAL_RATIO} × the floor`, provider.requests <= GOAL_RATIO * full] as const;
  const most = Math.max(...Object.values(provider.bySecond));
  return [
    toFinding(`${who}, ${distinct} distinct companies`, "requests", requests, goal),
    toFinding(`${who}: to the provider in a second, mean`, "requests/s", [provider.requests / seconds]),
    toFinding(`${who}: to the provider in a second, most`, "requests/s", [most]),
    toFinding(`${who}: of ${waits.length} cells, fail or are wrong`, "cells", [bad], ["none", bad === 0]),
    toFinding(`${who}: wait of a cell, median`, "ms", [pickShare(waits, 0.5)]),
    toFinding(`${who}: wait of a cell, 99th percentile`, "ms", [pickShare(waits, 0.99)]),
    toFinding(`${who}: an instance's memory at its most`, "MB", peaks),
    toFinding(`${who}: Redis's used_memory for ${distinct} companies`, "MB", [storeBytes / MB]),
    ...Object.entries(processes).map(([name, { cpuSeconds }]) =>
      toFinding(`${who}: share of a core, ${name}`, "%", [(100 * cpuSeconds) / seconds]),
    ),
  ];
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
  const toWait = (name: string, share: number) => {
    const samples = mapValues(groups, (waits) => [pickShare(waits, share)]);
    return toFinding(`wait of a cell beside people whose companies fail, ${name}`, "ms", samples);
  };
  const requests = { FEED: [faulty.provider.requests], "where nobody's fail": [sound.provider.requests] };
  return [
    toWait("median", 0.5),
    toWait("99th percentile", 0.99),
    toFinding("cells that fail beside them", "cells", [failed], ["none", failed === 0]),
    toFinding("requests while some companies fail", "requests", requests),
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
  const toCheck = (what: string, unit: Finding["unit"], foretold: number, measured: number) =>
    toFinding(`${crowd.analysts} analysts, foretold: ${what}`, unit, { FEED: [foretold], measured: [measured] });
  const who = `${large.analysts} analysts within ${large.overMs / 60_000} min`;
  return [
    toCheck("distinct companies", "companies", expected.distinct, whole.distinct),
    toCheck("to the provider", "requests", expected.requests, whole.provider.requests),
    toCheck("Redis", "MB", expected.storeBytes / MB, whole.storeBytes / MB),
    toCheck("busy", "cores", expected.cores, sumCpu(whole) / (crowd.overMs / 1_000)),
    toFinding(`${who}: distinct companies`, "companies", [need.distinct]),
    toFinding(`${who}: while all are new`, "requests", [need.requests]),
    toFinding(`${who}: Redis`, "MB", [need.storeBytes / MB]),
    toFinding(`${who}: busy`, "cores", [need.cores]),
    toFinding(`${who}: with one to spare`, "instances", [need.instances]),
    toFinding(`${who}: memory of all instances`, "MB", [need.instanceBytes / MB]),
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

const listWaits = (visited: readonly VisitResult[]): number[] => visited.flatMap(({ waitsMs }) => waitsMs);
