import { isRatioWord, isSummaryWord, readConsolidation, readMetricWord, withoutBrackets } from "./label-words";
import { cellAt, type Regions, type SheetPart, textAt, yearAt } from "./regions";
import { isCurrencyCode, readUnitLabel } from "./units";
import { readYearLabel } from "./year-labels";

/** What the labels of a row or a column name. */
export type Kind = "company" | "year" | "metric";

/** A line of labels beside the numbers: a column in front of them, or a row above them. */
export interface Side {
  kind: Kind;
  along: "rows" | "columns";
  /** The column or the row of the labels. */
  at: number;
  /** By the row or column of the numbers: the place of its label, which may stand further up or left. */
  places: ReadonlyMap<number, number>;
}

interface Line {
  along: Side["along"];
  at: number;
  /** The rows or columns that it labels. */
  labelled: readonly number[];
}

const toCell = ({ along, at }: Pick<Line, "along" | "at">, index: number): [row: number, column: number] =>
  along === "rows" ? [index, at] : [at, index];

/** Finds what the labels beside the numbers name, at most one line of labels for each kind. */
export function findSides(part: SheetPart, { headerRows, labelColumns, rows, columns }: Regions): Side[] {
  const lines: Line[] = [
    ...labelColumns.map((at) => ({ along: "rows" as const, at, labelled: rows })),
    ...[...headerRows].reverse().map((at) => ({ along: "columns" as const, at, labelled: columns })), // the nearest first
  ];
  const filled = lines.filter((line) => countFilled(part, line) > 0);
  const year = pickBest(filled, (line) => shareOf(part, line, (r, c) => yearAt(part, r, c) !== null));
  const rest = filled.filter((line) => line !== year);
  const metric = pickBest(rest, (line) => shareOf(part, line, (r, c) => isMetricText(textAt(part, r, c))), 0.3);
  const others = rest.filter((line) => line !== metric && isNaming(part, line));
  const company = pickBest(others, (line) => rateCompanies(part, line, metric), 0.5);
  // Labels of other words are of metrics that only the person knows, where nothing else has the metrics' place.
  const unknown = others.find((line) => line !== company && line.along !== company?.along);
  const named = metric ?? (year?.along === unknown?.along ? undefined : unknown);
  const found = [
    ...(year ? [{ kind: "year" as const, line: year }] : []),
    ...(named ? [{ kind: "metric" as const, line: named }] : []),
    ...(company ? [{ kind: "company" as const, line: company }] : []),
  ];
  return found.map(({ kind, line }) => ({
    kind,
    along: line.along,
    at: line.at,
    places: toPlaces(
      part,
      line,
      found.some((other) => other.line !== line && other.line.along === line.along),
    ),
  }));
}

const isMetricText = (text: string) => text !== "" && (readMetricWord(text) !== null || isRatioWord(text));

const listFilled = (part: SheetPart, line: Line) =>
  line.labelled.filter((index) => {
    const { value } = cellAt(part, ...toCell(line, index));
    return value !== null && value !== "";
  });

const countFilled = (part: SheetPart, line: Line) => listFilled(part, line).length;

function shareOf(part: SheetPart, line: Line, fits: (row: number, column: number) => boolean): number {
  const filled = listFilled(part, line);
  return filled.filter((index) => fits(...toCell(line, index))).length / filled.length;
}

function pickBest(lines: readonly Line[], rate: (line: Line) => number, least = 0.5): Line | undefined {
  let best: Line | undefined;
  for (const line of lines) if (rate(line) >= least && (best === undefined || rate(line) > rate(best))) best = line;
  return best;
}

/** Whether labels name several things: a title stands alone above several columns. */
function isNaming(part: SheetPart, line: Line): boolean {
  const texts = listFilled(part, line).map((index) => String(cellAt(part, ...toCell(line, index)).value).trim());
  if (texts.every((text) => isCurrencyCode(text) || readUnitLabel(text) !== null)) return false;
  return line.along === "rows" || line.labelled.length === 1 || texts.length > 1;
}

const COMPANY_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** How surely labels name companies: an id or a number more than a name, and a name more than what repeats. */
function rateCompanies(part: SheetPart, line: Line, metric: Line | undefined): number {
  const labels = listFilled(part, line).map((index) => String(cellAt(part, ...toCell(line, index)).value).trim());
  const companies = labels.filter((label) => !isSummaryWord(label) && readUnitLabel(label) === null);
  if (companies.length === 0) return 0;
  const share = (count: number) => count / labels.length;
  if (companies.every((label) => COMPANY_ID.test(label))) return 3;
  if (companies.every((label) => (label.match(/\d/g) ?? []).length >= 7)) return 2;
  const distinct = new Set(companies).size;
  // Beside metrics on the same side a company stands once for several rows.
  const isRepeating = distinct === 1 && companies.length > 2 && metric?.along !== line.along;
  return isRepeating ? 0.4 : share(companies.length);
}

/** Where the label of each row or column stands; a label also holds for blank places after it, if it is to. */
function toPlaces(part: SheetPart, line: Line, isFilling: boolean): Map<number, number> {
  const places = new Map<number, number>();
  const filled = new Set(listFilled(part, line));
  let last: number | null = null;
  const [from, to] = [line.labelled[0] as number, line.labelled.at(-1) as number];
  for (let index = from; index <= to; index++) {
    const { value } = cellAt(part, ...toCell(line, index));
    if (filled.has(index) || (value !== null && value !== "")) last = index;
    else if (!isFilling) last = null;
    if (last !== null && line.labelled.includes(index)) places.set(index, last);
  }
  return places;
}

/** The texts that hold for the whole block: its titles, and what stands in its corner. */
export interface Titles {
  texts: readonly { text: string; row: number; column: number }[];
  consolidation: ReturnType<typeof readConsolidation>;
  unit: ReturnType<typeof readUnitLabel>;
}

export function readTitles(part: SheetPart, regions: Regions, sides: readonly Side[]): Titles {
  const { headerRows, columns } = regions;
  const isSide = (row: number, column: number) =>
    sides.some((side) =>
      side.along === "rows"
        ? side.at === column && !headerRows.includes(row)
        : side.at === row && columns.includes(column),
    );
  const texts = headerRows.flatMap((row) =>
    (part.cells[row - part.row] ?? [])
      .map((_, index) => part.column + index)
      .map((column) => ({ text: textAt(part, row, column), row, column }))
      .filter(({ text, row, column }) => text !== "" && !isSide(row, column)),
  );
  const first = <T>(read: (text: string) => T | null) =>
    texts.reduce<T | null>((found, { text }) => found ?? read(text), null);
  return { texts, consolidation: first(readConsolidation), unit: first(readUnitLabel) };
}

/** Words of titles that are no company. */
const HEADING =
  /statement|balance sheet|income|profit and loss|cash flow|p&l|financials?$|figures|results|summary|overview|fiscal|^company$|^companies$|^name$|^metric$|^year$|^item$|^ticker$|^id$|^code$|peers?$|損益計算書|貸借対照表|計算書|決算|業績|財務|概要|一覧|^会社名?$|^企業名?$|^社名$|^科目$|^年度$|^指標$|^項目$|^コード$/i;

/** Parts of a title such as "Sakura Foods - Income statement (¥m)". */
const PARTS = /\s+[-–—|/]\s+|[::、]\s*/;

/** The titles, or their parts, that may name the block's company, the likeliest first; at most four. */
export function listTitleCompanies(titles: Titles): Titles["texts"] {
  const written = titles.texts.flatMap((title) => {
    const bare = withoutBrackets(title.text);
    return [...new Set([title.text, bare, ...bare.split(PARTS)])].map((text) => ({ ...title, text: text.trim() }));
  });
  return written.filter(({ text }) => isNameLike(text)).slice(0, 4);
}

const isNameLike = (text: string): boolean =>
  withoutBrackets(text) !== "" &&
  readUnitLabel(text) === null &&
  readYearLabel(text) === null &&
  readMetricWord(text) === null &&
  !isRatioWord(text) &&
  !isSummaryWord(text) &&
  !HEADING.test(withoutBrackets(text));
