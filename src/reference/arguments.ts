import { JAPANESE_WORDS } from "../feed/financials/japanese";
import type { Text } from "./texts";

/** The accepted values of an argument, and its default; without a default it is required. */
interface ArgumentReference {
  accepts: Text;
  leftOut?: Text;
}

/** A country that must be given. */
const COUNTRY: ArgumentReference = {
  accepts: {
    en: 'a code of three letters (ISO 3166-1), or "ALL"',
    ja: '3 文字の国コード（ISO 3166-1）、または "ALL"',
  },
};

/** Lists the Japanese words of an argument with what they stand for. */
const listJapanese = (kind: keyof typeof JAPANESE_WORDS): string =>
  Object.entries(JAPANESE_WORDS[kind])
    .map(([japanese, english]) => `${japanese}（${english}）`)
    .join("、");

const HEADERS: ArgumentReference = {
  accepts: { en: "TRUE or FALSE", ja: "TRUE または FALSE" },
  leftOut: { en: "TRUE", ja: "TRUE" },
};
const ALL_ROWS: Text = { en: '"all"', ja: '"all"（すべて）' };
const ALL_FIELDS: Text = { en: "all", ja: "すべて" };
const ROWS: Text = { en: 'a whole number from 1, or "all"', ja: '1 以上の整数、または "all"' };
const COMPANY: Text = {
  en: 'a name that only one company in your default country has; a ticker such as "4899"; a name or ticker after its country, as in "SGP:Raintree Pharma"; a registration number, as text or number; or a company id (UUID)',
  ja: '設定した国で 1 社だけに当てはまる名称（表記は問いません）、"4899" などの証券コード、"SGP:Raintree Pharma" のように国を前に付けた名称や証券コード、登録番号（文字列または数値）、または企業 ID（UUID）',
};
const COMPANIES: Text = {
  en: `${COMPANY.en}; one, comma text (a company's own name may have commas), or a range`,
  ja: `${COMPANY.ja}。1 件、カンマ区切り（カンマを含む企業名は 1 社として扱います）、または範囲`,
};
const FIELDS: Text = {
  en: "names as comma text or a range, nested by dots; any field of the answer",
  ja: "カンマ区切りの項目名、または範囲。入れ子はドットで指定。取得データに含まれる項目はすべて指定できます",
};

/** Accepted values and defaults of the arguments: by name, or by formula and name where a formula differs. */
const ARGUMENTS: Readonly<Record<string, ArgumentReference>> = {
  company: { accepts: COMPANY },
  companies: { accepts: COMPANIES },
  "FINANCIAL.company": { accepts: COMPANIES },
  "COMPANY.company": { accepts: COMPANIES },
  "CLASSIFICATION.company": {
    accepts: {
      en: `${COMPANY.en}; with a field also comma text or a range`,
      ja: `${COMPANY.ja}。項目を指定するときはカンマ区切り、または範囲も可`,
    },
  },
  year: {
    accepts: {
      en: '1900 to 2999, "FY2023", "FY0" for the latest with an annual statement, "FY-1" for the calendar year before that, "2019:2023", "FY-4:FY0", a date, or a range of these',
      ja: '1900～2999、"FY2023"、年次決算がある最新年度の "FY0"、その前年度の "FY-1"、"2019:2023"、"FY-4:FY0"、日付、またはこれらの範囲',
    },
  },
  years: {
    accepts: {
      en: '1900 to 2999, "FY2023", "FY0" for the latest with an annual statement, "FY-1" for the calendar year before that, "2019:2023", "FY-4:FY0" or a date, as comma text or a range; or "all"',
      ja: '1900～2999、"FY2023"、年次決算がある最新年度の "FY0"、その前年度の "FY-1"、"2019:2023"、"FY-4:FY0"、日付。カンマ区切り、または範囲も可。または "all"（すべて）',
    },
    leftOut: { en: "every year", ja: "すべての年度" },
  },
  metric: {
    accepts: {
      en: "a metric, also behind its statement and a dot; or currency, periodStart, periodEnd, periodType, period, periodYear, financialType, consolidationType; or a range",
      ja:
        "指標名（財務諸表名とドットを前に付けられます）、または currency、periodStart、periodEnd、periodType、period、periodYear、financialType、consolidationType。範囲も可。日本語も使えます：" +
        listJapanese("metric"),
    },
  },
  metrics: {
    accepts: {
      en: 'metrics as comma text or a range, also behind their statement and a dot; currency, periodStart and the other facts of a year that FINANCIAL takes; or "all"',
      ja: 'カンマ区切りの指標名、または範囲（財務諸表名とドットを前に付けられます）。FINANCIAL と同じく currency、periodStart などの年度の情報も可。または "all"（すべて）',
    },
    leftOut: { en: "every metric", ja: "すべての指標" },
  },
  layout: {
    accepts: { en: '"wide", "statement" or "long"', ja: '"wide"、"statement"、"long" のいずれか' },
    leftOut: { en: '"wide"', ja: '"wide"' },
  },
  basis: {
    accepts: {
      en: 'values of consolidationType, period, periodType or financialType, comma separated; "HY2" asks for a half-year',
      ja: `consolidationType、period、periodType、financialType の値（カンマ区切り）。半期の数値は "HY2" のように指定。日本語も使えます：${listJapanese("basis")}`,
    },
    leftOut: {
      en: "annual statements only, CONSOLIDATED where there is one",
      ja: "年次決算のみ。CONSOLIDATED があればそれを優先",
    },
  },
  unit: {
    accepts: {
      en: '"k", "m", "bn" or a number to divide by; alone or with the currency that the figures must be in, as in "JPY m"',
      ja: `"k"、"m"、"bn"、または割る数。"JPY m" のように、数値の通貨を添えることもできます（換算はしません）。日本語も使えます：${listJapanese("unit")}`,
    },
    leftOut: { en: "figures as the provider gives them", ja: "データ提供元の数値のまま" },
  },
  field: {
    accepts: { en: "a field's name, nested by dots", ja: "項目名（入れ子はドットで指定）" },
    leftOut: { en: "all of it, as a table", ja: "すべて（表形式）" },
  },
  "COMPANY.field": {
    accepts: FIELDS,
    leftOut: { en: "a card of two columns", ja: "2 列のカード" },
  },
  text: {
    accepts: {
      en: "text with a letter or a digit in it, or a whole number such as 4899",
      ja: "文字または数字を含む文字列、または 4899 のような整数",
    },
  },
  country: {
    ...COUNTRY,
    leftOut: { en: "the country of the settings, JPN at first", ja: "設定の国（初期値は JPN）" },
  },
  "COMPANIES.country": COUNTRY,
  "CONSTITUENTS.country": COUNTRY,
  "UNIVERSE.country": COUNTRY,
  identifier: {
    accepts: { en: "a registration number or another id", ja: "登録番号またはその他の ID" },
    leftOut: { en: "every company", ja: "すべての企業" },
  },
  sort: {
    accepts: { en: "a sort field of the provider", ja: "データ提供元の並べ替え項目" },
    leftOut: { en: "the provider's order", ja: "データ提供元の順序" },
  },
  level: {
    accepts: { en: '"sector", "subSector" or "industry"', ja: '"sector"、"subSector"、"industry" のいずれか' },
    leftOut: { en: '"industry"', ja: '"industry"' },
  },
  parent: {
    accepts: {
      en: 'the id of a sector or a sub-sector, or its level and id as in "sector:12"',
      ja: 'セクターまたはサブセクターの ID。"sector:12" のように階層を付けて指定することも可',
    },
    leftOut: { en: "the whole tree", ja: "分類全体" },
  },
  node: {
    accepts: {
      en: 'the id of a sector, a sub-sector or an industry, or its level and id as in "sector:12"',
      ja: 'セクター、サブセクター、業種のいずれかの ID。"sector:12" のように階層を付けて指定することも可',
    },
  },
  type: {
    accepts: { en: '"PUBLIC", "PRIVATE" or "ALL"', ja: '"PUBLIC"、"PRIVATE"、"ALL" のいずれか' },
    leftOut: { en: '"ALL"', ja: '"ALL"' },
  },
  allmatches: {
    accepts: {
      en: 'TRUE for companies of which it is another classification too, with a column "Matched by" (primary or other)',
      ja: "主な分類以外で一致する企業も加えるときは TRUE。「一致した分類」の列（primary または other）が付きます",
    },
    leftOut: { en: "FALSE: companies whose primary classification it is", ja: "FALSE（主な分類が一致する企業だけ）" },
  },
  allindustries: {
    accepts: { en: "TRUE or FALSE", ja: "TRUE または FALSE" },
    leftOut: { en: "FALSE: one row per company", ja: "FALSE（1 社 1 行）" },
  },
  start: {
    accepts: {
      en: 'a date cell, "2024-01-31", "2024-01-31T09:00" without a time zone, or "-7d", "-4w", "-1m", "MTD", "YTD", "2024-03", "2024-W12"',
      ja: '日付セル、"2024-01-31"、"2024-01-31T09:00"（タイムゾーンなし）、または "-7d"、"-4w"、"-1m"、"MTD"、"YTD"、"2024-03"、"2024-W12"',
    },
  },
  end: {
    accepts: {
      en: 'a date cell, "2024-01-31", or "2024-01-31T09:00" without a time zone',
      ja: '日付セル、"2024-01-31"、または "2024-01-31T09:00"（タイムゾーンなし）',
    },
    leftOut: { en: "the end of start's own range", ja: "start が表す期間の終わり" },
  },
  pagetype: {
    accepts: { en: "a page type, such as one of the 18 listed", ja: "ページ種別（一覧にある 18 種類など）" },
    leftOut: { en: "all 18 across", ja: "18 種類すべて（横に並べる）" },
  },
  top: { accepts: ROWS, leftOut: ALL_ROWS },
  "RANKING.top": { accepts: ROWS, leftOut: { en: "100", ja: "100" } },
  "RANKING.PAGES.top": { accepts: ROWS, leftOut: { en: "100", ja: "100" } },
  fields: { accepts: FIELDS, leftOut: { en: "the usual columns", ja: "通常の列" } },
  "COMPANY.FIND.fields": {
    accepts: {
      en: 'names of the ten fields below as comma text or a range, or "all"',
      ja: '下記の 10 項目の名前。カンマ区切り、または範囲。または "all"（すべて）',
    },
    leftOut: { en: "the usual columns", ja: "通常の列" },
  },
  "COMPANY.MATCH.names": {
    accepts: {
      en: 'one column of texts or numbers, one name in a cell, also after its country as in "SGP:Raintree Pharma"; a blank cell is a blank row',
      ja: '1 列の文字列または数値。1 セルに 1 件。"SGP:Raintree Pharma" のように国を前に付けることもできます。空白のセルは空白の行になります',
    },
  },
  hints: {
    accepts: {
      en: "a range with as many rows as names, of any number of columns in any order",
      ja: "names と同じ行数の範囲。列の数と順序は自由です",
    },
    leftOut: { en: "the name alone", ja: "名称だけで照合" },
  },
  "COMPANY.MATCH.fields": {
    accepts: {
      en: 'names of the fields below as comma text or a range, or "all"',
      ja: '下記の項目の名前。カンマ区切り、または範囲。または "all"（すべて）',
    },
    leftOut: {
      en: "companyId, companyName, state, score, closestName",
      ja: "companyId、companyName、state、score、closestName",
    },
  },
  "RANKING.fields": { accepts: FIELDS, leftOut: ALL_FIELDS },
  "RANKING.INDUSTRIES.fields": { accepts: FIELDS, leftOut: ALL_FIELDS },
  by: {
    accepts: { en: "a measure of the ranking", ja: "ランキングの測定値" },
    leftOut: { en: "the provider's order", ja: "データ提供元の順序" },
  },
  names: {
    accepts: {
      en: 'tickers or names as the rankings show them, in any letter case and width (industries: ids or names), as comma text or a range; "top 20" for the first of the latest period, "all" for each of it, or "any" for each of any period. A text that fits several rows is an error of its row',
      ja: 'ランキングに表示される証券コードまたは名称（大文字・小文字、全角・半角は問いません。業種は ID または名称）。カンマ区切り、または範囲。最も新しい期間の上位は "top 20"、すべては "all"、いずれかの期間にあるものすべては "any"。複数に当てはまるときは、その行だけがエラーになります',
    },
  },
  periods: {
    accepts: {
      en: '"-12w", "-6m" or "-14d" for the last whole weeks (Monday to Sunday), months or days; "2024-01:2024-12", "2024-W01:2024-W12" or "2024-03-01:2024-03-31"; single periods such as "2024-03", "MTD" or "YTD", as comma text or a range; or cells with dates, each the start of a column that ends before the next (whole months, quarters or years where all are firsts of months, else equal steps of days; a single date is that one day). A blank cell leaves its column empty. Headers show each period: 2024-03, 2024-W12, one day, or the first and last day. At most 400',
      ja: '直近の週（月曜から日曜）、月、日は "-12w"、"-6m"、"-14d"。"2024-01:2024-12"、"2024-W01:2024-W12"、"2024-03-01:2024-03-31" のような並び。"2024-03"、"MTD"、"YTD" などの期間（カンマ区切り、または範囲）。日付のセルの範囲なら、各日付から次の日付の前日までが 1 列（すべて月初なら月、四半期、年などの暦月単位、ほかは等間隔の日数。1 つだけならその 1 日）。空白のセルの列は空のままです。見出しは各期間（2024-03、2024-W12、その日、または初日と末日）を示します。最大 400',
    },
  },
  period: {
    accepts: {
      en: 'a date for that day, or "-7d", "-4w", "-1m", "MTD", "YTD", "2024-03", "2024-W12" as for start ("-4w" is the 28 days up to yesterday, not whole weeks as in periods of RANKING.TREND); or two of the same kind such as "2024-01:2024-03", from the first day to the last',
      ja: '日付（その日）、start と同じ "-7d"、"-4w"、"-1m"、"MTD"、"YTD"、"2024-03"、"2024-W12"（"-4w" は昨日までの 28 日間で、RANKING.TREND の periods のような月曜からの週ではありません）、または "2024-01:2024-03" のように最初と最後を示す同じ種類の 2 つ',
    },
  },
  previous: {
    accepts: { en: "a period, as above", ja: "上と同じ書き方の期間" },
    leftOut: {
      en: "the months before whole months; else as many days as the period has, before it",
      ja: "月単位ならその前の同じ月数、ほかはその前の同じ日数",
    },
  },
  measure: {
    accepts: {
      en: '"rank" or a measure of the ranking; of a page type it is that type\'s',
      ja: '"rank"（順位）、またはランキングの測定値。ページ種別を指定すればその種別の値',
    },
    leftOut: { en: "the rank", ja: "順位" },
  },
  ranking: {
    accepts: {
      en: '"companies", "industries", or one of the 18 page types. Companies and industries have their place in the provider\'s order; a page type ranks companies by its page views, and equal views have the same rank',
      ja: '"companies"、"industries"、または 18 種類のページ種別。企業と業種の順位はデータ提供元の順序、ページ種別の順位はその閲覧数順で、同じ閲覧数は同順位です',
    },
    leftOut: { en: '"companies"', ja: '"companies"' },
  },
  "RANKING.MOVERS.by": {
    accepts: {
      en: '"rank" or a measure; new and gone rows are placed as if they had stood one place below the other ranking, with no views',
      ja: '"rank"（順位）、または測定値。新規の行と圏外の行は、もう一方の期間で最下位の 1 つ下、閲覧数なしとして並べます',
    },
    leftOut: { en: "the rank", ja: "順位" },
  },
  "RANKING.MOVERS.top": { accepts: ROWS, leftOut: { en: "100", ja: "100" } },
  headers: HEADERS,
  what: {
    accepts: { en: "one of the words below", ja: "下記の語のいずれか" },
    leftOut: { en: "whether the add-in is connected", ja: "接続状態" },
  },
  sheet: {
    accepts: { en: "any text, such as the sheet's name", ja: "シートの名前などの文字列" },
    leftOut: { en: "one time for all sheets with this formula", ja: "同じ数式があるすべてのシートで 1 つの日時" },
  },
};

/** The reference of a formula's argument; undefined for an undocumented one. */
export const findArgument = (formula: string, argument: string): ArgumentReference | undefined =>
  ARGUMENTS[`${formula}.${argument}`] ?? ARGUMENTS[argument];
