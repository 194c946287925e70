import { type Chance, createChance } from "../../support/chance";

/** One analyst of a simulated firm: when they come, and whose figures their workbook shows. */
export interface Visit {
  analyst: number;
  atMs: number;
  /** Companies by their place in the provider's data, each once. */
  companies: readonly number[];
}

export interface PlanOptions {
  analysts: number;
  /** How many companies each of them asks for. */
  each: number;
  /** How many there are. */
  companies: number;
  /** The time in which they come, one after the other by chance. */
  overMs: number;
  seed: number;
}

/**
 * Every second company of a workbook is drawn by its popularity, and the others evenly. Of the popular ones a tenth of
 * all companies gets about half of the draws.
 */
const POPULARITY = 3.3;

/** Draws who comes when and asks for what; the same seed gives the same firm. */
export function createPlan({ analysts, each, companies, overMs, seed }: PlanOptions): Visit[] {
  const chance = createChance(seed);
  // Of gaps that are exponential the sums are a Poisson stream; scaled, it ends when it should.
  const gaps = Array.from({ length: analysts }, () => -Math.log(1 - chance.next()));
  const whole = gaps.reduce((sum, gap) => sum + gap, 0);
  let atMs = 0;
  return gaps.map((gap, analyst) => {
    atMs += (gap / whole) * overMs;
    return { analyst, atMs, companies: drawCompanies(chance, each, companies) };
  });
}

function drawCompanies(chance: Chance, each: number, companies: number): number[] {
  const drawn = new Set<number>();
  while (drawn.size < Math.min(each, companies)) {
    const isPopular = drawn.size % 2 === 0;
    drawn.add(Math.floor(companies * (isPopular ? chance.next() ** POPULARITY : chance.next())));
  }
  return [...drawn];
}

export const countDistinct = (visits: readonly Visit[]): number =>
  new Set(visits.flatMap(({ companies }) => companies)).size;
