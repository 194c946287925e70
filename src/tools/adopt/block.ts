import type { CellState } from "../../contract/workbook";
import {
  findYears,
  isRatioWord,
  isSummaryWord,
  readConsolidation,
  readMetricWord,
  readTypedNumber,
  readUnitLabel,
  type Unit,
  withoutBrackets,
} from "./cell-texts";
import {
  cellAt,
  findRegions,
  findSides,
  isSelected,
  labelOf,
  type NoSides,
  type Regions,
  readTitles,
  type SheetPart,
  type Sides,
  type Titles,
  textAt,
  yearOfLabel,
} from "./sides";

/** A label's text, and the cell that a formula can refer to; null where the text is only a part of a cell's. */
export interface Label {
  text: string;
  cell: { row: number; column: number } | null;
}

/** A company of the block: ways to write it, of which the first that a provider knows counts. */
export interface BlockCompany {
  labels: readonly Label[];
}

/** A typed number with what its labels say. */
export interface BlockCell {
  row: number;
  column: number;
  typed: number;
  state: CellState;
  /** Index of its company in the block. */
  company: number;
  /** Its fiscal years, the likeliest first; null where nothing names one. */
  years: readonly number[] | null;
  /** The cell of its year, where a formula reads it as the first of the years. */
  yearCell: Label["cell"];
  /** The cell of its metric's label. */
  metricCell: Label["cell"];
}

/** Cells of one metric, unit and sign: a row or column of companies × metrics, or all of companies × years. */
export interface BlockLine {
  /** The metric's label as it stands; null without one. */
  label: string | null;
  /** The metric of the API document that the label names; null for other words. */
  metricWord: string | null;
  /** The unit that label or title names. */
  unit: Unit | null;
  consolidation: ReturnType<typeof readConsolidation>;
  cells: readonly BlockCell[];
}

/** Companies on one side, and years or metrics on the other. */
export interface Block {
  sheet: string;
  companies: readonly BlockCompany[];
  lines: readonly BlockLine[];
  /** Typed numbers that belong to no company, year or figure of a statement: sums, ratios and the like. */
  leftAlone: number;
}

/** Why a selection is no block: nothing typed, nothing that names a company, or several blocks. */
export type NoBlock = "noNumbers" | NoSides;

/** Reads the typed numbers of a selection and the labels around them. */
export function readBlock(part: SheetPart): Block | NoBlock {
  const regions = findRegions(part);
  if (regions === null) return "noNumbers";
  const sides = findSides(part, regions);
  if (typeof sides === "string") return sides;
  const titles = readTitles(part, regions, sides);
  const companies: BlockCompany[] = [];
  const readCell = createReading(part, sides, titles, companies);
  const lines = new Map<number, BlockCell[]>();
  let leftAlone = 0;
  for (const { row, column, typed } of listTyped(part, regions)) {
    const cell = readCell(row, column, typed);
    const line = sides.isByYears ? 0 : sides.company.along === "rows" ? column : row;
    if (cell === null) leftAlone++;
    else if (!lines.get(line)?.push(cell)) lines.set(line, [cell]);
  }
  const read = [...lines.values()].map((cells) => toLine(part, cells, titles));
  return { sheet: part.sheet, companies, lines: read, leftAlone };
}

/** The selected cells with typed numbers, row by row. */
const listTyped = (part: SheetPart, { rows, columns }: Regions) =>
  rows.flatMap((row) =>
    columns.flatMap((column) => {
      const typed = isSelected(part, row, column) ? readTypedNumber(cellAt(part, row, column)) : null;
      return typed === null ? [] : [{ row, column, typed }];
    }),
  );

function toLine(part: SheetPart, cells: readonly BlockCell[], titles: Titles): BlockLine {
  const [{ metricCell }] = cells as [BlockCell, ...BlockCell[]];
  const own = metricCell === null ? "" : textAt(part, metricCell.row, metricCell.column);
  const title = titles.texts.find((text) => readMetricWord(text) !== null);
  const word = own === "" ? (title ?? "") : own;
  return {
    label: own === "" ? null : own,
    metricWord: word === "" ? null : readMetricWord(word),
    unit: (own === "" ? null : readUnitLabel(own)) ?? titles.unit,
    consolidation: readConsolidation(own) ?? titles.consolidation,
    cells,
  };
}

/** Reads typed numbers with their labels, and adds their companies; null for sums, ratios and the like. */
function createReading(part: SheetPart, { company, year, metric }: Sides, titles: Titles, companies: BlockCompany[]) {
  const numbers = new Map<string, number>();
  const toNumber = (cell: NonNullable<Label["cell"]>): number | null => {
    const labels = listCompanyLabels(part, cell);
    if (labels.length === 0) return null;
    const key = `${cell.row} ${cell.column}`;
    const number = numbers.get(key) ?? companies.push({ labels }) - 1;
    numbers.set(key, number);
    return number;
  };
  const titleYears = titles.texts.flatMap(findYears);
  return (row: number, column: number, typed: number): BlockCell | null => {
    const named = year === undefined ? null : yearOfLabel(part, year, row, column);
    const metricCell = metric === undefined ? null : labelOf(metric, row, column);
    const word = metricCell === null ? "" : textAt(part, metricCell.row, metricCell.column);
    if ((year !== undefined && named === null) || isRatioWord(word) || isSummaryWord(word)) return null;
    const number = toNumber(labelOf(company, row, column));
    if (number === null) return null;
    return {
      ...{ row, column, typed, state: cellAt(part, row, column), company: number },
      years: named?.years ?? (titleYears.length > 0 ? titleYears : null),
      yearCell: year !== undefined && named?.isArgument ? labelOf(year, row, column) : null,
      metricCell,
    };
  };
}

/** The ways to read a cell as a company: as it stands, and without what stands in brackets. */
function listCompanyLabels(part: SheetPart, cell: NonNullable<Label["cell"]>): Label[] {
  const { value } = cellAt(part, cell.row, cell.column);
  const text = value === null || typeof value === "boolean" ? "" : String(value).trim();
  if (text === "" || text.startsWith("#") || isSummaryWord(text) || readUnitLabel(text) !== null) return [];
  const bare = withoutBrackets(text);
  return [{ text, cell }, ...(bare === "" || bare === text ? [] : [{ text: bare, cell: null }])];
}
