import type { Catalogue } from "../../client/messages";

/** What the client and the session say, by the English templates. */
export const CLIENT: Catalogue = {
  "the companion's answer holds no assertion; restart the companion":
    "コンパニオンの応答にアサーションがありません。コンパニオンを再起動してください",
  "the companion serves another provider or client than before; connect again in the FEED pane":
    "コンパニオンのデータ提供元またはクライアントが変わりました。FEED ウィンドウで接続し直してください",
  "the provider refuses its own new tokens; connect again later":
    "データ提供元が、発行したばかりのトークンを拒否しています。後で接続し直してください",
  "the provider's answer holds no access token; check the base URL":
    "データ提供元の応答にアクセストークンがありません。ベース URL を確認してください",
  "the access token for {0} seconds had expired on arrival; tell the provider":
    "有効期間 {0} 秒のアクセストークンが、届いた時点で失効していました。データ提供元に連絡してください",
  '"{0}", then "{1}"': '"{0}"、次に "{1}"',
  'the provider refused client "{0}" with key {1} ({2}); check both, and the public key at the provider':
    'データ提供元がクライアント "{0}" とキー {1} を拒否しました（{2}）。両方と、データ提供元に登録した公開鍵を確認してください',
  "the provider has no financials of company {0}; check the id":
    "データ提供元に企業 {0} の財務情報がありません。ID を確認してください",
  "the provider has no financials of company {0} for {1}; check the id and the year":
    "データ提供元に企業 {0} の {1} 年度の財務情報がありません。ID と年度を確認してください",
  "the companion refused: {0}": "コンパニオンが拒否しました：{0}",
  "the companion's configuration has no {0}; restart the companion":
    "コンパニオンの設定に {0} がありません。コンパニオンを再起動してください",
  "FEED for Excel failed on its own: {0}; copy the text for support in the pane and report it to us":
    "FEED for Excel の内部エラーです：{0}。FEED ウィンドウでサポート用のテキストをコピーし、開発元に報告してください",
  "the companion does not answer; start it, then connect in the FEED pane":
    "コンパニオンが応答しません。コンパニオンを起動してから、FEED ウィンドウで接続してください",
  "no answer within {0} seconds; refresh later": "{0} 秒以内に応答がありませんでした。後で更新してください",
  "the answer was a redirect, as of a sign-in page; check the network":
    "応答が、サインインページなどへの転送でした。ネットワークを確認してください",
  "the answer was cut off or is no JSON, as from a sign-in page; check the network, then refresh":
    "応答が途中で切れているか、サインインページなど JSON 以外のものです。ネットワークを確認してから更新してください",
  "the provider's answer is above 50 MB; ask for fewer rows":
    "データ提供元の応答が 50 MB を超えています。行数を減らしてください",
  "the connection broke during the answer; refresh": "応答の途中で接続が切れました。更新してください",
  "the provider's answer is not written in its declared charset ({0}); ask the provider":
    "データ提供元の応答が、宣言された文字コード（{0}）で書かれていません。データ提供元に問い合わせてください",
  "the provider answered with an error in place of data{0}; refresh later":
    "データ提供元がデータの代わりにエラーを返しました{0}。後で更新してください",
  "refresh later": "後で更新してください",
  "the provider refused the token{0}; connect again": "データ提供元がトークンを拒否しました{0}。接続し直してください",
  "this client may not read that{0}; ask the provider":
    "このクライアントには参照する権限がありません{0}。データ提供元に問い合わせてください",
  "the provider has no such record{0}; check the id":
    "データ提供元に該当するデータがありません{0}。ID を確認してください",
  "the provider gave up{0}; {1}": "データ提供元が処理を打ち切りました{0}。{1}",
  "too many requests{0}; {1}": "要求が多すぎます{0}。{1}",
  "the provider failed with {0}{1}; {2}": "データ提供元でエラー {0} が発生しました{1}。{2}",
  "the provider refused the request with {0}{1}; {2}": "データ提供元がエラー {0} で要求を拒否しました{1}。{2}",
  "check the arguments": "引数を確認してください",
  "correct what it names": "示された点を修正してください",
  "it is requested again by itself in a moment": "まもなく自動的に再試行されます",
  "it is requested again by itself in 1 second": "1 秒後に自動的に再試行されます",
  "it is requested again by itself in {0} minutes": "{0} 分後に自動的に再試行されます",
  "it is requested again by itself in {0} seconds": "{0} 秒後に自動的に再試行されます",
  "the companion failed, and its log says why": "コンパニオンでエラーが発生しました（理由はそのログにあります）",
  " with {0}": "（{0}）",
  ": {0}": "：{0}",
  "the companion answered{0}": "コンパニオンの応答です{0}",
  "the companion could not answer{0}": "コンパニオンが応答できませんでした{0}",
  "the companion refused{0}": "コンパニオンが拒否しました{0}",
  "this page is not paired with the companion; enter the pairing code in the FEED pane":
    "このページはコンパニオンとペアリングされていません。FEED ウィンドウでペアリングコードを入力してください",
  "the provider was not reached ({0}); check the connection; if the provider lets no web page in (CORS), set FEED_TRANSPORT=proxy at the companion":
    "データ提供元に接続できませんでした（{0}）。ネットワーク接続を確認してください。データ提供元が Web ページからの接続（CORS）を許可していない場合は、コンパニオンで FEED_TRANSPORT=proxy を設定してください",
  "the provider answered {0} with what names no company; report it to the provider":
    "{0} に対するデータ提供元の応答に企業が示されていません。データ提供元に報告してください",
  "the provider answered {0} with another company; report it to the provider":
    "{0} に対してデータ提供元が別の企業を返しました。データ提供元に報告してください",
  "{0} or {1}": "{0} または {1}",
  "the provider has no such record for {0}{1}; check the id and the year":
    "データ提供元に {0} 年度の該当するデータがありません{1}。ID と年度を確認してください",
  "the provider has no such list{0}; check country and dates":
    "データ提供元に該当する一覧がありません{0}。国と日付を確認してください",
  '"{0}" cannot be an id; give the id as the provider writes it':
    '"{0}" は ID として使えません。データ提供元の表記どおりに ID を指定してください',
  "not connected; connect in the FEED pane": "接続されていません。FEED ウィンドウで接続してください",
  "the companion's answer holds no pairing; restart the companion":
    "コンパニオンの応答にペアリングがありません。コンパニオンを再起動してください",
  "the companion's answer holds no keys as this page knows them; restart the companion":
    "コンパニオンの応答に、このページが扱える鍵がありません。コンパニオンを再起動してください",
  "the companion's answer does not tell how to sign in or pair; restart the companion":
    "コンパニオンの応答にサインインまたはペアリングの方法がありません。コンパニオンを再起動してください",
};
