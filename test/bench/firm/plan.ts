import { type Chance, createChance } from "../../support/chance";

export interface Crowd {
  analysts: number;
  /** Companies per analyst, ten years each. */
  each: number;
  companies: number;
  /** The time in which they arrive at random, in milliseconds. */
  overMs: number;
  /** 1 draws evenly; larger values prefer the first companies. */
  popularity: number;
}

export interface Visit {
  analyst: number;
  atMs: number;
  /** Distinct company indexes in the provider's data. */
  companies: readonly number[];
}

/** Draws arrivals and companies, half by popularity and half evenly; repeatable by seed. */
export function createPlan({ analysts, each, companies, overMs, popularity }: Crowd, seed: number): Visit[] {
  const chance = createChance(seed);
  // Exponential gaps model independent arrivals; they are scaled to end in time.
  const gaps = Array.from({ length: analysts }, () => -Math.log(1 - chance.next()));
  const whole = gaps.reduce((sum, gap) => sum + gap, 0);
  let atMs = 0;
  return gaps.map((gap, analyst) => {
    atMs += (gap / whole) * overMs;
    return { analyst, atMs, companies: drawCompanies(chance, each, companies, popularity) };
  });
}

function drawCompanies(chance: Chance, each: number, companies: number, popularity: number): number[] {
  const drawn = new Set<number>();
  while (drawn.size < Math.min(each, companies)) {
    const place = drawn.size % 2 === 0 ? chance.next() ** popularity : chance.next();
    drawn.add(Math.floor(companies * place));
  }
  return [...drawn];
}

export const countDistinct = (visits: readonly Visit[]): number =>
  new Set(visits.flatMap(({ companies }) => companies)).size;

/** Every tenth analyst has this many. */
const EVERY = 10;
const EACH = 3;

/**
 * Gives some analysts companies that always fail at the provider; no other has those.
 * @param from The first unused index; companies from there on are used.
 */
export function addFailing(visits: readonly Visit[], from: number): { visits: Visit[]; failing: readonly number[] } {
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
