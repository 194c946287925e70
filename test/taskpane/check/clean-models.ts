import { Book, createCompany } from "./book";
import { enterRows, fed, type Written } from "./written-rows";

const YEARS = [2021, 2022, 2023, 2024];
const COLUMNS = "BCDE";

const clean = (name: string, book: Book): Written => ({ name, book, seeds: [] });

/** Comparables in two sectors with statistics for each and for all, and multiples of typed enterprise values. */
export function comparables(): Written {
  const book = new Book();
  const line = (row: number) => {
    const company = createCompany();
    const own = row % 2 === 0 ? { periodEnd: "2023-12-31" } : {};
    const ask = (metric: string, column: string) =>
      fed(`=FEED.FINANCIAL($A${row},$B$2,${column}$4,,"m")`, company, metric, 2024, own);
    const inBillions = fed(`=FEED.FINANCIAL($A${row},$B$2,"Revenue",,"bn")`, company, "Revenue", 2024, {
      ...own,
      divisor: 1e9,
    });
    const multiples = [`=E${row}/B${row}`, `=IFERROR(E${row}/C${row},"n.m.")`];
    return [company.name, ask("Revenue", "B"), ask("EBIT", "C"), inBillions, 4_000 + row * 310, ...multiples];
  };
  const statistics = (name: string, ranges: (column: string) => string) => [
    name,
    ...["B", "C"].map((column) => `=${name.toUpperCase()}(${ranges(column)})`),
    null,
    ...["E", "F", "G"].map((column) => `=${name.toUpperCase()}(${ranges(column)})`),
  ];
  const all = (column: string) => `${column}6:${column}9,${column}14:${column}17`;
  enterRows(book, "Comps", [
    ["Trading comparables"],
    ["Year", 2024],
    [null, "JPY m", null, "JPY bn", "JPY m", "Multiples"],
    ["Company", "Revenue", "EBIT", "Revenue", "Enterprise value", "EV/Sales", "EV/EBIT"],
    ["Food"],
    ...[6, 7, 8, 9].map(line),
    statistics("Median", (column) => `${column}6:${column}9`),
    statistics("Average", (column) => `${column}6:${column}9`),
    [],
    ["Drinks"],
    ...[14, 15, 16, 17].map(line),
    statistics("Median", (column) => `${column}14:${column}17`),
    statistics("Average", (column) => `${column}14:${column}17`),
    [],
    statistics("Median", all),
    statistics("Max", all),
    statistics("Min", all),
    ["Top 2 of drinks", "=SUM(B14:B15)", "=SUM(C14:C15)"],
    ["Share of them", "=B24/SUM(B14:B17)", "=C24/SUM(C14:C17)"],
    ["Target", ...line(26).slice(1, 4), "=F20*B26", "=E26/B26", "=E26/C26"],
  ]);
  return clean("comparables with medians", book);
}

/** Three statements with margins, balance checks, typed drivers, forecasts, and interest on average debt, which is circular. */
export function threeStatements(): Written {
  const book = new Book();
  const company = createCompany();
  const actual = (metric: string, row: number) =>
    YEARS.map((year, y) =>
      fed(`=FEED.FINANCIAL(Inputs!$B$1,${COLUMNS[y]}$2,$A${row},,"m")`, company, metric, year, {}),
    );
  const across = (columns: string, write: (column: string, before: string) => string) =>
    [...columns].map((column) => write(column, String.fromCharCode(column.charCodeAt(0) - 1)));
  const line = (metric: string, row: number, forecast: (column: string, before: string) => string) => [
    metric,
    ...actual(metric, row),
    ...across("FGH", forecast),
  ];
  const head = (title: string) => [[title], ["JPY m", ...YEARS, 2025, 2026, 2027]];
  enterRows(book, "Inputs", [
    ["Company", company.name],
    ["Growth", null, null, null, null, 0.05, 0.04, 0.03],
    ["Cost ratio", null, null, null, null, 0.61, 0.6, 0.6],
    ["Interest", 0.015],
    ["Tax", 0.3],
  ]);
  enterRows(book, "Income", [
    ...head("Income statement"),
    line("Revenue", 3, (column, before) => `=${before}3*(1+Inputs!${column}$2)`),
    line("Cost of Goods Sold", 4, (column) => `=${column}3*Inputs!${column}$3`),
    line("Gross Profit", 5, (column) => `=${column}3-${column}4`),
    line("EBIT", 6, (column, before) => `=${column}5*${before}6/${before}5`),
    ["Interest", ...across("BCDEFGH", (column) => `=Inputs!$B$4*AVERAGE(Balance!${column}6:${column}7)`)],
    ["Tax", ...across("BCDEFGH", (column) => `=(${column}6-${column}7)*Inputs!$B$5`)],
    line("Net Income", 9, (column) => `=${column}6-${column}7-${column}8`),
    ["Growth", null, ...across("CDEFGH", (column, before) => `=${column}3/${before}3-1`), "=H3/B3-1"],
    ["EBIT margin", ...across("BCDEFGH", (column) => `=${column}6/${column}$3`)],
    ["Revenue to date", "=SUM($B3:B3)", "=SUM($B3:C3)", "=SUM($B3:D3)", "=SUM($B3:E3)"],
  ]);
  enterRows(book, "Balance", [
    ...head("Balance sheet"),
    line("Total Assets", 3, (column) => `=${column}4+${column}5`),
    line("Total Liabilities", 4, (column, before) => `=${before}4+${column}7-${column}6`),
    line("Total Equity", 5, (column, before) => `=${before}5+Income!${column}9`),
    ["Debt, opening", 900, ...across("CDEFGH", (_, before) => `=${before}7`)],
    ["Debt, closing", ...across("BCDEFGH", (column) => `=${column}6+Income!${column}7-Cash!${column}6/10`)],
    ["Check", ...across("BCDEFGH", (column) => `=ROUND(${column}3-${column}4-${column}5,0)`)],
    ["Average assets", null, ...across("CDEFGH", (column, before) => `=AVERAGE(${before}3:${column}3)`)],
  ]);
  enterRows(book, "Cash", [
    ...head("Cash flow"),
    line("Operating Cash Flow", 3, (column) => `=Income!${column}9*1.4`),
    line("Investing Cash Flow", 4, (_, before) => `=${before}4`),
    line("Financing Cash Flow", 5, (column) => `=Balance!${column}7-Balance!${column}6`),
    ["Change", ...across("BCDEFGH", (column) => `=SUM(${column}3:${column}5)`)],
    line("Cash and equivalents", 7, (column, before) => `=${before}7+${column}6`),
    ["Four years", "=SUM(B6:E6)", null, "=SUM(B3:E3)"],
  ]);
  return clean("three statements", book);
}

/** The latest twelve months from a fiscal year and typed half years, a calendar year, and a bridge to adjusted profit. */
export function latestTwelveMonths(): Written {
  const book = new Book();
  const company = createCompany();
  const ask = (metric: string, row: number, column: string, year: number) =>
    fed(`=FEED.FINANCIAL($B$1,${column}$3,$A${row},,"m")`, company, metric, year);
  const line = (metric: string, row: number, half: number) => [
    metric,
    ask(metric, row, "B", 2023),
    ask(metric, row, "C", 2024),
    half,
    half - 40,
    `=C${row}+D${row}-E${row}`,
    `=B${row}*3/12+C${row}*9/12`,
  ];
  enterRows(book, "LTM", [
    ["Company", company.name],
    ["JPY m", "Fiscal years", null, "Half years, as filed"],
    [null, 2023, 2024, "H1 2025", "H1 2024", "LTM", "Calendar 2023"],
    line("Revenue", 4, 2_100),
    line("Gross Profit", 5, 830),
    line("EBIT", 6, 210),
    ["EBIT margin", "=B6/B4", "=C6/C4", "=D6/D4", "=E6/E4", "=F6/F4", "=G6/G4"],
    ["LTM against fiscal year", null, null, null, null, "=F4/C4-1"],
  ]);
  const figure = (metric: string, row: number) =>
    fed(`=FEED.FINANCIAL(LTM!$B$1,B$1,$A${row},,"m")`, company, metric, 2024);
  enterRows(book, "Bridge", [
    ["JPY m", 2024],
    ["EBIT", figure("EBIT", 2)],
    ["Restructuring", 35],
    ["Net Income", figure("Net Income", 4)],
    [],
    ["EBIT, adjusted", "=B2+B3"],
    ["Sale of land", -12],
    ["Net income, adjusted", "=B4+SUM(B3,B7)*(1-30%)"],
  ]);
  return clean("latest twelve months", book);
}

/** Ranks of twelve weeks and their movers, which spill, with sums, changes and figures beside them. */
export function rankings(): Written {
  const book = new Book();
  const companies = Array.from({ length: 5 }, createCompany);
  const weeks = Array.from({ length: 6 }, (_, week) => week);
  enterRows(book, "Ranks", [
    ["Page views"],
    ["From", 45_292],
    [null, ...weeks.map((week) => `Week ${week + 1}`), "Change", "Best", "Revenue", "Views per bn", "Seen"],
  ]);
  const trend = companies.map(({ name }, index) => [name, ...weeks.map((week) => 3 + ((index * 5 + week * 3) % 11))]);
  book.spill("Ranks", "A4", '=FEED.TREND("companies",B2,6,A12:A16)', trend);
  for (const [index, company] of companies.entries()) {
    const row = index + 4;
    book.enter("Ranks", `H${row}`, `=G${row}-B${row}`);
    book.enter("Ranks", `I${row}`, `=MIN(B${row}:G${row})`);
    const ask = `=FEED.FINANCIAL(FEED.COMPANY.ID($A${row}),2024,"Revenue",,"bn")`;
    if (index === 3) book.feed("Ranks", `J${row}`, ask);
    else book.feed("Ranks", `J${row}`, ask, toRevenue(company));
    book.enter("Ranks", `K${row}`, `=G${row}/J${row}`, index === 3 ? "#N/A" : 1);
    book.enter("Ranks", `L${row}`, `=IF(ISNUMBER(J${row}),"yes","no report")`, index === 3 ? "no report" : "yes");
  }
  book.enter("Ranks", "B9", "=AVERAGE(B4:B8)");
  book.enter("Ranks", "J9", "=AGGREGATE(9,2,J4:J5)");
  enterRows(book, "Movers", [["Up"], ["Company", "Before", "After"]]);
  book.spill("Movers", "A3", '=FEED.MOVERS("companies",Ranks!B2,6,3)', [
    ["Company A", 90, 4],
    ["Company B", 70, 9],
    ["Company C", 44, 12],
  ]);
  for (const row of [3, 4, 5]) book.enter("Movers", `D${row}`, `=B${row}-C${row}`);
  book.enter("Movers", "D7", "=SUM(D3:D5)");
  book.enter("Movers", "B7", "=SUM(B3#)", "#VALUE!");
  return clean("ranks and movers", book);
}

const toRevenue = (company: ReturnType<typeof createCompany>) =>
  fed("", company, "Revenue", 2024, { divisor: 1e9 }).figure as NonNullable<ReturnType<typeof fed>["figure"]>;
