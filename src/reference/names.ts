import { NAME_FIELDS } from "../feed/field-tables";
import { HEADERS, OWN_COUNTRY, TOP_ALL } from "./arguments";
import type { FormulaReference } from "./formula";
import { MATCHING_FORMULA } from "./matching";

const TEXT = {
  accepts: {
    en: "text with a letter or a digit in it, or a whole number such as 4899",
    ja: "文字または数字を含む文字列、または 4899 のような整数",
  },
};

const REQUESTS = {
  en: "none once the country's index exists; building it costs one per 1,000 companies of each list, private and classified",
  ja: "国の企業名の索引があれば 0 回。索引の作成には、非上場企業と分類済み企業の各一覧の 1,000 社につき 1 回",
};

/** The formulas over the local index of names. */
export const NAME_FORMULAS: Readonly<Record<string, FormulaReference>> = {
  "COMPANY.FIND": {
    ja: "名称、証券コード、登録番号が文字列に一致する企業を、よく一致する順に表で返します。",
    want: { en: "companies whose names fit a text", ja: "名称に文字列を含む企業" },
    gives: { en: "Companies by name", ja: "名称で検索した企業" },
    arguments: {
      text: {
        ...TEXT,
        ja: '名称の一部（表記は問いません）、証券コード、または登録番号。例："高島"、"sakura foods"、4899',
      },
      country: OWN_COUNTRY,
      top: TOP_ALL,
      fields: {
        ja: '表示する項目。例："companyId,companyEnglishName"、または "all"。省略時はよく使う項目',
        accepts: {
          en: 'names of the ten fields below as comma text or a range, or "all"',
          ja: '下記の 10 項目の名前。カンマ区切り、または範囲。または "all"（すべて）',
        },
        leftOut: { en: "the usual columns", ja: "通常の列" },
        values: "NAME_FIELD",
      },
      headers: HEADERS,
    },
    requests: REQUESTS,
    examples: [
      {
        formula: '=FEED.COMPANY.FIND("高島")',
        shows: {
          en: "Companies of such a name in the settings' country, however it is written: 髙島 among them",
          ja: "設定の国で、その名称を含む企業。髙島のような異体字も含む",
        },
      },
      {
        formula: '=FEED.COMPANY.FIND("sakura", "JPN", 10, "companyId,companyEnglishName,tickerSymbol")',
        shows: { en: "The ten best matches, in three columns", ja: "よく一致する 10 社を 3 列で表示" },
      },
    ],
    errors: ["FEED_ARGUMENT_INVALID", "FEED_NO_VALUE", "FEED_INDEX_NOT_READY", "FEED_RESULT_TOO_LARGE"],
    fields: NAME_FIELDS,
  },
  "COMPANY.ID": {
    ja: "名称の全体、証券コード、登録番号が文字列に一致する 1 社の企業 ID を返します。",
    want: { en: "a company's id from its name", ja: "企業名から企業 ID" },
    gives: { en: "The id of a company by its name", ja: "名称から企業 ID を取得" },
    arguments: {
      text: {
        ...TEXT,
        ja: '名称の全体（表記は問いません）、証券コード、または登録番号。例："株式会社髙島化学"、"Komorebi Education Inc."、4899',
      },
      country: OWN_COUNTRY,
    },
    requests: REQUESTS,
    examples: [
      {
        formula: '=FEED.COMPANY.ID("Yuzuriha Energy Corporation")',
        shows: { en: "The company id, to hand on to the other formulas", ja: "ほかの数式に渡せる企業 ID" },
      },
      {
        formula: '=FEED.FINANCIAL(FEED.COMPANY.ID("7280102827537"), "FY0", "Revenue")',
        shows: {
          en: "Revenue of the company with this registration number, by its id",
          ja: "この登録番号の企業の売上高（企業 ID を経由）",
        },
      },
    ],
    errors: ["FEED_ARGUMENT_INVALID", "FEED_NO_VALUE", "FEED_AMBIGUOUS", "FEED_INDEX_NOT_READY"],
  },
  "COMPANY.MATCH": MATCHING_FORMULA,
};
