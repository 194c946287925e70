import type { Figure } from "../finding";
import { type Called, listParts, type Tree, toCalled } from "../grammar";
import {
  type CellKey,
  type CheckedModel,
  columnOf,
  type FormulaCell,
  isWithin,
  move,
  rowOf,
  type SheetBlock,
  sheetOf,
  toKey,
  toMetricKey,
  toPlainName,
} from "../model";
import type { Rule, Subject, Suspicion } from "../rule";

/** Functions of which a total may be. */
const TOTALS = new Set(["SUM", "AVERAGE", "MEDIAN", "MIN", "MAX", "SUBTOTAL"]);

/**
 * What: a total whose range ends one cell before a figure of the same kind.
 * Why: a company or a year that was added at the edge is in the table and not in its total.
 * How: the cell next to the range, on the line of the total. The range has figures of one metric, of companies in one year
 * or of years of one company, and the cell is one more of them. Averages and sums over years may begin later on purpose,
 * and so only a cell between the range and its total counts there. A cell that another total of the kind counts is left out
 * on purpose, and so is one after which the list goes on: a total may be of the first three. A sum is an error; an average or another statistic is a note, since a peer may be left out on purpose.
 * Example: =SUM(B2:B8) in B10, where B9 is the ninth company.
 */
export const leftOut: Rule = {
  id: "leftOut",
  gravity: "error",
  *find(subject) {
    const counted = listCounted(subject.model);
    for (const formula of subject.model.formulas.values()) {
      const [found = null] =
        subject.model.attempt(formula.key, () =>
          listTotals(formula.tree).map((call) => look(formula, call, subject, counted)),
        ) ?? [];
      if (found !== null) yield found;
    }
  },
};

/** The total that a formula is, alone or within a rounding. */
function listTotals(tree: Tree): Called[] {
  const called = toCalled(tree);
  if (called === null) return [];
  const name = toPlainName(called.name);
  if (TOTALS.has(name)) return [called];
  return name === "ROUND" || name === "IFERROR" ? listTotals(called.given[0] ?? null) : [];
}

function look({ key }: FormulaCell, call: Called, { model, evaluation }: Subject, counted: Counted): Suspicion | null {
  const name = toPlainName(call.name);
  const given = name === "SUBTOTAL" ? call.given.slice(1) : call.given;
  const [only] = given;
  if (given.length !== 1 || only?.type !== "ReferenceIdentifier" || only.kind !== "range") return null;
  const [block] = evaluation.listBlocks(only, key);
  if (block === undefined) return null;
  const inside = [...model.listCells(block)].map((each) => model.figureAt(each));
  const kind = toKind(inside);
  if (kind === null) return null;
  const isSum = name === "SUM" || name === "SUBTOTAL";
  for (const end of listEnds(block, key)) {
    if (!end.isTowardsTotal && !(isSum && kind === "companies")) continue;
    const figure = model.figureAt(end.key);
    if (figure === null || !isOneMore(figure, inside as Figure[], kind)) continue;
    if (isSelection(end, inside as Figure[], kind, model)) continue;
    const isCounting = (area: SheetBlock) => isAlong(area, block) && isWithin(end.key, area);
    const others = counted.filter((each) => each.key !== key && each.family === toFamily(name));
    if (others.some((each) => evaluation.listBlocks(each.tree, each.key).some(isCounting))) continue;
    const found: Suspicion = { at: key, cells: [key], evidence: [end.edge, end.key], around: [end.key, end.edge] };
    return isSum ? found : { ...found, gravity: "note" };
  }
  return null;
}

/** The totals in a workbook's formulas: a figure that another total counts already would be counted twice. */
type Counted = readonly (FormulaCell & { family: string })[];

const listCounted = (model: CheckedModel): Counted =>
  [...model.formulas.values()].flatMap((formula) =>
    [...(model.attempt(formula.key, () => listInner(formula.tree)) ?? [])].map((name) => ({
      ...formula,
      family: toFamily(name),
    })),
  );

/** The kinds of totals anywhere in a formula: a share of three firms divides by the total of all. */
function listInner(tree: Tree): Set<string> {
  const names = new Set<string>();
  const left = [tree];
  while (left.length > 0) {
    const part = left.pop() ?? null;
    const name = toPlainName(toCalled(part)?.name ?? "");
    if (TOTALS.has(name)) names.add(name);
    for (const each of listParts(part)) left.push(each);
  }
  return names;
}

/** Whether two areas run in one direction: the totals of rows count what those of columns do. */
const isAlong = (one: SheetBlock, other: SheetBlock) =>
  other.left === other.right ? one.left === one.right : one.top === one.bottom;

/** A subtotal adds like a sum. */
const toFamily = (name: string) => (name === "SUBTOTAL" ? "SUM" : name);

/** So many cells of the kind beyond a range may have been forgotten; where more follow, the range is a choice. */
const MOST_LEFT_OUT = 2;

/** Whether the list goes on beyond the range, as beyond the first three of ten. */
function isSelection(end: End, inside: readonly Figure[], kind: "companies" | "years", model: CheckedModel): boolean {
  for (let step = 1; step <= MOST_LEFT_OUT; step++) {
    const figure = model.figureAt(move(end.key, end.rows * step, end.columns * step));
    if (figure === null || !isOneMore(figure, inside, kind)) return false;
  }
  return true;
}

/** A cell beside an end of a range. */
interface End {
  key: CellKey;
  /** The last cell of the range before it. */
  edge: CellKey;
  /** The way from the range to it. */
  rows: number;
  columns: number;
  /** Whether it lies between the range and its total. */
  isTowardsTotal: boolean;
}

/** The cells beside a range of one column or row, where the total stands on the same line. */
function listEnds({ sheet, top, bottom, left, right }: SheetBlock, total: CellKey): End[] {
  const isColumn = left === right && bottom > top && columnOf(total) === left;
  const isRow = top === bottom && right > left && rowOf(total) === top;
  if (sheetOf(total) !== sheet || !(isColumn || isRow)) return [];
  const [from, to, at] = isColumn ? [top, bottom, rowOf(total)] : [left, right, columnOf(total)];
  const ends = [
    { edge: toKey(sheet, top, left), step: -1, isTowardsTotal: at < from },
    { edge: toKey(sheet, bottom, right), step: 1, isTowardsTotal: at > to },
  ];
  return ends.flatMap(({ edge, step, isTowardsTotal }) => {
    const [rows, columns] = isColumn ? [step, 0] : [0, step];
    const key = move(edge, rows, columns);
    return key === null || key === total ? [] : [{ key, edge, rows, columns, isTowardsTotal }];
  });
}

/** Whether figures are of companies in one year, or of years of one company; null where they are neither, or not all figures. */
function toKind(figures: readonly (Figure | null)[]): "companies" | "years" | null {
  const [first] = figures;
  if (figures.length < 2 || first === null || first === undefined) return null;
  const has = (isSame: (figure: Figure) => boolean) => figures.every((figure) => figure !== null && isSame(figure));
  if (!has((figure) => toMetricKey(figure) === toMetricKey(first))) return null;
  if (has(({ companyId }) => companyId === first.companyId)) return "years";
  return has(({ year }) => year === first.year) ||
    has(({ yearsBack }) => yearsBack !== null && yearsBack === first.yearsBack)
    ? "companies"
    : null;
}

function isOneMore(figure: Figure, inside: readonly Figure[], kind: "companies" | "years"): boolean {
  const [first] = inside as [Figure];
  if (toMetricKey(figure) !== toMetricKey(first) || (figure.period === null) !== (first.period === null)) return false;
  if (kind === "years") return figure.companyId === first.companyId && inside.every(({ year }) => year !== figure.year);
  const isOfYear = figure.year === first.year || (figure.yearsBack !== null && figure.yearsBack === first.yearsBack);
  return isOfYear && inside.every(({ companyId }) => companyId !== figure.companyId);
}
