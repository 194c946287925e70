import { type CellKey, rowOf, sheetOf } from "./cell-keys";
import { Evaluation } from "./evaluation";
import { listFigureBlocks } from "./figure-blocks";
import { type Evidence, type Finding, type Fix, GRAVITIES } from "./finding";
import type { CheckInput } from "./input";
import { CheckedModel, type ParsedFormulas } from "./model";
import type { Found, Rule } from "./rule";
import { RULES } from "./rules";

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
  const subject = { model, evaluation, blocks: listFigureBlocks(model) };
  const sorted: { finding: Finding; at: CellKey }[] = [];
  for (const [index, rule] of rules.entries()) {
    notify(index, rules.length);
    for (const found of rule.find(subject)) sorted.push({ finding: toFinding(rule, found, model), at: found.at });
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

function toFinding(rule: Rule, found: Found, model: CheckedModel): Finding {
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
    fix: toFix(found, model),
    key: toStableKey(rule, found, model),
  };
}

function toEvidence(key: CellKey, model: CheckedModel): Evidence {
  const figure = model.figureAt(key) ?? model.facts.get(key)?.parts.find((part) => part !== null) ?? null;
  const content = model.formulas.get(key)?.text ?? String(model.valueAt(key) ?? "");
  return { place: model.toPlace(key), figure, content };
}

function toFix({ at, fix }: Found, model: CheckedModel): Fix | null {
  if (fix === undefined) return null;
  const cells = fix.map(({ key, formula, shown = null }) => {
    const before = { formula: model.formulas.get(key)?.text ?? "", value: model.valueAt(key) };
    return { address: model.toPlace(key).address, before, formula, shown };
  });
  return { sheet: model.toPlace(at).sheet, cells };
}

/** Inserted rows change no part of it; another formula, number, figure, error or number of cells does. */
function toStableKey({ id }: Rule, { at, cells, evidence, values }: Found, model: CheckedModel): string {
  const content = model.formulas.get(at)?.relative ?? String(model.valueAt(at));
  const figures = evidence.map((key) => {
    const figure = model.figureAt(key);
    return figure && [figure.companyId, figure.metric, figure.year, figure.consolidation];
  });
  const parts = [model.toPlace(at).sheet, content, figures, values?.code ?? null, new Set(cells).size];
  return `${id} ${toHash(JSON.stringify(parts))}`;
}

/** Two halves of 32 bits (FNV-1a): the workbook stores a key for each dismissal. */
function toHash(text: string): string {
  let [one, other] = [0x811c9dc5, 0x1b873593];
  for (let index = 0; index < text.length; index++) {
    one = Math.imul(one ^ text.charCodeAt(index), 0x01000193);
    other = Math.imul(other ^ text.charCodeAt(index), 0x85ebca6b);
  }
  return [one, other].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}
