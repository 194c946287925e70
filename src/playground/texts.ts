import type { CommandId } from "./commands";
import type { WorkbookCommand } from "./workbooks/commands";
import type { Refusal } from "./xlsx/archive";

const ENGLISH = {
  sampleBadge: "Sample data",
  sampleHint: "All companies and figures are fictional.",
  hostBadge: (name: string) => `As ${name}`,
  hostHint: "The playground plays this Excel as far as its documented differences go.",
  unknownHost: (known: readonly string[]) =>
    `The address names an unknown Excel. Write one of these after host=: ${known.join(", ")}.`,
  contacting: "Asking the companion.",
  sampleProvider: "Provider: built in",
  provider: (host: string) => `Provider: ${host}`,
  companionDown: "The companion does not answer. Start it (npm start or feed start), then reload this page.",
  unpaired: "Not connected: enter the pairing code in the FEED pane.",
  functionsMissing: "The FEED functions could not be loaded. Build them with npm run build, then reload this page.",
  pane: "FEED pane",
  commands: {
    refreshAll: "Refresh all",
    refreshSelection: "Refresh selection",
    aboutCell: "About this cell",
    freezeSelection: "Freeze to values",
    repair: "Repair formulas",
    help: "Help on formula",
  } satisfies Record<CommandId, string>,
  moreCommands: "More",
  formulas: "Formulas",
  noFormulas: "No formulas are loaded.",
  example: "Example:",
  more: "More examples, fields and errors",
  title: "FEED playground",
  cancel: "Cancel",
  close: "Close",
  workbookMenu: (name: string) => `Workbook: ${name}`,
  workbookCommands: {
    create: "New",
    createSample: "New from the sample",
    open: "Open…",
    upload: "Open an Excel file…",
    rename: "Rename…",
    duplicate: "Duplicate",
    download: "Download as Excel",
    remove: "Delete…",
  } satisfies Record<WorkbookCommand, string>,
  sampleWorkbook: "Sample workbook",
  newWorkbook: "Workbook",
  scripted: "Workbook of a script",
  openWorkbook: "Open a workbook of this browser",
  noWorkbooks: "This browser keeps no workbook yet. A workbook is kept from its first change.",
  renameTitle: "New name of the workbook",
  rename: "Rename",
  removeTitle: (name: string) => `Delete “${name}”? It cannot be brought back.`,
  remove: "Delete",
  leaveUnsaved: "The changes of this workbook could not be saved. Opening another workbook loses them.",
  leave: "Lose the changes",
  saving: "Saving…",
  savedAt: (time: string) => `Saved in this browser ${time}`,
  notSaved: {
    full: "Not saved: the browser’s storage is full",
    refused: "Not saved: the browser refuses to store it",
    missing: "Not saved: this browser stores nothing here",
  },
  keepsNothing:
    "This browser stores nothing for this page, as in some private windows. Your work ends with this window.",
  split: (name: string, own: string) =>
    `Another window has changed “${name}” too. Both are kept: the work of this window is now “${own}”.`,
  broken: (name: string) => `“${name}” cannot be read, so it was not opened. It is still in the list.`,
  gone: "The workbook is no longer in this browser.",
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
};

/** The strip's sentences, in the languages it speaks. */
export type Texts = typeof ENGLISH;

const JAPANESE: Texts = {
  sampleBadge: "サンプルデータ",
  sampleHint: "企業と数値はすべて架空のものです。",
  hostBadge: (name) => `${name} として動作`,
  hostHint: "文書で確認された違いの範囲で、この Excel を再現します。",
  unknownHost: (known) =>
    `アドレスの Excel は不明です。host= のあとに次のどれかを書いてください: ${known.join("、")}。`,
  contacting: "コンパニオンに問い合わせています。",
  sampleProvider: "データ提供元: 内蔵",
  provider: (host) => `データ提供元: ${host}`,
  companionDown:
    "コンパニオンが応答しません。npm start または feed start で起動してから、このページを再読み込みしてください。",
  unpaired: "接続していません。FEED ウィンドウでペアリングコードを入力してください。",
  functionsMissing:
    "FEED 関数を読み込めませんでした。npm run build を実行してから、このページを再読み込みしてください。",
  pane: "FEED ウィンドウ",
  commands: {
    refreshAll: "すべて更新",
    refreshSelection: "選択範囲を更新",
    aboutCell: "このセルについて",
    freezeSelection: "値に固定",
    repair: "数式を修復",
    help: "数式のヘルプ",
  },
  moreCommands: "その他",
  formulas: "数式一覧",
  noFormulas: "数式は読み込まれていません。",
  example: "例：",
  more: "ほかの使用例、項目、エラー",
  title: "FEED プレイグラウンド",
  cancel: "キャンセル",
  close: "閉じる",
  workbookMenu: (name) => `ブック: ${name}`,
  workbookCommands: {
    create: "新規",
    createSample: "サンプルから新規作成",
    open: "開く…",
    upload: "Excel ファイルを開く…",
    rename: "名前の変更…",
    duplicate: "複製",
    download: "Excel としてダウンロード",
    remove: "削除…",
  },
  sampleWorkbook: "サンプルブック",
  newWorkbook: "ブック",
  scripted: "スクリプトのブック",
  openWorkbook: "このブラウザーのブックを開く",
  noWorkbooks: "このブラウザーに保存されたブックはまだありません。ブックは最初の変更から保存されます。",
  renameTitle: "ブックの新しい名前",
  rename: "変更",
  removeTitle: (name) => `「${name}」を削除しますか？ 元に戻すことはできません。`,
  remove: "削除",
  leaveUnsaved: "このブックの変更を保存できませんでした。ほかのブックを開くと、変更は失われます。",
  leave: "変更を破棄",
  saving: "保存中…",
  savedAt: (time) => `このブラウザーに保存済み ${time}`,
  notSaved: {
    full: "保存できません: ブラウザーの保存領域がいっぱいです",
    refused: "保存できません: ブラウザーが保存を拒否しました",
    missing: "保存できません: このブラウザーには保存されません",
  },
  keepsNothing:
    "プライベートウィンドウなどのため、このブラウザーにはこのページのデータを保存できません。作業内容はこのウィンドウを閉じると失われます。",
  split: (name, own) =>
    `「${name}」は別のウィンドウでも変更されました。両方とも残しています。このウィンドウの内容は「${own}」になりました。`,
  broken: (name) => `「${name}」を読み取れないため、開きませんでした。一覧には残っています。`,
  gone: "このブックはもうこのブラウザーにありません。",
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
};

/** Picks the language: ?lang= of the address first, then the browser's; English unless it is Japanese. */
export function pickLanguage(query: string, browserLanguage: string): "en" | "ja" {
  const wanted = new URLSearchParams(query).get("lang") ?? browserLanguage;
  return wanted.toLowerCase().startsWith("ja") ? "ja" : "en";
}

export function pickTexts(language: "en" | "ja"): Texts {
  return language === "ja" ? JAPANESE : ENGLISH;
}
