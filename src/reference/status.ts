import type { FormulaReference } from "./formula";

/** The formula about the add-in itself. */
export const STATUS_FORMULAS: Readonly<Record<string, FormulaReference>> = {
  STATUS: {
    ja: "アドインの接続状態、または問い合わせの数や表示内容の新しさを返します。",
    gives: { en: "Connection and requests", ja: "接続とリクエストの状況" },
    arguments: {
      what: {
        ja: '"asof"（このシートの最も古い回答の取得日時）、"pending"、"stale"、"requests"、"currencies"、"version"。省略時は接続状態',
        values: "STATUS",
      },
      sheet: {
        ja: '"asof" のとき、このシートの名前。ほかのシートの同じ数式と区別するために指定します',
      },
    },
    requests: {
      en: "none for data; without an argument it connects where nothing else has",
      ja: "データのリクエストは 0 回。引数なしの場合、未接続なら接続する",
    },
    examples: [
      {
        formula: "=FEED.STATUS()",
        shows: { en: "Whether it is connected, or why not", ja: "接続状態、または接続できない理由" },
      },
      {
        formula: '=FEED.STATUS("requests")',
        shows: {
          en: "Requests for data sent since the start, each try counted",
          ja: "開始後に送信したデータのリクエスト数（再試行を含む）",
        },
      },
      {
        formula: '=FEED.STATUS("pending")',
        shows: {
          en: "How many answers are still to come; 0 means that all is filled",
          ja: "まだ届いていない回答の数。0 なら取得完了",
        },
      },
    ],
    errors: ["FEED_ARGUMENT_INVALID", "FEED_NO_VALUE"],
  },
};
