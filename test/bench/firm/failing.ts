import type { Visit } from "./plan";

/** Some analysts besides ask for companies at which the provider fails, and for which nobody else asks. */
export interface Failing {
  visits: Visit[];
  /** Their places in the provider's data. */
  failing: readonly number[];
}

/** Every tenth analyst has so many of them. */
const EVERY = 10;
const EACH = 3;

/** @param from The first place that nobody asks for; the companies from there on are taken. */
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
