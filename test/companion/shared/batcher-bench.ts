import { type BatcherOptions, createBatcher } from "../../../src/companion/reads/shared/batcher";
import type { CompanyResult } from "../../../src/companion/reads/shared/result";
import type { Year } from "../../../src/companion/reads/shared/split";

/** The companies of a full chunk. */
export const LARGEST = 25;

interface Sent {
  year: Year;
  keys: readonly string[];
  /** @param result Default data. */
  answer(result?: CompanyResult): void;
  fail(): void;
}

export const toOutcome = (key: string): CompanyResult => ({ is: "found", body: Buffer.from(key), atMs: 0 });
export const range = (count: number) => Array.from({ length: count }, (_, nth) => nth);

/** A batcher whose chunks a test answers, on a clock that the test moves. */
export function createTested({ patienceMs = 60_000, fastestMs = 0 } = {}) {
  const sent: Sent[] = [];
  let nowMs = 0;
  let most = 0;
  let underWay = 0;
  const cached = new Set<string>();
  const findCached: BatcherOptions["findCached"] = async (_year, wanted) => {
    const keys = wanted.map(({ companyId }) => companyId).filter((key) => cached.has(key));
    return new Map(keys.map((key) => [key, toOutcome(key)]));
  };
  const load: BatcherOptions["load"] = (year, keys) =>
    new Promise((resolve, reject) => {
      underWay += 1;
      most = Math.max(most, underWay);
      const answer = (result?: CompanyResult) => {
        underWay -= 1;
        resolve(new Map(keys.map((key) => [key, result ?? toOutcome(key)])));
      };
      sent.push({ year, keys, answer, fail: () => reject(new Error("The signer has no key.")) });
    });
  const batcher = createBatcher({
    ...{ findCached, load, patienceMs, fastestMs },
    largest: () => LARGEST,
    nowMs: () => nowMs,
    clockMs: () => nowMs,
  });
  return {
    sent,
    cached,
    batcher,
    mostAtOnce: () => most,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

/** Lets pending promises run. */
export const settle = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
