import { setTimeout as wait } from "node:timers/promises";
import type { Firm } from "../../firm/firm";
import type { Program } from "../../firm/program";

/** The one that works is stopped, so that the other takes over, and lives for the whole time; the other is killed. */
const STOPPED = 0;
const KILLED = 1;

const LONGEST_MS = 60_000;
const STOPPED_MS = 15_000;

type Ended = Pick<Program, "kill">;

type Fault = (firm: Firm, forMs: number, end: (program: Ended) => Promise<void>) => Promise<void>;

const FAULTS = {
  async "Redis is killed"(firm, forMs, end) {
    await end(firm.programs.redis);
    await wait(Math.min(forMs, STOPPED_MS));
    await firm.restartRedis();
  },
  async "Redis is stopped"({ programs: { redis } }, forMs) {
    redis.pause();
    await wait(Math.min(forMs, STOPPED_MS)).finally(redis.resume);
  },
  async "an instance is killed"(firm, forMs, end) {
    await end(firm.programs.instances[KILLED]!);
    await wait(Math.min(forMs, STOPPED_MS));
    await firm.restartInstance(KILLED);
  },
  async "an instance is stopped"({ programs }, forMs) {
    const instance = programs.instances[STOPPED]!;
    instance.pause();
    await wait(Math.min(forMs, STOPPED_MS)).finally(instance.resume);
  },
  async "the provider answers 500"({ provider }, forMs) {
    await provider.order({ fails: true });
    await wait(forMs);
    await provider.order({ fails: false });
  },
} satisfies Record<string, Fault>;

type FaultName = keyof typeof FAULTS;

/**
 * One in each of as many equal parts of the time. Redis loses its data early only, so that it fills up afterwards.
 */
const ORDER: readonly FaultName[] = [
  ...(["Redis is killed", "an instance is killed", "the provider answers 500", "an instance is stopped"] as const),
  ...(["Redis is killed", "the provider answers 500", "an instance is killed", "an instance is stopped"] as const),
  ...(["Redis is stopped", "the provider answers 500", "an instance is stopped", "Redis is stopped"] as const),
];

export type Faults = ReturnType<typeof startFaults>;

/**
 * Starts the faults of a firm, each in the middle of its part of the time.
 * @param complain Gets the reason if a program does not come back; no fault follows.
 */
export function startFaults(firm: Firm, durationMs: number, complain: (reason: string) => void) {
  const partMs = durationMs / ORDER.length;
  const ended = new Set<Ended>();
  let current = null as FaultName | null;
  const end = (program: Ended) => {
    ended.add(program);
    return program.kill();
  };
  const startMs = performance.now();
  const run = async () => {
    for (const [place, name] of ORDER.entries()) {
      await wait(Math.max(0, startMs + (place + 0.4) * partMs - performance.now()));
      current = name;
      await FAULTS[name](firm, Math.min(LONGEST_MS, partMs / 3), end);
      current = null;
    }
  };
  return {
    /** The fault that the firm has now; null while there is none. */
    current: () => current,
    /** Whether a program was ended by a fault. */
    hasEnded: (program: Ended) => ended.has(program),
    /** Resolves when all are over. */
    over: run().catch((error) => complain(String(error))),
  };
}
