import type { CellState } from "../../contract/workbook";
import { isRatioWord, isSummaryWord, readConsolidation, readMetricWord, withoutBrackets } from "./label-words";
import { cellAt, findRegions, isSelected, type Regions, type SheetPart, textAt, yearAt } from "./regions";
import { findSides, type Kind, listTitleCompanies, readTitles, type Side, type Titles } from "./sides";
import { readTypedNumber } from "./typed-numbers";
import { readUnitLabel, type Unit } from "./units";
import { findYears } from "./year-labels";

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

/** Cells of one metric, unit and sign: a row, a column, or the whole block. */
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

export interface Block {
  sheet: string;
  companies: readonly BlockCompany[];
  lines: readonly BlockLine[];
  /** Typed numbers that belong to no company, year or figure of a statement: sums, ratios and the like. */
  leftAlone: number;
}

/** Why a selection is no block: nothing typed, or nothing that names a company. */
export type NoBlock = "noNumbers" | "noCompanies";

/** Reads the typed numbers of a selection and the labels around them. */
export function readBlock(part: SheetPart): Block | NoBlock {
  const regions = findRegions(part);
  if (regions === null) return "noNumbers";
  const sides = findSides(part, regions);
  const titles = readTitles(part, regions, sides);
  const reading = createReading(part, regions, sides, titles);
  if (!reading.hasCompanies) return "noCompanies";
  const lines = new Map<string, BlockCell[]>();
  let leftAlone = 0;
  for (const row of regions.rows) {
    for (const column of regions.columns) {
      const cell = isSelected(part, row, column) ? reading.readCell(row, column) : null;
      if (cell === null) continue;
      if (cell === "other") leftAlone++;
      else if (!lines.get(cell.key)?.push(cell.cell)) lines.set(cell.key, [cell.cell]);
    }
  }
  const read = [...lines.values()].map((cells) => toLine(part, cells, titles));
  return { sheet: part.sheet, companies: reading.companies, lines: read, leftAlone };
}

function toLine(part: SheetPart, cells: readonly BlockCell[], titles: Titles): BlockLine {
  const [{ metricCell }] = cells as [BlockCell, ...BlockCell[]];
  const own = metricCell === null ? "" : textAt(part, metricCell.row, metricCell.column);
  const title = titles.texts.find(({ text }) => readMetricWord(text) !== null);
  const word = own === "" ? (title?.text ?? "") : own;
  return {
    label: own === "" ? null : own,
    metricWord: word === "" ? null : readMetricWord(word),
    unit: (own === "" ? null : readUnitLabel(own)) ?? titles.unit,
    consolidation: readConsolidation(own) ?? titles.consolidation,
    cells,
  };
}

type Read = { key: string; cell: BlockCell } | "other" | null;

function createReading(part: SheetPart, regions: Regions, sides: readonly Side[], titles: Titles) {
  const sideOf = (kind: Kind) => sides.find((side) => side.kind === kind);
  const [company, year, metric] = [sideOf("company"), sideOf("year"), sideOf("metric")];
  const companies: BlockCompany[] = [];
  const numbers = new Map<string, number>();
  const inTitle = company === undefined ? listTitleCompanies(titles) : [];
  if (inTitle.length > 0) companies.push({ labels: inTitle.map((title) => toTitleLabel(part, title)) });
  const toNumber = (row: number, column: number): number | null => {
    if (company === undefined) return companies.length > 0 ? 0 : null;
    const cell = findLabelCell(company, row, column);
    const labels = cell === null ? [] : listCompanyLabels(part, cell);
    if (labels.length === 0) return null;
    const key = `${cell?.row} ${cell?.column}`;
    const known = numbers.get(key) ?? companies.push({ labels }) - 1;
    numbers.set(key, known);
    return known;
  };
  const titleYears = titles.texts.flatMap(({ text }) => findYears(text));
  const toKey = createKeys(part, regions, { company, year, metric });
  const readCell = (row: number, column: number): Read => {
    const state = cellAt(part, row, column);
    const typed = readTypedNumber(state);
    if (typed === null) return null;
    const [number, key] = [toNumber(row, column), toKey(row, column)];
    const yearCell = year === undefined ? null : findLabelCell(year, row, column);
    const named = yearCell === null ? null : yearAt(part, yearCell.row, yearCell.column);
    if (number === null || key === null || (year !== undefined && named === null)) return "other";
    const years = named?.years ?? (titleYears.length > 0 ? titleYears : null);
    const metricCell = metric === undefined ? null : findLabelCell(metric, row, column);
    const place = { row, column, typed, state, company: number, years, metricCell };
    return { key, cell: { ...place, yearCell: named?.isArgument ? yearCell : null } };
  };
  const hasCompanies =
    companies.length > 0 || regions.rows.some((row) => regions.columns.some((c) => toNumber(row, c) !== null));
  return { companies, hasCompanies, readCell };
}

function findLabelCell(side: Side, row: number, column: number): Label["cell"] {
  const place = side.places.get(side.along === "rows" ? row : column);
  if (place === undefined) return null;
  return side.along === "rows" ? { row: place, column: side.at } : { row: side.at, column: place };
}

function toTitleLabel(part: SheetPart, { text, row, column }: { text: string; row: number; column: number }): Label {
  return { text, cell: textAt(part, row, column) === text ? { row, column } : null };
}

/** The ways to read a cell as a company: as it stands, and without what stands in brackets. */
function listCompanyLabels(part: SheetPart, cell: NonNullable<Label["cell"]>): Label[] {
  const { value } = cellAt(part, cell.row, cell.column);
  const text = value === null || typeof value === "boolean" ? "" : String(value).trim();
  if (text === "" || text.startsWith("#") || isSummaryWord(text) || readUnitLabel(text) !== null) return [];
  const bare = withoutBrackets(text);
  return [{ text, cell }, ...(bare === "" || bare === text ? [] : [{ text: bare, cell: null }])];
}

/** Tells the line of a cell; null for ratios, sums and the like. */
function createKeys(part: SheetPart, { columns, rows }: Regions, sides: Partial<Record<Kind, Side>>) {
  const { company, year, metric } = sides;
  // Beside companies on the same side, years come again for each of them.
  const isGrouping = year !== undefined && year.along !== company?.along;
  const groups = isGrouping ? toGroups(part, year, year.along === "rows" ? rows : columns) : new Map<number, number>();
  const toGroup = (row: number, column: number) => groups.get(year?.along === "rows" ? row : column) ?? 0;
  const isRepeated = [company, year].some((side) => side !== undefined && side.along === metric?.along);
  return (row: number, column: number): string | null => {
    const group = toGroup(row, column);
    if (metric !== undefined) {
      const cell = findLabelCell(metric, row, column);
      const text = cell === null ? "" : textAt(part, cell.row, cell.column);
      if (isRatioWord(text) || isSummaryWord(text)) return null;
      if (text !== "" && isRepeated) return `label ${text}`;
      return `${metric.along === "rows" ? row : (cell?.column ?? column)} ${group}`;
    }
    const along = toLineAxis(company, year);
    if (along === null) return `block ${group}`;
    return `${along === "rows" ? row : column} ${group}`;
  };
}

/** The side on which metrics would stand; null where companies and years have both. */
function toLineAxis(company: Side | undefined, year: Side | undefined): Side["along"] | null {
  if (company !== undefined && year !== undefined && company.along !== year.along) return null;
  const taken = company?.along ?? year?.along ?? "columns";
  return taken === "rows" ? "columns" : "rows";
}

/** Numbers the groups of years beside each other: a year that comes again begins another one. */
function toGroups(part: SheetPart, year: Side, places: readonly number[]): Map<number, number> {
  const groups = new Map<number, number>();
  let seen = new Set<number>();
  let [group, before] = [0, -1];
  for (const place of places) {
    const at = year.places.get(place);
    if (at === undefined) continue;
    const first = yearAt(part, ...toYearCell(year, at))?.years[0];
    if (first !== undefined && at !== before && seen.has(first)) {
      group++;
      seen = new Set();
    }
    if (first !== undefined) seen.add(first);
    before = at;
    groups.set(place, group);
  }
  return groups;
}

const toYearCell = ({ along, at }: Side, place: number): [row: number, column: number] =>
  along === "rows" ? [place, at] : [at, place];
