import { setPriority } from "node:os";
import Redis from "ioredis";
import { type Analyst, type FillResult, signAllIn } from "../../firm/analyst";
import { type Firm, startFirm } from "../../firm/firm";
import { createMemoryCap } from "../../firm/memory-cap";
import type { Seen } from "../../firm/provider";
import { pickShare } from "../measure";
import { type Bench, type Finding, type Goal, toFinding } from "../row";
import { type ProcessUsage, readProcessUsage } from "./processes";

const MB = 2 ** 20;
/** Companies per provider request. */
const AT_ONCE = 25;
/** As deployed; Node sizes its heap by it. */
const CAP_BYTES = 1024 * MB;
/** A provider on another continent. */
const LATENCY_MS = 100;
/** The provider runs first, as on a machine of its own; otherwise it counts requests late. Takes root. */
const PRIORITY = -10;

/** Readers who load a firm in one way. */
export interface Load {
  /** What happens, for the table. */
  what: string;
  readers: number;
  companies: number;
  perMinute: number;
  /** The number of distinct companies; default as many as it takes. */
  distinct?: number;
  /** Loads the firm, and gives the cells of all readers. */
  run(firm: Firm, readers: readonly Analyst[], take: TakeNew): Promise<FillResult[]>;
  /** Requests as a multiple of full ones; default no goal. */
  mostRatio?: number;
  /** The longest median wait, in milliseconds; default no goal. */
  longestMedianMs?: number;
  /** The longest 99th percentile as a multiple of the limit's own time; default no goal. */
  mostTimes?: number;
  /** Whether all instances work at once; default one does. */
  areAllAtWork?: boolean;
}

/** Gives companies that nobody has requested so far. */
export type TakeNew = (count: number) => number[];

/** Measures a load on a firm that has nothing cached. */
export async function measureLoad(bench: Bench, load: Load): Promise<Finding[]> {
  const { companies, perMinute, readers: count, what, areAllAtWork } = load;
  const settings = { FEED_PROVIDER_PER_MINUTE: String(perMinute), FEED_PERSON_PER_MINUTE: "100000" };
  const cap = createMemoryCap(CAP_BYTES);
  const firm = await startFirm({ companies, settings, cap, areAllAtWork });
  try {
    await firm.provider.order({ latencyMs: LATENCY_MS });
    setPriority(firm.provider.pid, PRIORITY);
    const readers = await signAllIn(firm, count);
    let next = 0;
    const take: TakeNew = (some) => Array.from({ length: some }, () => next++);
    await firm.provider.order({ forget: true });
    bench.print(what);
    const instances = firm.programs.instances.map(({ pid }) => pid);
    const [before, startMs] = [instances.map(readProcessUsage), performance.now()];
    const filled = await load.run(firm, readers, take);
    const seconds = (performance.now() - startMs) / 1_000;
    const seen = await firm.provider.order({});
    const storeBytes = await readStoreBytes(firm.storeUrl);
    const usage = firm.programs.instances.map(({ pid }) => readProcessUsage(pid));
    for (const reader of readers) await reader.leave();
    return [
      ...describeLoad(load, filled, seen, load.distinct ?? next),
      ...describeUsage(load, usage, before, seconds, storeBytes),
    ];
  } finally {
    await firm.close();
    cap.remove();
  }
}

/** The share of a core counts for instances that ran all the time. */
function describeUsage(
  { what }: Load,
  usage: readonly ProcessUsage[],
  before: readonly ProcessUsage[],
  seconds: number,
  storeBytes: number,
): Finding[] {
  const peaks = usage.map(({ peakBytes }) => peakBytes / MB);
  const shares = usage.map(({ cpuSeconds }, place) => (100 * (cpuSeconds - before[place]!.cpuSeconds)) / seconds);
  return [
    toFinding(`${what}: an instance's memory at its most`, "MB", peaks),
    toFinding(`${what}: an instance's share of a core`, "%", shares),
    toFinding(`${what}: Redis's used_memory`, "MB", [storeBytes / MB]),
  ];
}

async function readStoreBytes(url: string): Promise<number> {
  const redis = new Redis(url);
  const said = await redis.info("memory");
  redis.disconnect();
  return Number(/used_memory:(\d+)/.exec(said)?.[1]);
}

function describeLoad(load: Load, filled: readonly FillResult[], seen: Seen, distinct: number): Finding[] {
  const { what, perMinute, mostRatio, longestMedianMs, mostTimes, areAllAtWork = false } = load;
  const waits = filled.flatMap(({ waitsMs }) => waitsMs);
  const [failed, wrong] = [filled.flatMap((each) => each.failed), filled.reduce((sum, each) => sum + each.wrong, 0)];
  const full = distinct / AT_ONCE;
  const perSecond = perMinute / 60;
  const ownMs = (1_000 * full) / perSecond;
  const [middle, late] = [pickShare(waits, 0.5), pickShare(waits, 0.99)];
  const sorts = [...new Set(failed)].map((code) => `${failed.filter((each) => each === code).length} ${code}`);
  const say = (name: string, unit: Finding["unit"], samples: Record<string, number[]>, goal?: Goal) =>
    toFinding(`${what}: ${name}`, unit, samples, goal);
  const toGoal = (most: number | undefined, text: string, isReached: (most: number) => boolean): Goal | undefined =>
    most === undefined ? undefined : [`${most} ${text}`, isReached(most)];
  const toNone = (count: number): Goal => ["none", count === 0];
  const ofRequests = toGoal(mostRatio, "× the floor", (most) => seen.requests <= most * full);
  const ofMedian = toGoal(longestMedianMs, "ms", (most) => middle <= most);
  const ofLate = toGoal(mostTimes, "× the limit's own time", (most) => late <= most * ownMs);
  // Several at work are held to the limit within five seconds.
  const ofSecond = toGoal(areAllAtWork ? undefined : perSecond + 1, "a second", (most) => seen.mostInSecond <= most);
  return [
    say(
      `requests for ${distinct} distinct companies`,
      "requests",
      { FEED: [seen.requests], floor: [full] },
      ofRequests,
    ),
    say(`${waits.length} cells, failed ${sorts.join(", ")}`, "cells", { FEED: [failed.length] }, toNone(failed.length)),
    say("wrong", "cells", { FEED: [wrong] }, toNone(wrong)),
    say("wait, median", "ms", { FEED: [middle] }, ofMedian),
    say("wait, 99th percentile", "ms", { FEED: [late], "limit's own time": [ownMs] }, ofLate),
    say("largest sliding second", "requests", { FEED: [seen.mostInSecond], agreed: [perSecond] }, ofSecond),
  ];
}
