import { PEER_FIELDS, TAXONOMY_FIELDS, TREE_FIELDS } from "../feed/field-tables";
import { type FormulaReference, LIST_REQUESTS, LOOKUP_ERRORS } from "./formula";

/** The formulas of the industry taxonomies (§4.3). */
export const TAXONOMY_FORMULAS: Readonly<Record<string, FormulaReference>> = {
  TAXONOMY: {
    gives: { en: "the tree of sectors, sub-sectors and industries", ja: "セクター、サブセクター、業種の分類" },
    requests: {
      en: "one for the whole tree, however many formulas read it",
      ja: "分類全体に 1 回（使う数式の数によらない）",
    },
    examples: [
      { formula: '=FEED.TAXONOMY("sector")', shows: { en: "The sectors", ja: "セクターの一覧" } },
      {
        formula: '=FEED.TAXONOMY("industry", "SEC04")',
        shows: { en: "The industries of one sector", ja: "1 つのセクターの業種" },
      },
      { formula: "=FEED.TAXONOMY()", shows: { en: "The whole tree", ja: "分類全体" } },
    ],
    errors: ["FEED_ARGUMENT_INVALID", "FEED_NO_VALUE", "FEED_AMBIGUOUS", "FEED_NOT_FOUND"],
    fields: TREE_FIELDS,
  },
  CLASSIFICATION: {
    gives: {
      en: "a company's classifications, or one field of its taxonomy record",
      ja: "企業の産業分類、または分類データの項目 1 つ",
    },
    requests: {
      en: "one per company, however many fields; a registration number takes one more, once a day",
      ja: "1 社につき 1 回（項目の数によらない）。登録番号で指定した場合は 1 日 1 回追加",
    },
    examples: [
      {
        formula: '=FEED.CLASSIFICATION("Komorebi Education Inc.")',
        shows: {
          en: "The company's sectors, sub-sectors and industries",
          ja: "企業のセクター、サブセクター、業種",
        },
      },
      {
        formula: '=FEED.CLASSIFICATION("Komorebi Education Inc.", "primary.industryName")',
        shows: { en: "The name of its primary industry", ja: "主業種の名称" },
      },
      {
        formula: '=FEED.CLASSIFICATION("Komorebi Education Inc.", "industryName")',
        shows: { en: "The names of all its industries, as a column", ja: "すべての業種の名称（縦に並べる）" },
      },
    ],
    errors: ["FEED_ARGUMENT_INVALID", "FEED_NO_VALUE", "FEED_AMBIGUOUS", "FEED_NOT_FOUND", "FEED_REQUEST_INVALID"],
    fields: TAXONOMY_FIELDS,
  },
  CONSTITUENTS: {
    gives: {
      en: "companies under an industry, sub-sector or sector",
      ja: "業種、サブセクター、セクターに属する企業",
    },
    requests: {
      en: `the tree once for all formulas; ${LIST_REQUESTS.en}`,
      ja: `分類全体に 1 回（全数式で共通）。${LIST_REQUESTS.ja}`,
    },
    examples: [
      {
        formula: '=FEED.CONSTITUENTS("IND040101", "JPN")',
        shows: { en: "The companies of one industry in Japan", ja: "1 つの業種に属する日本の企業" },
      },
      {
        formula:
          '=FEED.CONSTITUENTS("SEC04", "ALL", "PUBLIC", 20, "companyEnglishName,tickerSymbol,primary.industryName")',
        shows: {
          en: "Twenty listed companies of a sector, in three columns",
          ja: "あるセクターの上場企業 20 社を 3 列で表示",
        },
      },
      {
        formula: '=FEED.CONSTITUENTS("SUB0401", "ALL", , 20, "companyEnglishName,industryName,score", TRUE)',
        shows: {
          en: "Twenty companies of a sub-sector, a row for each of their classifications",
          ja: "あるサブセクターの 20 社を、分類ごとに 1 行で表示",
        },
      },
    ],
    errors: LOOKUP_ERRORS,
    fields: TAXONOMY_FIELDS,
  },
  UNIVERSE: {
    gives: { en: "classified companies of a country", ja: "ある国の分類済み企業" },
    requests: LIST_REQUESTS,
    examples: [
      {
        formula: '=FEED.UNIVERSE("JPN", "PUBLIC", 50)',
        shows: { en: "Fifty listed companies of Japan", ja: "日本の上場企業 50 社" },
      },
      {
        formula: '=FEED.UNIVERSE("ALL", , 50, "companyEnglishName,countryName,primary.sectorName")',
        shows: {
          en: "Fifty companies of all countries, with their sectors",
          ja: "すべての国の企業 50 社とそのセクター",
        },
      },
    ],
    errors: LOOKUP_ERRORS,
    fields: TAXONOMY_FIELDS,
  },
  PEERS: {
    gives: {
      en: "the companies of a company's own primary industry, sub-sector or sector",
      ja: "企業の主業種（またはサブセクター、セクター）に属する他社",
    },
    requests: {
      en: `one for the company's classification; a registration number takes one more, once a day; ${LIST_REQUESTS.en}`,
      ja: `企業の分類に 1 回、登録番号で指定した場合は 1 日 1 回追加。${LIST_REQUESTS.ja}`,
    },
    examples: [
      {
        formula: '=FEED.PEERS("Komorebi Education Inc.")',
        shows: {
          en: "The companies of the same industry, in the country of the settings",
          ja: "設定の国にある、業種が同じ企業",
        },
      },
      {
        formula: '=FEED.PEERS("Komorebi Education Inc.", "sector", "ALL", "PUBLIC", 20)',
        shows: {
          en: "Twenty listed companies of the same sector, of any country",
          ja: "セクターが同じ上場企業 20 社（国を問わない）",
        },
      },
    ],
    errors: LOOKUP_ERRORS,
    fields: PEER_FIELDS,
  },
};
