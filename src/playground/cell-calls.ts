import type { EvaluatedCell, Model } from "@odoo/o-spreadsheet";
import type { Argument } from "./arguments";
import type { CustomFunctionsRuntime } from "./excel-runtime";
import type { Evaluation } from "./formulas";
import type { Outcome } from "./results";

type Getters = Model["getters"];

interface CallingCell {
  getters: Getters;
  /** The engine's evaluation in which the cell called last. */
  evaluation: Evaluation;
  /** What the cell showed when it was last looked at: the engine makes a new object at every evaluation. */
  shown?: EvaluatedCell;
}

/** Keeps account of which cells of the open workbook ask the runtime for what. */
interface CellCalls {
  /** Asks for a cell that the engine is evaluating. */
  call(evaluation: Evaluation, name: string, given: Argument[]): Outcome;
  /** Lets go of what no formula asks for any more, and starts what is newly asked. */
  settle(): void;
  /** Lets go of everything: the workbook is closed. */
  close(): void;
}

/** Makes the account; it settles by itself once the calculation that asked is over. */
export function createCellCalls(runtime: CustomFunctionsRuntime): CellCalls {
  const cells = new Map<number, CallingCell>();
  let isScheduled = false;

  function settle() {
    isScheduled = false;
    for (const [id, cell] of cells) if (!isStillCalling(id, cell)) forget(id);
    runtime.commit();
  }

  function forget(id: number) {
    cells.delete(id);
    runtime.beginCell(String(id));
  }

  function schedule() {
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(settle);
  }

  return {
    settle,
    call(evaluation, name, given) {
      const cell = findCell(evaluation);
      if (!cell) return runtime.peek(name, given);
      const before = cells.get(cell.id);
      if (before?.evaluation !== evaluation) {
        runtime.beginCell(String(cell.id));
        cells.set(cell.id, { getters: evaluation.getters, evaluation });
      }
      schedule();
      return runtime.call(name, given, String(cell.id));
    },
    close() {
      for (const id of [...cells.keys()]) forget(id);
      runtime.commit();
    },
  };
}

/** The composer, charts and rules evaluate formulas that stand in no cell; those record no dependencies. */
function findCell({ __originCellPosition: position, updateDependencies, getters }: Evaluation) {
  return position && updateDependencies !== undefined ? getters.getCell(position) : undefined;
}

/** A cell evaluated again without calling (its formula or a condition in it changed) no longer asks. */
function isStillCalling(id: number, cell: CallingCell): boolean {
  const position = cell.getters.tryGetCellPosition(id);
  if (!position) return false;
  const shown = cell.getters.getEvaluatedCell(position);
  const isUnchanged = cell.shown === undefined || cell.shown === shown;
  cell.shown = shown;
  return isUnchanged;
}
