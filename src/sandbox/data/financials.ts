import { METRICS } from "../../contract/parameter-values";
import type { FinancialYear, Metric, Statement } from "../../contract/types";
import { type Country, countEarlier, pickCountry } from "./countries";
import { createDraw, type Draw, hash, PURPOSE } from "./random";

export const FIRST_YEAR = 2015;
export const LAST_YEAR = 2024;

/** Number of companies per country that report everything for every year; samples use them. */
const COMPLETE_PER_COUNTRY = 20;

/** A company's habits of reporting, the same in all its years. */
interface Habits {
  yearEndMonth: number;
  currency: string;
  rounding: number;
  consolidationTypes: readonly string[];
  missingYears: ReadonlySet<number>;
  /** Metrics the company never reports. */
  absentMetrics: ReadonlySet<string>;
  incomeStatementOnly: boolean;
}

/** The fifteen amounts of a year, and the year's depreciation, which only ties them together. */
type Amounts = Record<string, number>;

const YEARS = Array.from({ length: LAST_YEAR - FIRST_YEAR + 1 }, (_, place) => FIRST_YEAR + place);

const SOMETIMES_ABSENT = ["Inventory", "EBITDA", "Accounts Receivable", "Operating Expenses", "Financing Cash Flow"];

function createHabits(draw: Draw, country: Country, index: number): Habits {
  const complete = countEarlier(index) < COMPLETE_PER_COUNTRY;
  const dollars = !complete && draw.chance(0.02);
  const both = draw.chance(0.04);
  const alone = draw.chance(0.15);
  const types = both ? ["CONSOLIDATED", "NON_CONSOLIDATED"] : [alone ? "NON_CONSOLIDATED" : "CONSOLIDATED"];
  const firstYear = draw.chance(0.25) ? draw.integer(FIRST_YEAR + 1, LAST_YEAR - 2) : FIRST_YEAR;
  const gap = draw.chance(0.06) ? draw.integer(firstYear, LAST_YEAR) : 0;
  const habits = {
    yearEndMonth: draw.pick(country.yearEndMonths),
    currency: dollars ? "USD" : country.currency,
    rounding: dollars ? 1 : country.rounding,
  };
  const absent = SOMETIMES_ABSENT.filter(() => draw.chance(0.05));
  const incomeStatementOnly = draw.chance(0.05);
  if (complete) {
    const none = new Set<never>();
    return {
      ...habits,
      consolidationTypes: ["CONSOLIDATED"],
      missingYears: none,
      absentMetrics: none,
      incomeStatementOnly: false,
    };
  }
  const silent = draw.chance(0.02);
  const missingYears = new Set(YEARS.filter((year) => silent || year < firstYear || year === gap));
  return { ...habits, consolidationTypes: types, missingYears, absentMetrics: new Set(absent), incomeStatementOnly };
}

/** A company's shape in shares of its revenue. */
interface Shape {
  costShare: number;
  operatingShare: number;
  depreciationShare: number;
  interestShare: number;
  taxRate: number;
  assetTurnover: number;
  liabilityShare: number;
  growth: number;
  roughness: number;
}

function createShape(draw: Draw): Shape {
  const costShare = draw.between(0.42, 0.82);
  const margin = 0.055 + 0.06 * draw.bell();
  return {
    costShare,
    operatingShare: Math.max(0.03, 1 - costShare - margin),
    depreciationShare: draw.between(0.01, 0.06),
    interestShare: draw.between(0, 0.012),
    taxRate: draw.between(0.18, 0.34),
    assetTurnover: draw.between(0.6, 1.9),
    liabilityShare: draw.chance(0.03) ? draw.between(1.01, 1.2) : draw.between(0.25, 0.85),
    growth: 0.04 + 0.05 * draw.bell(),
    roughness: draw.between(0.02, 0.12),
  };
}

/** The income statement of a year: every subtotal is the exact difference of its parts. */
function createIncome(draw: Draw, shape: Shape, revenue: number, round: (amount: number) => number): Amounts {
  const cost = round(revenue * shape.costShare * (1 + 0.02 * draw.bell()));
  const operating = round(revenue * shape.operatingShare * (1 + 0.04 * draw.bell()));
  const depreciation = round(revenue * shape.depreciationShare);
  const ebit = revenue - cost - operating;
  const beforeTax = ebit - round(revenue * shape.interestShare);
  return {
    Revenue: revenue,
    "Cost of Goods Sold": cost,
    "Gross Profit": revenue - cost,
    "Operating Expenses": operating,
    EBITDA: ebit + depreciation,
    EBIT: ebit,
    "Net Income": beforeTax > 0 ? beforeTax - round(beforeTax * shape.taxRate) : beforeTax,
    depreciation,
  };
}

/** The balance sheet and cash flow of a year: cash moves by exactly the sum of the three flows. */
function createPosition(
  draw: Draw,
  shape: Shape,
  income: Amounts,
  cashBefore: number,
  round: (amount: number) => number,
): Amounts {
  const revenue = income.Revenue!;
  const assets = round((revenue / shape.assetTurnover) * (1 + 0.03 * draw.bell()));
  const operatingFlow = income["Net Income"]! + income.depreciation! + round(revenue * 0.01 * draw.bell());
  const investingFlow = -round(income.depreciation! * draw.between(0.6, 1.6));
  const cash = round(assets * draw.between(0.08, 0.22));
  return {
    "Total Assets": assets,
    "Total Liabilities": round(assets * shape.liabilityShare * (1 + 0.03 * draw.bell())),
    "Cash and equivalents": cash,
    Inventory: round(assets * draw.between(0.05, 0.2)),
    "Accounts Receivable": round(assets * draw.between(0.08, 0.25)),
    "Operating Cash Flow": operatingFlow,
    "Investing Cash Flow": investingFlow,
    "Financing Cash Flow": cash - cashBefore - operatingFlow - investingFlow,
  };
}

/** What restatements have multiplied the last year's revenue by: each week one company in four restates it. */
function pickRestated(seed: number, index: number, weeks: number): number {
  let restated = 1;
  for (let week = 1; week <= weeks; week += 1) {
    const drawn = hash(seed, PURPOSE.restatement, index, week);
    if (drawn % 4 === 2) restated *= 1 + (((drawn >>> 2) % 61) - 30) / 1000;
  }
  return restated;
}

/** All years' amounts; a year's values do not change when another year is left out. */
function createAmounts(draw: Draw, shape: Shape, firstRevenue: number, rounding: number, restated: number): Amounts[] {
  const round = (amount: number) => Math.round(amount / rounding) * rounding;
  let trend = firstRevenue;
  let cash = round((firstRevenue / shape.assetTurnover) * 0.14);
  return YEARS.map((year) => {
    const shock = year === 2020 ? draw.between(-0.18, 0.02) : 0;
    trend *= 1 + shape.growth + shape.roughness * draw.bell() * 0.5;
    const revenue = trend * (1 + shock) * (year === LAST_YEAR ? restated : 1);
    const income = createIncome(draw, shape, round(revenue), round);
    const position = createPosition(draw, shape, income, cash, round);
    cash = position["Cash and equivalents"]!;
    return { ...income, ...position };
  });
}

const lastDay = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();
const toDate = (year: number, month: number, day: number) =>
  `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;

/** The twelve months that end in the fiscal year's own calendar year: the year's label is the year of its last day. */
function createPeriod(year: number, endMonth: number) {
  const startYear = endMonth === 12 ? year : year - 1;
  return {
    financialPeriodStart: toDate(startYear, (endMonth % 12) + 1, 1),
    financialPeriodEnd: toDate(year, endMonth, lastDay(year, endMonth)),
  };
}

/** Without its subsidiaries a company is smaller, by one share for all lines, so that its identities hold too. */
const ALONE_SHARE = 0.5;

function createStatements(amounts: Amounts, habits: Habits): Statement[] {
  const types = Object.entries(METRICS).slice(0, habits.incomeStatementOnly ? 1 : undefined);
  return habits.consolidationTypes.flatMap((consolidationType, place) =>
    types.map(([statementType, names]) => ({
      statementType,
      consolidationType,
      metrics: names
        .filter((name) => !habits.absentMetrics.has(name))
        .map((name): Metric => ({ name, value: place === 0 ? amounts[name]! : amounts[name]! * ALONE_SHARE })),
    })),
  );
}

/**
 * The fiscal years a private company reports, oldest first.
 * @param weeks how many weeks the data have moved on; default 0
 */
export function createFinancialYears(seed: number, index: number, weeks = 0): FinancialYear[] {
  const country = pickCountry(index);
  const habits = createHabits(createDraw(seed, PURPOSE.financials, index, 1), country, index);
  const draw = createDraw(seed, PURPOSE.financials, index, 2);
  const dollars = 4e6 * Math.exp(1.6 * draw.bell()) + 2e5;
  const perDollar = habits.currency === "USD" ? 1 : country.perDollar;
  const restated = pickRestated(seed, index, weeks);
  const amounts = createAmounts(draw, createShape(draw), dollars * perDollar, habits.rounding, restated);
  return YEARS.flatMap((year, place) =>
    habits.missingYears.has(year)
      ? []
      : {
          year,
          currency: habits.currency,
          periodType: "ANNUAL",
          period: "FY4",
          periodYear: year,
          ...createPeriod(year, habits.yearEndMonth),
          financialType: habits.incomeStatementOnly ? "SUMMARY" : "FULL",
          statements: createStatements(amounts[place]!, habits),
        },
  );
}
