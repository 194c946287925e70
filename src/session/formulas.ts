/** What a formula shows, as it goes to a cell: rows of cells, or an error that has a code and a message. */
export type Shown = readonly (readonly unknown[])[] | { code: string; message?: string };

/** A custom function as the host calls it: its arguments, then the invocation. */
export type Formula = (...given: never[]) => void;

/** The formulas of this shared runtime, which the pane shows without a cell. */
export interface Formulas {
  /** Takes the formulas by their names without the namespace. */
  offer(formulas: Readonly<Record<string, Formula>>): void;
  /**
   * Runs a formula as a cell does, and tells what it shows each time that changes; the function ends it.
   *
   * @param given its arguments in their order: scalars or rows of cells, null where not given
   */
  run(name: string, given: readonly unknown[], show: (shown: Shown) => void): () => void;
}

export function createFormulas(): Formulas {
  const known = new Map<string, Formula>();
  return {
    offer(formulas) {
      for (const [name, formula] of Object.entries(formulas)) known.set(name, formula);
    },
    run(name, given, show) {
      const formula = known.get(name) as ((...all: unknown[]) => void) | undefined;
      if (formula === undefined) throw new Error(`there is no formula FEED.${name}`);
      const invocation = { setResult: show, onCanceled: () => {} };
      formula(...given, invocation);
      return () => invocation.onCanceled();
    },
  };
}
