import { Book, createCompany, toFigure } from "./book";
import { enterRows, type Fed, fed, type Written } from "./written-rows";

const YEARS = [2021, 2022, 2023, 2024];
const COLUMNS = "BCDE";

type Own = NonNullable<Parameters<typeof fed>[4]>;

/** The rows of one company's metrics, whose labels stand in column A. */
function toLines(
  metrics: readonly string[],
  firstRow: number,
  own: (metric: string, year: number) => Own = () => ({}),
  company = createCompany(),
): (string | Fed)[][] {
  return metrics.map((metric, index) => [
    metric,
    ...YEARS.map((year, y) => {
      const formula = `=FEED.FINANCIAL($B$1,${COLUMNS[y]}$3,$A${firstRow + index},,"m")`;
      return fed(formula, company, metric, year, own(metric, year));
    }),
  ]);
}

const scaled = (metric: string, year: number, factor: number): Own => ({
  amount: toFigure(createCompany(), metric, year).amount * factor,
});

/** An income statement with margins: the gross profit of a year is of another report, and a margin reads the wrong year. */
function income(): Written {
  const book = new Book();
  const own = (metric: string, year: number) => (metric === "Gross Profit" && year === 2023 ? { amount: 1e6 } : {});
  enterRows(book, "Income", [
    ["Company", "Company X"],
    ["JPY m"],
    ["", ...YEARS],
    ...toLines(["Revenue", "Cost of Goods Sold", "Gross Profit", "EBIT"], 4, own),
    ["Gross margin", "=B6/B4", "=C6/C4", "=D6/D4", "=E6/E4"],
    ["EBIT margin", "=B7/B4", "=C7/C4", "=D7/C4", "=E7/E4"],
  ]);
  const seeds: Written["seeds"] = [
    { rule: "grossProfit", sheet: "Income", cells: ["D6"] },
    { rule: "slippedReference", sheet: "Income", cells: ["D9"] },
  ];
  return { name: "income", book, seeds };
}

/** A balance sheet whose assets were restated in one year, and a typed line of staff that is none of ours. */
function balance(): Written {
  const book = new Book();
  const own = (metric: string, year: number) => (metric === "Total Assets" && year === 2022 ? { amount: 99e9 } : {});
  const company = createCompany();
  enterRows(book, "Balance", [
    ["Company", company.name],
    ["JPY m"],
    ["", ...YEARS],
    ...toLines(["Total Assets", "Total Liabilities", "Total Equity"], 4, own, company),
    ["Employees", 1200, 1250, 1300, 1340],
    ["Assets per head", "=B4/B7", "=C4/C7", "=D4/D7", "=E4/E7"],
  ]);
  enterRows(book, "Check", [
    ["Assets 2022", fed(`=FEED.FINANCIAL("${company.id}",2022,"Total Assets",,"m")`, company, "Total Assets", 2022)],
  ]);
  const seeds: Written["seeds"] = [
    { rule: "balanceSheet", sheet: "Balance", cells: ["C4"] },
    { rule: "twoValues", sheet: "Check", cells: ["B1"] },
  ];
  return { name: "balance", book, seeds };
}

/** Cash flows of which one year's are of the parent company alone. */
function cash(): Written {
  const book = new Book();
  const metrics = ["Cash and equivalents", "Operating Cash Flow", "Investing Cash Flow", "Financing Cash Flow"];
  const own = (metric: string, year: number): Own => {
    if (year === 2021) return { consolidation: "NON_CONSOLIDATED" };
    return metric === "Operating Cash Flow" && year === 2024 ? scaled(metric, year, -8) : {};
  };
  enterRows(book, "Cash", [
    ["Company", "Company Y"],
    ["JPY m"],
    ["", ...YEARS],
    ...toLines(metrics, 4, own),
    ["Free cash flow", "=B5+B6", "=C5+C6", "=D5+D6", "=E5+E6"],
  ]);
  const seeds: Written["seeds"] = [
    { rule: "cashFlow", sheet: "Cash", cells: ["E4"] },
    { rule: "mixedConsolidation", sheet: "Cash", cells: ["B4", "B5", "B6", "B7"] },
  ];
  return { name: "cash", book, seeds };
}

/** A group by parts: one part is in thousands, and an error goes into the sum as a text. */
function parts(): Written {
  const book = new Book();
  const companies = Array.from({ length: 5 }, createCompany);
  const rows = companies.map((company, index) => {
    const [unit, divisor] = index === 1 ? ["k", 1e3] : ["m", 1e6];
    const formula = `=IFERROR(FEED.FINANCIAL(A${index + 2},2024,"Revenue",,"${unit}"),"n.a.")`;
    return [company.name, fed(formula, company, "Revenue", 2024, { divisor: divisor as number })];
  });
  enterRows(book, "Parts", [["Part", "Revenue"], ...rows, ["Group", "=B2+B3+B4+B5+B6"]]);
  book.hide("Parts", "B5", '=IFERROR(FEED.FINANCIAL(A5,2024,"Revenue",,"m"),"n.a.")', "n.a.");
  const seeds: Written["seeds"] = [
    { rule: "mixedUnit", sheet: "Parts", cells: ["B7"] },
    { rule: "hiddenError", sheet: "Parts", cells: ["B5"] },
  ];
  return { name: "parts", book, seeds };
}

/** A watch list across: companies in columns, with an average that stops before the last one. */
function watchList(): Written {
  const book = new Book();
  const companies = Array.from({ length: 6 }, createCompany);
  const ask = (metric: string, row: number) =>
    companies.map((company, index) => {
      const column = String.fromCharCode(66 + index);
      const own = index === 2 ? { periodEnd: "2024-09-30" } : {};
      return fed(`=FEED.FINANCIAL(${column}$1,2024,$A${row},,"m")`, company, metric, 2024, own);
    });
  enterRows(book, "Watch", [
    ["", ...companies.map(({ name }) => name), "Mean"],
    ["Revenue", ...ask("Revenue", 2), "=AVERAGE(B2:F2)"],
    ["EBIT", ...ask("EBIT", 3), "=AVERAGE(B3:G3)"],
    ["Margin", ...companies.map((_, index) => `=${"BCDEFG"[index]}3/${"BCDEFG"[index]}2`), "=AVERAGE(B4:G4)"],
  ]);
  const seeds: Written["seeds"] = [
    { rule: "leftOut", sheet: "Watch", cells: ["H2"] },
    { rule: "yearEndsApart", sheet: "Watch", cells: ["D2", "D3"] },
  ];
  return { name: "watch list", book, seeds };
}

export const WRITTEN_STATEMENTS = [income, balance, cash, parts, watchList];
