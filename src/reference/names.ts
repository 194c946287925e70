import { NAME_FIELDS } from "../feed/field-tables";
import type { FormulaReference } from "./formula";
import { MATCHING_FORMULA } from "./matching";

const REQUESTS = {
  en: "none once the country's index exists; building it costs one per 1,000 companies of each list, private and classified",
  ja: "国の企業名の索引があれば 0 回。索引の作成には、非上場企業と分類済み企業の各一覧の 1,000 社につき 1 回",
};

/** The formulas over the local index of names. */
export const NAME_FORMULAS: Readonly<Record<string, FormulaReference>> = {
  "COMPANY.FIND": {
    gives: {
      en: "companies whose names, ticker or registration number match",
      ja: "名称、証券コード、登録番号が一致する企業",
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
    gives: { en: "the company id of the one match", ja: "一致する 1 社の企業 ID" },
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
