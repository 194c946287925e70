import { count } from "./quantities";

const cells = (number: number) => count(number, "cell");
const formulas = (number: number) => count(number, "FEED formula");

/** The common part of the sentences about manual calculation. */
const MANUAL = "Excel calculates by hand only (Formulas > Calculation Options), so cells take no new values.";
const jaManual = "計算方法が手動([数式] > [計算方法の設定])のため、セルに新しい値が反映されません。";

const en = {
  looking: "Looking for FEED formulas…",
  nothingToRefresh: {
    selection: "The selection holds no FEED formula. Select cells that hold one, or refresh all.",
    sheet: "This sheet holds no FEED formula. Show one that does, or refresh all.",
  },
  nothingStale: "Nothing is stale: every answer is as fresh as this workbook wants it.",
  noErrors: "No FEED formula shows an error.",
  noQueries: (number: number) =>
    `${number === 1 ? "This FEED formula needs" : `These ${formulas(number)} need`} nothing of the provider, so there is ` +
    "nothing to refresh. Where one shows an error, Changes says why.",
  noneKnown: (number: number) =>
    `It is not known which live formulas ${cells(number)} hold: Excel has not run them yet, or their text does not tell ` +
    "what they are given. Refresh everything, what is stale, or what shows an error.",
  someUnknown: (number: number) =>
    `Of ${cells(number)} it is not known which live formulas they hold; Refresh all reaches them.`,
  refetching: "Refreshing; cells show their values meanwhile.",
  progress: "Answers received",
  done: (done: number, total: number, requests: number) =>
    `${done.toLocaleString("en")} of ${count(total, "answer")} received · ${count(requests, "request")}`,
  refreshed: (number: number) => `${count(number, "formula")} refreshed.`,
  failed: (failed: number, all: number) =>
    `${failed.toLocaleString("en")} of ${count(all, "formula")} could not be refreshed; cells that had a value keep it`,
  toCorrect: (number: number) => `${count(number, "formula needs", "formulas need")} your attention.`,
  colon: ": ",
  comma: ", ",
  stop: ".",
  others: (number: number) => `and ${count(number, "other")}`,
  running: (percent: number) => `Refreshing: ${percent}%`,
  cancel: "Cancel",
  cancelled: (done: number, total: number) =>
    `Cancelled after ${done.toLocaleString("en")} of ${count(total, "answer")}; other cells keep their values.`,
  nothingRunning: "No refresh is under way.",
  changed: (number: number) => (number === 0 ? "No cell changed." : `${cells(number)} changed.`),
  whatChanged: "What changed",
  showFormulas: "Show formulas",
  whatFailed: "what failed",
  manual:
    `${MANUAL} Deliver once: Excel calculates automatically until they have them, then by hand again. ` +
    "Or refresh anyway, and press Ctrl+Alt+F9 afterwards.",
  manualSchedule: `${MANUAL} Set it to automatic, or press Ctrl+Alt+F9 after each refresh.`,
  deliverOnce: "Deliver once",
  refreshAnyway: "Refresh anyway",
};

const jaNumber = (number: number) => number.toLocaleString("ja");

const ja: typeof en = {
  looking: "FEED の数式を探しています…",
  nothingToRefresh: {
    selection: "選択範囲に FEED の数式がありません。数式のあるセルを選ぶか、すべて更新してください。",
    sheet: "このシートに FEED の数式がありません。数式のあるシートを表示するか、すべて更新してください。",
  },
  nothingStale: "古い値はありません。すべての値が、このブックの設定どおり新しい状態です。",
  noErrors: "エラーを表示している FEED の数式はありません。",
  noQueries: (number) =>
    `FEED の数式 ${jaNumber(number)} 個はデータ提供元のデータを使わないため、更新するものがありません。` +
    "エラーが表示されている場合、理由は「変更」に表示されています。",
  noneKnown: (number) =>
    `${jaNumber(number)} 個のセルの数式を特定できません。Excel がまだ計算していないか、数式の文字列から引数を読み取れません。` +
    "「すべて更新」「古い値を更新」「エラーを更新」のいずれかを実行してください。",
  someUnknown: (number) => `${jaNumber(number)} 個のセルの数式を特定できませんでした。「すべて更新」では更新されます。`,
  refetching: "更新しています。その間もセルには現在の値が表示されます。",
  progress: "取得したデータ",
  done: (done, total, requests) =>
    `回答 ${jaNumber(total)} 件中 ${jaNumber(done)} 件を受信 · リクエスト ${jaNumber(requests)} 回`,
  refreshed: (number) => `数式 ${jaNumber(number)} 個を更新しました。`,
  failed: (failed, all) =>
    `数式 ${jaNumber(all)} 個のうち ${jaNumber(failed)} 個を更新できませんでした(値のあったセルには、その値が残ります)`,
  toCorrect: (number) => `数式 ${jaNumber(number)} 個に対応が必要です。`,
  colon: ": ",
  comma: "、",
  stop: "。",
  others: (number) => `ほか ${jaNumber(number)} 個`,
  running: (percent) => `更新中: ${percent}%`,
  cancel: "中止",
  cancelled: (done, total) =>
    `回答 ${jaNumber(total)} 件中 ${jaNumber(done)} 件で中止しました。残りのセルの値はそのままです。`,
  nothingRunning: "実行中の更新はありません。",
  changed: (number) => (number === 0 ? "変わったセルはありません。" : `${jaNumber(number)} 個のセルが変わりました。`),
  whatChanged: "変更内容",
  showFormulas: "数式を表示",
  whatFailed: "失敗した数式",
  manual:
    `${jaManual}「一度だけ反映」では、値が届くまで自動計算に切り替え、その後手動に戻します。` +
    "このまま更新した場合は、あとで Ctrl+Alt+F9 を押してください。",
  manualSchedule: `${jaManual}自動にするか、更新のたびに Ctrl+Alt+F9 を押してください。`,
  deliverOnce: "一度だけ反映",
  refreshAnyway: "このまま更新",
};

export const refreshTexts = { en, ja };
