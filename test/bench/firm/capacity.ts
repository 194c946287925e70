import type { Crowd } from "./plan";

/** The cost of a firm's day, measured on a smaller one. */
export interface Constants {
  /** Provider requests per full request of 25 companies. */
  requestsPerFull: number;
  /** Store bytes per cached company. */
  storeBytesPerCompany: number;
  /** Processor seconds of all instances per answered company. */
  cpuSecondsPerAnswer: number;
  /** The peak memory of an instance. */
  instanceBytes: number;
}

/** A firm's capacity needs. */
export interface Need {
  /** Distinct companies that are requested. */
  distinct: number;
  /** Provider requests while every company is new. */
  requests: number;
  storeBytes: number;
  /** Cores of instances during the arrivals. */
  cores: number;
  /** Cores divided by the usable share, rounded up, and one spare. */
  instances: number;
  /** Memory of all instances. */
  instanceBytes: number;
}

/** Companies per provider request. */
export const AT_ONCE = 25;
/** The share of a core an instance may use, so that requests do not queue. */
const USABLE = 0.7;

/** Computes the needs of a firm with any number of analysts who arrive within a time. */
export function toNeed(crowd: Crowd, constants: Constants): Need {
  const distinct = expectDistinct(crowd);
  const answers = crowd.analysts * crowd.each;
  const cores = (answers * constants.cpuSecondsPerAnswer) / (crowd.overMs / 1_000);
  const instances = Math.ceil(cores / USABLE) + 1;
  return {
    distinct,
    requests: (distinct / AT_ONCE) * constants.requestsPerFull,
    storeBytes: distinct * constants.storeBytesPerCompany,
    cores,
    instances,
    instanceBytes: instances * constants.instanceBytes,
  };
}

/** The expected number of distinct companies, by the distribution of draws. */
export function expectDistinct({ analysts, each, companies, popularity }: Crowd): number {
  const draws = (analysts * each) / 2; // half by popularity, half evenly
  let distinct = 0;
  for (let company = 0; company < companies; company++) {
    const share = ((company + 1) / companies) ** (1 / popularity) - (company / companies) ** (1 / popularity);
    distinct += 1 - ((1 - share) * (1 - 1 / companies)) ** draws;
  }
  return distinct;
}
