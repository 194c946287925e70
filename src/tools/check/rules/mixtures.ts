import type { Clash } from "../evaluation";
import {
  type CellKey,
  type CheckedModel,
  type FigureBlock,
  type FigureCell,
  groupBy,
  toKeys,
  toMetricKey,
} from "../model";
import { type Dimension, findContrast, isApart, joinSpreads, readDimension, type Spread } from "../natures";
import type { Rule, Subject, Suspicion } from "../rule";

/**
 * What: one formula adds, compares or divides amounts of different currencies.
 * Why: yen and dollars have no sum; their ratio moves with the exchange rate.
 * How: each amount's currency is followed through ordinary formulas. A multiplication by anything but a power of
 * ten that is written in it may be an exchange rate, and ends the trail. Amounts that merely stand beside one another are no fault.
 * Example: =SUM(B2:B9), where B7 is in USD and the others are in JPY.
 */
const mixedCurrency: Rule = {
  id: "mixedCurrency",
  gravity: "error",
  find: (subject) => findClashes(subject, "currency"),
};

/**
 * What: amounts in different units, such as thousands and millions, in one formula, or in one metric's cells.
 * Why: the sum is a thousand times too large or too small in one of its parts.
 * How: the unit is what FEED divides by, times or through the powers of ten of ordinary formulas. Cells of one metric and
 * company that touch one another must share it, unless one figure stands there in both.
 * Example: =B2+C2, where B2 has the unit "m" and C2 the unit "k".
 */
const mixedUnit: Rule = {
  id: "mixedUnit",
  gravity: "error",
  find: (subject) =>
    withoutRepeats(
      subject.blocks.flatMap((block) => findOddCells(withoutRestated(block), "unit", toLineKey) ?? []),
      findClashes(subject, "unit"),
    ),
};

const toLineKey = ({ figure }: FigureCell) => `${figure.companyId} ${toMetricKey(figure)}`;

/** Leaves out the figures that a block shows twice, as in millions and in billions beside them: both units are meant. */
function withoutRestated(block: FigureBlock): FigureBlock {
  const groups = groupBy(block, (cell) => `${toLineKey(cell)} ${cell.figure.year} ${cell.figure.period ?? ""}`);
  return [...groups.values()].flatMap((group) => (group.length === 1 ? group : []));
}

/**
 * What: consolidated figures beside figures of a parent company alone, in one metric's cells or in one formula.
 * Why: the second leave out all subsidiaries; growth or a ranking between the two says nothing.
 * How: the version of each figure, as the provider names it. Cells whose formulas name another version than their
 * neighbours do so on purpose, and count only within a formula. There, one company's group over its parent is meant
 * where both formulas name their version.
 * Example: a row of revenue that is non-consolidated until 2019 and consolidated from 2020.
 */
const mixedConsolidation: Rule = {
  id: "mixedConsolidation",
  gravity: "warning",
  find: (subject) => {
    const inBlocks = subject.blocks.flatMap((block) => findOddCells(block, "consolidation") ?? []);
    const { model } = subject;
    const isMeant = (key: CellKey) => model.figureAt(key)?.hasBasis === true;
    const isOfOne = ([one = 0, other = 0]: readonly CellKey[]) =>
      model.figureAt(one)?.companyId === model.figureAt(other)?.companyId;
    return withoutRepeats(
      inBlocks.filter(({ cells }) => !cells.every(isMeant)),
      findClashes(subject, "consolidation").filter(({ evidence }) => !(evidence.every(isMeant) && isOfOne(evidence))),
    );
  },
};

/**
 * What: companies of one comparison whose fiscal years of the same number end more than three months apart.
 * Why: the same year is then another season, and in part another economy.
 * How: the period's last day of figures of one metric and one fiscal year, in cells that touch one another or in one
 * formula. Figures without a period end are left out.
 * Example: revenue of 2023 of one company until March, of its peer until December.
 */
const yearEndsApart: Rule = {
  id: "yearEndsApart",
  gravity: "note",
  find: (subject) => withoutRepeats(findOddCompanies(subject, "yearEnd"), findClashes(subject, "yearEnd")),
};

/**
 * What: "FY0" (or "FY-1" …) that means different years for companies that stand side by side.
 * Why: the column has one heading and several years; the company with the older report looks unchanged.
 * How: the fiscal year behind each relative year of one metric, in cells that touch one another or in one formula.
 * Example: "FY0" is 2024 for four peers and 2022 for the fifth.
 */
const latestYearDiffers: Rule = {
  id: "latestYearDiffers",
  gravity: "warning",
  *find(subject) {
    const found = withoutRepeats(findOddCompanies(subject, "latestYear"), findClashes(subject, "latestYear"));
    for (const each of found) {
      const [usual, odd] = each.evidence.map((key) => subject.model.figureAt(key)?.year);
      yield usual === undefined || odd === undefined
        ? each
        : { ...each, values: { usual: String(usual), odd: String(odd) } };
    }
  },
};

/**
 * What: figures past their age limit, or whose refresh failed, beside figures that are up to date.
 * Why: a restatement may have reached one of them and not the other.
 * How: the workbook's own refresh settings decide what is stale; cells that touch one another, or one formula's.
 * Example: four years of an hour ago, and one of last month whose refresh failed.
 */
const staleBesideFresh: Rule = {
  id: "staleBesideFresh",
  gravity: "note",
  find: (subject) =>
    withoutRepeats(
      subject.blocks.flatMap((block) => findOddCells(block, "age", () => "") ?? []),
      findClashes(subject, "age"),
    ),
};

/** Finds formulas that add or compare figures that differ in a dimension; copies of a formula are one finding. */
function findClashes({ model, evaluation }: Subject, dimension: Dimension): Suspicion[] {
  const clashes = evaluation.clashes.filter((clash) => clash.dimension === dimension && !isAvoided(clash, model));
  const groups = groupBy(clashes, ({ at, usual, odd }) => {
    const [one, other] = [usual, odd].map((key) =>
      model.facts
        .get(key)
        ?.parts.map((part) => part?.companyId)
        .join(),
    );
    return JSON.stringify([model.toPlace(at).sheet, model.formulas.get(at)?.relative, one, other]);
  });
  return [...groups.values()].map((group): Suspicion => {
    const [{ at, usual, odd }] = group as [(typeof group)[number]];
    return { at, cells: group.map((clash) => clash.at), evidence: [usual, odd], around: [usual, odd] };
  });
}

/** Functions that choose what a formula calculates. */
const CHOOSING = /\b(IFS?|SWITCH|CHOOSE)\s*\(/i;

/** Whether a formula shows a text of its own choice in place of the mixed amounts. */
function isAvoided({ at }: Clash, model: CheckedModel): boolean {
  const value = model.valueAt(at);
  return typeof value === "string" && !value.startsWith("#") && CHOOSING.test(model.formulas.get(at)?.text ?? "");
}

/** Finds cells of a block that differ from the others of their metric in a dimension. */
function findOddCells(
  block: FigureBlock,
  dimension: Dimension,
  toGroup: (cell: FigureCell) => string = ({ figure }) => toMetricKey(figure),
): Suspicion | null {
  let found: Suspicion | null = null;
  for (const group of groupBy(block, toGroup).values()) {
    const contrast = findContrast(dimension, toSpread(group, dimension));
    if (contrast === null) continue;
    const usual = readValue(group, contrast.usual, dimension);
    const odd = group.filter(({ figure }) => isApart(dimension, usual, readDimension(dimension, figure) ?? usual));
    const cells: CellKey[] = [...(found?.cells ?? []), ...toKeys(odd)];
    found ??= { at: contrast.odd, cells, evidence: [contrast.usual, contrast.odd], around: toKeys(block) };
    found = { ...found, cells };
  }
  return found;
}

/** Finds odd cells in all blocks; those of the same two companies on one sheet are one finding. */
function findOddCompanies({ model, blocks }: Subject, dimension: Dimension): Suspicion[] {
  const found = blocks.flatMap((block) => findOddCells(block, dimension) ?? []);
  const groups = groupBy(found, ({ at, evidence }) =>
    JSON.stringify([model.toPlace(at).sheet, evidence.map((key) => model.figureAt(key)?.companyId)]),
  );
  return [...groups.values()].map((group) => {
    const [first] = group as [Suspicion];
    return { ...first, cells: group.flatMap(({ cells }) => cells) };
  });
}

const toSpread = (group: readonly FigureCell[], dimension: Dimension): Spread =>
  joinSpreads(
    group.flatMap(({ key, figure }) => {
      const value = readDimension(dimension, figure);
      return value === null ? [] : [[{ value, key, count: 1 }]];
    }),
  );

const readValue = (group: readonly FigureCell[], key: CellKey, dimension: Dimension): string => {
  const cell = group.find((each) => each.key === key);
  return (cell && readDimension(dimension, cell.figure)) ?? "";
};

/** Leaves out formulas whose contrast a block of cells shows already. */
function* withoutRepeats(inBlocks: readonly Suspicion[], clashes: readonly Suspicion[]): Iterable<Suspicion> {
  yield* inBlocks;
  const known = new Set(inBlocks.flatMap(({ cells, evidence }) => [...cells, ...evidence]));
  for (const clash of clashes) if (!clash.evidence.some((key) => known.has(key))) yield clash;
}

export const mixtures: readonly Rule[] = [
  mixedCurrency,
  mixedUnit,
  mixedConsolidation,
  yearEndsApart,
  latestYearDiffers,
  staleBesideFresh,
];
