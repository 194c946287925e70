/**
 * Ranks over periods, computed from the provider's rows in the plainest way, without the code that is tested: each cell
 * looks through all rows again.
 */

/** A row of a ranking of companies. */
export interface RankedRow {
  companyName: string;
  tickerSymbol: string | null;
  headquarters: string;
  totalPageViews: number;
  totalUniquePageViews?: number;
}

/** Gives the names that a company has in some rankings; without a ticker only its own. */
export function createNames(all: readonly (readonly RankedRow[])[]): (company: RankedRow) => readonly string[] {
  const known: Record<string, string[]> = {};
  for (const { tickerSymbol, companyName } of all.flat()) {
    if (tickerSymbol === null) continue;
    known[tickerSymbol] ??= [];
    if (!known[tickerSymbol].includes(companyName)) known[tickerSymbol].push(companyName);
  }
  return ({ tickerSymbol, companyName }) => (tickerSymbol !== null && known[tickerSymbol]) || [companyName];
}

/**
 * The place of a row's company in a ranking; a word where there is none that is certain.
 *
 * @param own the company's own ranking, another row of which may have its ticker
 */
export function findPlace(
  company: RankedRow,
  rows: readonly RankedRow[],
  names: readonly string[],
  own: readonly RankedRow[],
): number | "absent" | "uncertain" {
  if (own.filter((row) => isCodedSo(row, company)).length > 1) return "uncertain";
  const places: number[] = [];
  let namesakes = 0;
  rows.forEach((row, at) => {
    if (company.tickerSymbol !== null) {
      if (row.tickerSymbol === company.tickerSymbol) places.push(at);
      else if (row.tickerSymbol === null && names.includes(row.companyName)) namesakes++;
    } else if (names.includes(row.companyName)) {
      const isSame = row.tickerSymbol === null && row.headquarters === company.headquarters;
      if (isSame) places.push(at);
      else namesakes++;
    }
  });
  if (places.length > 1) return "uncertain";
  const [place] = places;
  if (company.tickerSymbol !== null && place !== undefined) return place;
  if (namesakes > 0) return "uncertain";
  return place ?? "absent";
}

const isCodedSo = (row: RankedRow, { tickerSymbol, companyName, headquarters }: RankedRow): boolean =>
  tickerSymbol === null
    ? row.tickerSymbol === null && row.companyName === companyName && row.headquarters === headquarters
    : row.tickerSymbol === tickerSymbol;

/** A cell of a trend: the rank, or the beginning of its error. */
export function toTrendCell(
  company: RankedRow,
  rows: readonly RankedRow[],
  names: readonly string[],
  own: readonly RankedRow[],
): number | string {
  const place = findPlace(company, rows, names, own);
  if (typeof place === "number") return place + 1;
  return place === "absent" ? "#N/A FEED_NO_VALUE" : "#VALUE! FEED_AMBIGUOUS";
}

/** A row of movers: rank, previous rank, places gained, ticker, views, previous views, their growth, status. */
export type MoverCells = (string | number)[];

const UNCERTAIN = "#VALUE! FEED_AMBIGUOUS";

/** All movers, in no order. */
export function toMoverRows(now: readonly RankedRow[], before: readonly RankedRow[]): MoverCells[] {
  const toNames = createNames([now, before]);
  const find = (row: RankedRow, at: number, own: readonly RankedRow[], other: readonly RankedRow[]) => {
    const names = toNames(row);
    return findPlace(row, own, names, own) === at ? findPlace(row, other, names, own) : "uncertain";
  };
  const moved = now.map((row, at): MoverCells => {
    const head = [at + 1];
    const place = find(row, at, now, before);
    const views = row.totalPageViews;
    if (typeof place === "number") {
      const former = before[place]?.totalPageViews as number;
      const growth = former === 0 ? "" : (views - former) / former;
      return [...head, place + 1, place - at, row.tickerSymbol ?? "", views, former, growth, ""];
    }
    if (place === "absent" && row.tickerSymbol !== null)
      return [...head, "", "", row.tickerSymbol ?? "", views, "", "", "new"];
    return [...head, UNCERTAIN, UNCERTAIN, row.tickerSymbol ?? "", views, UNCERTAIN, UNCERTAIN, UNCERTAIN];
  });
  const gone = before.flatMap((row, at): MoverCells[] => {
    const place = find(row, at, before, now);
    if (typeof place === "number") return [];
    const views = row.totalPageViews;
    if (place === "absent" && row.tickerSymbol !== null)
      return [["", at + 1, "", row.tickerSymbol ?? "", "", views, "", "gone"]];
    return [[UNCERTAIN, at + 1, UNCERTAIN, row.tickerSymbol ?? "", UNCERTAIN, views, UNCERTAIN, UNCERTAIN]];
  });
  return [...moved, ...gone];
}

/** Cuts an error to its code, since a test compares what happened, not its sentence. */
export const toBare = (cell: unknown): unknown =>
  typeof cell === "string" && cell.startsWith("#") ? cell.split(":")[0] : cell;

/** The number of cells of two tables that differ. */
export function countDiffering(
  shown: readonly (readonly unknown[])[],
  expected: readonly (readonly unknown[])[],
): number {
  if (shown.length !== expected.length) return Number.POSITIVE_INFINITY;
  return expected.reduce(
    (sum, row, r) => sum + row.filter((cell, c) => !Object.is(toBare(shown[r]?.[c]), cell)).length,
    0,
  );
}
