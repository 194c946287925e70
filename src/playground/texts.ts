import type { Paired } from "./companion";

/** The strip's sentences, in the languages it speaks. */
export interface Texts {
  sampleBadge: string;
  sampleHint: string;
  asking: string;
  sampleProvider: string;
  provider(host: string): string;
  companionDown: string;
  unpaired: string;
  pairingCode: string;
  pairingHint: string;
  pair: string;
  /** Why an attempt to pair did not end in a pairing. */
  notPaired: Record<Exclude<Paired, "paired">, string>;
  functionsMissing: string;
  formulas: string;
  noFormulas: string;
  example: string;
  more: string;
}

const ENGLISH: Texts = {
  sampleBadge: "Sample data",
  sampleHint: "All companies and figures are fictional.",
  asking: "Asking the companion.",
  sampleProvider: "Provider: built in",
  provider: (host) => `Provider: ${host}`,
  companionDown: "The companion does not answer. Start it with npm start, then reload this page.",
  unpaired: "Not connected: the companion does not know this page yet.",
  pairingCode: "Pairing code",
  pairingHint: "For a code, run where the companion runs: npm run companion -- pair",
  pair: "Pair",
  notPaired: {
    refused: "That is not the pairing code, or it has ended. For a new one, run: npm run companion -- pair",
    unkept: "This browser keeps nothing for this page. Allow it to store data for this address, then pair again.",
    failed: "The companion did not pair this page. Wait a minute, then try again.",
  },
  functionsMissing: "The FEED functions could not be loaded. Build them with npm run build, then reload this page.",
  formulas: "Formulas",
  noFormulas: "No formulas are loaded.",
  example: "Example:",
  more: "More examples, fields and errors",
};

const JAPANESE: Texts = {
  sampleBadge: "サンプルデータ",
  sampleHint: "会社と数値はすべて架空のものです。",
  asking: "コンパニオンに問い合わせています。",
  sampleProvider: "データ提供元: 内蔵",
  provider: (host) => `データ提供元: ${host}`,
  companionDown: "コンパニオンが応答しません。npm start で起動してから、このページを再読み込みしてください。",
  unpaired: "接続していません。このページはまだコンパニオンとペアリングされていません。",
  pairingCode: "ペアリングコード",
  pairingHint: "コードは、コンパニオンを実行しているターミナルで次を実行すると表示されます: npm run companion -- pair",
  pair: "ペアリング",
  notPaired: {
    refused: "コードが違うか、期限が切れています。npm run companion -- pair で新しいコードを表示してください。",
    unkept: "ブラウザーがこのページのデータを保存できません。保存を許可してから、もう一度ペアリングしてください。",
    failed: "ペアリングできませんでした。1 分ほど待ってから、もう一度お試しください。",
  },
  functionsMissing:
    "FEED 関数を読み込めませんでした。npm run build を実行してから、このページを再読み込みしてください。",
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
