import { type CellKey, move, type SheetBlock } from "../cell-keys";
import { parseFormula, toFormulaAt } from "../grammar";
import type { FormulaCell } from "../model";
import type { Found, Rule, Subject } from "../rule";

/** So many cells around the odd one must share a formula. */
const USUAL_AT_LEAST = 3;

/** The odd one's formula must not come again so close by: patterns that take turns are meant. */
const REACH = 2;

/**
 * What: a formula among copies that refers to another cell than they do, relative to its place.
 * Why: it was copied or edited by hand and slipped by a row or a column: it shows another company's or year's number.
 * How: both cells beside it, in its row or in its column, have one formula, and it has the same but for a reference. At the
 * end of a line, four copies before it count. Formulas that follow the other direction's pattern are meant.
 * Example: =FEED.FINANCIAL($A6,D$1,"Revenue") in row 7, where the row above reads $A6 too and the row below reads $A8.
 * Fix: the formula of its neighbours.
 */
export const slippedReference: Rule = {
  id: "slippedReference",
  gravity: "error",
  *find(subject) {
    for (const formula of subject.model.formulas.values()) {
      const found = subject.model.attempt(formula.key, () => look(formula, subject));
      if (found !== null) yield found;
    }
  },
};

const DIRECTIONS = [
  { rows: 0, columns: 1 },
  { rows: 1, columns: 0 },
];

function look(formula: FormulaCell, subject: Subject): Found | null {
  const { model } = subject;
  for (const { rows, columns } of DIRECTIONS) {
    const usual = findUsual(formula, subject, (step) => move(formula.key, rows * step, columns * step));
    if (usual === null || isFollowing(formula, subject, { rows: columns, columns: rows })) continue;
    const fix = { key: formula.key, formula: toFormulaAt(usual.relative, model.toPlace(formula.key).address) };
    const around = [formula.key, ...usual.keys];
    return {
      at: formula.key,
      cells: [formula.key],
      evidence: [usual.keys[0] as CellKey, formula.key],
      around,
      fix: [fix],
    };
  }
  return null;
}

/** The formula that the cells on a line around a formula share, and it does not; null where there is none. */
function findUsual(
  { relative, skeleton, key }: FormulaCell,
  subject: Subject,
  toCell: (step: number) => CellKey | null,
): { relative: string; keys: CellKey[] } | null {
  const { formulas } = subject.model;
  const at = (step: number) => formulas.get(toCell(step) ?? -1);
  const [before, after] = [at(-1), at(1)];
  const isInside = before !== undefined && before.relative === after?.relative;
  const isEnd = after === undefined && before !== undefined; // the first of a line often begins it on its own
  const usual = before ?? after;
  if (usual === undefined || usual.relative === relative || usual.skeleton !== skeleton || !(isInside || isEnd))
    return null;
  if (isEnd && (!isShiftedAlike(usual, key, subject) || isCopyEmpty(usual, key, subject))) return null;
  for (let step = 2; step <= REACH; step++) {
    if (at(step)?.relative === relative || at(-step)?.relative === relative) return null;
  }
  const keys = [...follow(at, -1, usual.relative), ...follow(at, 1, usual.relative)];
  const fewest = isInside ? USUAL_AT_LEAST : USUAL_AT_LEAST + 1;
  if (keys.length < fewest || !isOfFigures([key, ...keys], subject)) return null;
  return { relative: usual.relative, keys };
}

/** The cells in one direction that share a formula without a gap. */
function follow(at: (step: number) => FormulaCell | undefined, direction: 1 | -1, relative: string): CellKey[] {
  const keys: CellKey[] = [];
  for (let step = direction; at(step)?.relative === relative; step += direction)
    keys.push((at(step) as FormulaCell).key);
  return keys;
}

/** Whether a cell at the end of a line reads areas of the same shapes as its neighbour would: a total reads others. */
function isShiftedAlike(usual: FormulaCell, key: CellKey, { model, evaluation }: Subject): boolean {
  const toShapes = (formula: FormulaCell) =>
    evaluation
      .listBlocks(formula.tree, formula.key)
      .map(({ sheet, top, bottom, left, right }) => [sheet, bottom - top, right - left].join(" "))
      .join();
  return toShapes(usual) === toShapes(model.formulas.get(key) as FormulaCell);
}

/** Whether a copy at the end of a line would read an empty cell: the growth over all years follows that of each. */
function isCopyEmpty({ relative }: FormulaCell, key: CellKey, { model, evaluation }: Subject): boolean {
  const { address } = model.toPlace(key);
  const { tree } = parseFormula(toFormulaAt(relative, address), address);
  const isEmpty = (block: SheetBlock) => [...model.listCells(block)].every((each) => model.valueAt(each) === null);
  return evaluation.listBlocks(tree, key).some(isEmpty);
}

/** Whether a formula's neighbours in the other direction share it. */
function isFollowing({ key, relative }: FormulaCell, { model }: Subject, { rows, columns }: Step): boolean {
  return [1, -1].some(
    (step) => model.formulas.get(move(key, rows * step, columns * step) ?? -1)?.relative === relative,
  );
}

interface Step {
  rows: number;
  columns: number;
}

/** Whether figures of the provider are in question: other formulas are no concern of ours. */
function isOfFigures(keys: readonly CellKey[], { model, evaluation }: Subject): boolean {
  return keys.some((key) => {
    const formula = model.formulas.get(key);
    if (model.facts.has(key) || formula === undefined) return model.facts.has(key);
    return evaluation
      .listBlocks(formula.tree, key)
      .some((block) =>
        [...model.listCells(block)].some(
          (cell) => model.facts.has(cell) || evaluation.natureOf(cell).kind === "amount",
        ),
      );
  });
}
