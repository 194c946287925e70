import type { CellKey } from "./cell-keys";
import type { Figure } from "./input";
import type { CheckedModel, FigureCell } from "./model";

/** Cells with figures that touch one another, row by row. */
export type FigureBlock = readonly FigureCell[];

/** Finds the blocks of a workbook's figures. */
export function listFigureBlocks(model: CheckedModel): FigureBlock[] {
  const left = new Set(model.figures.keys());
  const blocks: FigureBlock[] = [];
  for (const first of model.figures.keys()) {
    if (!left.delete(first)) continue;
    const keys = [first];
    for (const key of keys) {
      for (const next of Object.values(model.listNeighbours(key))) {
        if (next !== null && left.delete(next)) keys.push(next);
      }
    }
    blocks.push(keys.sort((one, other) => one - other).map((key) => model.figures.get(key) as FigureCell));
  }
  return blocks;
}

/** The metric of a figure, with its statement. */
export const toMetricKey = ({ statement, metric }: Figure): string => `${statement}.${metric}`;

/** Groups cells by a text. */
export function groupBy<Item>(items: Iterable<Item>, read: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = read(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** The keys of cells. */
export const toKeys = (cells: readonly { key: CellKey }[]): CellKey[] => cells.map(({ key }) => key);
