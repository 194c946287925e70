import { type Catalogue, fill } from "../../client/messages";

/** What the companion refuses with, by its English sentences; values such as names and reasons stay as they come. */
export const COMPANION: Catalogue = {
  "Nobody signs in here. For a code, run: {0}":
    "ここではサインインを使用しません。コードを取得するには、次を実行してください：{0}",
  "That is not the pairing code for this page, or it has ended. For a new one, run: {0}":
    "このページのペアリングコードではないか、期限が切れています。新しいコードを取得するには、次を実行してください：{0}",
  "That is not the pairing code for this page, or it has ended. For a new one, sign in again from the FEED pane.":
    "このページのペアリングコードではないか、期限が切れています。FEED ウィンドウからもう一度サインインしてください。",
  "The companion cannot read or keep who is paired. To see why, run where it was started: {0}":
    "コンパニオンがペアリングの記録を読み書きできません。原因を調べるには、コンパニオンを起動した場所で次を実行してください：{0}",
  "The server that all instances share (FEED_STORE) does not answer: try again in a minute, or see whether it runs.":
    "すべてのインスタンスが共有するサーバー（FEED_STORE）が応答しません。1 分後にもう一度試すか、稼働しているかどうかを確認してください。",
  "More than {0} requests of this kind came in a minute: try again in {1} s.":
    "この種の要求が 1 分間に {0} 件を超えました。{1} 秒後にもう一度お試しください。",
  "{0} cannot be changed from here: the environment or a settings file gives it. Change it there and start the companion again.":
    "{0} はここでは変更できません。環境変数または設定ファイルで指定されています。そこで変更し、コンパニオンを再起動してください。",
  "This companion is not set up from the pane. Set it up where it is started.":
    "このコンパニオンはウィンドウからは設定できません。起動する場所で設定してください。",
  "{0} holds {1} keys already. Delete there those that no provider knows any more.":
    "{0} にはすでに {1} 個のキーがあります。どのデータ提供元にも登録されていないキーを削除してください。",
  "A provider answers: there is no sample data to move.":
    "データ提供元が応答しているため、日付を進められるサンプルデータはありません。",
  "No key was made here as yet: make one first.": "キーがまだありません。先にキーを作成してください。",
  "{0} cannot be written ({1}). Check the folder's rights and the disk, and try again.":
    "{0} に書き込めません（{1}）。フォルダーの権限とディスクを確認してから、もう一度お試しください。",
  "{0} has more roles of FEED_ROLES_FILE than a sign-in holds ({1} bytes): assign fewer ones.":
    "{0} に割り当てられた FEED_ROLES_FILE のロールが、サインインに収まる量（{1} バイト）を超えています。割り当てを減らしてください。",
  "There is no sample data while a provider is set up: connect in the FEED pane.":
    "データ提供元が設定されている間、サンプルデータはありません。FEED ウィンドウで接続してください。",
  "The provider answered with a redirect (status {0}), which is not followed; check FEED_BASE_URL.":
    "データ提供元が転送（状態 {0}）で応答しました。転送には従いません。FEED_BASE_URL を確認してください。",
  "The provider answered with nothing (status 204); check FEED_BASE_URL.":
    "データ提供元の応答が空です（状態 204）。FEED_BASE_URL を確認してください。",
  "The provider answered with status {0}, which is no provider's; check FEED_BASE_URL.":
    "状態 {0} はデータ提供元の応答ではありません。FEED_BASE_URL を確認してください。",
  "The provider's answer is above 64 MB; ask for fewer rows.":
    "データ提供元の応答が 64 MB を超えています。行数を減らしてください。",
  "The provider's answer is damaged, above 64 MB or packed in an unknown way.":
    "データ提供元の応答が壊れているか、64 MB を超えているか、未知の形式で圧縮されています。",
  "The provider did not answer in time; try again later, or check FEED_BASE_URL and the network.":
    "データ提供元が時間内に応答しませんでした。後でもう一度試すか、FEED_BASE_URL とネットワークを確認してください。",
  "The provider did not answer in time; try again later.":
    "データ提供元が時間内に応答しませんでした。後でもう一度お試しください。",
  "The provider could not be reached: {0}; {1}.": "データ提供元に接続できませんでした：{0}（{1}）。",
  "The provider could not be reached{0}; check FEED_BASE_URL and the network.":
    "データ提供元に接続できませんでした{0}。FEED_BASE_URL とネットワークを確認してください。",
  "The provider gives no token: it {0}; try again later.":
    "データ提供元からトークンを取得できません（{0}）。後でもう一度お試しください。",
  "The provider asked to wait: try again in {0} s.":
    "データ提供元が待機を求めています。{0} 秒後にもう一度お試しください。",
  "The provider does not answer anybody: try again in {0} s.":
    "データ提供元が誰にも応答していません。{0} 秒後にもう一度お試しください。",
  "Another provider was set up meanwhile: ask again.":
    "その間に別のデータ提供元が設定されました。もう一度要求してください。",
  "Your firm asks the provider for as much as it may: try again in {0} s.":
    "データ提供元への要求が組織の上限に達しています。{0} 秒後にもう一度お試しください。",
  "Others are before you at the provider: try again in {0} s.":
    "先に待っている要求があります。{0} 秒後にもう一度お試しください。",
  "You wait for as much of the provider as one may: try again in {0} s.":
    "待機中の要求が 1 人の上限に達しています。{0} 秒後にもう一度お試しください。",
  "All wait for as much of the provider as this instance may queue: try again in {0} s.":
    "待機中の要求がコンパニオンの上限に達しています。{0} 秒後にもう一度お試しください。",
  "You asked for more than {0} companies and pages in a minute: try again in {1} s.":
    "1 分間に {0} 件を超える企業とページを要求しました。{1} 秒後にもう一度お試しください。",
  "Your role reads no {0}: ask your administrator for more.":
    "お使いのロールでは {0} を参照できません。管理者に問い合わせてください。",
  "Your role reads {0} of {1} only: ask your administrator for more.":
    "お使いのロールで {0} を参照できるのは {1} だけです。管理者に問い合わせてください。",
  "Your role reads some countries only, and a registration number names none: ask by company id.":
    "お使いのロールで参照できるのは一部の国だけで、登録番号からは国がわかりません。企業の ID を指定してください。",
  "Whether your role reads this company cannot be found out at present: try again later.":
    "お使いのロールでこの企業を参照できるかどうかを、現在確認できません。後でもう一度お試しください。",
  "The provider's answer is no JSON, and cannot be checked against your role: try again later.":
    "データ提供元の応答が JSON ではないため、ロールと照合できません。後でもう一度お試しください。",
  "The provider's answer cannot be checked against your role: {0}. Tell your administrator, who can report it to the provider.":
    "データ提供元の応答をロールと照合できません（{0}）。管理者に連絡してください。データ提供元に報告できます。",
  "The identity provider declined the sign-in ({0}).": "組織のサインイン サービスが拒否しました（{0}）。",
  "The identity provider could not be reached: {0}; {1}.":
    "組織のサインイン サービスに接続できませんでした：{0}（{1}）。",
  "The identity provider does not answer well ({0}): try again later, or check FEED_SIGN_IN_ISSUER and the network.":
    "組織のサインイン サービスが正しく応答しません（{0}）。後でもう一度試すか、FEED_SIGN_IN_ISSUER とネットワークを確認してください。",
  // The most general comes last.
  "The provider {0}; {1}.": "データ提供元の問題です：{0}（{1}）。",
};

const toPattern = (english: string): RegExp =>
  new RegExp(`^${english.replace(/[.*+?^$()[\]\\|]/g, "\\$&").replace(/\{\d+\}/g, "(.*)")}$`);

const PATTERNS = Object.entries(COMPANION).map(([english, japanese]) => [toPattern(english), japanese] as const);

/** Translates a sentence of the companion; one that is not known here stays as it is. */
export function translateSentence(text: string): string {
  for (const [pattern, japanese] of PATTERNS) {
    const found = pattern.exec(text);
    if (found !== null) return fill(japanese, found.slice(1), String);
  }
  return text;
}
