import type { CommandId } from "./commands";

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
  companionDown: "The companion does not answer. Start it with npm start, then reload this page.",
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
};

/** The strip's sentences, in the languages it speaks. */
export type Texts = typeof ENGLISH;

const JAPANESE: Texts = {
  sampleBadge: "サンプルデータ",
  sampleHint: "会社と数値はすべて架空のものです。",
  hostBadge: (name) => `${name} として動作`,
  hostHint: "文書で確認された違いの範囲で、この Excel を再現します。",
  unknownHost: (known) =>
    `アドレスの Excel は不明です。host= のあとに次のどれかを書いてください: ${known.join("、")}。`,
  contacting: "コンパニオンに問い合わせています。",
  sampleProvider: "データ提供元: 内蔵",
  provider: (host) => `データ提供元: ${host}`,
  companionDown: "コンパニオンが応答しません。npm start で起動してから、このページを再読み込みしてください。",
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
};

/** Picks the language: ?lang= of the address first, then the browser's; English unless it is Japanese. */
export function pickLanguage(query: string, browserLanguage: string): "en" | "ja" {
  const wanted = new URLSearchParams(query).get("lang") ?? browserLanguage;
  return wanted.toLowerCase().startsWith("ja") ? "ja" : "en";
}

export function pickTexts(language: "en" | "ja"): Texts {
  return language === "ja" ? JAPANESE : ENGLISH;
}
