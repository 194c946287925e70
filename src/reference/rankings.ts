import { INDUSTRY_RANKING_FIELDS, PAGE_RANKING_FIELDS, RANKING_FIELDS } from "../feed/field-tables";
import { COMPANY_MOVER_FIELDS, INDUSTRY_MOVER_FIELDS } from "../feed/rankings/mover-fields";
import { type FormulaReference, LIST_REQUESTS } from "./formula";

const ERRORS = ["FEED_ARGUMENT_INVALID", "FEED_NO_VALUE", "FEED_REQUEST_INVALID", "FEED_RESULT_TOO_LARGE"] as const;

const TREND_ERRORS = [...ERRORS, "FEED_AMBIGUOUS"] as const;

/** The formulas of the rankings (§4.4). */
export const RANKING_FORMULAS: Readonly<Record<string, FormulaReference>> = {
  RANKING: {
    gives: { en: "listed companies of Japan by page views", ja: "閲覧数順の日本の上場企業" },
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
    gives: {
      en: "the same by page type: one type's statistics, or all 18 across",
      ja: "ページ種別ごとの統計、または 18 種類すべて",
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
    gives: { en: "industries by page views", ja: "閲覧数順の業種" },
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
    gives: {
      en: "ranks or page views over several periods, each a column",
      ja: "期間を列にした、順位または閲覧数の推移",
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
    gives: {
      en: "what moved most from one period to another: ranks, views and their change",
      ja: "期間の間に大きく動いた企業や業種の順位、閲覧数、増減",
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
