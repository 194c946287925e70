import { createSubscribers } from "../client/subscribers";
import { learnSeparators, separate } from "../feed/formula-separators";

const { subscribe, notify } = createSubscribers();

/** Those of the person's Excel, as three letters; empty while no cell has told them. */
let known = "";

export const separators = { known: () => known, subscribe };

/** Shows a formula to a person: by the separators of their Excel, else with commas. */
export const toLocalFormula = (formula: string): string => separate(formula, known);

/** Adds the separators to the address of a page of the help. */
export const withSeparators = (address: string): string =>
  known === "" ? address : `${address}?separators=${encodeURIComponent(known)}`;

/** Takes over the separators from a cell's formula in English and as the person's Excel shows it. */
export function learn(english: unknown, local: unknown, decimal: string): void {
  const learnt = learnSeparators(String(english), String(local), decimal) ?? known;
  if (learnt === known) return;
  known = learnt;
  notify();
}
