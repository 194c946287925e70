import { findClashes, findOddCells, withoutRepeats } from "../contrasts";
import { type FigureBlock, groupBy, toMetricKey } from "../figure-blocks";
import { splitCall } from "../grammar";
import type { FigureCell, FormulaCell } from "../model";
import type { Found, Mended, Rule, Subject } from "../rule";

/**
 * What: amounts in different units, such as thousands and millions, in one formula, or in one metric's cells.
 * Why: the sum is a thousand times too large or too small in one of its parts.
 * How: the unit is what FEED divides by, times or through the powers of ten of ordinary formulas. Cells of one metric and
 * company that touch one another must share it, unless one figure stands there in both.
 * Example: =B2+C2, where B2 has the unit "m" and C2 the unit "k".
 * Fix: for cells that touch one another, the unit that most of their line has.
 */
export const mixedUnit: Rule = {
  id: "mixedUnit",
  gravity: "error",
  find: (subject) =>
    withoutRepeats(
      subject.blocks.flatMap((block) => {
        const figures = withoutRestated(block);
        const found = findOddCells(figures, "unit", toLineKey);
        return found === null ? [] : [{ ...found, ...toFix(found, figures, subject) }];
      }),
      findClashes(subject, "unit"),
    ),
};

const toLineKey = ({ figure }: FigureCell) => `${figure.companyId} ${toMetricKey(figure)}`;

/** Leaves out the figures that a block shows twice, as in millions and in billions beside them: both units are meant. */
function withoutRestated(block: FigureBlock): FigureBlock {
  const groups = groupBy(block, (cell) => `${toLineKey(cell)} ${cell.figure.year} ${cell.figure.period ?? ""}`);
  return [...groups.values()].flatMap((group) => (group.length === 1 ? group : []));
}

/** The odd formulas with their lines' unit; none where a line has no usual one, or a unit stands in a cell. */
function toFix({ cells, evidence: [usual] }: Found, block: FigureBlock, { model }: Subject): Pick<Found, "fix"> {
  const divisor = model.figureAt(usual ?? null)?.divisor;
  const unit = toUnit(splitFinancial(model.formulas.get(usual ?? -1)));
  if (typeof divisor !== "number" || unit === null) return {};
  const isUsual = (cell: FigureCell) => cell.figure.divisor === divisor;
  const lines = groupBy(block, toLineKey);
  const fix = cells.flatMap((key): Mended[] => {
    const { figure } = model.figures.get(key) as FigureCell;
    const line = lines.get(toLineKey({ key, figure })) ?? [];
    const given = splitFinancial(model.formulas.get(key));
    if (toUnit(given) === null || line.filter(isUsual).length * 2 <= line.length) return [];
    const [company = "", year = "", metric = "", basis = ""] = given ?? [];
    const all = [company, year, metric, basis, unit];
    while (all.at(-1)?.trim() === "") all.pop();
    return [{ key, formula: `=${model.input.namespace}.FINANCIAL(${all.join(",")})`, shown: figure.amount / divisor }];
  });
  return fix.length === cells.length ? { fix } : {};
}

/** The arguments of a formula that is one FINANCIAL. */
function splitFinancial(formula: FormulaCell | undefined): readonly string[] | null {
  const call = formula === undefined ? null : splitCall(formula.text);
  return call !== null && /\.FINANCIAL$/i.test(call.name) && call.given.length <= 5 ? call.given : null;
}

/** The unit as it is written, empty for none; null where it is no text and no number. */
function toUnit(given: readonly string[] | null): string | null {
  const unit = given?.[4]?.trim() ?? "";
  return given !== null && /^(|"[^"]*"|[\d.]+)$/.test(unit) ? unit : null;
}
