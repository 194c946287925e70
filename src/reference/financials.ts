import { JAPANESE_WORDS } from "../feed/financials/japanese";
import { type ArgumentReference, COMPANIES, COMPANY, type FormulaReference, HEADERS, LOOKUP_ERRORS } from "./formula";
import type { Text } from "./texts";

/** Lists the Japanese words of an argument with what they stand for. */
const listJapanese = (kind: keyof typeof JAPANESE_WORDS): string =>
  Object.entries(JAPANESE_WORDS[kind])
    .map(([japanese, english]) => `${japanese}（${english}）`)
    .join("、");

const BASIS: ArgumentReference = {
  ja: '連結・単体や期間の区分。例："CONSOLIDATED"、半期なら "HY2"。省略時は年次決算の数値',
  accepts: {
    en: 'values of consolidationType, period, periodType or financialType, comma separated; "HY2" asks for a half-year',
    ja: `consolidationType、period、periodType、financialType の値（カンマ区切り）。半期の数値は "HY2" のように指定。日本語も使えます：${listJapanese("basis")}`,
  },
  values: "BASIS",
};

const UNIT: ArgumentReference = {
  ja: '"k"（千）、"m"（百万）、"bn"（十億）、または割る数。"JPY m" のように通貨を添えると、その通貨の数値だけを表示',
  accepts: {
    en: "without it, figures as the provider gives them; nothing is converted",
    ja: `省略時はデータ提供元の数値のまま。換算はしません。日本語も使えます：${listJapanese("unit")}`,
  },
  values: "UNIT",
};

const YEARS: Text = {
  en: '1900 to 2999, "FY2023", "FY0" for the latest with an annual statement, "FY-1" for the calendar year before that, "2019:2023", "FY-4:FY0", a date',
  ja: '1900～2999、"FY2023"、年次決算がある最新年度の "FY0"、その前年度の "FY-1"、"2019:2023"、"FY-4:FY0"、日付',
};

/** The cost of financials in requests. */
const REQUESTS: Text = {
  en: "one for a single company, or one per 25 companies at once, for all years and metrics. A registration number, or a ticker without a country, takes one more, once a day. A date, periodStart, periodEnd or periodYear takes one more per company if the provider's answers for several companies lack these dates",
  ja: "1 社なら 1 回、複数社なら 25 社ごとに 1 回（年度や指標の数によらない）。登録番号、または国を付けない証券コードは、1 件につき 1 日 1 回追加。日付、periodStart、periodEnd、periodYear は、データ提供元の複数社分のデータに会計年度の日付がない場合、1 社につき 1 回追加",
};

/** The formulas of the financials (§4.2). */
export const FINANCIAL_FORMULAS: Readonly<Record<string, FormulaReference>> = {
  FINANCIAL: {
    ja: "企業の財務数値を 1 つ、または表で返します。企業の列と年度の行を渡すと、表全体に展開されます。",
    gives: { en: "One figure, or a grid of figures", ja: "財務数値（1 つ、または表）" },
    arguments: {
      company: { ...COMPANIES, ja: `${COMPANY.ja}。範囲も可。例：A2:A20` },
      year: {
        ja: '会計年度。例：2023、最新年度の "FY0"、"FY-1"、"2019:2023"、日付、または範囲',
        accepts: { en: `${YEARS.en}, or a range of these`, ja: `${YEARS.ja}、またはこれらの範囲` },
      },
      metric: {
        ja: '指標。例："Revenue"、"CASH_FLOW.Operating Cash Flow"。currency、periodEnd なども可。範囲も可',
        accepts: {
          en: "a metric, also behind its statement and a dot; or currency, periodStart, periodEnd, periodType, period, periodYear, financialType, consolidationType; or a range",
          ja:
            "指標名（財務諸表名とドットを前に付けられます）、または currency、periodStart、periodEnd、periodType、period、periodYear、financialType、consolidationType。範囲も可。日本語も使えます：" +
            listJapanese("metric"),
        },
        values: "METRIC",
      },
      basis: BASIS,
      unit: UNIT,
    },
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
    ja: "1 社または複数社の財務データを表で返します。年度ごとに指標を横に並べる形、財務諸表の形、数値ごとに 1 行の形があります。",
    gives: { en: "Financial statements as a table", ja: "財務諸表" },
    arguments: {
      companies: { ...COMPANIES, ja: `${COMPANY.ja}。範囲（例：A2:A20）、またはカンマ区切りの文字列` },
      years: {
        ja: '会計年度。例：2023、"2019:2023"、"FY-4:FY0"、またはその範囲。省略時はすべて',
        accepts: {
          en: `${YEARS.en}, as comma text or a range; or "all"`,
          ja: `${YEARS.ja}。カンマ区切り、または範囲も可。または "all"（すべて）`,
        },
      },
      metrics: {
        ja: '指標。例："Revenue,EBIT"、またはその範囲。省略時はすべて',
        accepts: {
          en: 'metrics as comma text or a range, also behind their statement and a dot; currency, periodStart and the other facts of a year that FINANCIAL takes; or "all"',
          ja: 'カンマ区切りの指標名、または範囲（財務諸表名とドットを前に付けられます）。FINANCIAL と同じく currency、periodStart などの年度の情報も可。または "all"（すべて）',
        },
        values: "METRIC",
      },
      layout: {
        ja: '"wide" は企業と年度ごとに 1 行、"statement" は 1 社の財務諸表、"long" は数値ごとに 1 行',
        values: "LAYOUT",
      },
      basis: BASIS,
      unit: UNIT,
      headers: HEADERS,
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
