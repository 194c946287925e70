import type { Visit } from "./plan";

/** Adds companies that always fail at the provider to some analysts, and to no other. */
export interface Failing {
  visits: Visit[];
  /** Their indexes in the provider's data. */
  failing: readonly number[];
}

/** Every tenth analyst has this many. */
const EVERY = 10;
const EACH = 3;

/** @param from The first unused index; companies from there on are used. */
export function addFailing(visits: readonly Visit[], from: number): Failing {
  const failing: number[] = [];
  const changed = visits.map((visit) => {
    if (visit.analyst % EVERY !== 0) return visit;
    const own = Array.from({ length: EACH }, (_, place) => from + failing.length + place);
    failing.push(...own);
    return { ...visit, companies: [...own, ...visit.companies.slice(EACH)] };
  });
  return { visits: changed, failing };
}

export const isFailing = ({ analyst }: Visit): boolean => analyst % EVERY === 0;
