import { Evaluation } from "./evaluation";
import { type CheckInput, type Evidence, type Finding, GRAVITIES } from "./finding";
import { type CellKey, CheckedModel, listFigureBlocks, type ParsedFormulas, rowOf, sheetOf } from "./model";
import { type Rule, type Subject, type Suspicion, toStableKey } from "./rule";
import { contradictions } from "./rules/contradictions";
import { leftOut } from "./rules/left-out";
import { mixtures } from "./rules/mixtures";
import { typedNumber } from "./rules/typed-number";

export const RULES: readonly Rule[] = [...mixtures, ...contradictions, typedNumber, leftOut];

/** The result of a check. */
export interface Checked {
  /** The gravest first, then by sheet and row. */
  findings: Finding[];
  /** How many formulas were read, and how many cells show figures of the provider. */
  formulas: number;
  figures: number;
  /** How many formulas could not be read: nothing is said of them. */
  unchecked: number;
}

/**
 * Checks a workbook by the rules.
 *
 * @param parsed the formulas of the check before, which need not be parsed again; those of this one replace them
 * @param rules default all
 * @param notify called before each rule with how many are done
 */
export function checkModel(
  input: CheckInput,
  parsed: ParsedFormulas = new Map(),
  rules: readonly Rule[] = RULES,
  notify: (done: number, all: number) => void = () => {},
): Checked {
  const model = new CheckedModel(input, parsed);
  const evaluation = new Evaluation(model);
  evaluation.run();
  const subject: Subject = { model, evaluation, blocks: listFigureBlocks(model) };
  const sorted: { finding: Finding; at: CellKey }[] = [];
  for (const [index, rule] of rules.entries()) {
    notify(index, rules.length);
    for (const found of rule.find(subject)) sorted.push({ finding: toFinding(rule, found, subject), at: found.at });
  }
  sorted.sort(
    (one, other) =>
      GRAVITIES.indexOf(one.finding.gravity) - GRAVITIES.indexOf(other.finding.gravity) ||
      sheetOf(one.at) - sheetOf(other.at) ||
      rowOf(one.at) - rowOf(other.at) ||
      one.at - other.at,
  );
  return {
    findings: sorted.map(({ finding }) => finding),
    formulas: model.formulas.size,
    figures: model.figures.size,
    unchecked: model.unchecked.size,
  };
}

function toFinding(rule: Rule, found: Suspicion, subject: Subject): Finding {
  const { model } = subject;
  const { at, cells, around = found.evidence, evidence, values = {}, gravity = rule.gravity } = found;
  const place = model.toPlace(at);
  return {
    rule: rule.id,
    gravity,
    place,
    around: model.toPlaceAround([...around]),
    evidence: evidence.map((key) => toEvidence(key, model)),
    values,
    count: new Set(cells).size,
    key: toStableKey(rule, found, subject),
  };
}

function toEvidence(key: CellKey, model: CheckedModel): Evidence {
  const figure = model.figureAt(key) ?? model.facts.get(key)?.parts.find((part) => part !== null) ?? null;
  const content = model.formulas.get(key)?.text ?? String(model.valueAt(key) ?? "");
  return { place: model.toPlace(key), figure, content };
}
