import type { FormulaReference } from "./formula";

/** The formula about the add-in itself. */
export const STATUS_FORMULAS: Readonly<Record<string, FormulaReference>> = {
  STATUS: {
    gives: {
      en: "whether the add-in is connected, or one fact about it",
      ja: "接続状態、またはアドインに関する情報 1 つ",
    },
    requests: { en: "none", ja: "0 回" },
    examples: [
      {
        formula: "=FEED.STATUS()",
        shows: { en: "Whether it is connected, or why not", ja: "接続状態、または接続できない理由" },
      },
      {
        formula: '=FEED.STATUS("requests")',
        shows: { en: "Requests sent since the start", ja: "開始後に送信したリクエスト数" },
      },
    ],
    errors: ["FEED_ARGUMENT_INVALID"],
    isAsking: false,
  },
};
