import type { FeedCode } from "../feed/errors";

/** What to do about each error, in Japanese; the English cures stand with the errors themselves. */
export const CURES: Readonly<Record<FeedCode, string>> = {
  FEED_ARGUMENT_INVALID: "エラーの文が示す引数を修正してください",
  FEED_NOT_CONNECTED: "FEED ウィンドウで接続してください",
  FEED_SIGNER_UNREACHABLE: "コンパニオンを起動し、FEED ウィンドウで接続してください",
  FEED_SIGNER_REFUSED: "FEED ウィンドウでコンパニオンが示す理由を確認してください",
  FEED_TOKEN_REFUSED: "クライアント ID、キー ID、公開鍵を確認してください",
  FEED_TOKEN_MALFORMED: "データ提供元のベース URL を確認してください",
  FEED_REQUEST_INVALID: "データ提供元の文が示す点を修正してください",
  FEED_UNAUTHORISED: "FEED ウィンドウで接続し直してください",
  FEED_SCOPE_MISSING: "このデータまたは国の利用権をデータ提供元に依頼してください",
  FEED_NOT_FOUND: "ID を確認してください",
  FEED_RATE_LIMITED: "しばらく待ってから更新してください",
  FEED_SERVER_FAILED: "後で更新してください",
  FEED_NETWORK_FAILED: "ネットワーク接続を確認してから更新してください",
  FEED_TIMED_OUT: "後で更新してください",
  FEED_RESPONSE_MALFORMED: "traceId を添えてデータ提供元に報告してください",
  FEED_NO_VALUE: "存在する年度、指標、項目を指定してください",
  FEED_AMBIGUOUS: "エラーの文が挙げる語のいずれかを追加してください",
  FEED_INDEX_NOT_READY: "FEED ウィンドウで索引を作成してください",
  FEED_RESULT_TOO_LARGE: "行数または項目を減らしてください",
};
