import { Book, createCompany, toFigure } from "./book";
import { enterRows, fed, type Written } from "./written-rows";

const clean = (name: string, book: Book): Written => ({ name, book, seeds: [] });

/** Names of cells, constants, ranges and broken ones; a table with a line of totals; thousands brought to millions. */
export function namesAndTables(): Written {
  const book = new Book();
  const companies = Array.from({ length: 5 }, createCompany);
  const rows = companies.map((company) => [
    company.name,
    fed('=FEED.FINANCIAL([@Company],Year,"Revenue",,"m")', company, "Revenue", 2024),
    fed('=FEED.FINANCIAL([@Company],Year,"EBIT",,"m")', company, "EBIT", 2024),
    "=[@EBIT]/[@Revenue]",
    "=[@Revenue]/SUM(Peers[Revenue])",
  ]);
  enterRows(book, "Peers", [
    ["Company", "Revenue", "EBIT", "Margin", "Share"],
    ...rows,
    ["Total", "=SUBTOTAL(109,Peers[Revenue])", "=SUBTOTAL(109,Peers[EBIT])", "=Peers[[#Totals],[EBIT]]/B7"],
  ]);
  const columns = ["Company", "Revenue", "EBIT", "Margin", "Share"];
  book.tables.push({ name: "Peers", sheet: "Peers", address: "A1:E7", columns, hasHeaders: true, hasTotals: true });
  const small = createCompany();
  const inThousands = fed(`=FEED.FINANCIAL("${small.id}",Year,"Revenue",,"k")`, small, "Revenue", 2024, {
    divisor: 1e3,
  });
  enterRows(book, "Summary", [
    ["Year", 2024],
    ["Rate", 150.2],
    ["Thousand", 1_000],
    ["Small company, JPY k", inThousands],
    ["All", "=SUM(Revenues)+B4/Thousand"],
    ["All again", "=SUM(Revenues)+B4/Scale"],
    ["In dollars", "=SUM(Revenues)/Rate"],
    ["Column", "=SUM(Peers!C:C)"],
    ["Dynamic", "=SUM(Dynamic)"],
    ["Chosen", '=SUM(INDIRECT("Peers!B2:B3"))'],
    ["Gone", "=SUM(Gone)+Nowhere"],
    ["Largest", "=INDEX(Peers[Company],MATCH(MAX(Revenues),Revenues,0))"],
  ]);
  const names: [string, string][] = [
    ["Year", "=Summary!$B$1"],
    ["Rate", "=Summary!$B$2"],
    ["Thousand", "=Summary!$B$3"],
    ["Scale", "=1000"],
    ["Revenues", "=Peers!$B$2:$B$6"],
    ["Dynamic", "=OFFSET(Peers!$B$1,1,0,COUNTA(Peers!$A:$A)-2,1)"],
    ["Gone", "=#REF!$B$2"],
  ];
  for (const [name, formula] of names) book.names.push({ name, sheet: null, formula });
  return clean("names and tables", book);
}

/** Spilled figures in two currencies, which LET, LAMBDA and arrays convert, filter or count. */
export function lambdas(): Written {
  const book = new Book();
  const companies = Array.from({ length: 4 }, createCompany);
  const grid = companies.map((company, index) =>
    [2022, 2023, 2024].map((year) => {
      return toFigure(company, "Revenue", year, { currency: index === 2 ? "USD" : "JPY" });
    }),
  );
  enterRows(book, "Data", [["Company", 2022, 2023, 2024, "Currency", "Rate"]]);
  book.spill("Data", "B2", '=FEED.FINANCIAL(A2:A5,B1:D1,"Revenue",,"m")', grid);
  for (const [index, { name }] of companies.entries()) {
    const row = index + 2;
    book.type("Data", `A${row}`, name);
    book.enter("Data", `E${row}`, `=FEED.COMPANY(A${row},"currency")`, index === 2 ? "USD" : "JPY");
    book.type("Data", `F${row}`, index === 2 ? 150.2 : 1);
  }
  const formulas = [
    "=SUM(Data!D2:D5*Data!F2:F5)",
    "=SUMPRODUCT(Data!D2:D5,Data!F2:F5)",
    '=SUM((Data!E2:E5="JPY")*Data!D2:D5)',
    '=SUM(IF(Data!E2:E5="JPY",Data!D2:D5,0))',
    '=SUM(FILTER(Data!D2:D5,Data!E2:E5="JPY"))',
    "=LET(figures,Data!D2:D5,rates,Data!F2:F5,SUM(figures*rates))",
    "=LET(convert,LAMBDA(x,rate,x*rate),total,SUM(MAP(Data!D2:D5,Data!F2:F5,convert)),total/1000)",
    "=BYROW(Data!B2#,LAMBDA(row,SUM(row)))",
    "=BYROW(_xlfn.ANCHORARRAY(Data!B2),_xlfn.LAMBDA(_xlpm.row,SUM(_xlpm.row)))",
    "=REDUCE(0,Data!D2:D5*Data!F2:F5,LAMBDA(sum,each,sum+each))",
    "=TAKE(SORTBY(Data!A2:A5,Data!D2:D5*Data!F2:F5,-1),2)",
    '=COUNTIFS(Data!E2:E5,"JPY",Data!D2:D5,">1000")',
    "=SUM(INDEX(Data!D2:D5,1):INDEX(Data!D2:D5,2))",
    "=LAMBDA(a,b,a/b-1)(Data!D2,Data!C2)",
    '=SUMIF(Data!E2:E5,"JPY",Data!D2:D5)+SUMIF(Data!E2:E5,"USD",Data!D2:D5)*Data!F4',
    "=SUM(--(Data!D2:D5>0))",
    "=SUM(VSTACK(Data!D2:D3,Data!D5))",
  ];
  enterRows(book, "Sums", [["Revenue"], ...formulas.map((formula, index) => [`Way ${index + 1}`, formula])]);
  return clean("lambdas and spills", book);
}

/** Subsidiaries in three currencies on sheets of their own, converted at typed rates, one of them a round thousand. */
export function conversion(): Written {
  const book = new Book();
  const currencies = ["JPY", "USD", "KRW"];
  for (const currency of currencies) {
    const lines = [2, 3, 4].map((row) => {
      const company = createCompany();
      const ask = (column: string, year: number) =>
        fed(`=FEED.FINANCIAL($A${row},${column}$1,"Revenue",,"m")`, company, "Revenue", year, { currency });
      return [company.name, ask("B", 2023), ask("C", 2024)];
    });
    enterRows(book, currency, [["Company", 2023, 2024], ...lines, ["Total", "=SUM(B2:B4)", "=SUM(C2:C4)"]]);
  }
  enterRows(book, "Rates", [
    ["To USD", "Per USD"],
    ["JPY", 150.2],
    ["USD", 1],
    ["KRW", 1_000],
  ]);
  enterRows(book, "Group", [
    ["USD m", 2023, 2024],
    ["Japan", "=JPY!B5/Rates!$B$2", "=JPY!C5/Rates!$B$2"],
    ["America", "=USD!B5/Rates!$B$3", "=USD!C5/Rates!$B$3"],
    ["Korea", "=KRW!B5/Rates!$B$4", "=KRW!C5/Rates!$B$4"],
    ["Group", "=SUM(B2:B4)", "=SUM(C2:C4)"],
    ["Growth", null, "=C5/B5-1"],
    ["Japan by table", '=JPY!B5/VLOOKUP("JPY",Rates!$A$2:$B$4,2,FALSE)'],
    ["At once", "=SUM(JPY!B2:B4)/Rates!$B$2+SUM(USD!B2:B4)+SUM(KRW!B2:B4)/Rates!$B$4"],
    ["Over sheets", "=SUM(JPY:KRW!A1)"],
    ["America and Korea", "=USD!B5+KRW!B5/Rates!$B$4"],
  ]);
  return clean("conversion", book);
}

/** Text for numbers, merged heads, blank rows, sections, circular references, and errors that are shown. */
export function untidy(): Written {
  const book = new Book();
  const companies = Array.from({ length: 6 }, createCompany);
  const ask = (index: number, row: number, column: string, year: number) =>
    fed(`=FEED.FINANCIAL($A${row},${column}$3,"Revenue",,"m")`, companies[index] as never, "Revenue", year);
  const line = (index: number, row: number) => [
    companies[index]?.name ?? "",
    ask(index, row, "B", 2022),
    ask(index, row, "C", 2023),
    ask(index, row, "D", 2024),
    `=D${row}/B${row}-1`,
  ];
  enterRows(book, "List", [
    ["Customers, draft of 3 May"],
    [null, "Revenue, JPY m", null, null, "Growth"],
    [null, "2022", "2023", "2024"],
    ["East"],
    line(0, 5),
    line(1, 6),
    [],
    line(2, 8),
    ["East", "=SUM(B5:B8)", "=SUM(C5:C8)", "=SUM(D5:D8)", "=D9/B9-1"],
    ["West"],
    line(3, 11),
    line(4, 12),
    ["Closed", "1,250", "n.a.", "-", "n.m."],
    line(5, 14),
    ["West", "=SUM(B11:B14)", "=SUM(C11:C14)", "=SUM(D11:D14)", "=D15/B15-1"],
    ["All", "=B9+B15", "=C9+C15", "=D9+D15", "=D16/B16-1"],
    ["Check", "=B16-SUM(B5:B8,B11:B14)", "=C16-SUM(C5:C8,C11:C14)", "=D16-SUM(D5:D8,D11:D14)"],
    ["Per customer", "=B16/COUNT(B5:B14)", "=C16/COUNTA(C5:C14)", "=D16/0"],
  ]);
  book.feed("List", "C12", '=FEED.FINANCIAL($A12,C$3,"Revenue",,"m")');
  book.enter("List", "C15", "=SUM(C11:C14)", "#N/A");
  book.enter("List", "C16", "=C9+C15", "#N/A");
  book.enter("List", "D18", "=D16/0", "#DIV/0!");
  enterRows(book, "Loop", [
    ["Debt", "=B3+100"],
    ["Interest", "=B1*1.5%"],
    ["Need", "=B2+List!B16*0"],
    ["Itself", "=B4"],
    ["Gone", "=#REF!+1"],
    ["No such function", "=WERT(List!B5)+1"],
    ["Empty", '=IF(List!B7="","",List!B7)'],
    ["Text", '=TEXT(List!D16,"#,##0")&" million"'],
    ["Link", "='[Budget 2024.xlsx]Plan'!$B$4+List!B5"],
    ["Guard", '=IFERROR(List!D16/List!B17,"n.m.")'],
  ]);
  return clean("untidy", book);
}
