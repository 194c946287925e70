import type { Refusal } from "../xlsx/package";
import type { CommandId } from "./office";

const ENGLISH = {
  sampleBadge: "Sample data",
  sampleHint: "All companies and figures are fictional.",
  contacting: "Asking the companion.",
  sampleProvider: "Provider: built in",
  provider: (host: string) => `Provider: ${host}`,
  companionDown: "The companion does not answer. Start it (npm start or feed start), then reload this page.",
  unpaired: "Not connected: enter the pairing code in the FEED pane.",
  functionsMissing: "The FEED functions could not be loaded. Build them with npm run build, then reload this page.",
  ended: "The grid has stopped by an error. The workbook and what you wrote are kept.",
  showAgain: "Show it again",
  pane: "FEED pane",
  commands: {
    refreshAll: "Refresh all",
    refreshSelection: "Refresh selection",
    aboutCell: "About this cell",
    freeze: "Freeze to values",
    repair: "Repair formulas",
    help: "Help on formula",
  } satisfies Record<CommandId, string>,
  moreCommands: "More",
  formulas: "Formulas",
  reference: "reference/index.html",
  title: "FEED playground",
  cancel: "Cancel",
  close: "Close",
  workbookMenu: (name: string) => `Workbook: ${name}`,
  /** In the order of the menu. */
  workbookCommands: {
    create: "New",
    createSample: "New from the sample",
    open: "Open an Excel file…",
    download: "Download as Excel",
  },
  sampleWorkbook: "Sample workbook",
  newWorkbook: "Workbook",
  scripted: "Workbook of a script",
  replaceTitle: (name: string) => `“${name}” will be replaced: this page keeps one workbook.`,
  replace: "Replace it",
  downloadFirst: "Download it first",
  saving: "Saving…",
  savedAt: (time: string) => `Saved in this browser ${time}`,
  notSaved: {
    full: "Not saved: the browser’s storage is full",
    refused: "Not saved: the browser refuses to store it",
    missing: "Not saved: this browser stores nothing here",
  },
  keepsNothing:
    "This browser stores nothing for this page, as in some private windows. Your work ends with this window.",
  split:
    "Another window has changed the workbook too. Both are kept: the page will open the one that was changed last, and offer the other as an Excel file.",
  broken: (name: string) => `“${name}” cannot be read, so it was not opened.`,
  others: "This page keeps one workbook. Download what you need of the others as Excel files:",
  removeOthers: "Delete the others…",
  removeTitle: "Delete the other workbooks from this browser? They cannot be brought back.",
  remove: "Delete",
  refusedFile: {
    damaged: (file: string) => `“${file}” is no Excel workbook (.xlsx), or it is damaged. It was not opened.`,
    large: (file: string) =>
      `“${file}” is too large for this page, which opens files up to 25 MB and 100,000 rows. Excel can split it.`,
    old: (file: string) =>
      `“${file}” is a workbook of Excel 97 to 2003 (.xls). Save it in Excel as .xlsx, then open that.`,
    protected: (file: string) =>
      `“${file}” is protected by a password. Save it in Excel without one, then open it here.`,
  } satisfies Record<Refusal, (file: string) => string>,
  notWritten: "The workbook could not be written as an Excel file.",
  settingsLeftOut: (file: string) =>
    `Some settings of FEED in “${file}” were left out, since another program has written them in a form that FEED cannot read.`,
};

/** The strip's sentences, in the languages it speaks. */
export type Texts = typeof ENGLISH;

const JAPANESE: Texts = {
  sampleBadge: "サンプルデータ",
  sampleHint: "企業と数値はすべて架空のものです。",
  contacting: "コンパニオンに問い合わせています。",
  sampleProvider: "データ提供元: 内蔵",
  provider: (host) => `データ提供元: ${host}`,
  companionDown:
    "コンパニオンが応答しません。npm start または feed start で起動してから、このページを再読み込みしてください。",
  unpaired: "接続していません。FEED ウィンドウでペアリングコードを入力してください。",
  functionsMissing:
    "FEED 関数を読み込めませんでした。npm run build を実行してから、このページを再読み込みしてください。",
  ended: "エラーのためグリッドが停止しました。ブックと入力した内容は保持されています。",
  showAgain: "もう一度表示",
  pane: "FEED ウィンドウ",
  commands: {
    refreshAll: "すべて更新",
    refreshSelection: "選択範囲を更新",
    aboutCell: "このセルについて",
    freeze: "値に固定",
    repair: "数式を修復",
    help: "数式のヘルプ",
  },
  moreCommands: "その他",
  formulas: "数式一覧",
  reference: "reference/ja/index.html",
  title: "FEED プレイグラウンド",
  cancel: "キャンセル",
  close: "閉じる",
  workbookMenu: (name) => `ブック: ${name}`,
  workbookCommands: {
    create: "新規",
    createSample: "サンプルから新規作成",
    open: "Excel ファイルを開く…",
    download: "Excel としてダウンロード",
  },
  sampleWorkbook: "サンプルブック",
  newWorkbook: "ブック",
  scripted: "スクリプトのブック",
  replaceTitle: (name) => `「${name}」は置き換えられます。このページが保持するブックは 1 つです。`,
  replace: "置き換える",
  downloadFirst: "先にダウンロード",
  saving: "保存中…",
  savedAt: (time) => `このブラウザーに保存済み ${time}`,
  notSaved: {
    full: "保存できません: ブラウザーの保存領域がいっぱいです",
    refused: "保存できません: ブラウザーが保存を拒否しました",
    missing: "保存できません: このブラウザーには保存されません",
  },
  keepsNothing:
    "プライベートウィンドウなどのため、このブラウザーにはこのページのデータを保存できません。作業内容はこのウィンドウを閉じると失われます。",
  split:
    "ブックは別のウィンドウでも変更されました。両方とも残しています。次に開くのは最後に変更されたブックで、もう一方は Excel ファイルとしてダウンロードできます。",
  broken: (name) => `「${name}」を読み取れないため、開きませんでした。`,
  others:
    "このページが保持するブックは 1 つです。ほかのブックは、必要なものを Excel ファイルとしてダウンロードしてください。",
  removeOthers: "ほかのブックを削除…",
  removeTitle: "ほかのブックをこのブラウザーから削除しますか？ 元に戻すことはできません。",
  remove: "削除",
  refusedFile: {
    damaged: (file) => `「${file}」は Excel ブック (.xlsx) ではないか、壊れています。開きませんでした。`,
    large: (file) =>
      `「${file}」は大きすぎます。このページで開けるのは 25 MB、100,000 行までです。Excel で分割してください。`,
    old: (file) =>
      `「${file}」は Excel 97–2003 のブック (.xls) です。Excel で .xlsx として保存してから開いてください。`,
    protected: (file) =>
      `「${file}」はパスワードで保護されています。Excel でパスワードを解除して保存してから開いてください。`,
  },
  notWritten: "ブックを Excel ファイルとして書き出せませんでした。",
  settingsLeftOut: (file) =>
    `「${file}」の FEED の設定の一部は、別のプログラムが書き込んだ読み取れない形式のため、除いて開きました。`,
};

/** Picks the language: ?lang= of the address first, then the browser's; English unless it is Japanese. */
export function pickLanguage(query: string, browserLanguage: string): "en" | "ja" {
  const wanted = new URLSearchParams(query).get("lang") ?? browserLanguage;
  return wanted.toLowerCase().startsWith("ja") ? "ja" : "en";
}

export function pickTexts(language: "en" | "ja"): Texts {
  return language === "ja" ? JAPANESE : ENGLISH;
}
