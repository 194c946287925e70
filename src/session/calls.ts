import type { Question } from "../feed/watch";

/** A formula that is live in a cell. */
export interface Call {
  /** Its name without the namespace, e.g. "RANKING.PAGES". */
  readonly name: string;
  /** The cell that asked first, as the host told it when the formula was entered: rows inserted since are not in it. */
  readonly address: string | null;
  /** What it asks at the moment; none where its arguments cannot be read. */
  readonly questions: readonly Question<unknown>[];
  /** Why its arguments cannot be read, or its answer not be shown; null when they can. */
  readonly error: unknown;
}

/** The formulas that are live in this shared runtime. */
export interface Calls {
  /** Enters a formula; the function takes it out again. */
  add(call: Call): () => void;
  list(): readonly Call[];
}

export function createCalls(): Calls {
  const calls = new Set<Call>();
  return {
    add(call) {
      calls.add(call);
      return () => void calls.delete(call);
    },
    list: () => [...calls],
  };
}
