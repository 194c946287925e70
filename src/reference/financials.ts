import { type FormulaReference, LOOKUP_ERRORS } from "./formula";
import type { Text } from "./texts";

/** The cost of financials in requests. */
const REQUESTS: Text = {
  en: "one for a single company, or one per 25 companies at once, for all years and metrics. A registration number, or a ticker without a country, takes one more, once a day. A date, periodStart, periodEnd or periodYear takes one more per company if the provider's answers for several companies lack these dates",
  ja: "1 社なら 1 回、複数社なら 25 社ごとに 1 回（年度や指標の数によらない）。登録番号、または国を付けない証券コードは、1 件につき 1 日 1 回追加。日付、periodStart、periodEnd、periodYear は、データ提供元の複数社分のデータに会計年度の日付がない場合、1 社につき 1 回追加",
};

/** The formulas of the financials (§4.2). */
export const FINANCIAL_FORMULAS: Readonly<Record<string, FormulaReference>> = {
  FINANCIAL: {
    gives: { en: "one figure, or a grid", ja: "数値 1 つ、または表" },
    requests: REQUESTS,
    examples: [
      {
        formula: '=FEED.FINANCIAL("Komorebi Education Inc.", "2020:2024", "Revenue", , "m")',
        shows: { en: "Five years of revenue across, in millions", ja: "5 年分の売上高（百万単位）を横に並べる" },
      },
      {
        formula: '=FEED.FINANCIAL("Komorebi Education Inc.", "FY0", "CASH_FLOW.Operating Cash Flow")',
        shows: {
          en: "One figure of one statement, for the company's latest year",
          ja: "最新年度の、財務諸表を指定した数値 1 つ",
        },
      },
      {
        formula:
          '=FEED.FINANCIAL("Komorebi Education Inc.,Yuzuriha Energy Corporation", "2021:2023", "INCOME_STATEMENT.EBIT", "CONSOLIDATED")',
        shows: {
          en: "Two companies down, three years across, the consolidated version",
          ja: "2 社を縦に、3 年度を横に並べる（連結）",
        },
      },
      {
        formula: '=FEED.FINANCIAL("Komorebi Education Inc.", DATE(2023,6,30), {"Revenue","currency","periodEnd"})',
        shows: {
          en: "Revenue, currency and period end of the fiscal year that has this day",
          ja: "この日を含む会計年度の売上高、通貨、期末日",
        },
      },
    ],
    errors: LOOKUP_ERRORS,
  },
  FINANCIALS: {
    gives: {
      en: "financials of companies as a table: wide, as statements, or a row for every number",
      ja: "企業の財務データの表（横並び、財務諸表形式、または数値ごとに 1 行）",
    },
    requests: REQUESTS,
    examples: [
      {
        formula: '=FEED.FINANCIALS("Komorebi Education Inc.", "FY-4:FY0", , "statement", , "m")',
        shows: {
          en: "The company's statements in millions: metrics down, five years across",
          ja: "1 社の財務諸表（百万単位）。指標を縦に、5 年度を横に並べる",
        },
      },
      {
        formula:
          '=FEED.FINANCIALS("Komorebi Education Inc.,Yuzuriha Energy Corporation", "FY-2:FY0", "Revenue,EBIT,Net Income", , , "m")',
        shows: {
          en: "Two companies and three years down, three metrics across, in millions",
          ja: "2 社・3 年度を縦に、3 指標を横に並べる（百万単位）",
        },
      },
      {
        formula: '=FEED.FINANCIALS("Yuzuriha Energy Corporation", "FY0", , "long")',
        shows: { en: "A row for every number of the latest year", ja: "最新年度の数値ごとに 1 行" },
      },
    ],
    errors: LOOKUP_ERRORS,
  },
};
