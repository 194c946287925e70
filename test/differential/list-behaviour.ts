import type { Chance } from "../support/chance";
import honest from "./honest.json";

const DRIFTS = ["inserted", "removed", "moved", "swapped", "mixed"] as const;

export interface Drift {
  how: (typeof DRIFTS)[number];
  /** After which requests it changes. */
  when: "first page" | "each request" | "some requests";
  times: number;
}

/** How a provider answers the pages of a list. */
export interface ListBehaviour {
  /** The line of the table that it counts for. */
  name: string;
  drift: Drift | null;
  /** Which rows of a tie change places between requests. */
  ties: "at borders" | "at random" | null;
  /** How it treats the requested page_size. */
  sizing:
    | { as: "asked" | "ignores page" | "all at once" }
    | { as: "capped" | "fixed" | "refused" | "gappy" | "overlapping"; rows: number };
  /** The pageSize of its answers. */
  says: "its size" | "the asked size" | "nothing";
  total: "true" | "absent" | "larger" | "smaller" | "first" | "rows of the page" | "text";
  pastEnd: "empty" | 404 | 400 | "last page";
  /** Whether each edition has new numbers for all rows. */
  renumbers: boolean;
}

export const HONEST = honest.list as ListBehaviour;

const SIZINGS = ["capped", "fixed", "refused", "gappy", "overlapping", "ignores page", "all at once"] as const;
const TOTALS = ["absent", "larger", "smaller", "first", "rows of the page", "text"] as const;
const PAST_ENDS = [404, 400, "last page", "empty"] as const;

const createDrift = (chance: Chance): Drift => ({
  how: chance.pick(DRIFTS),
  when: chance.pick(["first page", "each request", "some requests"]),
  times: chance.pick([1, 1, 2, 1_000]),
});

function createSizing(chance: Chance): ListBehaviour["sizing"] {
  const as = chance.pick(SIZINGS);
  if (as === "ignores page" || as === "all at once") return { as };
  return { as, rows: as === "refused" ? chance.pick([100, 250, 500]) : chance.pick([25, 50, 99, 100, 250, 333, 500]) };
}

/** One kind of misbehaviour each, and one with all. */
const KINDS: Record<string, (chance: Chance) => Partial<ListBehaviour>> = {
  honest: () => ({}),
  drifting: (chance) => ({ drift: createDrift(chance), renumbers: chance.happens(0.5) }),
  tying: (chance) => ({ ties: chance.pick(["at borders", "at random"] as const) }),
  paging: (chance) => ({
    sizing: createSizing(chance),
    says: chance.pick(["its size", "the asked size", "nothing"] as const),
    pastEnd: chance.pick(PAST_ENDS),
  }),
  totals: (chance) => ({ total: chance.pick(TOTALS), pastEnd: chance.pick(PAST_ENDS) }),
  combined: (chance) => ({
    drift: chance.happens(0.5) ? createDrift(chance) : null,
    ties: chance.pick(["at borders", "at random", null] as const),
    sizing: chance.happens(0.6) ? createSizing(chance) : HONEST.sizing,
    says: chance.pick(["its size", "the asked size", "nothing"] as const),
    total: chance.happens(0.4) ? chance.pick(TOTALS) : "true",
    pastEnd: chance.pick(PAST_ENDS),
    renumbers: chance.happens(0.5),
  }),
};

const LIST_BEHAVIOURS = Object.keys(KINDS);

export function createListBehaviour(chance: Chance): ListBehaviour {
  const name = chance.pick(LIST_BEHAVIOURS);
  const behaviour = { ...HONEST, ...KINDS[name]!(chance), name };
  // Rows missing from every page cannot be detected without a true total.
  return behaviour.sizing.as === "gappy" ? { ...behaviour, total: "true" } : behaviour;
}
