import type { Query } from "../feed/query-cache";
import { type Calls, createCalls, type Shown } from "./calls";

/** A custom function as the host calls it: its arguments, then the invocation. */
type Formula = (...given: never[]) => void;

/** Replaces the host's invocation. */
interface CelllessInvocation {
  setResult(shown: Shown): void;
  onCanceled(): void;
  /** Whether the formula may send no request. */
  isInValuePreview: boolean;
  /** Replaces the session's calls, since the formula has no cell. */
  calls: Calls;
}

/** The formulas of this shared runtime, for the pane to run without a cell. */
export interface Formulas {
  /** Registers formulas by their names without the namespace. */
  offer(formulas: Readonly<Record<string, Formula>>): void;
  has(name: string): boolean;
  /**
   * Runs a formula like a cell; calls `show` with each new output. The result ends it.
   *
   * @param given its arguments in order: scalars or rows of cells, null where absent
   */
  run(name: string, given: readonly unknown[], show: (shown: Shown) => void): () => void;
  /** Lists a formula's queries without loading them; none where its arguments are invalid. */
  listQueries(name: string, given: readonly unknown[]): Promise<readonly Query<unknown>[]>;
}

export function createFormulas(): Formulas {
  const known = new Map<string, Formula>();
  const open = (name: string, given: readonly unknown[], invocation: CelllessInvocation) => {
    const formula = known.get(name) as ((...all: unknown[]) => void) | undefined;
    if (formula === undefined) throw new Error(`there is no formula FEED.${name}`);
    const padded = Array.from({ length: formula.length - 1 }, (_, index) => given[index] ?? null);
    formula(...padded, invocation);
    return invocation;
  };
  return {
    offer(formulas) {
      for (const [name, formula] of Object.entries(formulas)) known.set(name, formula);
    },
    has: (name) => known.has(name),
    run(name, given, show) {
      const invocation = open(name, given, { ...createInvocation(), setResult: show });
      return () => invocation.onCanceled();
    },
    async listQueries(name, given) {
      const invocation = { ...createInvocation(), isInValuePreview: true };
      await new Promise<void>((resolve) =>
        open(name, given, Object.assign(invocation, { setResult: () => resolve() })),
      );
      const queries = invocation.calls.list().flatMap((call) => call.queries);
      invocation.onCanceled();
      return queries;
    },
  };
}

const createInvocation = (): CelllessInvocation => ({
  setResult: () => {},
  onCanceled: () => {},
  isInValuePreview: false,
  calls: createCalls(),
});
