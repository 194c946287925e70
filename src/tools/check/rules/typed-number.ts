import type { CellValue } from "../../../contract/workbook";
import { isKnownMetric } from "../../../feed/financials/metric-lists";
import { parseFormula, toFormulaAt } from "../grammar";
import type { CellKey, FormulaCell } from "../model";
import type { Rule, Subject, Suspicion } from "../rule";

/**
 * What: a number that somebody typed where the cells around it have one FEED formula.
 * Why: it stays when the figures around it are refreshed, and nobody sees that it is not the provider's.
 * How: at least two of the four cells beside it have the same formula, relative to their place. A row or column of typed
 * numbers is meant to be one, and so is one whose labels are of another kind: no metric, no year, or no id among ids.
 * Example: 12500 typed over =FEED.FINANCIAL($A7,D$1,"Revenue").
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
    for (const next of model.listNeighbours(key)) if (model.isTyped(next)) candidates.add(next);
  }
  return candidates;
}

function look(key: CellKey, subject: Subject): Suspicion | null {
  const { model } = subject;
  const beside = model.listNeighbours(key);
  if (beside.some((next) => model.isTyped(next))) return null;
  const formulas = beside.flatMap((next) => (model.figures.has(next) ? (model.formulas.get(next) ?? []) : []));
  const [usual] = formulas.filter(({ relative }) => formulas.filter((each) => each.relative === relative).length > 1);
  if (usual === undefined) return null;
  const { address } = model.toPlace(key);
  const text = toFormulaAt(usual.relative, address);
  if (!isLabelled(usual, { ...parseFormula(text, address), key, text }, subject)) return null;
  const same = formulas.filter(({ relative }) => relative === usual.relative).map((each) => each.key);
  return {
    at: key,
    cells: [key],
    evidence: [same[0] as CellKey, key],
    around: [key, ...same],
  };
}

/** Whether the labels that the formula would read are of the kinds that its neighbour reads. */
function isLabelled(neighbour: FormulaCell, own: FormulaCell, { model, evaluation }: Subject): boolean {
  const listKinds = ({ tree, key }: FormulaCell) =>
    evaluation.listBlocks(tree, key).map((block) => toKind(model.valueAt([...model.listCells(block)][0] ?? -1)));
  const [theirs, ours] = [listKinds(neighbour), listKinds(own)];
  return theirs.every((kind, index) => ours[index] !== "none" && ours[index] === kind);
}

/** Ids of companies and registration numbers. */
const ID = /^([0-9a-f]{8}-[0-9a-f-]{27}|\d{13})$/i;
const YEAR = /^(FY.*|\d{4})$/i;

function toKind(label: CellValue): string {
  const text = String(label ?? "").trim();
  if (text === "") return "none";
  if (YEAR.test(text)) return "year";
  if (ID.test(text)) return "id";
  return isKnownMetric(text) ? "metric" : typeof label;
}
