import type { FormulaReference } from "./formula";

/** The formulas over the local index of names. */
export const NAME_FORMULAS: Readonly<Record<string, FormulaReference>> = {
  FIND: {
    gives: {
      en: "companies whose names, ticker or registration number match",
      ja: "名称、証券コード、登録番号が一致する企業",
    },
    requests: { en: "none once the index is there", ja: "索引ができた後は 0 回" },
    examples: [
      {
        formula: '=FEED.FIND("高島")',
        shows: { en: "Companies of such a name, 髙島 among them", ja: "髙島を含む、その名称の企業" },
      },
    ],
    errors: ["FEED_ARGUMENT_INVALID", "FEED_NO_VALUE", "FEED_INDEX_NOT_READY", "FEED_RESULT_TOO_LARGE"],
    isAsking: true,
  },
  ID: {
    gives: { en: "the company id of the one match", ja: "一致する 1 社の会社 ID" },
    requests: { en: "none once the index is there", ja: "索引ができた後は 0 回" },
    examples: [
      {
        formula: '=FEED.ID("株式会社さくら食品")',
        shows: { en: "The id to hand on to the other formulas", ja: "ほかの数式に渡せる会社 ID" },
      },
    ],
    errors: ["FEED_ARGUMENT_INVALID", "FEED_NO_VALUE", "FEED_AMBIGUOUS", "FEED_INDEX_NOT_READY"],
    isAsking: true,
  },
};
