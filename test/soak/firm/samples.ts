import { readdirSync, readlinkSync } from "node:fs";
import Redis from "ioredis";
import { readProcessUsage } from "../../bench/firm/processes";
import type { Firm } from "../../firm/firm";
import type { Program } from "../../firm/program";

/** A figure at a moment, in milliseconds of one clock. */
export interface Point {
  atMs: number;
  value: number;
}

/** The figures of an instance's process, from its start to its end. */
export interface Life {
  place: number;
  program: Program;
  /** Its largest memory so far. */
  peakBytes: number;
  figures: Record<Figure, Point[]>;
}

/**
 * "memory" and "used" (by Node: heap and outside of it) are without the cached answers, which fill for hours up to their
 * own limit; in bytes.
 */
export type Figure = "memory" | "used" | "cached" | "sockets";

interface StoreFigures {
  /** Answers, and all other keys. */
  answers: number;
  others: number;
  bytes: number;
}

export type Samples = ReturnType<typeof openSamples>;

/** An instance that does not answer within this time has no sample. */
const ANSWER_MS = 2_000;

export function openSamples(firm: Firm) {
  const lives: Life[] = [];
  const store: (StoreFigures & { atMs: number })[] = [];
  const findLife = (place: number, program: Program): Life => {
    const known = lives.find((life) => life.program === program);
    const life = known ?? {
      place,
      program,
      peakBytes: 0,
      figures: { memory: [], used: [], cached: [], sockets: [] },
    };
    if (known === undefined) lives.push(life);
    return life;
  };
  const takeOne = async (place: number) => {
    const program = firm.programs.instances[place]!;
    const life = findLife(place, program);
    const metrics = await readMetrics(firm.addresses[place]!.metrics);
    if (metrics === undefined || !program.isRunning()) return;
    const atMs = performance.now();
    life.peakBytes = readProcessUsage(program.pid).peakBytes;
    const read = { ...metrics, sockets: countSockets(program.pid) };
    for (const [figure, value] of Object.entries(read)) life.figures[figure as Figure].push({ atMs, value });
  };
  return {
    lives,
    store,
    async takeInstances() {
      await Promise.all(firm.programs.instances.map((_, place) => takeOne(place)));
    },
    /** Reads those of Redis, if it answers; it goes through all keys. */
    async takeStore() {
      const found = await readStore(firm.storeUrl);
      if (found !== undefined) store.push({ ...found, atMs: performance.now() });
    },
    /** The present number of sockets of each instance that runs. */
    countSockets: () => firm.programs.instances.filter((each) => each.isRunning()).map(({ pid }) => countSockets(pid)),
  };
}

/** Resident memory for each byte of cached answers: pages of the allocator hold others' bytes too (1.17 to 1.21 in an hour). */
const ALLOCATED = 1.2;

async function readMetrics(url: string): Promise<Record<"memory" | "used" | "cached", number> | undefined> {
  const said = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) })
    .then((answer) => answer.text())
    .catch(() => undefined);
  if (said === undefined) return undefined;
  const read = (name: string) => Number(new RegExp(`^${name} (.+)$`, "m").exec(said)?.[1]);
  const cached = read("feed_cache_bytes");
  const used = read("nodejs_heap_size_used_bytes") + read("nodejs_external_memory_bytes");
  return { memory: read("process_resident_memory_bytes") - ALLOCATED * cached, used: used - cached, cached };
}

function countSockets(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((name) => isSocket(`${folder}/${name}`)).length;
}

function isSocket(path: string): boolean {
  try {
    return readlinkSync(path).startsWith("socket:");
  } catch {
    return false; // closed since it was listed
  }
}

/** A busy machine may take long for one step. */
const STORE_MS = 20_000;

/** Keys that SCAN looks at in one step. */
const STEP = 10_000;

const ANSWERS = "feed:answer:";

/** Nothing while it does not answer. */
async function readStore(url: string): Promise<StoreFigures | undefined> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, commandTimeout: STORE_MS });
  redis.on("error", () => {});
  try {
    await redis.connect();
    const bytes = Number(/used_memory:(\d+)/.exec(await redis.info("memory"))?.[1]);
    let [answers, others, cursor] = [0, 0, "0"];
    do {
      const [next, keys] = await redis.scan(cursor, "COUNT", STEP);
      const found = keys.filter((key) => key.startsWith(ANSWERS)).length;
      answers += found;
      others += keys.length - found;
      cursor = next;
    } while (cursor !== "0");
    return { answers, others, bytes };
  } catch {
    return undefined;
  } finally {
    redis.disconnect();
  }
}
