import type { Crowd } from "./plan";

/** What a firm's day costs, by the figures of a smaller one. */
export interface Constants {
  /** Requests to the provider for each full one of 25 companies. */
  requestsPerFull: number;
  /** Bytes in the store for each company that is kept. */
  storeBytesPerCompany: number;
  /** Processor time of all instances for each company that an analyst is answered, in seconds. */
  cpuSecondsPerAnswer: number;
  /** The most memory that an instance held. */
  instanceBytes: number;
}

/** What a firm needs. */
export interface Need {
  /** Companies that somebody asks for. */
  distinct: number;
  /** Requests to the provider while all of them are new. */
  requests: number;
  /** Requests an hour from then on, when each is asked for again as soon as it is no longer fresh. */
  requestsPerHour: number;
  storeBytes: number;
  /** Cores of instances while everybody comes within the time. */
  cores: number;
  /** One more than the cores that are kept busy, since one may be gone. */
  instances: number;
  /** Of all instances together. */
  instanceBytes: number;
}

/** How many companies the provider gives at once. */
const AT_ONCE = 25;
/** How long financials are fresh, in hours. */
const FRESH_HOURS = 1;
/** The share of a core that an instance may be busy, so that nobody waits long behind others. */
const USABLE = 0.7;

/** Tells what a firm needs whose analysts come within a time, for any number of them. */
export function toNeed(crowd: Crowd, constants: Constants): Need {
  const distinct = expectDistinct(crowd);
  const full = distinct / AT_ONCE;
  const answers = crowd.analysts * crowd.each;
  const cores = (answers * constants.cpuSecondsPerAnswer) / (crowd.overMs / 1_000);
  const instances = Math.ceil(cores / USABLE) + 1;
  return {
    distinct,
    requests: full * constants.requestsPerFull,
    requestsPerHour: (full * constants.requestsPerFull) / FRESH_HOURS,
    storeBytes: distinct * constants.storeBytesPerCompany,
    cores,
    instances,
    instanceBytes: instances * constants.instanceBytes,
  };
}

/** How many companies at least one of them asks for, as far as it can be expected of how they are drawn. */
export function expectDistinct({ analysts, each, companies, popularity }: Crowd): number {
  const draws = (analysts * each) / 2; // by popularity, and as many evenly
  let distinct = 0;
  for (let company = 0; company < companies; company++) {
    const share = ((company + 1) / companies) ** (1 / popularity) - (company / companies) ** (1 / popularity);
    distinct += 1 - ((1 - share) * (1 - 1 / companies)) ** draws;
  }
  return distinct;
}
