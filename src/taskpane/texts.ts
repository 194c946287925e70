import { isJapanese } from "./host";
import { activityTexts } from "./texts/activity";
import { buildTexts } from "./texts/build";
import { changesTexts, fixesTexts } from "./texts/changes";
import { commandsTexts, refreshTexts } from "./texts/commands";
import { findTexts, pickerTexts } from "./texts/find";
import { confirmTexts, headTexts, offlineTexts, pausesTexts } from "./texts/head";
import { provenanceTexts } from "./texts/provenance";
import { count } from "./texts/quantities";
import { familiesTexts, settingsTexts } from "./texts/settings";
import { sheetsTexts } from "./texts/sheets";

const answers = (number: number) => count(number, "answer");

const en = {
  language: "en" as "en" | "ja",
  /** Between two sentences. */
  gap: " ",
  families: familiesTexts.en,
  ofSettings: settingsTexts.en,
  ofFind: findTexts.en,
  ofFixes: fixesTexts.en,
  ofHead: headTexts.en,
  ofBuild: buildTexts.en,
  ofSheets: sheetsTexts.en,
  ofActivity: activityTexts.en,
  ofChanges: changesTexts.en,
  ofCommands: commandsTexts.en,
  ofConfirm: confirmTexts.en,
  ofOffline: offlineTexts.en,
  ofPauses: pausesTexts.en,
  ofPicker: pickerTexts.en,
  ofProvenance: provenanceTexts.en,
  ofRefresh: refreshTexts.en,
  product: "FEED for Excel",
  parts: { find: "Find", build: "Build", sheets: "Sheets", cell: "This cell", changes: "Changes" },
  close: "Close",
  copied: "Copied.",
  copyByHand: "The browser let nothing be copied. Press Ctrl+C (Mac: ⌘C) to copy what is selected.",
  replace: "Replace",
  inserted: (place: string) => `Inserted at ${place}.`,
  faults: {
    protected: (place: string, _said: string) =>
      `${place === "" ? "The workbook" : place} is protected. Unprotect it (Review tab), or choose another place.`,
    editing: (_place: string, _said: string) => "A cell is being edited. Press Enter or Esc in it, then try again.",
    occupied: (place: string, _said: string) => `${place} holds something already. Replace it, or select another cell.`,
    missing: (place: string, _said: string) =>
      `${place === "" ? "What was meant" : place} is not there any more. Select a cell and try again.`,
    tooLarge: (_place: string, _said: string) => "That is too much at once. Take a smaller part.",
    noCopies: (_place: string, _said: string) =>
      "The playground holds one workbook only. In Excel, this opens a copy of it.",
    refused: (_place: string, said: string) =>
      `The workbook did not take it: ${said} Try again; if it stays so, copy the text for support in Settings.`,
  },
  sample: "Sample data",
  idle: "Not connected yet.",
  connecting: "Connecting…",
  connected: "Connected",
  disconnected: "Disconnected. Cells keep their values and ask for no new ones.",
  failed: "Not connected. The step below tells why.",
  unpaired: "Not connected. The companion does not know this pane yet: do once what follows.",
  connect: "Connect",
  reconnect: "Connect again",
  disconnect: "Disconnect",
  journey: "From the key to a token",
  journeyHint: {
    sign: "The token lives for five minutes, in this page's memory only, and is renewed by itself.",
    relay: "The token lives for five minutes, in the companion's memory only, which renews it by itself.",
  },
  steps: {
    sign: {
      companion: "Companion answers",
      assertion: "Companion signs an assertion",
      token: "Provider gives a token",
    },
    relay: {
      companion: "Companion answers",
      assertion: "Companion is ready to sign",
      token: "Companion gets a token",
    },
  },
  waiting: "waiting",
  running: "running",
  stepFailed: "failed",
  cure: "What to do",
  refresh: "Refresh all",
  nothingToRefresh: "No cell asks for anything yet: type a formula first.",
  refreshed: (refetched: number) => `${answers(refetched)} refreshed.`,
  held: (count: number, from: string, next: string) =>
    `${count === 1 ? "1 answer is" : `${count.toLocaleString("en")} answers are`} from ${from} by your firm's policy; a newer one can come from ${next}.`,
  partlyRefreshed: (refetched: number, failed: number) =>
    `${failed.toLocaleString("en")} of ${answers(refetched)} could not be refreshed; cells that had a value keep it.`,
  connection: "Connection",
  provider: "Provider",
  clientId: "Client id",
  keyId: "Key id",
  previousKeyId: "Previous key id",
  thumbprint: "Thumbprint of the public key",
  transport: "Calls travel",
  proxy: "through the companion",
  direct: "straight to the provider",
  mode: "Tokens",
  sign: "come to this page, by assertions that the companion signs",
  relay: "stay in the companion; this page sees none",
  pairing: "Pairing",
  pairingOf: {
    sample: "not needed for sample data",
    none: "none",
    wanted: "none; the companion wants a code",
    kept: "this page is paired with the companion",
    passing: "until this page closes, because the browser stores nothing for it",
  },
  unpair: "Unpair",
  pairingCode: "Pairing code",
  pairingHint: "It is printed where the companion runs, and lasts five minutes. For a new one, run there:",
  askElsewhere: "Ask the people who run your companion.",
  pairingHintElsewhere: "Ask the people who run your companion for a code. It lasts five minutes.",
  pair: "Pair",
  codeIncomplete: "A code has eight letters and digits, such as ABCD-EFGH.",
  codeRefused: "That is not the pairing code, or it has ended. For a new one, run the command below.",
  codeRefusedElsewhere:
    "That is not the pairing code, or it has ended. Ask the people who run your companion for a new one.",
  workbook: "This workbook",
  numberProperties: "Numbers carry currency, fiscal year and statement",
  numberPropertiesHint: "They show on a figure's card and by =A1.Currency. Each refresh then sends every figure anew.",
  noNumberProperties:
    "This Excel cannot show properties of numbers; Microsoft 365 can, from Version 2504 (Mac: 16.96).",
  notPersisted: (reason: string) =>
    `The workbook did not keep this setting, which holds until the workbook is closed: ${reason}`,
  defaultCountry: "Default country",
  defaultCountryHint: "For COMPANY.FIND, COMPANY.ID and PEERS where they name none.",
  allCountries: "All countries you have access to",
  requestLimit: "Requests sent without asking",
  requestLimitHint: "What takes more than that at once is asked about on top of the pane.",
  noRequestLimit: "Give a whole number from 1 to 10,000.",
  timeZone: "Time zone of relative dates",
  timeZoneHint: 'Rankings count "-7d", "MTD" and "YTD" by its days.',
  noTimeZone: 'Give a time zone by its name, such as "Asia/Tokyo".',
  stillHolds: (value: string) => `${value} still holds.`,
  noCountry: 'Give a code of three letters such as "JPN", or "ALL".',
};

export type Texts = typeof en;

const ja: Texts = {
  language: "ja",
  gap: "",
  families: familiesTexts.ja,
  ofSettings: settingsTexts.ja,
  ofFind: findTexts.ja,
  ofFixes: fixesTexts.ja,
  ofHead: headTexts.ja,
  ofBuild: buildTexts.ja,
  ofSheets: sheetsTexts.ja,
  ofActivity: activityTexts.ja,
  ofChanges: changesTexts.ja,
  ofCommands: commandsTexts.ja,
  ofConfirm: confirmTexts.ja,
  ofOffline: offlineTexts.ja,
  ofPauses: pausesTexts.ja,
  ofPicker: pickerTexts.ja,
  ofProvenance: provenanceTexts.ja,
  ofRefresh: refreshTexts.ja,
  parts: { find: "検索", build: "作成", sheets: "シート", cell: "このセル", changes: "変更" },
  close: "閉じる",
  copied: "コピーしました。",
  copyByHand:
    "ブラウザーがコピーを許可しませんでした。Ctrl+C(Mac では ⌘C)を押して、選択された文字をコピーしてください。",
  replace: "置き換える",
  inserted: (place) => `${place} に挿入しました。`,
  faults: {
    protected: (place) =>
      `${place === "" ? "ブック" : place} は保護されています。[校閲] タブで保護を解除するか、別の場所を選んでください。`,
    editing: () => "セルが編集中です。Enter キーまたは Esc キーで編集を終えてから、もう一度お試しください。",
    occupied: (place) => `${place} には既に内容があります。置き換えるか、別のセルを選んでください。`,
    missing: (place) => `${place === "" ? "対象" : place} が見つかりません。セルを選んで、もう一度お試しください。`,
    tooLarge: () => "一度に処理できる量を超えています。範囲を小さくしてください。",
    noCopies: () => "プレイグラウンドのブックは 1 つだけです。Excel では、ブックのコピーが開きます。",
    refused: (_place, said) =>
      `ブックが処理できませんでした: ${said} もう一度試し、直らない場合は「設定」のサポート用テキストをコピーしてください。`,
  },
  product: "FEED for Excel",
  sample: "サンプルデータ",
  idle: "まだ接続していません。",
  connecting: "接続しています…",
  connected: "接続済み",
  disconnected: "切断しました。セルの値はそのまま残り、新しい値は取得しません。",
  failed: "接続できません。理由は下に表示されています。",
  unpaired:
    "接続していません。この作業ウィンドウはまだコンパニオンとペアリングされていません。以下の案内に従ってください。",
  connect: "接続",
  reconnect: "接続し直す",
  disconnect: "切断",
  journey: "接続の詳細",
  journeyHint: {
    sign: "トークンの有効期間は 5 分で、このページのメモリにだけ置かれ、自動で更新されます。",
    relay: "トークンの有効期間は 5 分で、コンパニオンのメモリにだけ置かれ、自動で更新されます。",
  },
  steps: {
    sign: {
      companion: "コンパニオンが応答",
      assertion: "コンパニオンが署名",
      token: "データ提供元がトークンを発行",
    },
    relay: {
      companion: "コンパニオンが応答",
      assertion: "コンパニオンの署名準備が完了",
      token: "コンパニオンがトークンを取得",
    },
  },
  waiting: "待機中",
  running: "実行中",
  stepFailed: "失敗",
  cure: "対処",
  refresh: "すべて更新",
  nothingToRefresh: "問い合わせるセルがまだありません。まず数式を入力してください。",
  refreshed: (refetched) => `回答 ${refetched.toLocaleString("ja")} 件を更新しました。`,
  held: (count, from, next) =>
    `回答 ${count.toLocaleString("ja")} 件は、社内の利用方針により ${from} 時点のものです。次に取得できるのは ${next} 以降です。`,
  partlyRefreshed: (refetched, failed) =>
    `回答 ${refetched.toLocaleString("ja")} 件のうち ${failed.toLocaleString("ja")} 件を更新できませんでした。値のあったセルには、その値が残ります。`,
  connection: "接続情報",
  provider: "データ提供元",
  clientId: "クライアント ID",
  keyId: "キー ID",
  previousKeyId: "以前のキー ID",
  thumbprint: "公開鍵の拇印",
  transport: "通信経路",
  proxy: "コンパニオン経由",
  direct: "データ提供元へ直接",
  mode: "トークン",
  sign: "コンパニオンの署名により、このページが受け取ります",
  relay: "コンパニオンの中にとどまり、このページには渡されません",
  pairing: "ペアリング",
  pairingOf: {
    sample: "サンプルデータでは不要です",
    none: "なし",
    wanted: "なし(コードの入力が必要です)",
    kept: "コンパニオンとペアリング済み",
    passing: "このページを閉じるまで有効(ブラウザーに保存できないため)",
  },
  unpair: "ペアリングを解除",
  pairingCode: "ペアリングコード",
  pairingHint:
    "コンパニオンを実行しているターミナルに表示され、5 分間有効です。新しいコードは、そこで次を実行すると表示されます:",
  askElsewhere: "コンパニオンの管理者にお問い合わせください。",
  pairingHintElsewhere: "コードは、コンパニオンの管理者にお問い合わせください。5 分間有効です。",
  pair: "ペアリング",
  codeIncomplete: "コードは ABCD-EFGH のような 8 文字の英数字です。",
  codeRefused: "コードが違うか、期限が切れています。下のコマンドを実行すると、新しいコードが表示されます。",
  codeRefusedElsewhere:
    "コードが違うか、期限が切れています。新しいコードは、コンパニオンの管理者にお問い合わせください。",
  workbook: "このブック",
  numberProperties: "数値に通貨、会計年度、財務諸表を付ける",
  numberPropertiesHint:
    "数値のカードと =A1.Currency で確認できます。有効にすると、更新のたびにすべての数値が送り直されます。",
  noNumberProperties:
    "この Excel は数値のプロパティを表示できません。Microsoft 365 のバージョン 2504 (Mac は 16.96) 以降で表示できます。",
  notPersisted: (reason) => `設定をブックに保存できませんでした。ブックを閉じるまでは有効です: ${reason}`,
  defaultCountry: "既定の国",
  defaultCountryHint: "COMPANY.FIND、COMPANY.ID、PEERS で国を省略したときに使われます。",
  allCountries: "アクセスできるすべての国",
  requestLimit: "確認なしで送信するリクエストの件数",
  requestLimitHint: "一度に送る件数がこれを超える場合は、ウィンドウの上部で確認します。",
  noRequestLimit: "1 から 10,000 までの整数を入力してください。",
  timeZone: "相対日付のタイムゾーン",
  timeZoneHint: "ランキングの「-7d」「MTD」「YTD」は、このタイムゾーンの日付で数えます。",
  noTimeZone: "「Asia/Tokyo」のように、タイムゾーンを名前で入力してください。",
  stillHolds: (value) => `引き続き ${value} が使われます。`,
  noCountry: "「JPN」のような 3 文字の国コード、または「ALL」を入力してください。",
};

/** The pane's words in the language of Excel, English where there is no translation. */
export const toTexts = (language: string): Texts => (isJapanese(language) ? ja : en);
