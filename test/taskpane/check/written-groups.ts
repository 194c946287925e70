import { Book, createCompany } from "./book";
import { enterRows, fed, type Written } from "./written-rows";

/** A group of firms in two segments: the second total stops before its last firm, and a firm reports in dollars. */
export function segments(): Written {
  const book = new Book();
  const line = (row: number) => {
    const company = createCompany();
    const own = row === 9 ? { currency: "USD" } : {};
    const ask = (column: string, year: number) =>
      fed(`=FEED.FINANCIAL($A${row},${column}$1,"Revenue",,"m")`, company, "Revenue", year, own);
    return [company.name, ask("B", 2023), ask("C", 2024), `=C${row}/B${row}-1`];
  };
  enterRows(book, "Group", [
    ["JPY m", 2023, 2024, "Growth"],
    ["Food"],
    ...[3, 4, 5, 6].map(line),
    ["Food", "=SUM(B3:B6)", "=SUM(C3:C5)", "=C7/B7-1"],
    ["Drinks"],
    ...[9, 10, 11].map(line),
    ["Drinks", "=SUM(B9:B11)", "=SUM(C9:C11)", "=C12/B12-1"],
    [],
    ["Group", "=B7+B12", "=C7+C12", "=C14/B14-1"],
  ]);
  const seeds: Written["seeds"] = [
    { rule: "leftOut", sheet: "Group", cells: ["C7"] },
    { rule: "mixedCurrency", sheet: "Group", cells: ["B12", "C12"] },
  ];
  return { name: "segments", book, seeds };
}

/** A screen of margins: one row reads the firm below it, and a missing profit counts as zero in the median. */
export function margins(): Written {
  const book = new Book();
  const rows = [3, 4, 5, 6, 7, 8].map((row) => {
    const company = createCompany();
    const own = row === 6 ? 7 : row;
    const sales = fed(`=FEED.FINANCIAL($A${own},$B$1,"Revenue",,"m")`, company, "Revenue", 2024);
    const profit = fed(`=IFERROR(FEED.FINANCIAL($A${row},$B$1,"EBIT",,"m"),0)`, company, "EBIT", 2024);
    return [company.name, sales, profit, `=IF(B${row}=0,"n.m.",C${row}/B${row})`];
  });
  enterRows(book, "Screen", [
    ["Year", 2024],
    ["Company", "Revenue", "EBIT", "Margin"],
    ...rows,
    ["Median", "=MEDIAN(B3:B8)", "=MEDIAN(C3:C8)", "=MEDIAN(D3:D8)"],
  ]);
  book.hide("Screen", "C4", '=IFERROR(FEED.FINANCIAL($A4,$B$1,"EBIT",,"m"),0)', 0);
  const seeds: Written["seeds"] = [
    { rule: "slippedReference", sheet: "Screen", cells: ["B6"] },
    { rule: "hiddenError", sheet: "Screen", cells: ["C4"] },
  ];
  return { name: "margins", book, seeds };
}
