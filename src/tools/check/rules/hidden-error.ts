import type { CellKey } from "../cell-keys";
import { groupBy } from "../figure-blocks";
import { listParts, splitCall, type Tree, toCalled } from "../grammar";
import { type FormulaCell, toPlainName } from "../model";
import type { Found, Rule, Subject } from "../rule";

/** The functions that can hide an error; most formulas have none. */
const HIDING = /\b(IFERROR|IFNA|AGGREGATE|IS(ERROR|ERR|NA|NUMBER))\s*\(/i;

/** Options of AGGREGATE that pass over errors. */
const IGNORING = new Set([2, 3, 6, 7]);

/**
 * What: a figure that FEED could not give, and a formula that shows something else in its place.
 * Why: a zero goes into every total as if the company had reported nothing; a text drops out of them without a word.
 * How: IFERROR, IFNA, IF(ISERROR(…)) and AGGREGATE around a FEED call or a cell with one, where the error is there now. A
 * formula whose error has not occurred hides nothing, nor does one that shows another figure of FEED in
 * its place, or tests for it without showing a figure.
 * Example: =IFERROR(FEED.FINANCIAL(A5,2023,"Revenue"),0) for a company without revenue of 2023.
 * Fix: for a number, the formula without IFERROR or IFNA: the cell shows its error.
 */
export const hiddenError: Rule = {
  id: "hiddenError",
  gravity: "note",
  *find(subject) {
    const { model } = subject;
    const hidden: { formula: FormulaCell; hiding: Hiding }[] = [];
    for (const formula of model.formulas.values()) {
      if (!HIDING.test(formula.text) || isError(model.valueAt(formula.key))) continue;
      const hiding = model.attempt(formula.key, () => findHiding(formula.tree, formula.key, subject));
      if (hiding !== null) hidden.push({ formula, hiding });
    }
    const groups = groupBy(hidden, ({ formula }) => `${model.toPlace(formula.key).sheet} ${formula.relative}`);
    for (const group of groups.values()) yield toFound(group, subject);
  },
};

function toFound(group: { formula: FormulaCell; hiding: Hiding }[], { model }: Subject): Found {
  const [{ formula, hiding }] = group as [(typeof group)[number]];
  const shown = model.valueAt(formula.key);
  return {
    at: formula.key,
    cells: group.map((each) => each.formula.key),
    evidence: hiding.source === formula.key ? [formula.key] : [hiding.source, formula.key],
    values: { code: hiding.code, shown: shown === null ? "" : String(shown) },
    gravity: typeof shown === "number" ? "warning" : "note",
    ...(typeof shown === "number" && toFix(group)),
  };
}

/** The formulas without what hides their error; none where one of them is more than that. */
function toFix(group: readonly { formula: FormulaCell }[]): Pick<Found, "fix"> {
  const fix = group.flatMap(({ formula: { key, text } }) => {
    const call = splitCall(text);
    const isHiding = call !== null && /^IF(ERROR|NA)$/.test(toPlainName(call.name)) && call.given.length === 2;
    return isHiding ? [{ key, formula: `=${call.given[0]?.trim()}` }] : [];
  });
  return fix.length === group.length ? { fix } : {};
}

/** The cell with the hidden error, and its code. */
interface Hiding {
  source: CellKey;
  code: string;
}

function findHiding(tree: Tree, at: CellKey, subject: Subject): Hiding | null {
  if (tree === null) return null;
  const guarded = toGuarded(tree);
  const isMeant = guarded !== null && (isFigure(toFallback(tree), at, subject) || isTestAlone(tree, at, subject));
  const error = guarded === null || isMeant ? null : findError(guarded, at, subject);
  if (error !== null) return error;
  for (const part of listParts(tree)) {
    const found = findHiding(part, at, subject);
    if (found !== null) return found;
  }
  return null;
}

/** The expression whose error a call replaces; null for any other. */
function toGuarded(tree: NonNullable<Tree>): Tree {
  const called = toCalled(tree);
  if (called === null) return null;
  const name = toPlainName(called.name);
  const [first = null, second = null, third = null] = called.given;
  if (name === "IFERROR" || name === "IFNA") return first;
  if (name === "AGGREGATE") return second?.type === "Literal" && IGNORING.has(Number(second.value)) ? third : null;
  const test = name === "IF" ? toCalled(first) : null;
  return test !== null && /^IS(ERROR|ERR|NA|NUMBER)$/.test(toPlainName(test.name)) ? (test.given[0] ?? null) : null;
}

/** What a call shows in place of an error. */
function toFallback(tree: NonNullable<Tree>): Tree {
  const given = toCalled(tree)?.given ?? [];
  return given[isForNumbers(tree) ? 2 : 1] ?? null;
}

/** Whether a call is IF(ISNUMBER(…)), which shows its last argument in place of an error. */
const isForNumbers = (tree: Tree) =>
  isIf(tree) && toPlainName(toCalled(toCalled(tree)?.given[0] ?? null)?.name ?? "") === "ISNUMBER";

const isIf = (tree: Tree) => toPlainName(toCalled(tree)?.name ?? "") === "IF";

/** Whether a call tests for an error and shows no figure without one either: "yes" for a report, "no" for none. */
function isTestAlone(tree: Tree, at: CellKey, { model, evaluation }: Subject): boolean {
  if (!isIf(tree)) return false;
  const shown = toCalled(tree)?.given[isForNumbers(tree) ? 1 : 2] ?? null;
  return !hasFeedCall(shown, at, { model, evaluation }) && evaluation.listBlocks(shown, at).length === 0;
}

/** Whether an expression is another figure of FEED: another year, basis or source, which was chosen on purpose. */
function isFigure(tree: Tree, at: CellKey, { model, evaluation }: Subject): boolean {
  if (hasFeedCall(tree, at, { model, evaluation })) return true;
  return evaluation
    .listBlocks(tree, at)
    .some((block) => [...model.listCells(block)].some((key) => evaluation.natureOf(key).kind === "amount"));
}

/** The error of FEED within an expression. */
function findError(tree: Tree, at: CellKey, { model, evaluation }: Subject): Hiding | null {
  const own = model.facts.get(at)?.error ?? null;
  if (own !== null && hasFeedCall(tree, at, { model, evaluation })) return { source: at, code: own };
  for (const block of evaluation.listBlocks(tree, at)) {
    for (const key of model.listCells(block)) {
      const code = model.facts.get(key)?.error ?? null;
      if (code !== null && isError(model.valueAt(key))) return { source: key, code };
    }
  }
  return null;
}

/** Whether an expression calls FEED, itself or through names. */
function hasFeedCall(
  tree: Tree,
  at: CellKey,
  subject: Pick<Subject, "model" | "evaluation">,
  open: string[] = [],
): boolean {
  if (subject.model.isFeed(toCalled(tree)?.name ?? "")) return true;
  const target =
    tree?.type === "ReferenceIdentifier" ? subject.evaluation.references.find(tree.value, tree.kind, at) : null;
  if (target?.kind === "expression" && !open.includes(target.name))
    return hasFeedCall(target.tree, at, subject, [...open, target.name]);
  return listParts(tree).some((part) => hasFeedCall(part, at, subject, open));
}

const isError = (value: unknown): boolean => typeof value === "string" && /^#(?:N\/A|[A-Z0-9/]+[!?])$/.test(value);
