import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { Shown } from "../support/formula-cells";
import type { Received } from "../support/http-server";
import { isCredential, type ScriptedFormulas, startScriptedFormulas } from "../support/scripted-formulas";

type Metrics = Record<string, unknown>;

const A = "aaaaaaaa-0000-4000-8000-000000000000";
const B = "bbbbbbbb-0000-4000-8000-000000000000";
const NONE = "cccccccc-0000-4000-8000-000000000000";

const statement = (statementType: unknown, consolidationType: unknown, metrics: Metrics) => ({
  statementType,
  consolidationType,
  metrics: Object.entries(metrics).map(([name, value]) => ({ name, value })),
});
const yearOf = (year: unknown, statements: unknown[], fields: object = {}) => ({
  year,
  currency: "JPY",
  ...fields,
  statements,
});
const income = (metrics: Metrics, consolidation = "CONSOLIDATED") =>
  statement("INCOME_STATEMENT", consolidation, metrics);

let years: Record<string, unknown[]>;
let stage: ScriptedFormulas;

beforeEach(async () => {
  years = { [NONE]: [] };
  stage = await startScriptedFormulas(({ path, body }: Received) => {
    const id = /\/financials\/companies\/([^?]+)/.exec(path)?.[1];
    if (id !== undefined) return { json: { companyId: id, years: years[id] } };
    if (!path.endsWith("/financials")) return undefined;
    const { companyIds } = body as { companyIds: string[] };
    const data = companyIds.map((companyId) => ({ companyId, years: years[companyId] }));
    return { json: { data, page: 1, pageSize: 25, total: data.length } };
  });
});
afterEach(() => stage.close());

const show = (...parameters: unknown[]): Promise<Shown> => stage.formulas.type("FINANCIALS", ...parameters).next();
const figure = async (...parameters: unknown[]) =>
  (await stage.formulas.type("FINANCIAL", ...parameters).next())[0]?.[0];
const ambiguous = (texts: string) => expect.stringMatching(new RegExp(`^#VALUE! FEED_AMBIGUOUS: .*${texts}`));

/** A year with bounds, another annual version and an interim one beside it, and two consolidations. */
const versions = () => [
  yearOf(2023, [income({ Revenue: 30 })], { period: "FY4", periodType: "ANNUAL", financialPeriodEnd: "2023-12-31" }),
  yearOf(2023, [income({ Revenue: 31 })], { period: "FY", periodType: "annual", financialPeriodEnd: "2023-12-30" }),
  yearOf(2023, [income({ Revenue: 12 })], { period: "FY2", periodType: "INTERIM", financialPeriodEnd: "2023-06-30" }),
  yearOf("2022", [income({ Revenue: 20 }), income({ Revenue: 19, EBIT: 2 }, "PARENT")], { period: "FY4" }),
];

describe("the wide layout", () => {
  it("shows an ambiguous value as an error in its own cell, resolved by a basis", async () => {
    years[A] = versions();
    const rows = await show(A);
    expect(rows).toEqual([
      ["Company", "Year", "Currency", "Revenue", "EBIT"],
      [A, 2022, "JPY", 20, 2],
      [A, 2023, "JPY", ambiguous("give a basis: FY4, FY$"), ""],
    ]);
    expect(await figure([[A]], [[2023]], [["Revenue"]])).toBe(rows[2]?.[3]);
    expect(await show(A, null, null, null, "FY2", null, false)).toEqual([[A, 2023, "JPY", 12]]);
    expect((await show(A, 2022, null, null, "PARENT"))[1]).toEqual([A, 2022, "JPY", 19, 2]);
  });

  it("gives a metric of two statements a column for each, and merges spellings of one name", async () => {
    years[A] = [
      yearOf(2023, [
        statement("CASH_FLOW", "CONSOLIDATED", { "Net Income": 5, "Operating Cash Flow": 7 }),
        statement("NOTES", "CONSOLIDATED", { Staff: 9, Currency: 4, "": 6 }),
        income({ NET_INCOME: 3, Revenue: 1 }),
      ]),
      yearOf(2022, [income({ "net income": 2 }), statement("notes", "", { STAFF: 8 })]),
    ];
    expect(await show(A)).toEqual([
      [
        ...["Company", "Year", "Currency", "Revenue", "INCOME_STATEMENT.NET_INCOME", "Operating Cash Flow"],
        ...["CASH_FLOW.Net Income", "Staff", "NOTES.Currency", "NOTES."],
      ],
      [A, 2022, "JPY", "", 2, "", "", 8, "", ""],
      [A, 2023, "JPY", 1, 3, 7, 5, 9, 4, 6],
    ]);
    const named = await show(A, 2023, "net income, cash flow.netincome, Staff, currency");
    expect(named).toEqual([
      ["Company", "Year", "Currency", "NET_INCOME", "CASH_FLOW.Net Income", "Staff", "Currency"],
      [A, 2023, "JPY", ambiguous('"CASH_FLOW.Net Income" or "INCOME_STATEMENT.Net Income"'), 5, 9, "JPY"],
    ]);
  });

  it("leaves null empty, and shows a text in place of a number as an error in its cell", async () => {
    years[A] = [yearOf(2023, [income({ Revenue: null, EBIT: "12", EBITDA: 4 })], { currency: null })];
    expect((await show(A))[1]).toEqual([
      ...[A, 2023, "", ""],
      ...[4, expect.stringMatching(/^#N\/A FEED_RESPONSE_MALFORMED: EBIT of 2023 is no number/)],
    ]);
  });

  it("has a row for each requested year, and one for a company without financials", async () => {
    years[A] = [yearOf(2021, [income({ Revenue: 1 })]), yearOf(2023, [income({ Revenue: 3 })])];
    expect(await show(`${A},${NONE}`, "FY-2:FY0", "Revenue", null, null, null, false)).toEqual([
      [A, 2021, "JPY", 1],
      [A, 2022, "", ""],
      [A, 2023, "JPY", 3],
      [NONE, "", "", ""],
      [NONE, "", "", ""],
      [NONE, "", "", ""],
    ]);
    expect((await show(`${NONE},${A}`))[1]).toEqual([NONE, "", "", ""]);
    for (const layout of ["wide", "long"]) expect(await show(`${NONE},${NONE}`, null, null, layout)).toHaveLength(3);
    for (const layout of ["wide", "statement", "long"]) {
      expect((await show(NONE, null, null, layout))[0]?.[0]).toMatch(
        /^#N\/A FEED_NO_VALUE: the provider has no financials of this company/,
      );
    }
  });

  it("shows years and currency of a company with empty statements", async () => {
    years[A] = [yearOf(2023, [])];
    expect(await show(A)).toEqual([
      ["Company", "Year", "Currency"],
      [A, 2023, "JPY"],
    ]);
    expect(await show(A, null, null, "statement")).toEqual([
      ["Year", 2023],
      ["Currency", "JPY"],
    ]);
  });

  it("accepts a metric name with a comma in a range", async () => {
    years[A] = [yearOf(2023, [income({ "Cash, restricted": 4, Revenue: 1 })])];
    expect(await show(A, null, [["Cash, restricted"], [null], ["Revenue"]])).toEqual([
      ["Company", "Year", "Currency", "Cash, restricted", "Revenue"],
      [A, 2023, "JPY", 4, 1],
    ]);
    expect((await show(A, null, "Cash, restricted"))[0]?.[0]).toMatch(/metrics has "Cash", which no answer has/);
  });

  it("reports an ambiguous date in its own cells", async () => {
    const bounds = { financialPeriodStart: "2023-01-01", financialPeriodEnd: "2023-12-31" };
    years[A] = [yearOf(2022, [income({ Revenue: 2 })], bounds), yearOf(2023, [income({ Revenue: 3 })], bounds)];
    const row = (await show(`${A},${A}`, "2023-05-01", "Revenue"))[1] ?? [];
    expect(row).toEqual([A, ...row.slice(1).map(() => ambiguous("lies in several fiscal years"))]);
    const long = (await show(A, "2023-05-01", null, "long"))[1] ?? [];
    expect(long).toEqual([A, ...long.slice(1).map(() => ambiguous("lies in several fiscal years"))]);
  });
});

describe("the statement layout", () => {
  it("shows metrics down by statement and years across, under currency and period ends", async () => {
    years[A] = [
      yearOf(
        2023,
        [statement("CASH_FLOW", "PARENT", { "Net Income": 5 }), income({ "Net Income": 3000, Revenue: 1e4 })],
        {
          financialPeriodEnd: "2023-12-31",
        },
      ),
      yearOf(2022, [statement("SEGMENT_DATA", "", { Shops: 8 }), statement(null, "", { Odd: 1 })], { currency: "USD" }),
    ];
    expect(await show(A, null, null, "Statement")).toEqual([
      ["Year", 2022, 2023],
      ["Currency", "USD", "JPY"],
      ["Period end", "", 45_291],
      ["Income statement", "", ""],
      ["Revenue", "", 1e4],
      ["Net Income", "", 3000],
      ["Cash flow", "", ""],
      ["Net Income", "", 5],
      ["Segment data", "", ""],
      ["Shops", 8, ""],
      ["Other", "", ""],
      ["Odd", 1, ""],
    ]);
    const named = ["net income", "Inventory", "period", "currency"];
    expect(await show(A, "FY0,FY-1", named.join(","), "statement", null, "k", false)).toEqual([
      ["Currency", "JPY", "USD"],
      ["Period end", 45_291, ""],
      ["Period", "", ""],
      ["Income statement", "", ""],
      ["Net Income", 3, ""],
      ["Balance sheet", "", ""],
      ["Inventory", "", ""],
      ["Cash flow", "", ""],
      ["Net Income", 0.005, ""],
    ]);
  });

  it("shows errors in single cells, and one error if it has no value", async () => {
    years[A] = versions();
    expect(await show(A, null, "Revenue", "statement")).toEqual([
      ["Year", 2022, 2023],
      ["Currency", "JPY", "JPY"],
      ["Period end", "", ambiguous("give a basis: FY4, FY$")],
      ["Income statement", "", ""],
      ["Revenue", 20, ambiguous("give a basis: FY4, FY$")],
    ]);
    expect(await show(A, null, null, "statement", "FY9")).toEqual([
      [expect.stringMatching(/^#N\/A FEED_NO_VALUE: .* has no basis "FY9"; give one of /)],
    ]);
  });
});

describe("the long layout", () => {
  const header = [
    ...["Company", "Company id", "Year", "Currency", "Period type", "Period", "Period year", "Period start"],
    ...["Period end", "Financial type", "Statement", "Consolidation", "Metric", "Value"],
  ];

  it("gives every annual version a row with all its facts, and only matching ones with a basis", async () => {
    years[A] = versions();
    const row = (year: number, facts: unknown[], consolidation: string, metric: string, value: number) => [
      ...[A, A, year, "JPY", ...facts, "INCOME_STATEMENT", consolidation, metric, value],
    ];
    const annual = ["ANNUAL", "FY4", "", "", 45_291, ""];
    const other = ["annual", "FY", "", "", 45_290, ""];
    const interim = ["INTERIM", "FY2", "", "", 45_107, ""];
    const bare = ["", "FY4", "", "", "", ""];
    const all = [
      row(2022, bare, "CONSOLIDATED", "Revenue", 20),
      row(2022, bare, "PARENT", "Revenue", 19),
      row(2022, bare, "PARENT", "EBIT", 2),
      row(2023, annual, "CONSOLIDATED", "Revenue", 30),
      row(2023, other, "CONSOLIDATED", "Revenue", 31),
    ];
    expect(await show(A, null, null, "long")).toEqual([header, ...all]);
    const ofInterim = row(2023, interim, "CONSOLIDATED", "Revenue", 12);
    expect(await show(A, null, null, "long", "interim")).toEqual([header, ofInterim]);
    expect(await show(A, null, "revenue", "long", "FY4,CONSOLIDATED", 10, false)).toEqual([
      row(2022, bare, "CONSOLIDATED", "Revenue", 2),
      row(2023, annual, "CONSOLIDATED", "Revenue", 3),
    ]);
    expect(await show(A, "FY-1,2021", "EBIT", "long", null, null, false)).toEqual([all[2]]);
  });

  it("lists identical duplicates once, and differing ones both", async () => {
    const twice = income({ Revenue: 1 });
    const of = (period: string, statements: unknown[]) => yearOf(2023, statements, { periodType: "ANNUAL", period });
    years[A] = [of("FY4", [twice, twice]), of("FY", [twice]), of("FY4", [twice, income({ Revenue: 2 })])];
    const rows = await show(A, null, null, "long", null, null, false);
    expect(rows.map((row) => [row[5], row.at(-1)])).toEqual([
      ["FY4", 1],
      ["FY", 1],
      ["FY4", 2],
    ]);
  });

  it("has a row for a company without the metrics, for null and for a non-number", async () => {
    years[A] = [yearOf(2023, [income({ Revenue: null, EBIT: "12" })], { periodYear: 2023, financialType: "FULL" })];
    years[B] = [yearOf(2022, [income({ Revenue: 7 })])];
    const rows = await show([[A], [NONE], [B], [true]], "2023", null, "long");
    const blanks = Array.from({ length: 12 }, () => "");
    expect(rows.slice(3)).toEqual([
      [NONE, NONE, ...blanks],
      [B, B, ...blanks],
      [true, ...header.slice(1).map(() => expect.stringMatching(/^#VALUE! FEED_ARGUMENT_INVALID: companies must be/))],
    ]);
    expect(rows.slice(1, 3).map((row) => [row[6], row[9], row[13]])).toEqual([
      [2023, "FULL", ""],
      [2023, "FULL", expect.stringMatching(/^#N\/A FEED_RESPONSE_MALFORMED: EBIT of 2023 is no number/)],
    ]);
  });
});

it("costs one request in all layouts together", async () => {
  years[A] = versions();
  await Promise.all(["wide", "statement", "long"].map((layout) => show(A, null, null, layout)));
  expect(stage.requests.filter((request) => !isCredential(request))).toHaveLength(1);
});
