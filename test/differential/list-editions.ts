import type { Chance } from "../support/chance";
import type { ListKind } from "./addresses";
import type { Drift, ListBehaviour } from "./list-behaviour";
import { LAST_EDITION } from "./numbers";

/** The size of a tie: the order of rows within it has no meaning. */
export const TIE = 7;

/** The truth of a list: its entities in order, edition by edition. */
export type ListEditions = ReturnType<typeof createList>;

/** A page, and the number of requests before it. */
interface TiedPage {
  page: number;
  size: number;
  count: number;
}

interface ListStart {
  kind: ListKind;
  set: number;
  rows: number;
  behaviour: ListBehaviour;
  chance: Chance;
}

export function createList({ kind, set, rows, behaviour, chance }: ListStart) {
  const orders: number[][] = [Array.from({ length: rows }, (_, entity) => entity)];
  const arrivals = new Map<number, number>();
  let next = rows;
  const join = () => {
    arrivals.set(next, orders.length);
    return next++;
  };
  return {
    ...{ kind, set, behaviour, orders },
    /** The edition of an entity's numbers in a given edition. */
    stampOf: (entity: number, edition: number) => (behaviour.renumbers ? edition : (arrivals.get(entity) ?? 0)),
    /** Changes the list: all numbers if each edition has new ones, else as it drifts. */
    change(
      how: Drift["how"] | undefined = behaviour.renumbers ? undefined : chance.pick(["inserted", "removed", "moved"]),
    ) {
      if (orders.length > LAST_EDITION) return;
      orders.push(drift([...orders.at(-1)!], how, chance, join));
    },
    /** The provider's sort order, which leaves ties open. */
    orderTies: (request: TiedPage) => toTied(orders.at(-1)!, behaviour.ties, request, chance),
  };
}

/** Changes are visible at the end of the first page, so most happen across it. */
function drift(order: number[], how: Drift["how"] | undefined, chance: Chance, join: () => number): number[] {
  const half = order.length >> 1;
  const [early, late] = [chance.below(Math.min(20, half)), half + chance.below(order.length - half)];
  const kind = how === "mixed" ? chance.pick(["inserted", "removed", "moved", "swapped"] as const) : how;
  if (kind === "inserted") order.splice(early, 0, join());
  if (kind === "removed" && order.length > 30) order.splice(early, 1);
  if (kind === "moved") order.splice(early, 0, ...order.splice(late, 1));
  if (kind === "swapped") [order[early], order[late]] = [order[late]!, order[early]!];
  return order;
}

/** At page borders, the two rows around the border always change for the page behind it. */
function toTied(
  order: readonly number[],
  ties: ListBehaviour["ties"],
  { page, size, count }: TiedPage,
  chance: Chance,
): readonly number[] {
  if (ties === null) return order;
  const tied = [...order];
  const swap = (at: number) => {
    if (at > 0 && at < tied.length && at % TIE > 0) [tied[at - 1], tied[at]] = [tied[at]!, tied[at - 1]!];
  };
  if (ties === "at borders" && page > 1) swap((page - 1) * size);
  if (ties === "at random") for (let at = count % 2; at < tied.length; at += 2) if (chance.happens(0.5)) swap(at);
  return tied;
}
