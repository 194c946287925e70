import type { Chance } from "../support/chance";
import honest from "./honest.json";
import type { Content } from "./statements";

export interface FigureBehaviour {
  /** The line of the table that it counts for. */
  name: string;
  content: Content;
  /** The most companies in an answer to POST /financials. */
  cut: number | null;
  /** The total of such an answer. */
  total: "true" | "rows" | "absent";
  /** The probability that it omits a company, 0 to 1. */
  drops: number;
  /** Unrequested companies: beside the requested ones, or in place of one. */
  foreign: "extra" | "swapped" | null;
  /** A company's element twice, or its years in two elements. */
  doubles: "equal" | "split" | null;
  /** The answer of POST /financials for a registration number. */
  byNumber: "all" | "first of several" | "none with a total";
  /** Whether a search also gives a company with another number. */
  isSearchLoose: boolean;
  /** Whether answers have ids in capitals. */
  isUpperCase: boolean;
  /** Whether the companies are missing until a second search. */
  isAbsentAtFirst: boolean;
}

const HONEST = honest.figures as FigureBehaviour;

const createContent = (chance: Chance): Content => ({
  interims: chance.pick(["first", "last", null] as const),
  lacks: chance.happens(0.6),
  consolidations: chance.happens(0.5),
  nulls: chance.happens(0.3),
  texts: chance.happens(0.2),
  restated: chance.happens(0.2),
});

const createOmission = (chance: Chance): Partial<FigureBehaviour> => ({
  cut: chance.pick([null, 1, 5, 7, 10, 24]),
  total: chance.pick(["true", "rows", "absent"] as const),
  drops: chance.pick([0, 0.1, 0.5, 1]),
  foreign: chance.pick(["extra", "swapped", null] as const),
});

/** One kind of misbehaviour each, and one with all. */
const KINDS: Record<string, (chance: Chance) => Partial<FigureBehaviour>> = {
  honest: () => ({}),
  interim: (chance) => ({
    content: { ...createContent(chance), interims: chance.pick(["first", "last"]), lacks: true },
  }),
  versions: (chance) => ({ content: { ...createContent(chance), interims: null } }),
  omitting: createOmission,
  doubling: (chance) => ({ doubles: chance.pick(["equal", "split"] as const), cut: chance.pick([null, 10]) }),
  casing: (chance) => ({ isUpperCase: true, total: chance.pick(["true", "absent"] as const) }),
  numbers: (chance) => ({
    byNumber: chance.pick(["all", "first of several", "none with a total"] as const),
    isSearchLoose: chance.happens(0.5),
  }),
  absence: () => ({ isAbsentAtFirst: true }),
  combined: (chance) => ({
    ...createOmission(chance),
    content: createContent(chance),
    isUpperCase: chance.happens(0.3),
    byNumber: chance.pick(["all", "first of several", "none with a total"] as const),
    isSearchLoose: chance.happens(0.3),
  }),
};

const FIGURE_BEHAVIOURS = Object.keys(KINDS);

export function createFigureBehaviour(chance: Chance): FigureBehaviour {
  const name = chance.pick(FIGURE_BEHAVIOURS);
  return { ...HONEST, ...KINDS[name]!(chance), name };
}
