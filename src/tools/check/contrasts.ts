import type { CellKey } from "./cell-keys";
import { type Dimension, findContrast, isApart, joinSpreads, readDimension, type Spread } from "./dimensions";
import type { Clash } from "./evaluation";
import { type FigureBlock, groupBy, toKeys, toMetricKey } from "./figure-blocks";
import type { CheckedModel, FigureCell } from "./model";
import type { Found, Subject } from "./rule";

/** Finds formulas that add or compare figures that differ in a dimension; copies of a formula are one finding. */
export function findClashes({ model, evaluation }: Subject, dimension: Dimension): Found[] {
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
  return [...groups.values()].map((group): Found => {
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
export function findOddCells(
  block: FigureBlock,
  dimension: Dimension,
  toGroup: (cell: FigureCell) => string = ({ figure }) => toMetricKey(figure),
): Found | null {
  let found: Found | null = null;
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
export function findOddCompanies({ model, blocks }: Subject, dimension: Dimension): Found[] {
  const found = blocks.flatMap((block) => findOddCells(block, dimension) ?? []);
  const groups = groupBy(found, ({ at, evidence }) =>
    JSON.stringify([model.toPlace(at).sheet, evidence.map((key) => model.figureAt(key)?.companyId)]),
  );
  return [...groups.values()].map((group) => {
    const [first] = group as [Found];
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
export function* withoutRepeats(inBlocks: readonly Found[], clashes: readonly Found[]): Iterable<Found> {
  yield* inBlocks;
  const known = new Set(inBlocks.flatMap(({ cells, evidence }) => [...cells, ...evidence]));
  for (const clash of clashes) if (!clash.evidence.some((key) => known.has(key))) yield clash;
}
