import type { LiveState } from "../activity/query-facts";
import { count, toAgo } from "./quantities";

const en = {
  formulas: "Formulas",
  formulasOf: (number: number) => count(number, "formula"),
  failedOf: (number: number) => `${number.toLocaleString("en")} failed`,
  staleOf: (number: number) => `${number.toLocaleString("en")} not refreshed`,
  none: (example: string) => `No formula asks for anything yet. Build one, or type one such as ${example} into a cell.`,
  build: "Build a formula",
  pending: (pending: number, all: number) => `Asking for ${count(pending, "formula")} of ${all.toLocaleString("en")}.`,
  failed: (failed: number, all: number) =>
    `${failed.toLocaleString("en")} of ${count(all, "formula")} failed; the reasons are below.`,
  stale: (stale: number, all: number) =>
    `The last refresh failed for ${stale.toLocaleString("en")} of ${count(all, "formula")}; ` +
    "they show what they had.",
  answered: (all: number) =>
    all === 1 ? "1 formula is answered." : `All ${all.toLocaleString("en")} formulas are answered.`,
  asOf: (ageMs: number) => `The oldest answer is from ${toAgo(ageMs, "en")}.`,
  retryFailed: (number: number) => `Ask again for ${count(number, "failed formula")}`,
  retried: (refetched: number, failed: number) =>
    failed === 0
      ? `${count(refetched, "question")} asked again, all answered.`
      : `${count(refetched, "question")} asked again; ${failed.toLocaleString("en")} failed again.`,
  nothingToRetry: "Nothing was asked: these arguments have to be corrected in their cells.",
  elsewhere: "Place not known",
  elsewhereHint: "This Excel does not say in which cells these stand.",
  states: {
    failed: "failed",
    stale: "not refreshed",
    asking: "asking",
    partly: "more to come",
    answered: "answered",
  } satisfies Record<LiveState, string>,
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
  formulasOf: (number) => `数式 ${number.toLocaleString("ja")} 件`,
  failedOf: (number) => `失敗 ${number.toLocaleString("ja")} 件`,
  staleOf: (number) => `未更新 ${number.toLocaleString("ja")} 件`,
  none: (example) =>
    `データを求める数式はまだありません。「作成」で数式を作るか、${example} のようにセルに入力してください。`,
  build: "数式を作成",
  pending: (pending, all) =>
    `数式 ${all.toLocaleString("ja")} 件のうち ${pending.toLocaleString("ja")} 件を問い合わせています。`,
  failed: (failed, all) =>
    `数式 ${all.toLocaleString("ja")} 件のうち ${failed.toLocaleString("ja")} 件が失敗しました。理由は下にあります。`,
  stale: (stale, all) =>
    `数式 ${all.toLocaleString("ja")} 件のうち ${stale.toLocaleString("ja")} 件は前回の更新に失敗し、以前の値のままです。`,
  answered: (all) => `数式 ${all.toLocaleString("ja")} 件すべてに値があります。`,
  asOf: (ageMs) => `最も古い値は${toAgo(ageMs, "ja")}のものです。`,
  retryFailed: (number) => `失敗した ${number.toLocaleString("ja")} 件を再試行`,
  retried: (refetched, failed) =>
    failed === 0
      ? `${refetched.toLocaleString("ja")} 件を問い合わせ直し、すべて取得しました。`
      : `${refetched.toLocaleString("ja")} 件を問い合わせ直しましたが、${failed.toLocaleString("ja")} 件は再び失敗しました。`,
  nothingToRetry: "問い合わせは行われませんでした。引数をセルで修正してください。",
  elsewhere: "場所が不明",
  elsewhereHint: "この Excel からは、どのセルの数式かを取得できません。",
  states: {
    failed: "失敗",
    stale: "未更新",
    asking: "問い合わせ中",
    partly: "続きを取得中",
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
  serves: (formulas) => `数式 ${formulas.toLocaleString("ja")} 件`,
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
