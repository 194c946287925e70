import { expect } from "@jest/globals";
import fc from "fast-check";
import type { Refusal } from "../../../src/companion/refusal";
import { type BatcherOptions, createBatcher } from "../../../src/firm/reads/shared/batcher";
import { MOST_UNDER_WAY, QUEUE_WAIT_MS } from "../../../src/firm/reads/shared/queue-limits";
import type { CompanyResult, LoadResult } from "../../../src/firm/reads/shared/result";
import type { Year } from "../../../src/firm/reads/shared/split";
import { until } from "../../support/until";

const SEED = 20_261_122;

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
    ...{ load, patienceMs, fastestMs },
    largest: () => LARGEST,
    nowMs: () => nowMs,
    clockMs: () => nowMs,
  });
  const toReader = (who: string, refusal?: Refusal) => ({ who, className: "all", admit: () => refusal });
  const request = async (year: Year, companyId: string, who: string, waitMs = QUEUE_WAIT_MS) => {
    const late = batcher.foresee(year, [companyId], who, waitMs);
    const { entries, refused } = batcher.queueUp(year, [companyId], toReader(who));
    return refused ?? late ?? batcher.receive(year, entries[0]!, who, waitMs);
  };
  return {
    sent,
    batcher,
    /** Requests a company, and waits for it. */
    request,
    /** Queues companies whose result nobody waits for. */
    queueUp: (year: Year, companyIds: readonly string[], who: string, refusal?: Refusal) =>
      batcher.queueUp(year, companyIds, toReader(who, refusal)),
    mostAtOnce: () => most,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

/** Lets pending promises run. */
export const settle = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

const requests = fc.array(
  fc.record({ who: fc.constantFrom("a", "b", "c"), year: fc.constantFrom<Year>("all", 2022, 2023), key: fc.uuid() }),
  { minLength: 1, maxLength: 200 },
);

/** Expects chunks of one year, a few at a time, and an answer to every reader, for as many mixtures of requests. */
export async function expectEachOnce(numRuns: number): Promise<void> {
  const property = fc.asyncProperty(requests, async (requests) => {
    const { sent, request, pass, mostAtOnce } = createTested();
    let outcomes: LoadResult[] | undefined;
    void Promise.all(requests.map(({ year, key, who }) => request(year, key, who))).then((all) => {
      outcomes = all;
    });
    let answered = 0;
    await until(async () => {
      await settle();
      pass(1000);
      sent[answered]?.answer();
      if (answered < sent.length) answered += 1;
      return outcomes;
    });
    expect(outcomes).toEqual(requests.map(({ key }) => toOutcome(key)));
    const toText = ({ year, key }: { year: Year; key: string }) => `${year} ${key}`;
    const came = sent.flatMap(({ year, keys }) => keys.map((key) => toText({ year, key })));
    expect(came.sort()).toEqual(requests.map(toText).sort());
    expect(Math.max(0, ...sent.map(({ keys }) => keys.length))).toBeLessThanOrEqual(LARGEST);
    expect(mostAtOnce()).toBeLessThanOrEqual(MOST_UNDER_WAY);
  });
  await fc.assert(property, { seed: SEED, numRuns });
}
