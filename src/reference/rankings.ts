import {
  COMPANY_MOVER_FIELDS,
  INDUSTRY_MOVER_FIELDS,
  INDUSTRY_RANKING_FIELDS,
  PAGE_RANKING_FIELDS,
  RANKING_FIELDS,
} from "../feed/field-tables";
import {
  type ArgumentReference,
  FIELDS,
  type FormulaReference,
  HEADERS,
  LIST_REQUESTS,
  TOP_100,
  TOP_ALL,
} from "./formula";

const START: ArgumentReference = {
  ja: '最初の日。日付または "2024-01-01"、あるいは "-7d"、"-4w"、"MTD"、"YTD"、"2024-03"、"2024-W12" などの期間',
  accepts: {
    en: 'a date cell, "2024-01-31", "2024-01-31T09:00" without a time zone, or "-7d", "-4w", "-1m", "MTD", "YTD", "2024-03", "2024-W12"',
    ja: '日付セル、"2024-01-31"、"2024-01-31T09:00"（タイムゾーンなし）、または "-7d"、"-4w"、"-1m"、"MTD"、"YTD"、"2024-03"、"2024-W12"',
  },
};

const END: ArgumentReference = {
  ja: "最後の日（その日全体を含む）。start が期間なら省略可",
  accepts: {
    en: 'a date cell, "2024-01-31", or "2024-01-31T09:00" without a time zone',
    ja: '日付セル、"2024-01-31"、または "2024-01-31T09:00"（タイムゾーンなし）',
  },
};

const BY: ArgumentReference = {
  ja: 'データ提供元の順序に代えて並べ替えに使う測定値。例："totalUniquePageViews"',
};

const RANKING_KIND: ArgumentReference = {
  ja: '"companies"（上場企業）、"industries"（業種）、または "NEWS" などのページ種別（その閲覧数で企業を順位付け）。省略時は companies',
  accepts: {
    en: '"companies", "industries", or one of the 18 page types. Companies and industries have their place in the provider\'s order; a page type ranks companies by its page views, and equal views have the same rank',
    ja: '"companies"、"industries"、または 18 種類のページ種別。企業と業種の順位はデータ提供元の順序、ページ種別の順位はその閲覧数順で、同じ閲覧数は同順位です',
  },
  values: "RANKING_KIND",
};

const ERRORS = ["FEED_ARGUMENT_INVALID", "FEED_NO_VALUE", "FEED_REQUEST_INVALID", "FEED_RESULT_TOO_LARGE"] as const;

const TREND_ERRORS = [...ERRORS, "FEED_AMBIGUOUS"] as const;

/** The formulas of the rankings (§4.4). */
export const RANKING_FORMULAS: Readonly<Record<string, FormulaReference>> = {
  RANKING: {
    ja: "期間中の閲覧数順の日本の上場企業のランキングを表で返します。",
    gives: { en: "Listed companies by page views", ja: "閲覧数による上場企業のランキング" },
    arguments: {
      start: START,
      end: END,
      top: TOP_100,
      fields: {
        ...FIELDS,
        ja: '表示する項目。例："rank,companyName,totalPageViews"。省略時はすべて',
        values: "RANKING_FIELD",
      },
      by: { ...BY, values: "RANKING_MEASURE" },
      headers: HEADERS,
    },
    requests: LIST_REQUESTS,
    examples: [
      {
        formula: '=FEED.RANKING("-7d", , 10)',
        shows: { en: "The first ten of the last seven whole days", ja: "直近 7 日間（今日を除く）の上位 10 社" },
      },
      {
        formula: '=FEED.RANKING("2024-01-01", "2024-01-31", 50)',
        shows: { en: "The first fifty of January", ja: "1 月の上位 50 社" },
      },
      {
        formula: '=FEED.RANKING("2024-03", , 10, "rank,companyName,totalUniquePageViews", "totalUniquePageViews")',
        shows: {
          en: "March by unique page views, in three columns",
          ja: "3 月のユニーク閲覧数の上位 10 社を 3 列で表示",
        },
      },
    ],
    errors: ERRORS,
    fields: RANKING_FIELDS,
  },
  "RANKING.PAGES": {
    ja: "日本の上場企業について、ニュースや株主などページ種別ごとの閲覧数を表で返します。",
    gives: { en: "Page views by page type", ja: "ページ種別ごとの閲覧数" },
    arguments: {
      start: START,
      end: END,
      pagetype: {
        ja: 'ページ種別 1 つ。例："NEWS"、"stock prices"。その統計をすべて返します。省略時は 18 種類の閲覧数',
        values: "PAGE_TYPE",
      },
      top: TOP_100,
      fields: {
        ...FIELDS,
        ja: '表示する項目。例："companyName,totalUniquePageViews"（種別を指定すればその種別の値）。全ページは "allPages.totalPageViews"、任意の種別は "pages.NEWS.totalPageViews"',
        values: "PAGE_RANKING_FIELD",
      },
      headers: HEADERS,
    },
    requests: LIST_REQUESTS,
    examples: [
      {
        formula: '=FEED.RANKING.PAGES("2024-01", , "NEWS", 20)',
        shows: { en: "The news pages' statistics of the first twenty", ja: "上位 20 社のニュースページの統計" },
      },
      {
        formula: '=FEED.RANKING.PAGES("2024-01", , , 10)',
        shows: { en: "The page views of all 18 types, for the first ten", ja: "上位 10 社の 18 種類すべての閲覧数" },
      },
    ],
    errors: ERRORS,
    fields: PAGE_RANKING_FIELDS,
  },
  "RANKING.INDUSTRIES": {
    ja: "期間中の閲覧数順の日本の業種のランキングを表で返します。",
    gives: { en: "Industries by page views", ja: "閲覧数による業種のランキング" },
    arguments: {
      start: START,
      end: END,
      top: TOP_ALL,
      fields: {
        ...FIELDS,
        ja: '表示する項目。例："rank,industryName,totalPageViews"。省略時はすべて',
        values: "INDUSTRY_FIELD",
      },
      by: { ...BY, values: "INDUSTRY_MEASURE" },
      headers: HEADERS,
    },
    requests: LIST_REQUESTS,
    examples: [
      {
        formula: '=FEED.RANKING.INDUSTRIES("2024-01", , 20)',
        shows: { en: "The first twenty industries of January", ja: "1 月の上位 20 業種" },
      },
      {
        formula:
          '=FEED.RANKING.INDUSTRIES("2024-W12", , 10, "rank,industryName,totalUniquePageViews", "totalUniquePageViews")',
        shows: {
          en: "A week's ten industries by unique page views, in three columns",
          ja: "ある週のユニーク閲覧数の上位 10 業種を 3 列で表示",
        },
      },
    ],
    errors: ERRORS,
    fields: INDUSTRY_RANKING_FIELDS,
  },
  "RANKING.TREND": {
    ja: "複数の期間について、日本の上場企業または業種の閲覧数の順位を、期間を列にした表で返します。",
    gives: { en: "Ranks over weeks or months", ja: "順位の推移（週ごと・月ごと）" },
    arguments: {
      names: {
        ja: '企業は証券コードまたは名称、業種は ID または名称。例：A2:A20。または最も新しい期間の "top 20"（上位 20 件）、"all"（すべて）',
        accepts: {
          en: 'tickers or names as the rankings show them, in any letter case and width (industries: ids or names), as comma text or a range; "top 20" for the first of the latest period, "all" for each of it, or "any" for each of any period. A text that fits several rows is an error of its row',
          ja: 'ランキングに表示される証券コードまたは名称（大文字・小文字、全角・半角は問いません。業種は ID または名称）。カンマ区切り、または範囲。最も新しい期間の上位は "top 20"、すべては "all"、いずれかの期間にあるものすべては "any"。複数に当てはまるときは、その行だけがエラーになります',
        },
      },
      periods: {
        ja: '列にする期間。"-12w" は直近の 12 週（月曜から日曜）、"2024-01:2024-12" は月ごと。日付や期間のセルの範囲も可',
        accepts: {
          en: '"-12w", "-6m" or "-14d" for the last whole weeks (Monday to Sunday), months or days; "2024-01:2024-12", "2024-W01:2024-W12" or "2024-03-01:2024-03-31"; single periods such as "2024-03", "MTD" or "YTD", as comma text or a range; or cells with dates, each the start of a column that ends before the next (whole months, quarters or years where all are firsts of months, else equal steps of days; a single date is that one day). A blank cell leaves its column empty. Headers show each period: 2024-03, 2024-W12, one day, or the first and last day. At most 400',
          ja: '直近の週（月曜から日曜）、月、日は "-12w"、"-6m"、"-14d"。"2024-01:2024-12"、"2024-W01:2024-W12"、"2024-03-01:2024-03-31" のような並び。"2024-03"、"MTD"、"YTD" などの期間（カンマ区切り、または範囲）。日付のセルの範囲なら、各日付から次の日付の前日までが 1 列（すべて月初なら月、四半期、年などの暦月単位、ほかは等間隔の日数。1 つだけならその 1 日）。空白のセルの列は空のままです。見出しは各期間（2024-03、2024-W12、その日、または初日と末日）を示します。最大 400',
        },
      },
      measure: {
        ja: 'セルに表示する値。例："totalPageViews"。省略時は順位',
        accepts: {
          en: '"rank" or a measure of the ranking; of a page type it is that type\'s',
          ja: '"rank"（順位）、またはランキングの測定値。ページ種別を指定すればその種別の値',
        },
        values: "RANK_OR_MEASURE",
      },
      ranking: RANKING_KIND,
      headers: HEADERS,
    },
    requests: {
      en: 'with "top" one per period, for its first 100 rows or as many as the top; named ones, "all", "any" and page types take the whole ranking of each period, one per 1,000 rows, once for all formulas. Ended periods are kept for 90 days',
      ja: '"top" なら期間ごとに 1 回（最初の 100 行、それより大きい top ならその行数）。名前の指定、"all"、"any"、ページ種別では期間ごとにランキング全体を取得し、1,000 行につき 1 回（すべての数式で共有）。終わった期間は 90 日間保存',
    },
    examples: [
      {
        formula: '=FEED.RANKING.TREND("top 5", "2024-01:2024-03")',
        shows: {
          en: "The first five of March and their ranks in each month; outside the first 100 there is no rank",
          ja: "3 月の上位 5 社の月ごとの順位。上位 100 に入らない月は順位なし",
        },
      },
      {
        formula: '=FEED.RANKING.TREND("4899", "2024-W10:2024-W13", "totalPageViews")',
        shows: { en: "A company's page views week by week", ja: "ある企業の週ごとの閲覧数" },
      },
      {
        formula: '=FEED.RANKING.TREND("top 5", "2024-01:2024-03", , "NEWS")',
        shows: { en: "The same by views of news pages", ja: "ニュースページの閲覧数による順位" },
      },
      {
        formula: '=FEED.RANKING.TREND("top 10", "-12w", , "industries")',
        shows: { en: "Ten industries over the last twelve whole weeks", ja: "直近 12 週の上位 10 業種の順位" },
      },
    ],
    errors: TREND_ERRORS,
  },
  "RANKING.MOVERS": {
    ja: "ある期間から別の期間にかけて、順位または閲覧数が大きく動いた日本の上場企業または業種を表で返します。",
    gives: { en: "What moved in a ranking", ja: "順位が動いた企業や業種" },
    arguments: {
      period: {
        ja: '期間。例："-7d"、"2024-03"、"2024-W12"、"2024-01:2024-03"、または日付',
        accepts: {
          en: 'a date for that day, or "-7d", "-4w", "-1m", "MTD", "YTD", "2024-03", "2024-W12" as for start ("-4w" is the 28 days up to yesterday, not whole weeks as in periods of RANKING.TREND); or two of the same kind such as "2024-01:2024-03", from the first day to the last',
          ja: '日付（その日）、start と同じ "-7d"、"-4w"、"-1m"、"MTD"、"YTD"、"2024-03"、"2024-W12"（"-4w" は昨日までの 28 日間で、RANKING.TREND の periods のような月曜からの週ではありません）、または "2024-01:2024-03" のように最初と最後を示す同じ種類の 2 つ',
        },
      },
      previous: {
        ja: "比べる期間。省略時は直前の同じ長さの期間",
      },
      top: TOP_100,
      ranking: RANKING_KIND,
      by: {
        ja: '増減の大きい順（上下とも）に並べる測定値。例："totalPageViews"。省略時は順位',
        accepts: {
          en: '"rank" or a measure; new and gone rows are placed as if they had stood one place below the other ranking, with no views',
          ja: '"rank"（順位）、または測定値。新規の行と圏外の行は、もう一方の期間で最下位の 1 つ下、閲覧数なしとして並べます',
        },
        values: "RANK_OR_MEASURE",
      },
      fields: {
        ...FIELDS,
        ja: '表示する項目。例："rank,previous.rank,companyName,growth.totalPageViews"。省略時はよく使う項目',
        values: "MOVER_FIELD",
      },
      headers: HEADERS,
    },
    requests: {
      en: "the whole ranking of both periods, one per 1,000 rows, once for all formulas. Ended periods are kept for 90 days",
      ja: "2 つの期間のランキング全体を取得し、1,000 行につき 1 回（すべての数式で共有）。終わった期間は 90 日間保存",
    },
    examples: [
      {
        formula: '=FEED.RANKING.MOVERS("2024-03", , 10)',
        shows: {
          en: "The ten largest changes of rank from February to March",
          ja: "2 月から 3 月に順位が大きく動いた 10 社",
        },
      },
      {
        formula:
          '=FEED.RANKING.MOVERS("2024-W12", "2024-W08", 10, "NEWS", "totalPageViews", "companyName,totalPageViews,previous.totalPageViews,growth.totalPageViews")',
        shows: {
          en: "The largest changes of news views in four weeks; growth is blank where nothing was viewed before",
          ja: "4 週間でニュースの閲覧数が大きく動いた企業。前の閲覧数がなければ増減率は空白",
        },
      },
      {
        formula: '=FEED.RANKING.MOVERS("-7d", , 10, "industries")',
        shows: { en: "Industries that moved in the last seven days", ja: "直近 7 日間に順位が動いた業種" },
      },
    ],
    errors: TREND_ERRORS,
    fields: [
      ...new Map([...COMPANY_MOVER_FIELDS, ...INDUSTRY_MOVER_FIELDS].map((field) => [field.name, field])).values(),
    ],
  },
};
