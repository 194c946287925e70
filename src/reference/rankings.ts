import { INDUSTRY_RANKING_FIELDS, PAGE_RANKING_FIELDS, RANKING_FIELDS } from "../feed/field-tables";
import { type FormulaReference, LIST_REQUESTS } from "./formula";

const ERRORS = ["FEED_ARGUMENT_INVALID", "FEED_NO_VALUE", "FEED_REQUEST_INVALID", "FEED_RESULT_TOO_LARGE"] as const;

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
};
