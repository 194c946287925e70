import type { Ports } from "../../client/ports";
import type { Table } from "../cells";
import type { Settled, View } from "../view-observer";

/** A layout of some milliseconds a step. Its error is shown. */
export type Layout = Generator<undefined, Table, undefined>;

interface StepwiseOptions extends Pick<View, "queries" | "rereadsOnRefresh"> {
  layOut(settled: readonly Settled[]): Layout;
}

/** A layout of these answers. */
interface Run {
  settled: readonly Settled[];
  layout: Layout;
  /** What it gave; null while it goes on. */
  outcome: { table: Table } | { error: unknown } | null;
}

/**
 * Makes a view whose large table is laid out step by step: between two of them the page draws and takes input. A view
 * that nothing observes, as in a value preview, is laid out at once.
 */
export function createStepwiseView(ports: Pick<Ports, "after">, options: StepwiseOptions): View {
  const { queries, rereadsOnRefresh, layOut } = options;
  let run: Run | null = null;
  let notify: (() => void) | null = null;
  let callOff: (() => void) | null = null;
  const goOn = () => {
    callOff = null;
    if (run === null) return;
    step(run);
    if (run.outcome === null) callOff = ports.after(0, goOn);
    else notify?.();
  };
  return {
    queries,
    rereadsOnRefresh,
    subscribe(listener) {
      notify = listener;
      return () => {
        notify = null;
        callOff?.();
        callOff = null;
      };
    },
    show(settled) {
      if (run === null || !isSame(run.settled, settled)) {
        run = { settled: [...settled], layout: layOut([...settled]), outcome: null };
      }
      while (run.outcome === null && notify === null) step(run);
      if (run.outcome === null) {
        callOff ??= ports.after(0, goOn);
        return null;
      }
      if ("error" in run.outcome) throw run.outcome.error;
      return run.outcome.table;
    },
  };
}

function step(run: Run): void {
  try {
    const { done, value } = run.layout.next();
    if (done) run.outcome = { table: value };
  } catch (error) {
    run.outcome = { error };
  }
}

const isSame = (one: readonly Settled[], other: readonly Settled[]): boolean =>
  one.length === other.length && one.every((settled, at) => settled === other[at]);
