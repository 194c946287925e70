import { TAXONOMY_FIELDS, TREE_FIELDS } from "../feed/field-tables";
import type { FormulaReference } from "./formula";

/** The formulas of the industry taxonomies (§4.3). */
export const TAXONOMY_FORMULAS: Readonly<Record<string, FormulaReference>> = {
  TAXONOMY: {
    gives: { en: "the tree of sectors, sub-sectors and industries", ja: "セクター、サブセクター、業種の分類" },
    requests: { en: "one", ja: "1 回" },
    examples: [
      { formula: '=FEED.TAXONOMY("sector")', shows: { en: "The sectors", ja: "セクターの一覧" } },
      { formula: "=FEED.TAXONOMY()", shows: { en: "The whole tree", ja: "分類全体" } },
    ],
    errors: ["FEED_ARGUMENT_INVALID", "FEED_NO_VALUE", "FEED_NOT_FOUND"],
    isAsking: true,
    fields: TREE_FIELDS,
  },
  CLASSIFICATION: {
    gives: {
      en: "a company's classifications, or one field of its taxonomy record",
      ja: "企業の産業分類、または分類データの項目 1 つ",
    },
    requests: { en: "one per company", ja: "1 社につき 1 回" },
    examples: [
      {
        formula: '=FEED.CLASSIFICATION("3d1ce6e7-7fd1-463c-ab13-8646d111213d")',
        shows: { en: "The company's sectors, sub-sectors and industries", ja: "企業のセクター、サブセクター、業種" },
      },
    ],
    errors: ["FEED_ARGUMENT_INVALID", "FEED_NO_VALUE", "FEED_AMBIGUOUS", "FEED_NOT_FOUND"],
    isAsking: true,
    fields: TAXONOMY_FIELDS,
  },
  CONSTITUENTS: {
    gives: {
      en: "companies under an industry, sub-sector or sector",
      ja: "業種、サブセクター、セクターに属する企業",
    },
    requests: { en: "the tree once, and one per 1,000 companies", ja: "分類に 1 回、企業 1,000 社につき 1 回" },
    examples: [],
    errors: ["FEED_ARGUMENT_INVALID", "FEED_NO_VALUE", "FEED_NOT_FOUND", "FEED_RESULT_TOO_LARGE"],
    isAsking: true,
    fields: TAXONOMY_FIELDS,
  },
  UNIVERSE: {
    gives: { en: "classified companies of a country", ja: "ある国の分類済み企業" },
    requests: { en: "one per 1,000 companies", ja: "1,000 社につき 1 回" },
    examples: [
      {
        formula: '=FEED.UNIVERSE("JPN", "PUBLIC", 50)',
        shows: { en: "The first fifty listed companies of Japan", ja: "日本の上場企業の先頭 50 社" },
      },
    ],
    errors: ["FEED_ARGUMENT_INVALID", "FEED_NO_VALUE", "FEED_REQUEST_INVALID", "FEED_RESULT_TOO_LARGE"],
    isAsking: true,
    fields: TAXONOMY_FIELDS,
  },
  PEERS: {
    gives: { en: "the constituents of a company's own primary industry", ja: "企業の主業種に属する他社" },
    requests: {
      en: "one for the classification, and one per 1,000 constituents",
      ja: "分類に 1 回、企業 1,000 社につき 1 回",
    },
    examples: [
      {
        formula: '=FEED.PEERS("3d1ce6e7-7fd1-463c-ab13-8646d111213d", , , , 20)',
        shows: { en: "Twenty companies of the same industry", ja: "同じ業種の 20 社" },
      },
    ],
    errors: ["FEED_ARGUMENT_INVALID", "FEED_NO_VALUE", "FEED_AMBIGUOUS", "FEED_NOT_FOUND", "FEED_RESULT_TOO_LARGE"],
    isAsking: true,
    fields: TAXONOMY_FIELDS,
  },
};
