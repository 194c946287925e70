import { count } from "../../taskpane/texts/quantities";

/** Facts of a finding that its sentence names. */
export interface SentenceFacts {
  /** The cell, and the two that show it, each as a person writes it. */
  at: string;
  first: string;
  second: string;
  /** Numbers and codes, as they are shown. */
  values: Readonly<Record<string, string>>;
}

interface RuleTexts {
  title: string;
  sentence: (facts: SentenceFacts) => string;
}

/** What may mend statements that do not add up. */
const sameReport = "Refresh these cells; if that changes nothing, name one basis in all of them.";

/** The rules, in the order in which the pane lists them. */
const rules = {
  mixedCurrency: {
    title: "Currencies mixed",
    sentence: ({ at, first, second }) =>
      `${at} adds or compares amounts of different currencies, as ${first} and ${second}. Convert them first.`,
  },
  mixedUnit: {
    title: "Units mixed",
    sentence: ({ first, second }) =>
      `${first} and ${second} are in different units but are used as if they were in one. Give both formulas one unit.`,
  },
  mixedConsolidation: {
    title: "Consolidated beside non-consolidated",
    sentence: ({ first, second }) =>
      `${second} leaves out subsidiaries that ${first} includes, so the two cannot be compared. Name one basis in both.`,
  },
  yearEndsApart: {
    title: "Year-ends far apart",
    sentence: ({ first, second }) =>
      `The fiscal years of ${first} and ${second} have one number but end more than three months apart. Compare them with that in mind, or state it beside them.`,
  },
  latestYearDiffers: {
    title: "FY0 means different years",
    sentence: ({ first, second, values }) =>
      `${first} and ${second} both ask for the same latest year, but ${values.usual === undefined ? "it is another one for each" : `it is ${values.usual} and ${values.odd}`}. Enter a year that both have.`,
  },
  twoValues: {
    title: "One figure, two values",
    sentence: ({ first, second }) =>
      `${first} and ${second} ask for the same figure and show different values. One of them is old: refresh both.`,
  },
  grossProfit: {
    title: "Gross profit does not add up",
    sentence: ({ at, values }) =>
      `Revenue less cost of goods sold is ${values.expected}, but ${at} shows ${values.shown}. ${sameReport}`,
  },
  balanceSheet: {
    title: "Balance sheet does not balance",
    sentence: ({ at, values }) =>
      `The other lines of the balance sheet come to ${values.expected}, but ${at} shows total assets of ${values.shown}. ${sameReport}`,
  },
  cashFlow: {
    title: "Cash does not follow its flows",
    sentence: ({ at, values }) =>
      `The three cash flows come to ${values.expected}, but cash in ${at} has moved by ${values.shown}. ${sameReport}`,
  },
  typedNumber: {
    title: "Typed number among FEED formulas",
    sentence: ({ at, first }) =>
      `${at} holds a typed number, while the cells around it, as ${first}, hold a formula. No refresh changes it: copy theirs, or dismiss this with the reason.`,
  },
  leftOut: {
    title: "Total leaves a figure out",
    sentence: ({ at, second }) =>
      `The total in ${at} ends just before ${second}, which belongs to the same list. Include it, or dismiss this with the reason.`,
  },
  staleBesideFresh: {
    title: "Stale beside fresh",
    sentence: ({ first, second }) =>
      `${second} is older than your settings allow, and ${first} is not. Refresh stale values before you compare them.`,
  },
} satisfies Record<string, RuleTexts>;

export type RuleId = keyof typeof rules;

export const RULE_IDS = Object.keys(rules) as readonly RuleId[];

const findings = (number: number) => count(number, "finding");

const gravities = { error: "Error", warning: "Warning", note: "Note" };

const en = {
  again: "Check again",
  cancel: "Cancel",
  reading: "Reading the workbook…",
  progress: (done: number, all: number) => `Checking: ${done} of ${all} rules…`,
  cancelled: "Cancelled. Nothing was changed.",
  noFormulas: "This workbook has no FEED figures to check. Add a FEED formula first.",
  clean: (formulas: number, figures: number) =>
    `Nothing found: ${count(formulas, "formula")} and ${count(figures, "FEED figure")} checked by ${RULE_IDS.length} rules.`,
  allDismissed: "All findings are dismissed; they stand below with their reasons.",
  found: (number: number, formulas: number, figures: number) =>
    `${findings(number)} in ${count(formulas, "formula")} and ${count(figures, "FEED figure")}.`,
  unknown: (number: number, places: string, isCut: boolean) =>
    `${count(number, "FEED cell")} could not be told: ${places}${isCut ? " and others" : ""}. Calculate them (F2, Enter), ` +
    "and give what a LAMBDA calls cells of its own.",
  unchecked: (number: number) =>
    `${count(number, "formula")} could not be checked: the check cannot read them. Look at them yourself.`,
  rules,
  gravities,
  filters: { rule: "Rule", sheet: "Sheet", gravity: "Severity" },
  noMatch: "No finding fits. Choose the first entry of each filter to see all.",
  list: "Findings",
  cells: (number: number) => `${number.toLocaleString("en")} cells`,
  refresh: "Refresh",
  nothingStale: "Nothing is stale any more.",
  dismiss: "Dismiss",
  reason: "Why is it right as it is?",
  keep: "Dismiss with this reason",
  back: "Back",
  dismissed: (number: number) => `Dismissed (${number.toLocaleString("en")})`,
  noReason: "No reason given",
  restore: "Show again",
  report: "Insert as sheet",
  inserted: (sheet: string) => `Created "${sheet}" with all findings.`,
  hidden: (sheet: string) => `The sheet "${sheet}" cannot be shown. Unhide it, then try again.`,
  goTo: (place: string) => `Go to ${place}`,
  typed: (number: string) => `typed: ${number}`,
  sheet: {
    name: "Model check",
    title: "Check of the model",
    headings: ["Severity", "Rule", "Sheet", "Cell", "Cells", "What", "Evidence", "Evidence", "Dismissed because"],
  },
};

export type CheckTexts = typeof en;

const jaSameReport = "更新しても変わらない場合は、すべての数式に同じ区分を指定してください。";

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
      `売上高から売上原価を引くと ${values.expected} ですが、${at} は ${values.shown} です。${jaSameReport}`,
  },
  balanceSheet: {
    title: "貸借対照表の不一致",
    sentence: ({ at, values }) =>
      `貸借対照表のほかの項目の合計は ${values.expected} ですが、${at} の総資産は ${values.shown} です。${jaSameReport}`,
  },
  cashFlow: {
    title: "現金とキャッシュフローの不一致",
    sentence: ({ at, values }) =>
      `3 つのキャッシュフローの合計は ${values.expected} ですが、${at} の現金の増減は ${values.shown} です。${jaSameReport}`,
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

const toJapanese = (number: number) => number.toLocaleString("ja");

const ja: CheckTexts = {
  again: "もう一度検査",
  cancel: "キャンセル",
  reading: "ブックを読み込んでいます…",
  progress: (done, all) => `検査しています: ルール ${done} / ${all}…`,
  cancelled: "キャンセルしました。何も変更していません。",
  noFormulas: "このブックには検査する FEED の数値がありません。先に FEED の数式を入力してください。",
  clean: (formulas, figures) =>
    `問題は見つかりませんでした。数式 ${toJapanese(formulas)} 個と FEED の数値 ${toJapanese(figures)} 個を ${RULE_IDS.length} 個のルールで検査しました。`,
  allDismissed: "すべての指摘が対応不要になっています。理由は下で確認できます。",
  found: (number, formulas, figures) =>
    `数式 ${toJapanese(formulas)} 個と FEED の数値 ${toJapanese(figures)} 個の中に、指摘が ${toJapanese(number)} 件あります。`,
  unknown: (number, places, isCut) =>
    `FEED のセル ${toJapanese(number)} 個は検査できませんでした: ${places}${isCut ? " など" : ""}。` +
    "再計算し(F2 キー、Enter キー)、LAMBDA の中の数式は別のセルに入力してください。",
  unchecked: (number) =>
    `数式 ${toJapanese(number)} 個は読み取れないため、検査できませんでした。ご自身で確認してください。`,
  rules: jaRules,
  gravities: { error: "エラー", warning: "警告", note: "注意" },
  filters: { rule: "ルール", sheet: "シート", gravity: "重要度" },
  noMatch: "該当する指摘はありません。それぞれの絞り込みで先頭の項目を選ぶと、すべて表示されます。",
  list: "指摘",
  cells: (number) => `${toJapanese(number)} 個のセル`,
  refresh: "更新",
  nothingStale: "古い値はもうありません。",
  dismiss: "対応不要",
  reason: "このままでよい理由",
  keep: "この理由で対応不要にする",
  back: "戻る",
  dismissed: (number) => `対応不要 (${toJapanese(number)})`,
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

export const checkTexts: Readonly<Record<"en" | "ja", CheckTexts>> = { en, ja };
