import type { FeedCode } from "../client/errors";

/**
 * What the user can do about each error, in both languages, and whether the client retries by itself. The
 * table of docs/formulas.md is checked against it.
 */
export const CURES = {
  FEED_ARGUMENT_INVALID: {
    retried: "no",
    en: "correct the argument that the text names",
    ja: "エラーメッセージに示された引数を修正してください",
  },
  FEED_NOT_CONNECTED: {
    retried: "on connect",
    en: "connect in the FEED pane",
    ja: "FEED ウィンドウで接続してください",
  },
  FEED_SIGNER_UNREACHABLE: {
    retried: "yes",
    en: "start the companion, then connect in the FEED pane",
    ja: "コンパニオンを起動し、FEED ウィンドウで接続してください",
  },
  FEED_SIGNER_REFUSED: {
    retried: "no",
    en: "enter the pairing code if the FEED pane asks for it; else read the companion's reason there",
    ja: "FEED ウィンドウがペアリングコードを求めている場合は入力し、それ以外はそこに示される理由を確認してください",
  },
  FEED_TOKEN_REFUSED: {
    retried: "one fresh assertion",
    en: "check client id, key id and public key",
    ja: "クライアント ID、キー ID、公開鍵を確認してください",
  },
  FEED_TOKEN_MALFORMED: {
    retried: "one fresh assertion",
    en: "check the provider's base URL",
    ja: "データ提供元のベース URL を確認してください",
  },
  FEED_REQUEST_INVALID: {
    retried: "no",
    en: "correct what the provider's text names",
    ja: "データ提供元の文が示す点を修正してください",
  },
  FEED_UNAUTHORISED: {
    retried: "one renewal",
    en: "connect again in the FEED pane",
    ja: "FEED ウィンドウで接続し直してください",
  },
  FEED_SCOPE_MISSING: {
    retried: "no",
    en: "ask your administrator or the provider for this data family or country",
    ja: "このデータまたは国の利用権を管理者またはデータ提供元に依頼してください",
  },
  FEED_NOT_FOUND: {
    retried: "no",
    en: "check the id; for a name, choose another company",
    ja: "ID を確認してください。企業名の場合は別の企業を選んでください",
  },
  FEED_RATE_LIMITED: {
    retried: "yes",
    en: "wait; cells fill by themselves",
    ja: "しばらくお待ちください。セルは自動的に更新されます",
  },
  FEED_SERVER_FAILED: { retried: "yes", en: "refresh later", ja: "後で更新してください" },
  FEED_NETWORK_FAILED: {
    retried: "yes",
    en: "check the connection, then refresh",
    ja: "ネットワーク接続を確認してから更新してください",
  },
  FEED_TIMED_OUT: { retried: "yes", en: "refresh later", ja: "後で更新してください" },
  FEED_RESPONSE_MALFORMED: {
    retried: "no",
    en: "report it to the provider with the traceId",
    ja: "traceId を添えてデータ提供元に報告してください",
  },
  FEED_NO_VALUE: {
    retried: "no",
    en: "ask for something that exists, as the text suggests; correct the spelling of a name, or choose its company",
    ja: "エラーの文を参考に、存在するものを指定してください。企業名は表記を修正するか、企業を選んでください",
  },
  FEED_AMBIGUOUS: {
    retried: "no",
    en: "use one of the texts that the message lists; for a company, press Choose the company in Find, or put one of the quoted texts in place of the name",
    ja: "エラーの文が挙げる語のいずれかを使ってください。企業名の場合は「検索」で企業を選ぶか、名称の代わりに引用符内のいずれかを指定してください",
  },
  FEED_INDEX_NOT_READY: {
    retried: "when it is built",
    en: "build the index in the FEED pane",
    ja: "FEED ウィンドウで企業名の索引を作成してください",
  },
  FEED_CONFIRM_NEEDED: {
    retried: "on the user's act",
    en: "confirm in the FEED pane that it may be asked for",
    ja: "FEED ウィンドウで問い合わせを許可してください",
  },
  FEED_RESULT_TOO_LARGE: { retried: "no", en: "ask for fewer rows or fields", ja: "行数または項目を減らしてください" },
  FEED_INTERNAL: {
    retried: "no",
    en: "copy the text for support in the FEED pane (Settings) and report it to us",
    ja: "FEED ウィンドウの「設定」でサポート用のテキストをコピーし、開発元に報告してください",
  },
} as const satisfies Record<FeedCode, { retried: string; en: string; ja: string }>;

/** What the user can do where a company's name in the formula is the reason. */
export const NAME_CURES: Readonly<Partial<Record<FeedCode, { en: string; ja: string }>>> = {
  FEED_NOT_FOUND: { en: "choose another company", ja: "別の企業を選んでください" },
  FEED_NO_VALUE: {
    en: "correct the spelling, or choose the company",
    ja: "表記を修正するか、企業を選んでください",
  },
  FEED_AMBIGUOUS: {
    en: "press Choose the company in Find, or put one of the quoted texts in place of the name",
    ja: "「検索」で企業を選ぶか、名称の代わりに引用符内のいずれかを指定してください",
  },
};
