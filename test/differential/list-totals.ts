import type { CellOutcome } from "../office/deliveries";
import { SLOT } from "./list-rows";
import { compareList, KNOWN_BY, type ListQuery, type Window } from "./list-verdict";
import { toNumber } from "./numbers";

/** What SUM, AVERAGE and COUNT over a table give; the sum exact, since a cell's number holds less. */
interface Totals {
  sum: bigint;
  average: number;
  count: number;
}

function add(numbers: readonly number[]): Totals {
  const sum = numbers.reduce((all, each) => all + BigInt(each), 0n);
  return { sum, average: Number(sum) / numbers.length, count: numbers.length };
}

const isEqual = (one: Totals, other: Totals): boolean =>
  one.sum === other.sum && one.average === other.average && one.count === other.count;

const toText = ({ sum, average, count }: Totals): string => `SUM ${sum}, AVERAGE ${average}, COUNT ${count}`;

/** The totals of each edition that a table may be of, by the provider's truth. */
function listTruths({ list, top }: ListQuery, { from, to, mayBeOlder }: Window): Totals[] {
  const { kind, set, orders } = list;
  const slot = SLOT[KNOWN_BY[kind][1]];
  return orders.slice(0, to + 1).flatMap((order, edition) => {
    if (edition < from && !mayBeOlder) return [];
    const wanted = order.slice(0, top ?? order.length);
    return add(wanted.map((entity) => toNumber({ set, entity, slot, edition: list.stampOf(entity, edition) })));
  });
}

/**
 * Judges what SUM, AVERAGE and COUNT over a cell's table have shown: over all that it ever showed but errors. Rows of
 * several moments that no answer told apart make no wrong total.
 *
 * @param window the time since the formula was typed, with all requests
 * @returns how many were right, and a sentence for each that was never true
 */
export function judgeTotals(query: ListQuery, shown: readonly CellOutcome[], window: Window) {
  const [column] = KNOWN_BY[query.list.kind];
  const truths = listTruths(query, window);
  const wrong: string[] = [];
  let right = 0;
  for (const outcome of shown) {
    if ("error" in outcome || compareList(query, outcome, { ...window, mayBeOlder: true }).verdict === "mixed")
      continue;
    const cells = (outcome.value as unknown[][]).map((row) => row[column]);
    const totals = add(cells.filter((cell) => typeof cell === "number"));
    if (truths.some((each) => isEqual(each, totals))) right += 1;
    else wrong.push(`${toText(totals)} in place of ${truths.map(toText).join(" or ")}`);
  }
  return { right, wrong };
}
