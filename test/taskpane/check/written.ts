import { Book, type Company, createCompany, toFigure } from "./book";
import { enterRows, fed, type Written } from "./written-rows";
import { WRITTEN_STATEMENTS } from "./written-statements";

/** Trading comparables with statistics below; one peer reports in dollars, and one number was typed over. */
function comparables(): Written {
  const book = new Book();
  const peers = Array.from({ length: 6 }, createCompany);
  const line = (company: Company, index: number) => {
    const row = index + 5;
    const own = index === 4 ? { currency: "USD" } : {};
    const ask = (metric: string) => fed(`=FEED.FINANCIAL($A${row},$B$2,"${metric}",,"m")`, company, metric, 2024, own);
    const profit = index === 2 ? 415 : ask("EBIT");
    return [company.name, ask("Revenue"), profit, ask("Net Income"), `=C${row}/B${row}`, `=D${row}/B${row}`];
  };
  enterRows(book, "Comps", [
    ["Comparables, JPY m"],
    ["Year", 2024],
    [],
    ["Company", "Revenue", "EBIT", "Net income", "EBIT margin", "Net margin"],
    ...peers.map(line),
    [],
    ["Mean", "=AVERAGE(B5:B10)", null, "=AVERAGE(D5:D10)", "=AVERAGE(E5:E10)", "=AVERAGE(F5:F10)"],
    ["Median", "=MEDIAN(B5:B10)", null, "=MEDIAN(D5:D10)", "=MEDIAN(E5:E10)", "=MEDIAN(F5:F10)"],
  ]);
  const seeds: Written["seeds"] = [
    { rule: "mixedCurrency", sheet: "Comps", cells: ["B12", "B13", "D12", "D13"] },
    { rule: "typedNumber", sheet: "Comps", cells: ["C7"] },
  ];
  return { name: "comparables", book, seeds };
}

/** A league table on another sheet than its data; the last company was added below the total's range. */
function league(): Written {
  const book = new Book();
  const companies = Array.from({ length: 7 }, createCompany);
  enterRows(book, "Data", [
    ["Company", 2022, 2023, 2024],
    ...companies.map((company, index) => [
      company.name,
      ...[2022, 2023, 2024].map((year, y) =>
        fed(`=FEED.FINANCIAL($A${index + 2},${"BCD"[y]}$1,"Revenue",,"bn")`, company, "Revenue", year, {
          divisor: 1e9,
        }),
      ),
    ]),
    ["Total", "=SUM(B2:B7)", "=SUM(C2:C8)", "=SUM(D2:D8)"],
  ]);
  const shares = companies.map((company, index) => [
    company.name,
    index === 3 ? "=Data!D4/Data!D$9" : `=Data!D${index + 2}/Data!D$9`,
    `=RANK(Data!D${index + 2},Data!D$2:D$8)`,
  ]);
  enterRows(book, "League", [["Company", "Share", "Rank"], ...shares]);
  const seeds: Written["seeds"] = [
    { rule: "leftOut", sheet: "Data", cells: ["B9"] },
    { rule: "slippedReference", sheet: "League", cells: ["B5"] },
  ];
  return { name: "league", book, seeds };
}

/** A credit screen whose missing figures show as zero, with half of the companies from last month. */
function screen(): Written {
  const book = new Book();
  const companies = Array.from({ length: 5 }, createCompany);
  const rows = companies.map((company, index) => {
    const own = { isStale: index > 2 };
    const ask = (metric: string, column: string) =>
      fed(`=FEED.FINANCIAL($A${index + 3},2024,${column}$2)`, company, metric, 2024, { ...own, divisor: 1 });
    return [company.name, ask("Total Assets", "B"), ask("Total Liabilities", "C"), `=C${index + 3}/B${index + 3}`];
  });
  enterRows(book, "Screen", [["Credit screen"], ["Company", "Total Assets", "Total Liabilities", "Leverage"], ...rows]);
  book.hide("Screen", "C4", "=IFERROR(FEED.FINANCIAL($A4,2024,C$2),0)", 0);
  const seeds: Written["seeds"] = [
    { rule: "hiddenError", sheet: "Screen", cells: ["C4"] },
    { rule: "staleBesideFresh", sheet: "Screen", cells: ["B6", "B7", "C6", "C7"] },
  ];
  return { name: "screen", book, seeds };
}

/** A spilled grid of the latest years that a total reads as A5#; one company reports late. */
function spilled(): Written {
  const book = new Book();
  const companies = Array.from({ length: 4 }, createCompany);
  const years = [-1, 0];
  const grid = companies.map((company, index) =>
    years.map((yearsBack) => {
      const year = 2024 + yearsBack - (index === 2 ? 1 : 0);
      return toFigure(company, "Revenue", year, { yearsBack, currency: index === 1 ? "KRW" : "JPY" });
    }),
  );
  enterRows(book, "Latest", [["Company", "FY-1", "FY0"], ...companies.map(({ name }) => [name])]);
  book.spill("Latest", "B2", '=FEED.FINANCIAL(A2:A5,"FY-1:FY0","Revenue",,"m")', grid);
  enterRows(book, "Total", [["All", "=SUM(Latest!B2#)"]]);
  const seeds: Written["seeds"] = [
    { rule: "latestYearDiffers", sheet: "Latest", cells: ["B4", "C4"] },
    { rule: "mixedCurrency", sheet: "Total", cells: ["B1"] },
  ];
  return { name: "spilled", book, seeds };
}

/** A table of Excel with structured references; the fiscal years end in different seasons. */
function table(): Written {
  const book = new Book();
  const companies = Array.from({ length: 5 }, createCompany);
  const rows = companies.map((company, index) => {
    const own = { periodEnd: index === 3 ? "2023-12-31" : "2023-03-31", divisor: index === 1 ? 1e3 : 1e6 };
    return [company.name, fed('=FEED.FINANCIAL([@Company],2023,"Revenue",,[@Unit])', company, "Revenue", 2023, own)];
  });
  enterRows(book, "Peers", [["Company", "Revenue"], ...rows]);
  book.tables.push({
    name: "PeerTable",
    sheet: "Peers",
    address: "A1:B6",
    columns: ["Company", "Revenue"],
    hasHeaders: true,
    hasTotals: false,
  });
  enterRows(book, "Summary", [["Sum", "=SUM(PeerTable[Revenue])"]]);
  const seeds: Written["seeds"] = [
    { rule: "yearEndsApart", sheet: "Peers", cells: ["B5"] },
    { rule: "mixedUnit", sheet: "Summary", cells: ["B1"] },
  ];
  return { name: "table", book, seeds };
}

/** Workbooks as an analyst would write them, each by hand. */
export const writeAll = (): Written[] => [
  comparables(),
  league(),
  screen(),
  spilled(),
  table(),
  ...WRITTEN_STATEMENTS.map((write) => write()),
];
