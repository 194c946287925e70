import { RULE_IDS } from "./finding";
import type { CheckTexts } from "./texts";

/** What may mend statements that do not add up. */
const sameReport = "更新しても変わらない場合は、すべての数式に同じ区分を指定してください。";

const jaRules: CheckTexts["rules"] = {
  mixedCurrency: {
    title: "通貨の混在",
    sentence: ({ at, first, second }) =>
      `${at} は、${first} と ${second} のように通貨が異なる金額を合計または比較しています。先に換算してください。`,
  },
  mixedUnit: {
    title: "単位の混在",
    sentence: ({ first, second }) =>
      `${first} と ${second} は単位が異なりますが、同じ単位として扱われています。両方の数式の単位をそろえてください。`,
  },
  mixedConsolidation: {
    title: "連結と単体の混在",
    sentence: ({ first, second }) =>
      `${first} と ${second} は連結と単体の区分が異なるため、比較できません。両方の数式に同じ区分を指定してください。`,
  },
  yearEndsApart: {
    title: "決算期の差",
    sentence: ({ first, second }) =>
      `${first} と ${second} は同じ年度ですが、期末が 3 か月を超えて離れています。比較の際に考慮するか、注記してください。`,
  },
  latestYearDiffers: {
    title: "FY0 の年度が異なる",
    sentence: ({ first, second, values }) =>
      `${first} と ${second} はどちらも最新年度を基準にしていますが、実際の年度が異なります${values.usual === undefined ? "" : ` (${values.usual} と ${values.odd})`}。両方にある年度を指定してください。`,
  },
  twoValues: {
    title: "同じ数値に 2 つの値",
    sentence: ({ first, second }) =>
      `${first} と ${second} は同じ数値を取得していますが、値が異なります。両方を更新してください。`,
  },
  grossProfit: {
    title: "売上総利益の不一致",
    sentence: ({ at, values }) =>
      `売上高から売上原価を引くと ${values.expected} ですが、${at} は ${values.shown} です。${sameReport}`,
  },
  balanceSheet: {
    title: "貸借対照表の不一致",
    sentence: ({ at, values }) =>
      `貸借対照表のほかの項目の合計は ${values.expected} ですが、${at} の総資産は ${values.shown} です。${sameReport}`,
  },
  cashFlow: {
    title: "現金とキャッシュフローの不一致",
    sentence: ({ at, values }) =>
      `3 つのキャッシュフローの合計は ${values.expected} ですが、${at} の現金の増減は ${values.shown} です。${sameReport}`,
  },
  typedNumber: {
    title: "FEED の数式の中の手入力",
    sentence: ({ at, first }) =>
      `${at} は手入力の数値ですが、${first} など周囲のセルは数式です。更新しても変わりません。周囲の数式をコピーするか、理由を記入して対応不要にしてください。`,
  },
  leftOut: {
    title: "合計の漏れ",
    sentence: ({ at, second }) =>
      `${at} の合計範囲は、同じ一覧の ${second} の手前で終わっています。範囲に含めるか、理由を記入して対応不要にしてください。`,
  },
  staleBesideFresh: {
    title: "古い値と新しい値の混在",
    sentence: ({ first, second }) =>
      `${second} は設定より古い値ですが、${first} は新しい値です。比較する前に古い値を更新してください。`,
  },
};

const ja = (number: number) => number.toLocaleString("ja");

export const checkJapanese: CheckTexts = {
  again: "もう一度検査",
  cancel: "キャンセル",
  reading: "ブックを読み込んでいます…",
  progress: (done, all) => `検査しています: ルール ${done} / ${all}…`,
  cancelled: "キャンセルしました。何も変更していません。",
  noFormulas: "このブックには検査する FEED の数値がありません。先に FEED の数式を入力してください。",
  clean: (formulas, figures) =>
    `問題は見つかりませんでした。数式 ${ja(formulas)} 個と FEED の数値 ${ja(figures)} 個を ${RULE_IDS.length} 個のルールで検査しました。`,
  allDismissed: "すべての指摘が対応不要になっています。理由は下で確認できます。",
  found: (number, formulas, figures) =>
    `数式 ${ja(formulas)} 個と FEED の数値 ${ja(figures)} 個の中に、指摘が ${ja(number)} 件あります。`,
  unknown: (number) => `FEED のセル ${ja(number)} 個は、まだ計算されていないため検査できませんでした。`,
  unchecked: (number) => `数式 ${ja(number)} 個は読み取れないため、検査できませんでした。ご自身で確認してください。`,
  rules: jaRules,
  gravities: { error: "エラー", warning: "警告", note: "注意" },
  filters: { rule: "ルール", sheet: "シート", gravity: "重要度" },
  noMatch: "該当する指摘はありません。それぞれの絞り込みで先頭の項目を選ぶと、すべて表示されます。",
  list: "指摘",
  cells: (number) => `${ja(number)} 個のセル`,
  refresh: "更新",
  dismiss: "対応不要",
  reason: "このままでよい理由",
  keep: "この理由で対応不要にする",
  back: "戻る",
  dismissed: (number) => `対応不要 (${ja(number)})`,
  noReason: "理由の記入なし",
  restore: "指摘に戻す",
  report: "シートに挿入",
  inserted: (sheet) => `すべての指摘をシート「${sheet}」に書き出しました。`,
  hidden: (sheet) => `シート「${sheet}」は表示できません。再表示してから、もう一度お試しください。`,
  goTo: (place) => `${place} に移動`,
  typed: (number) => `手入力: ${number}`,
  sheet: {
    name: "モデルの検査",
    title: "モデルの検査",
    headings: ["重要度", "ルール", "シート", "セル", "セル数", "内容", "根拠", "根拠", "対応不要の理由"],
  },
};
