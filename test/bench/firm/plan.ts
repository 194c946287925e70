import { type Chance, createChance } from "../../support/chance";

/** The analysts of a simulated firm. */
export interface Crowd {
  analysts: number;
  /** How many companies each of them asks for, ten years each. */
  each: number;
  /** How many there are. */
  companies: number;
  /** The time in which they come, one after the other by chance. */
  overMs: number;
  /** 1 draws evenly; the larger, the more often the first companies are drawn. */
  popularity: number;
}

/** One analyst: when they come, and whose figures their workbook shows. */
export interface Visit {
  analyst: number;
  atMs: number;
  /** Companies by their place in the provider's data, each once. */
  companies: readonly number[];
}

/** Draws who comes when and asks for what, every second company by its popularity and the others evenly; a seed gives the same again. */
export function createPlan({ analysts, each, companies, overMs, popularity }: Crowd, seed: number): Visit[] {
  const chance = createChance(seed);
  // Gaps that are exponential make a stream as of strangers; they are scaled so that the last comes in time.
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

/** How many requests it takes of so many companies where each asks at once for all that is new, and waits for nobody who comes later. */
export function countAlone(visits: readonly Visit[], atOnce: number): number {
  const known = new Set<number>();
  let requests = 0;
  for (const { companies } of visits) {
    const fresh = companies.filter((company) => !known.has(company));
    for (const company of fresh) known.add(company);
    requests += Math.ceil(fresh.length / atOnce);
  }
  return requests;
}
