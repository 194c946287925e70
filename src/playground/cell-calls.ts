import type { EvaluatedCell, Model } from "@odoo/o-spreadsheet";
import type { Argument } from "./arguments";
import type { CustomFunctionsRuntime } from "./excel-runtime";
import type { Evaluation } from "./formulas";
import type { Outcome } from "./results";

type Getters = Model["getters"];

interface CallingCell {
  getters: Getters;
  /** The engine's evaluation of the cell's last call. */
  evaluation: Evaluation;
  /** The cell's last evaluated object; the engine makes a new one at each evaluation. */
  shown?: EvaluatedCell;
}

/** Tracks the calls of the open workbook's cells. */
export interface CellCalls {
  /** Calls a function for the cell that the engine is evaluating. */
  call(evaluation: Evaluation, name: string, given: Argument[]): Outcome;
  /** Cancels calls that no formula makes any more, and starts new ones. */
  settle(): void;
  /** Cancels all calls of a closed workbook. */
  close(): void;
}

/** Creates the tracker, which settles after each calculation. */
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

/** The composer, charts and rules evaluate formulas outside cells, which record no dependencies. */
function findCell({ __originCellPosition: position, updateDependencies, getters }: Evaluation) {
  return position && updateDependencies !== undefined ? getters.getCell(position) : undefined;
}

/** Whether a cell still makes its call; one evaluated again without calling does not. */
function isStillCalling(id: number, cell: CallingCell): boolean {
  const position = cell.getters.tryGetCellPosition(id);
  if (!position) return false;
  const shown = cell.getters.getEvaluatedCell(position);
  const isUnchanged = cell.shown === undefined || cell.shown === shown;
  cell.shown = shown;
  return isUnchanged;
}
