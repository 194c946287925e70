import { setTimeout } from "node:timers/promises";
import Redis from "ioredis";
import { signIn } from "../../firm/analyst";
import type { Firm } from "../../firm/firm";
import type { Seen } from "../../firm/provider";
import { countDistinct, type Visit } from "./plan";
import { type ProcessUsage, readProcessUsage } from "./processes";

/** The outcome of an analyst's workbook. */
export interface VisitResult {
  visit: Visit;
  waitsMs: readonly number[];
  failed: readonly string[];
  wrong: number;
}

/** The outcome of a firm's day that starts with empty caches. */
export interface Simulated {
  visited: readonly VisitResult[];
  distinct: number;
  /** From the first arrival to when the last has left, in seconds. */
  seconds: number;
  provider: Seen;
  /** By "instance 1" and so on, "redis", "balancer", "provider", "analysts". */
  processes: Record<string, ProcessUsage>;
  storeBytes: number;
}

/** Runs a plan: every analyst arrives, signs in, fills the workbook and leaves. */
export async function simulate(firm: Firm, visits: readonly Visit[]): Promise<Simulated> {
  const { provider, storeUrl } = firm;
  const look = openLook(firm);
  await provider.order({ forget: true });
  const startMs = performance.now();
  const came = await Promise.allSettled(visits.map((visit) => come(firm, visit))); // ends all analysts if one fails
  const seconds = (performance.now() - startMs) / 1_000;
  const seen = await provider.order({});
  const storeBytes = await readStoreBytes(storeUrl);
  const processes = look();
  const visited = came.map((each) => {
    if (each.status === "rejected") throw each.reason;
    return each.value;
  });
  return { visited, distinct: countDistinct(visits), seconds, provider: seen, processes, storeBytes };
}

/** Starts sampling the resources of the firm's processes; call the result to read them. */
function openLook({ provider, programs }: Firm): () => Record<string, ProcessUsage> {
  const { instances, redis, balancer } = programs;
  const named = instances.map(({ pid }, place) => [`instance ${place + 1}`, pid] as const);
  const others = { redis: redis.pid, balancer: balancer.pid, provider: provider.pid, analysts: process.pid };
  const all = Object.entries({ ...Object.fromEntries(named), ...others });
  const before = new Map(all.map(([name, pid]) => [name, readProcessUsage(pid).cpuSeconds]));
  return () =>
    Object.fromEntries(
      all.map(([name, pid]) => {
        const { peakBytes, cpuSeconds } = readProcessUsage(pid);
        return [name, { peakBytes, cpuSeconds: cpuSeconds - before.get(name)! }] as const;
      }),
    );
}

async function come({ origin, issuer }: Firm, visit: Visit): Promise<VisitResult> {
  await setTimeout(visit.atMs);
  const analyst = await signIn(origin, await issuer.issue(`analyst-${visit.analyst}`), visit.analyst);
  try {
    return { visit, ...(await analyst.fill(visit.companies)) };
  } finally {
    await analyst.leave();
  }
}

async function readStoreBytes(url: string): Promise<number> {
  const redis = new Redis(url);
  const said = await redis.info("memory");
  redis.disconnect();
  return Number(/used_memory:(\d+)/.exec(said)?.[1]);
}
