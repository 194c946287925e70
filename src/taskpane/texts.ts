const en = {
  product: "FEED for Excel",
  sample: "Sample data",
  sampleHint: "Generated companies and figures; nothing here is real.",
  idle: "Not connected yet.",
  connecting: "Connecting…",
  connected: "Connected",
  disconnected: "Disconnected. Cells keep their values and ask for no new ones.",
  failed: "No connection",
  connect: "Connect",
  disconnect: "Disconnect",
  refresh: "Refresh all",
  refreshing: "Refreshing…",
  provider: "Provider",
  clientId: "Client id",
  keyId: "Key id",
  thumbprint: "Public key",
  transport: "Calls travel",
  proxy: "through the companion",
  direct: "straight to the provider",
  journey: "The companion signs, the provider gives a token for five minutes, and only this page's memory holds it.",
  formulas: "Type a formula into a cell",
};

export type Texts = typeof en;

const ja: Texts = {
  product: "FEED for Excel",
  sample: "サンプルデータ",
  sampleHint: "会社も数値も生成されたもので、実在しません。",
  idle: "まだ接続していません。",
  connecting: "接続しています…",
  connected: "接続済み",
  disconnected: "切断しました。セルの値はそのまま残り、新しい値は取得しません。",
  failed: "接続できません",
  connect: "接続",
  disconnect: "切断",
  refresh: "すべて更新",
  refreshing: "更新しています…",
  provider: "プロバイダー",
  clientId: "クライアント ID",
  keyId: "キー ID",
  thumbprint: "公開鍵",
  transport: "通信経路",
  proxy: "コンパニオン経由",
  direct: "プロバイダーへ直接",
  journey:
    "コンパニオンが署名し、プロバイダーが 5 分間のトークンを発行します。トークンはこのページのメモリにだけ置かれます。",
  formulas: "セルに数式を入力してください",
};

/** The pane's words in the language of Excel, English where there is no translation. */
export const toTexts = (language: string): Texts => (language.toLowerCase().startsWith("ja") ? ja : en);
