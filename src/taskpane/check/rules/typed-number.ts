import { isKnownMetric } from "../../../feed/financials/metrics";
import type { CellKey } from "../cell-keys";
import { parseFormula, toFormulaAt } from "../grammar";
import type { FormulaCell } from "../model";
import type { Found, Rule, Subject } from "../rule";

/**
 * What: a number that somebody typed where the cells around it have one FEED formula.
 * Why: it stays when the figures around it are refreshed, and nobody sees that it is not the provider's.
 * How: at least two of the four cells beside it have the same formula, relative to their place. A row or column of typed
 * numbers is meant to be one, and so is a line whose label is no metric of the provider.
 * Example: 12500 typed over =FEED.FINANCIAL($A7,D$1,"Revenue").
 * Fix: the formula of its neighbours.
 */
export const typedNumber: Rule = {
  id: "typedNumber",
  gravity: "warning",
  *find(subject) {
    for (const key of listCandidates(subject)) {
      const found = subject.model.attempt(key, () => look(key, subject));
      if (found !== null) yield found;
    }
  },
};

/** The typed cells beside figures. */
function listCandidates({ model }: Subject): Set<CellKey> {
  const candidates = new Set<CellKey>();
  for (const key of model.figures.keys()) {
    for (const next of Object.values(model.listNeighbours(key))) {
      if (next !== null && model.isTyped(next)) candidates.add(next);
    }
  }
  return candidates;
}

function look(key: CellKey, subject: Subject): Found | null {
  const { model } = subject;
  const beside = Object.values(model.listNeighbours(key)).filter((next) => next !== null);
  if (beside.some((next) => model.isTyped(next))) return null;
  const formulas = beside.flatMap((next) => (model.figures.has(next) ? (model.formulas.get(next) ?? []) : []));
  const [usual] = formulas.filter(({ relative }) => formulas.filter((each) => each.relative === relative).length > 1);
  if (usual === undefined) return null;
  const { address } = model.toPlace(key);
  const fix = toFormulaAt(usual.relative, address);
  if (!isLabelled(usual, { ...parseFormula(fix, address), key, text: fix }, subject)) return null;
  const same = formulas.filter(({ relative }) => relative === usual.relative).map((each) => each.key);
  return {
    at: key,
    cells: [key],
    evidence: [same[0] as CellKey, key],
    around: [key, ...same],
    fix: [{ key, formula: fix }],
  };
}

/** Whether the label of a metric that the formula would read is one, where its neighbour's is. */
function isLabelled(neighbour: FormulaCell, own: FormulaCell, { model, evaluation }: Subject): boolean {
  const listLabels = ({ tree, key }: FormulaCell) =>
    evaluation.listBlocks(tree, key).map((block) => model.valueAt([...model.listCells(block)][0] ?? -1));
  const [theirs, ours] = [listLabels(neighbour), listLabels(own)];
  return theirs.every((label, index) => {
    const isMetric = typeof label === "string" && isKnownMetric(label);
    const other = ours[index];
    return isMetric ? typeof other === "string" && isKnownMetric(other) : other !== null && other !== undefined;
  });
}
