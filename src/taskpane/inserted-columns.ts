/** The columns of an inserted table of classified companies: names come first, and the id last. */
export const COMPANY_COLUMNS = "Company, English name, Ticker, Country, Public, Industry, Company id";

/** Their widths, in characters. */
export const COMPANY_WIDTHS = [34, 34, 10, 9, 9, 26, 38];

/** A longer text is cut off, or runs into empty cells beside it. */
const WIDEST = 44;

/** The widths that show columns of texts whole, in characters; letters of East Asia are two wide. */
export function toWidths(rows: readonly (readonly string[])[]): number[] {
  const measure = (text: string) => text.length + (text.match(/[\u2e80-\uffe6]/g)?.length ?? 0);
  const columns = rows[0] ?? [];
  return columns.map((_, column) => Math.min(WIDEST, Math.max(...rows.map((row) => measure(row[column] ?? ""))) + 2));
}
