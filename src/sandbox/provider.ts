import type { Controls } from "./controls";
import { type CompanyIndex, createCompanyIndex } from "./data/companies";
import { createRankingIndex, type RankingIndex } from "./data/ranking-index";
import { createUniverse, type Universe } from "./data/universe";

/** The data behind the operations. */
export interface Provider {
  seed: number;
  controls: Controls;
  /** The clock in Unix milliseconds. */
  nowMs: () => number;
  companyIndex: CompanyIndex;
  universe: Universe;
  readonly rankingIndex: RankingIndex;
}

/** Creates the data of one seed; the rankings are created on first use. */
export function createProvider(seed: number, companies: number, controls: Controls, nowMs: () => number): Provider {
  let rankingIndex: RankingIndex | undefined;
  return {
    seed,
    controls,
    nowMs,
    companyIndex: createCompanyIndex(seed, companies),
    universe: createUniverse(seed, companies),
    get rankingIndex() {
      rankingIndex ??= createRankingIndex(seed);
      return rankingIndex;
    },
  };
}
