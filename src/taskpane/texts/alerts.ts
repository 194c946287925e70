import type { AlertRule } from "../alerts/alert";

type Kinds = Readonly<Record<AlertRule["kind"], (amount: number) => string>>;

/** The texts of rules and alerts; they come with their script. */
const en = {
  title: "Alerts",
  on: (count: number) => (count === 0 ? "off" : `${count} on`),
  hint: (isOfAll: boolean) =>
    `Judged after each refresh; growth and falls count ${isOfAll ? "for all industries" : "within the sheet's rows, now or before"}. Nothing leaves this computer. A league table's rules read the whole ranking of two periods: 1 request for each 1,000 rows.`,
  labels: { enters: "Enters the top", grows: "Page views up by", falls: "Rank falls by" } as Readonly<
    Record<AlertRule["kind"], string>
  >,
  off: "Off",
  amounts: {
    enters: (amount) => `Top ${amount}`,
    grows: (amount) => `${amount} %`,
    falls: (amount) => `${amount} places`,
  } as Kinds,
  told: {
    enters: (amount) => `entered the top ${amount}`,
    grows: (amount) => `page views up ${amount} % or more`,
    falls: (amount) => `fell ${amount} places or more`,
  } as Kinds,
  unranked: "not ranked",
  none: "No new alerts.",
  unjudged: (sheet: string) => `The rules of ${sheet} could not be judged:`,
  noFormula:
    "the sheet has no formula any more that compares two periods. Create the sheet anew, or switch its rules off.",
  unread: (count: number) => (count === 1 ? "1 new alert" : `${count} new alerts`),
  read: "Mark as read",
  readOne: (name: string) => `Mark as read: ${name}`,
  readAll: "Mark all as read",
};

const ja: typeof en = {
  title: "アラート",
  on: (count) => (count === 0 ? "オフ" : `${count} 件オン`),
  hint: (isOfAll) =>
    `更新のたびに判定します。増加と下降は${isOfAll ? "すべての業種" : "シートの行数に入っている(または入っていた)企業や業種"}が対象です。データがこのコンピューターの外に出ることはありません。順位表のルールは 2 期間のランキング全体を取得します(1,000 行ごとに 1 回のリクエスト)。`,
  labels: { enters: "上位に入った", grows: "ページビューの増加", falls: "順位の下降" },
  off: "オフ",
  amounts: {
    enters: (amount) => `上位 ${amount} 位`,
    grows: (amount) => `${amount} %`,
    falls: (amount) => `${amount} 位`,
  },
  told: {
    enters: (amount) => `上位 ${amount} 位に入りました`,
    grows: (amount) => `ページビューが ${amount} % 以上増えました`,
    falls: (amount) => `順位が ${amount} 位以上下がりました`,
  },
  unranked: "圏外",
  none: "新しいアラートはありません。",
  unjudged: (sheet) => `${sheet} のルールを判定できませんでした:`,
  noFormula: "2 期間を比較する数式がシートにありません。シートを作り直すか、ルールをオフにしてください。",
  unread: (count) => `新しいアラート ${count} 件`,
  read: "既読にする",
  readOne: (name) => `既読にする: ${name}`,
  readAll: "すべて既読にする",
};

export const alertsTexts = { en, ja };
