import { count, toAgo } from "./quantities";

const en = {
  formulas: "Formulas",
  formulasOf: (number: number) => count(number, "formula"),
  /** A number of formulas in a state. */
  of: {
    answered: (number: number) => `${number.toLocaleString("en")} answered`,
    waiting: (number: number) => `${number.toLocaleString("en")} waiting`,
    failed: (number: number) => `${number.toLocaleString("en")} failed`,
    stale: (number: number) => `${number.toLocaleString("en")} not refreshed`,
    wrong: (number: number) => `${number.toLocaleString("en")} to correct`,
  },
  progress: (rows: number, expected: number) =>
    expected > rows
      ? `${rows.toLocaleString("en")} of ${expected.toLocaleString("en")} rows so far…`
      : `${rows.toLocaleString("en")} ${rows === 1 ? "row" : "rows"} so far…`,
  none: (example: string) => `No formula asks for anything yet. Build one, or type one such as ${example} into a cell.`,
  build: "Build a formula",
  /** @param states numbers of formulas by state, as {@link of} says them */
  summary: (all: number, states: readonly string[]) => `${count(all, "formula")}: ${states.join(", ")}.`,
  attention: (number: number) => `Needs your attention: ${count(number, "formula")}`,
  answered: (all: number) =>
    all === 1 ? "1 formula is answered." : `All ${all.toLocaleString("en")} formulas are answered.`,
  asOf: (ageMs: number) => `The oldest answer is from ${toAgo(ageMs, "en")}.`,
  retryFailed: (number: number) => `Refresh ${count(number, "failed formula")}`,
  elsewhere: "Place not known",
  elsewhereHint: (places: string) =>
    `This Excel does not say in which cells these stand.${places === "" ? "" : ` They may be those of ${places}.`}`,
  states: {
    wrong: "to correct",
    failed: "failed",
    stale: "not refreshed",
    asking: "waiting",
    answered: "answered",
  },
  ago: (ageMs: number) => toAgo(ageMs, "en"),
  goTo: (place: string) => `Go to ${place}`,
  edit: (cell: string) => `Edit ${cell}`,
  moved: (place: string, formula: string) =>
    `${place} holds no ${formula} now: rows, columns or sheets have changed since the formula was entered.`,
  showMore: (number: number) => `Show ${number.toLocaleString("en")} more`,
  behind: "Requests behind it",
  noneBehind: "None that the log still has.",
  noQueries: "It has asked for nothing.",
  requests: "Requests",
  requestsHint: "The last 200, newest first. Nothing of what they carried is kept.",
  noRequests: "No request has gone out yet. Connect, or enter a formula.",
  underWay: "under way",
  left: "not waited for",
  took: (ms: number) => `${Math.round(ms).toLocaleString("en")} ms`,
  bytes: (bytes: number) => toBytes(bytes, "en"),
  serves: (formulas: number) => `for ${count(formulas, "formula")}`,
  credentials: "credentials",
  support: "Support",
  supportHint: "A text for whoever helps you: settings, counts, the last errors and requests. Secrets are taken out.",
  prepare: "Copy for support",
  preview: "What will be copied",
  copy: "Copy",
};

const ja: typeof en = {
  formulas: "数式",
  formulasOf: (number) => `数式 ${number.toLocaleString("ja")} 個`,
  of: {
    answered: (number) => `取得済み ${number.toLocaleString("ja")} 個`,
    waiting: (number) => `取得中 ${number.toLocaleString("ja")} 個`,
    failed: (number) => `失敗 ${number.toLocaleString("ja")} 個`,
    stale: (number) => `未更新 ${number.toLocaleString("ja")} 個`,
    wrong: (number) => `要修正 ${number.toLocaleString("ja")} 個`,
  },
  progress: (rows, expected) =>
    expected > rows
      ? `${expected.toLocaleString("ja")} 行中 ${rows.toLocaleString("ja")} 行を取得済み…`
      : `${rows.toLocaleString("ja")} 行を取得済み…`,
  none: (example) =>
    `データを求める数式はまだありません。「作成」で数式を作るか、${example} のようにセルに入力してください。`,
  build: "数式を作成",
  summary: (all, states) => `数式 ${all.toLocaleString("ja")} 個: ${states.join("、")}`,
  attention: (number) => `対応が必要な数式: ${number.toLocaleString("ja")} 個`,
  answered: (all) => `数式 ${all.toLocaleString("ja")} 個すべてに値があります。`,
  asOf: (ageMs) => `最も古い値は${toAgo(ageMs, "ja")}のものです。`,
  retryFailed: (number) => `失敗した数式 ${number.toLocaleString("ja")} 個を更新`,
  elsewhere: "場所が不明",
  elsewhereHint: (places) =>
    `この Excel からは、どのセルの数式かを取得できません。${places === "" ? "" : `${places} の数式の可能性があります。`}`,
  states: {
    wrong: "要修正",
    failed: "失敗",
    stale: "未更新",
    asking: "取得中",
    answered: "取得済み",
  },
  ago: (ageMs) => toAgo(ageMs, "ja"),
  goTo: (place) => `${place} に移動`,
  edit: (cell) => `${cell} を編集`,
  moved: (place, formula) =>
    `${place} に ${formula} はありません。数式の入力後に行、列またはシートが変更されています。`,
  showMore: (number) => `さらに ${number.toLocaleString("ja")} 件を表示`,
  behind: "関連するリクエスト",
  noneBehind: "記録に残っているものはありません。",
  noQueries: "問い合わせは行われていません。",
  requests: "リクエスト",
  requestsHint: "新しい順に 200 件まで。送受信した内容は記録されません。",
  noRequests: "リクエストはまだありません。接続するか、数式を入力してください。",
  underWay: "実行中",
  left: "中止",
  took: (ms) => `${Math.round(ms).toLocaleString("ja")} ms`,
  bytes: (bytes) => toBytes(bytes, "ja"),
  serves: (formulas) => `数式 ${formulas.toLocaleString("ja")} 個`,
  credentials: "認証",
  support: "サポート",
  supportHint:
    "サポート担当者に渡すテキストです。設定、件数、最近のエラーとリクエストを含み、機密情報は取り除かれます。",
  prepare: "サポート用にコピー",
  preview: "コピーされる内容",
  copy: "コピー",
};

export const activityTexts = { en, ja };

function toBytes(bytes: number, language: string): string {
  if (bytes < 1000) return `${bytes.toLocaleString(language)} B`;
  const [size, unit] = bytes < 1_000_000 ? [1000, "kB"] : [1_000_000, "MB"];
  const digits = bytes < 10 * size ? 1 : 0;
  return `${(bytes / size).toLocaleString(language, { maximumFractionDigits: digits })} ${unit}`;
}
