import { PEER_FIELDS, TAXONOMY_FIELDS, TREE_FIELDS } from "../feed/field-tables";
import {
  type ArgumentReference,
  COMPANY,
  COUNTRY,
  FIELDS,
  type FormulaReference,
  HEADERS,
  LIST_REQUESTS,
  LOOKUP_ERRORS,
  OWN_COUNTRY,
} from "./formula";

const TYPE: ArgumentReference = {
  ja: "PUBLIC（上場）、PRIVATE（非上場）、ALL（両方）のいずれか。省略時は ALL",
  values: "COMPANY_TYPE",
};

/** The formulas of the industry taxonomies (§4.3). */
export const TAXONOMY_FORMULAS: Readonly<Record<string, FormulaReference>> = {
  TAXONOMY: {
    ja: "セクター、サブセクター、業種の分類を表で返します。",
    gives: { en: "The tree of industries", ja: "産業分類の一覧" },
    arguments: {
      level: {
        ja: '階層。"sector"、"subSector"、"industry" のいずれか。省略時は 3 階層すべてを示す industry',
        values: "LEVEL",
      },
      parent: {
        ja: 'その下だけを返すセクターまたはサブセクターの ID。例："SEC04"。省略時は分類全体',
        accepts: {
          en: 'the id of a sector or a sub-sector, or its level and id as in "sector:12"',
          ja: 'セクターまたはサブセクターの ID。"sector:12" のように階層を付けて指定することも可',
        },
      },
      headers: HEADERS,
    },
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
    ja: "企業のセクター、サブセクター、業種を表で返します。または分類データの項目を 1 つ返します。",
    gives: { en: "A company's industries", ja: "企業の業種" },
    arguments: {
      company: {
        ja: `${COMPANY.ja}。項目を指定するときは範囲も可。例：A2:A20`,
        accepts: {
          en: `${COMPANY.accepts.en}; with a field also comma text or a range`,
          ja: `${COMPANY.accepts.ja}。項目を指定するときはカンマ区切り、または範囲も可`,
        },
      },
      field: {
        ja: '項目 1 つ。例："tickerSymbol"、"isPublic"、"primary.industryName"。"industryName" ならすべての分類について返します',
        values: "TAXONOMY_FIELD",
      },
      headers: HEADERS,
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
    ja: "業種、サブセクター、セクターのいずれかに属する企業を表で返します。",
    gives: { en: "Companies of an industry", ja: "ある業種の企業" },
    arguments: {
      node: {
        ja: '業種、サブセクター、セクターのいずれかの ID。例："IND040101"。複数の階層に同じ ID があるときは "sector:12" のように指定',
        accepts: {
          en: 'the id of a sector, a sub-sector or an industry, or its level and id as in "sector:12"',
          ja: 'セクター、サブセクター、業種のいずれかの ID。"sector:12" のように階層を付けて指定することも可',
        },
      },
      country: COUNTRY,
      type: TYPE,
      top: { ja: '企業数、または "all"（すべて）。省略時はすべて' },
      fields: {
        ...FIELDS,
        ja: '表示する項目。例："companyEnglishName,tickerSymbol,primary.industryName"、または "all"',
        values: "TAXONOMY_FIELD",
      },
      allindustries: {
        ja: "TRUE にすると、1 社 1 行ではなく、企業の分類ごとに 1 行を返します",
      },
      headers: HEADERS,
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
    ja: "ある国の、上場・非上場の分類済み企業を表で返します。",
    gives: { en: "Classified companies of a country", ja: "ある国の分類済み企業" },
    arguments: {
      country: COUNTRY,
      type: TYPE,
      top: { ja: '企業数、または "all"（すべて）。省略時はすべて' },
      fields: {
        ...FIELDS,
        ja: '表示する項目。例："companyId,companyEnglishName,primary.sectorName"、または "all"',
        values: "TAXONOMY_FIELD",
      },
      headers: HEADERS,
    },
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
    ja: "ある企業と主な業種、サブセクター、セクターが同じ企業を、その企業を除いて表で返します。",
    gives: { en: "A company's peers", ja: "同業他社" },
    arguments: {
      company: COMPANY,
      level: { ja: '共通する階層。"industry"、"subSector"、"sector" のいずれか。省略時は industry', values: "LEVEL" },
      country: OWN_COUNTRY,
      type: TYPE,
      top: { ja: 'その企業を除いた企業数、または "all"（すべて）。省略時はすべて' },
      fields: {
        ...FIELDS,
        ja: '表示する項目。例："companyEnglishName,tickerSymbol"、または "all"',
        values: "TAXONOMY_FIELD",
      },
      headers: HEADERS,
      allmatches: {
        ja: "TRUE にすると、主な分類以外で一致する企業も加え、どちらで一致したかを表示します",
        accepts: {
          en: 'TRUE for companies of which it is another classification too, with a column "Matched by" (primary or other)',
          ja: "主な分類以外で一致する企業も加えるときは TRUE。「一致した分類」の列（primary または other）が付きます",
        },
      },
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
